"""Flags on which a file compiles: `if cfg.compile: step = torch.compile(step)`, and `if not cfg.compile: print(…)` in
`step`. What is compiled is so because the flag is set: the other way is the one of who does not compile.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from compilelint.inspect.frame import path_of
from compilelint.source.watched import says

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame
    from compilelint.inspect.inspector import Inspector
    from compilelint.source.model import ModuleIndex

_SAYS = "compil"
"""What the name of such a flag has in it: others may be called the same for another reason."""


def outcome_of_guard(frame: Frame, test: ast.expr) -> bool | None:
    """What a condition comes to in what its file compiles; None where it asks for nothing on which the file does so."""
    # Nearly every condition that is walked comes here: it is told by its type first.
    asked = list(_asked(test)) if _may_ask(test) else ()
    if not asked or _is_around(frame):
        return None
    known = _guards(frame.inspector, frame.module)
    if any(known.get(path, state) is not state for path, state in asked):
        return False
    return True if not isinstance(test, ast.BoolOp) and asked[0][0] in known else None


def _is_around(frame: Frame) -> bool:
    """Whether this is what runs before: `self.net = torch.compile(net) if compiled else net` is either of the two."""
    function = frame.function
    return frame.runs_before or function is None or says(function.node, frame.module.lines, "compile(")


def _may_ask(test: ast.expr) -> bool:
    """What can be said at once: most conditions ask for no such flag."""
    if isinstance(test, ast.Name):
        return _SAYS in test.id.lower()
    if isinstance(test, ast.Attribute):
        return _SAYS in test.attr.lower()
    return isinstance(test, ast.BoolOp) or (isinstance(test, ast.UnaryOp) and _may_ask(test.operand))


def _asked(test: ast.expr) -> Iterator[tuple[str, bool]]:
    """The flags that a condition asks to be set, or not to be; `self.compiled` is what `__init__` was given as
    `compiled`."""
    match test:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            path = path_of(test) if _SAYS in name.lower() else None
            if path is not None:
                yield path.removeprefix("self."), True
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name() | ast.Attribute() as flag):
            yield from ((path, False) for path, _ in _asked(flag))
        case ast.BoolOp(op=ast.And(), values=values):
            for value in values:
                yield from _asked(value)


def _guards(inspector: Inspector, module: ModuleIndex) -> Mapping[str, bool]:
    return inspector.derived(("compile guards", module.name), lambda: _find(inspector, module))


def _find(inspector: Inspector, module: ModuleIndex) -> Mapping[str, bool]:
    """The flags, with their states, under which all that a file compiles is compiled."""
    text = inspector.tree.text(module.name)
    if text is None or (".compile(" not in text.text and "torch.compile" not in text.text):
        return {}
    found: set[tuple[str, bool]] | None = None
    for guards in _compilations(module.tree, frozenset()):
        found = set(guards) if found is None else found & guards
        if not found:
            break
    return dict(found or ())


def _compilations(node: ast.AST, guards: frozenset[tuple[str, bool]]) -> Iterator[frozenset[tuple[str, bool]]]:
    """The flags around each place where something may be compiled."""
    match node:
        case (
            ast.If(test=test, body=[*body], orelse=[*orelse])
            | ast.IfExp(test=test, body=ast.expr() as body, orelse=ast.expr() as orelse)
        ):
            asked = frozenset(_asked(test))
            otherwise = frozenset((path, not state) for path, state in asked) if len(asked) == 1 else frozenset()
            yield from _compilations(test, guards)
            yield from _of_all(body, guards | asked)
            yield from _of_all(orelse, guards | (otherwise if not isinstance(test, ast.BoolOp) else frozenset()))
        case _:
            if _may_compile(node):
                yield guards
            for child in ast.iter_child_nodes(node):
                yield from _compilations(child, guards)


def _of_all(
    nodes: ast.expr | list[ast.stmt], guards: frozenset[tuple[str, bool]]
) -> Iterator[frozenset[tuple[str, bool]]]:
    for each in nodes if isinstance(nodes, list) else [nodes]:
        yield from _compilations(each, guards)


def _may_compile(node: ast.AST) -> bool:
    """`torch.compile`, called or not, and a method that is called so: who has another one is taken for the same."""
    match node:
        case ast.Attribute(value=ast.Name(id="torch"), attr="compile"):
            return True
        case ast.Call(func=ast.Attribute(value=value, attr="compile")):
            return not (isinstance(value, ast.Name) and value.id in ("re", "regex", "torch"))
        case _:
            return False
