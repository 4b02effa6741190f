"""Where compilation starts."""

from compilelint.regions.roots import Root, compiled_roots, offered_roots
from compilelint.regions.starts.named_roots import RootError, named_roots

__all__ = ["Root", "RootError", "compiled_roots", "named_roots", "offered_roots"]
