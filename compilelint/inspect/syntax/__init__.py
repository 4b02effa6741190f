"""What each piece of Python's syntax does: statements, expressions, operators, loops."""
