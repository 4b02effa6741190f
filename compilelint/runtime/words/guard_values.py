"""What a failed guard compared: the value it was compiled for, and the value that came.

Dynamo's text has only the first; the second is looked up in the frame's variables, without running any
code of the program: no property, no `__getattr__`, no `__getitem__` of a class of its own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from compilelint.runtime.events import GuardValue

_LONGEST = 80
_MISSING = object()
_VERSION = re.compile(r"^(?P<version>\[?!?\d+\]?/[\d_]+|None): (?P<guard>.*)", re.DOTALL)
_ON_STACK = "___stack"
"""Begins the names of what a part of a function after a break gets besides variables."""
_STACK = re.compile(r"\n\s*User stack trace:\n")
_ITEM_OF_BASE = re.compile(r"\b(?:list|dict|tuple)\.__getitem__\(([\w.\[\]']+), (\d+|'[^']*')\)")
_COMMENT = re.compile(r"\s+# .*|, type=<class .*", re.DOTALL)


def plain_items(guard: str) -> str:
    """With `self[0]` for `list.__getitem__(self, 0)`, which Dynamo writes of what is derived from list."""
    while (read := _ITEM_OF_BASE.sub(r"\1[\2]", guard)) != guard:
        guard = read
    return guard


def split_reason(text: str) -> tuple[str, str, str]:
    """Dynamo's text of one reason: compile id of the version that did not fit or "", guard, user stack."""
    said, _, stack = _split_stack(text)
    found = _VERSION.match(said)
    return (found["version"], found["guard"].strip(), stack) if found else ("", said.strip(), stack)


def reasons_in(message: str) -> list[str]:
    """The reasons in what Dynamo raises where recompiling is forbidden: each line of theirs begins with "- "."""
    reasons: list[str] = []
    for line in message.splitlines():
        text = line.lstrip()
        if not text.startswith("- "):
            continue
        if _VERSION.match(text[2:]) or not reasons:
            reasons.append(text[2:])
        else:
            reasons[-1] += f"\n{text[2:]}"
    return reasons


def _split_stack(text: str) -> tuple[str, str, str]:
    found = _STACK.search(text)
    return (text[: found.start()], found[0], text[found.end() :]) if found else (text, "", "")


def guard_value(guard: str, variables: Mapping[str, Any]) -> GuardValue | None:
    """What the guard compared, None if it is no comparison of one variable.

    `variables` are a frame's locals as "L" and its globals as "G", as Dynamo calls them.
    """
    code = plain_items(_COMMENT.sub("", guard).strip())
    try:
        test = ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _compared(test.operand, "False", variables)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, right = test.left, test.comparators[0]
        if not (_is_source(left) or _is_length(left)):
            left, right = right, left
        if not (_is_source(left) or _is_length(left)):
            numbers = {ast.unparse(each): each for each in _calculated_with(test)}
            return _compared(next(iter(numbers.values())), None, variables) if len(numbers) == 1 else None
        equal = isinstance(test.ops[0], (ast.Eq, ast.Is))
        return _compared(left, ast.unparse(right) if equal else None, variables)
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.args:
        return _compared(test.args[0], None, variables)
    return _compared(test, "True", variables) if _is_source(test) else None


def _compared(node: ast.expr, expected: str | None, variables: Mapping[str, Any]) -> GuardValue | None:
    if _is_length(node):
        assert isinstance(node, ast.Call)
        value = _look_up(node.args[0], variables)
        sized = type(value) in (list, tuple, dict, set, frozenset, str, range)
        return GuardValue(source=ast.unparse(node), expected=expected, actual=str(len(value)) if sized else None)
    if not _is_source(node):
        return None
    value = _look_up(node, variables)
    return GuardValue(source=ast.unparse(node), expected=expected, actual=None if value is _MISSING else shown(value))


def _calculated_with(node: ast.AST) -> Iterator[ast.expr]:
    """The variables and sizes in a condition on symbolic numbers."""
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and _is_source(node):
        yield node
    else:
        for child in node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node):
            yield from _calculated_with(child)


def _is_length(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "len"
        and len(node.args) == 1
        and _is_source(node.args[0])
    )


def _is_source(node: ast.expr) -> bool:
    """Whether this is a name of Dynamo's for a value: L['self'].layers[0], since 2.8 self.layers[0]."""
    node = _read(node) or node
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = _sized(node) or node.value
    return isinstance(node, ast.Name) and (not node.id.startswith("___") or node.id.startswith(_ON_STACK))


def _sized(node: ast.expr) -> ast.expr | None:
    """The tensor in `x.size()[0]`, as guards on symbolic shapes spell it; None for all else."""
    called = node.value if isinstance(node, ast.Subscript) else None
    if not isinstance(called, ast.Call) or called.args or not isinstance(called.func, ast.Attribute):
        return None
    return called.func.value if called.func.attr in ("size", "stride") else None


def _read(node: ast.expr) -> ast.expr | None:
    """The tensor in `x.item()`, or in `___from_numpy(x).item()`; None for all else."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "item"):
        return None
    tensor = node.func.value
    if isinstance(tensor, ast.Call) and ast.unparse(tensor.func) == "___from_numpy" and len(tensor.args) == 1:
        return tensor.args[0]
    return tensor


def _item_of(value: Any) -> Any:
    """The one number in a tensor of torch's own that is in memory, or in a scalar of numpy's."""
    in_memory = type(value).__module__ == "numpy" or (_is_tensor(value) and value.device.type == "cpu")
    try:
        return value.item() if in_memory else _MISSING
    except (ValueError, RuntimeError):  # more than one, or none at all
        return _MISSING


def _look_up(node: ast.expr, variables: Mapping[str, Any]) -> Any:
    if (read := _read(node)) is not None:
        return _item_of(_look_up(read, variables))
    if isinstance(node, ast.Name):
        return variables["L"].get(node.id, _MISSING)
    if isinstance(node, ast.Attribute):
        return _attribute(_look_up(node.value, variables), node.attr)
    if (tensor := _sized(node)) is not None:
        assert isinstance(node, ast.Subscript)
        assert isinstance(node.value, ast.Call)
        assert isinstance(node.value.func, ast.Attribute)
        value = _look_up(tensor, variables)
        if not _is_tensor(value):
            return _MISSING
        return _item(tuple(getattr(value, node.value.func.attr)()), node.slice)
    if isinstance(node, ast.Subscript):
        holder = _scope(node, variables)
        return _item(_look_up(node.value, variables) if holder is None else holder, node.slice)
    return _MISSING


def _scope(node: ast.Subscript, variables: Mapping[str, Any]) -> Any:
    """The variables of which this is one, by the names that Dynamo has for them: `L['x']`, `G['x']`. None for all
    else, as for what the program itself calls `L`: a length, mostly."""
    match node:
        case ast.Subscript(value=ast.Name(id="L" | "G" as name), slice=ast.Constant(value=str(key))):
            return variables[name] if key in variables[name] else None
        case _:
            return None


def _item(value: Any, key: ast.expr) -> Any:
    if value is _MISSING:
        return _MISSING
    try:
        literal = ast.literal_eval(key)
        # Also of what is derived from them, without its own code.
        if isinstance(value, dict):
            return dict.get(value, literal, _MISSING)
        if isinstance(value, list):
            return list.__getitem__(value, literal)
        if isinstance(value, tuple):
            return tuple.__getitem__(value, literal)
    except (ValueError, TypeError, LookupError, SyntaxError):
        pass
    return _MISSING


def _attribute(value: Any, name: str) -> Any:
    if value is _MISSING:
        return _MISSING
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        own = {}
    if name == "__dict__":
        return own
    if name in own:
        return own[name]
    for part in ("_parameters", "_buffers", "_modules"):  # where torch.nn.Module.__getattr__ looks
        held = own.get(part)
        if isinstance(held, dict) and name in held:
            return held[name]
    for base in type(value).__mro__:
        if name in vars(base):
            found = vars(base)[name]
            return _MISSING if hasattr(type(found), "__get__") else found
    return _MISSING


def _is_tensor(value: Any) -> bool:
    """Whether this is a tensor of torch's own, and no subclass that answers with code of its own."""
    kind = type(value)
    return kind.__module__.partition(".")[0] == "torch" and kind.__name__ in ("Tensor", "Parameter")


def shown(value: Any) -> str:
    """A short text for a value, without running code of the program's classes."""
    kind = type(value)
    if value is None or kind in (bool, int, float, complex, str, bytes):
        text = repr(value)
    elif kind in (tuple, list) and all(type(each) in (bool, int, float, str) for each in value[:16]):
        text = repr(value[:16])
    elif kind in (set, frozenset) and len(value) <= 16 and all(type(each) in (bool, int, float, str) for each in value):
        text = repr(value)
    elif f"{kind.__module__}.{kind.__name__}" in ("torch.dtype", "torch.device", "torch.Size"):
        text = str(value)
    elif _is_tensor(value):
        text = f"a {value.dtype} tensor of shape {list(value.shape)}"
    else:
        text = f"a {kind.__qualname__}"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
