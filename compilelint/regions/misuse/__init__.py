"""What a file does with what it compiles that cannot work, or loses it."""
