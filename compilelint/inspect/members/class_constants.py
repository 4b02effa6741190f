"""Constants that a class names, which nobody sets: `if Config.DEBUG:`, of a `class Config: DEBUG = False`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compilelint.inspect.importing_files import few_importers
from compilelint.inspect.kinds import Const, ProjectClass
from compilelint.inspect.members import classes, never_set
from compilelint.inspect.members.spelled_options import constant_spelled

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


def constant(inspector: Inspector, cls: ProjectClass, name: str) -> Const | None:
    """What is read of a class itself, as a global is read of a module; None where it is no constant, or may be set."""
    return inspector.derived(("constant of class", cls.key, name), lambda: _constant(inspector, cls, name))


def _constant(inspector: Inspector, cls: ProjectClass, name: str) -> Const | None:
    written = constant_spelled(classes.default(inspector, cls, name))
    if written is None or written.value is None or classes.is_module_class(inspector, cls):
        return None
    if any(base.startswith("enum.") for base in classes.external_bases(inspector, cls)):
        return None  # a member, which only has this value
    return None if _may_be_set(inspector, cls.key[0], name) else written


def _may_be_set(inspector: Inspector, file: str, name: str) -> bool:
    users = few_importers(inspector.tree, file)
    if users is None:
        return True
    sets = re.compile(rf"\.{re.escape(name)}\b[^=\n(]*=(?!=)")
    for each in (file, *users):
        text = inspector.tree.text(each)
        if text is None or sets.search(text.text) or never_set.sets_any(inspector, each):
            return True
    return False
