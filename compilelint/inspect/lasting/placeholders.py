"""A tensor of no size yet, which the first call replaces by one of the size that comes.

`self.grid = [torch.zeros(1)] * n`, and then `if self.grid[i].shape[2:4] != x.shape[2:4]: self.grid[i] = make_grid(x)`,
as detection heads have it. The call that follows finds a tensor of another rank there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Instance
from compilelint.inspect.lasting.first_states import values_given
from compilelint.inspect.members import classes
from compilelint.source.model import FunctionNode
from compilelint.source.nodes import walk

_MAKERS = frozenset({"zeros", "ones", "empty", "tensor", "Tensor"})


def asks_for_size(frame: Frame) -> bool:
    """Whether any condition that a statement stands under compares sizes; few do."""
    return any(_sizes_asked(test) for test in frame.conditions)


def replaces_placeholder(frame: Frame, target: ast.expr, statement: ast.stmt, owner: Instance, attr: str) -> bool:
    """Whether a statement stands under the question whether its target has the right size, which no placeholder has."""
    assert frame.function is not None
    function = frame.function.node
    names = {ast.unparse(target), *_aliases(function, target)}
    asking = [test for test in frame.conditions if names.intersection(_sizes_asked(test))]
    return any(_stands_in_body(function, test, statement) for test in asking) and _is_placeholder(frame, owner, attr)


def _aliases(function: FunctionNode, target: ast.expr) -> Iterator[str]:
    """The names that a function has for what is there: `grid = self.grids[k]`."""
    for node in walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if type(value) is type(target) and ast.unparse(
                value
            ) == ast.unparse(target):
                yield name


def _sizes_asked(test: ast.expr) -> list[str]:
    """Whose sizes a condition compares, where that alone is enough for it to hold."""
    match test:
        case ast.BoolOp(op=ast.Or(), values=values):
            return [name for value in values for name in _sizes_asked(value)]
        case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[right]):
            return [name for side in (left, right) if (name := _sized(side))]
        case _:
            return []


def _sized(node: ast.expr) -> str:
    """Whose size an expression is, as it is written: `x` of `x.shape[2:4]` and `x.size(0)`."""
    match node:
        case ast.Subscript(value=value):
            return _sized(value)
        case ast.Attribute(value=value, attr="shape") | ast.Call(func=ast.Attribute(value=value, attr="size")):
            return ast.unparse(value)
        case _:
            return ""


def _stands_in_body(function: FunctionNode, test: ast.expr, statement: ast.stmt) -> bool:
    return any(
        isinstance(node, ast.If)
        and node.test is test
        and any(inner is statement for part in node.body for inner in walk(part))
        for node in walk(function)
    )


def _is_placeholder(frame: Frame, owner: Instance, attr: str) -> bool:
    init = classes.find_method(frame.inspector, owner.cls, "__init__")
    function = frame.inspector.tree.function(init) if init is not None else None
    given = list(values_given(function.node, attr)) if function is not None else []
    return bool(given) and all(value is not None and _is_empty(value) for value in given)


def _is_empty(node: ast.expr) -> bool:
    """`torch.zeros(1)`, `torch.empty(0)`, `torch.tensor([])`, or a list of such."""
    match node:
        case ast.BinOp(left=ast.List() as many, op=ast.Mult()):
            return _is_empty(many)
        case ast.List(elts=elements):
            return bool(elements) and all(map(_is_empty, elements))
        case ast.ListComp(elt=element):
            return _is_empty(element)
        case ast.Call(func=ast.Attribute(attr=maker), args=[] | [ast.Constant(value=0 | 1)] | [ast.List(elts=[])]):
            return maker in _MAKERS
        case _:
            return False
