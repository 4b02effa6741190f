"""Attributes that objects of a class never have: what `hasattr(self, "adapter")` asks for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compilelint.inspect import kinds, signatures
from compilelint.inspect.kinds import External, Instance, ProjectClass
from compilelint.inspect.members import classes

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_SET_ANY = ("setattr(", "__dict__", "vars(", "exec(", "globals(", "_modules[", "_buffers[", "_parameters[")
"""What sets attributes, or names, that the text does not name."""
_MODULE = "torch.nn.Module"
_GIVES = r"(?<![\w.])(?<!attr\(self, [\"']){name}\b|\.{name}\b\s*(?:[,:]|in\b|\S?=(?!=))"
"""What may give an attribute of this name: any mention but where it is asked for, `hasattr(self, "name")`, or read."""


def is_never_set(inspector: Inspector, instance: Instance, name: str) -> bool:
    """Whether neither a class nor anybody who has to do with its objects gives them an attribute of this name, as far
    as texts tell: `hasattr(self, "adapter")` is False."""
    question = ("never set", instance.cls.key, name)
    return inspector.derived(question, lambda: _is_never_set(inspector, instance, name))


def _is_never_set(inspector: Inspector, instance: Instance, name: str) -> bool:
    bases = classes.mro(inspector, instance.cls)
    if kinds.UNKNOWN in bases or classes.answers_for_every_attribute(inspector, instance.cls) or hasattr(object, name):
        return False
    if any(base not in (_MODULE, "builtins.object") for base in classes.external_bases(inspector, instance.cls)):
        return False
    if signatures.attribute(External(_MODULE), name) is not None:
        return False
    files = {base.key[0] for base in bases if isinstance(base, ProjectClass)}
    users = sorted(frozenset().union(*map(inspector.tree.importers, files)).union(files))
    gives = re.compile(_GIVES.format(name=re.escape(name)))
    texts = (inspector.tree.text(file) for file in users)
    return not any(sets_any(inspector, file) for file in users) and all(
        text is not None and not gives.search(text.text) for text in texts
    )


def sets_any(inspector: Inspector, file: str) -> bool:
    """Whether a file may set attributes that its text does not name."""
    return inspector.derived(("sets any attribute", file), lambda: _says_any(inspector, file))


def _says_any(inspector: Inspector, file: str) -> bool:
    text = inspector.tree.text(file)
    return text is None or any(word in text.text for word in _SET_ANY)
