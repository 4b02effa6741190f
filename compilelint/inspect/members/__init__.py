"""Classes, and what objects of them have: methods, attributes, buffers, hooks."""
