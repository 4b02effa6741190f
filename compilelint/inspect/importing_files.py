"""The files of a program that import one of its files: those that may set, fill or replace what it keeps.

Of a file that many import nobody is asked: what a library keeps is seldom set by who uses it, and what was found out
of each of them would have to be found out anew whenever one changes.
"""

from __future__ import annotations

from compilelint.source.tree import SourceTree


def few_importers(tree: SourceTree, file: str) -> list[str] | None:
    """The files of the project that import one, in order; None where they are more than a program has."""
    users = tree.few_importers(file)
    return None if users is None else sorted(users)
