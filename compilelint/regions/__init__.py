"""Where compilation starts."""

from compilelint.regions.roots import Root, RootError, explicit_roots, implicit_roots

__all__ = ["Root", "RootError", "explicit_roots", "implicit_roots"]
