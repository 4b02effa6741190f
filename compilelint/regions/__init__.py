"""Where compilation starts."""

from compilelint.regions.named_roots import RootError, named_roots
from compilelint.regions.roots import Root, compiled_roots, offered_roots

__all__ = ["Root", "RootError", "compiled_roots", "named_roots", "offered_roots"]
