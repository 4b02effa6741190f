"""Classes that make objects of other classes: a `__new__` that chooses one by what it is given."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import Arguments
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Kind, ProjectClass
from compilelint.inspect.members import classes

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call


def made_instead(frame: Frame, cls: ProjectClass, call: Call) -> Kind | None:
    """What calling a class gives, if its `__new__` gives objects of other classes only: `sLSTMCell(config)` is a
    cell for the backend that the configuration names.

    Python calls no `__init__` of the class then. What `super().__new__(cls)` gives is not known, and is an instance.
    """
    inspector = frame.inspector
    key = classes.find_method(inspector, cls, "__new__")
    if key is None or not isinstance(call.node, ast.Call):
        return None
    function = kinds.Function(key, "__new__", cls)
    with inspector.silently():
        made = inspector.enter(
            frame, function, Arguments((cls, *call.args), tuple(call.keywords.items()), call.open_ended), call.node
        )
    return made if all(_is_of_another(option, cls) for option in kinds.options(made)) else None


def _is_of_another(made: Kind, cls: ProjectClass) -> bool:
    return isinstance(made, kinds.Instance) and made.cls.key != cls.key
