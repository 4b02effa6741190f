"""Gradients that the code around a region asks for, of what a compiled call gave."""
