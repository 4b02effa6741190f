"""Finds what makes torch.compile break, recompile or give up, before it runs, and proves it after.

Importing this package imports nothing else: not torch, not a third-party library, not its own rooms.
"""

__version__ = "0.1.0"
