"""What a function's parameters are: by its callers, its annotations, and what its body does with them."""
