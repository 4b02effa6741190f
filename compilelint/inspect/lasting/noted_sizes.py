"""Methods that make something for a size, and note for which: `if n > self.longest: self.make_table(n)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Instance
from compilelint.inspect.lasting.first_states import callers, fillers, values_given
from compilelint.inspect.sizing.sizes import is_size
from compilelint.source.model import Key

_NOTHING = (None, -1, 0, 1)
"""What is there where nothing was made yet."""


def noted_by(frame: Frame, call: ast.Call, method: Key | None) -> Iterator[tuple[Instance, ast.Attribute]]:
    """The attributes, with what they are of, that conditions compare with a size which is given to this method of
    theirs, and which it keeps there. Not those that something is made for beforehand, as for the longest input."""
    given = {ast.unparse(each) for each in (*call.args, *(keyword.value for keyword in call.keywords))}
    for test in frame.conditions:
        for target, size in _compared(test):
            if ast.unparse(size) not in given or method is None:
                continue
            owner = frame.inspector.peek(frame, target.value)
            if isinstance(owner, Instance) and frame.outlives_calls(owner) and _keeps(frame, owner, target, method):
                kind = frame.inspector.peek(frame, size)
                if kind in (kinds.INT, kinds.SIZE) or is_size(frame, size, kind):
                    yield owner, target


def _compared(test: ast.expr) -> Iterator[tuple[ast.Attribute, ast.expr]]:
    """The attribute that a condition compares, and with what: an `or` asks each of its parts."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        for value in test.values:
            yield from _compared(value)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1 and not isinstance(test.ops[0], ast.Eq):
        for target, size in ((test.left, test.comparators[0]), (test.comparators[0], test.left)):
            if isinstance(target, ast.Attribute):
                yield target, size


def _keeps(frame: Frame, owner: Instance, target: ast.Attribute, method: Key) -> bool:
    """Whether a method keeps what it is given in an attribute, and nobody has put anything there before."""
    keepers = fillers(frame.inspector, owner.cls, target.attr)
    function = frame.inspector.tree.function(method) if method in keepers else None
    if function is None or isinstance(function.node, ast.Lambda):
        return False
    arguments = function.node.args
    passed = {each.arg for each in (*arguments.args[1:], *arguments.kwonlyargs)}
    own = values_given(function.node, target.attr)
    if not all(isinstance(value, ast.Name) and value.id in passed for value in own):
        return False
    walked = frame.function.key if frame.function is not None else None
    if any(key not in (walked, method) for key in callers(frame.inspector, owner.cls, method)):
        return False
    others = (
        value
        for key in keepers
        if key != method and (other := frame.inspector.tree.function(key)) is not None
        for value in values_given(other.node, target.attr)
    )
    return all(_is_nothing(value) for value in others)


def _is_nothing(value: ast.expr | None) -> bool:
    try:
        return value is not None and ast.literal_eval(value) in _NOTHING
    except ValueError:
        return False
