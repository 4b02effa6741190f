"""What outlives a call: what the first one fills, what each one moves on, what grows."""
