"""What is called, with what, and what comes back."""
