"""Which library a class is of, through its bases too, and whether that library is followed or not."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.members import classes


def is_of(inspector: Inspector, cls: kinds.ProjectClass, libraries: tuple[str, ...]) -> bool:
    """Whether a class has a base from one of these libraries (`"lightning."`), or is one of theirs.

    If a library is followed, its classes are walked as the project's are.
    """
    if any(base.startswith(libraries) for base in classes.external_bases(inspector, cls)):
        return True
    walked = {base.key[0] for base in classes.mro(inspector, cls) if isinstance(base, kinds.ProjectClass)}
    modules = (inspector.tree.module(name) for name in walked if inspector.tree.is_followed(name))
    return any(module is not None and module.dotted.startswith(libraries) for module in modules)
