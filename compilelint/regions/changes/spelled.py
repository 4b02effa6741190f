"""How a function spells what it is given: `n`, `options.n`, `batch["n"]`, `pair[0]`, and names of its own for these.

A spelling is a text, as `ast.unparse` would write it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.regions.around.compiled import Target, targets_of
from compilelint.regions.around.scopes import Scope
from compilelint.source.nodes import positional_names, walk

_NUMBERS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Div, ast.Pow)
_SPELLED = ast.Name | ast.Attribute | ast.Subscript | ast.Call
_NOTHING: Mapping[str, Kind] = {}


def spelling(node: ast.expr) -> str | None:
    """How a name is spelled, or what it holds by a name, a key or a place that are written down; None of all else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=owner, attr=attr):
            held, part = spelling(owner), f".{attr}"
        case ast.Subscript(value=owner, slice=ast.Constant(value=str() | int() as key)):
            held, part = spelling(owner), f"[{key!r}]"
        case ast.Call(func=ast.Attribute(value=owner, attr="get"), args=[ast.Constant(value=str(key)), *_]):
            held, part = spelling(owner), f"[{key!r}]"
        case _:
            return None
    return None if held is None else held + part


def without_wrapper(node: ast.expr) -> ast.expr:
    """What a wrapper was made of, where that is asked for by name: `model` of `model._orig_mod`."""
    return node.value if isinstance(node, ast.Attribute) and node.attr == "_orig_mod" else node


def without_wrappers(node: ast.expr) -> ast.expr:
    """The same of all that an expression leads through: `model.head.n` of `model._orig_mod.head.n`."""
    match without_wrapper(node):
        case ast.Attribute(value=value, attr=attr) as held:
            return ast.copy_location(ast.Attribute(without_wrappers(value), attr, ast.Load()), held)
        case ast.Subscript(value=value, slice=index) as held:
            return ast.copy_location(ast.Subscript(without_wrappers(value), index, ast.Load()), held)
        case other:
            return other


def is_spelled(node: ast.expr, name: str) -> bool:
    """Whether an expression is what is spelled so."""
    if isinstance(node, ast.Name):
        return node.id == name
    return isinstance(node, _SPELLED) and spelling(node) == name


def is_made_of(node: ast.expr, parameter: str) -> bool:
    """Whether a number is the parameter, or made from it in a way that keeps its values apart."""
    match node:
        case ast.Call(func=ast.Name(id="int" | "float" | "abs"), args=[value]):
            return is_made_of(value, parameter)
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _NUMBERS):
            return is_made_of(left, parameter) or is_made_of(right, parameter)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return is_made_of(operand, parameter)
        case _:
            return is_spelled(node, parameter)


def is_rebound(target: Target, spelled: str) -> bool:
    """Whether a function gives what is spelled so another value, or what holds it; a name of its own gets its one."""
    root = _root(spelled)
    stores = [
        node
        for node in live_nodes(target)
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load)
    ]
    named = [node for node in stores if isinstance(node, ast.Name) and node.id == root]
    is_own = len(named) == 1 and root not in _taken(target)
    return bool(named and not is_own) or any(
        is_spelled(node, spelled) for node in stores if not isinstance(node, ast.Name)
    )


def spellings(target: Target, spelled: str) -> tuple[str, ...]:
    """That, and the names that the function gives once to what is spelled so, or to what is computed of it alone:
    `n = batch["n"] + 1`, `n, scale = pair`."""
    if is_rebound(target, spelled):
        return ()
    nodes = list(live_nodes(target))
    bound = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    own = (name for node in nodes for name in _named(node, spelled) if bound[name] == 1)
    return (spelled, *dict.fromkeys(name for name in own if name not in _taken(target)))


def _named(node: ast.AST, spelled: str) -> Iterator[str]:
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            | ast.NamedExpr(target=ast.Name(id=name), value=value)
        ):
            if is_made_of_alone(value, spelled):
                yield name
        case ast.Assign(targets=[ast.Tuple(elts=parts)], value=value):
            whole = spelling(value)
            for place, part in enumerate(parts):
                if isinstance(part, ast.Starred):
                    return
                if isinstance(part, ast.Name) and f"{whole}[{place}]" == spelled:
                    yield part.id


def is_made_of_alone(node: ast.expr, spelled: str) -> bool:
    """Whether a number is computed of this, and of nothing else that may be a tensor: not `offsets + n`."""
    names = {part.id for part in walk(node) if isinstance(part, ast.Name)} - {"int", "float", "abs"}
    return names == {_root(spelled)} and is_made_of(node, spelled)


def _root(spelled: str) -> str:
    return spelled.partition(".")[0].partition("[")[0]


def _taken(target: Target) -> set[str]:
    return {part.arg for part in walk(target.node.args) if isinstance(part, ast.arg)}


def live_nodes(target: Target) -> Iterator[ast.AST]:
    """All nodes of the body, without what stands under `raise` and `assert` messages."""
    body = target.node.body
    pending: list[ast.AST] = list(body) if isinstance(body, list) else [body]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Raise):
            continue
        yield node
        pending.extend([node.test] if isinstance(node, ast.Assert) else ast.iter_child_nodes(node))


def kind_in(scope: Scope, target: Target, node: ast.expr, given: Mapping[str, Kind]) -> Kind:
    """The kind of a global, of an argument, or of something that `self` has, in a function."""
    own = _taken(target)
    match node:
        case ast.Name(id=name) if name in own:
            return given.get(name, kinds.UNKNOWN)
        case ast.Name():
            return scope.inspector.evaluate_globally(target.module, node)
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if target.receiver is not None:
            arguments = target.node.args.args
            if arguments and arguments[0].arg == name:
                return scope.inspector.attribute(target.receiver, attr)
    return kinds.UNKNOWN


def passed_on(
    scope: Scope, target: Target, spelled: str, given: Mapping[str, Kind] = _NOTHING
) -> Iterator[tuple[Target, str]]:
    """The project's functions that get what is spelled so as it is, or what holds it, and how they spell it.

    `given` is what the function's own parameters are.
    """
    for node in live_nodes(target):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name | ast.Attribute):
            continue
        arguments = [
            *((position, arg) for position, arg in enumerate(node.args)),
            *((keyword.arg, keyword.value) for keyword in node.keywords),
        ]
        places = [(place, rest) for place, arg in arguments if (rest := _held(arg, spelled)) is not None]
        owner = _held(node.func.value, spelled) if isinstance(node.func, ast.Attribute) else None
        if any(isinstance(arg, ast.Starred) for arg in node.args) or not (places or owner):
            continue
        for inner in targets_of(scope, called_in(scope, target, node.func, given)):
            names = inner.parameters()
            for place, rest in places:
                if isinstance(place, str):
                    yield inner, place + rest
                elif isinstance(place, int) and place < len(names):
                    yield inner, names[place] + rest
            if owner and inner.receiver is not None:
                yield from ((inner, first + owner) for first in positional_names(inner.node.args)[:1])


def _held(node: ast.expr, spelled: str) -> str | None:
    """Where an expression holds what is spelled so: "" where it is that, `.n` where it is `options` of `options.n`."""
    whole = spelling(node)
    if whole is None or not spelled.startswith(whole):
        return None
    rest = spelled[len(whole) :]
    return rest if rest[:1] in ("", ".", "[") else None


def called_in(scope: Scope, target: Target, func: ast.expr, given: Mapping[str, Kind]) -> Kind:
    """The kind of what a function calls by a name, or by one of an object's; `given` is what its parameters are."""
    if isinstance(func, ast.Name):
        return scope.inspector.evaluate_globally(target.module, func)
    kind = kind_in(scope, target, func, {})
    if isinstance(kind, kinds.Instance) and kind.module:
        return kind
    if isinstance(kind, kinds.ProjectClass):
        return kinds.UNKNOWN
    if kind == kinds.UNKNOWN and isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
        owner = given.get(func.value.id, kinds.UNKNOWN)
        return scope.inspector.attribute(owner, func.attr) if isinstance(owner, kinds.Instance) else kind
    return kind
