"""Sizes of tensors: which may be others in the next call, and what holds one as a constant."""
