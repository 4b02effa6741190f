"""Scripts, functions and methods, with what each name is bound to in them, as the text in order tells.

Regions are walked with all their paths (`inspect`). The code around them, which compiles models and calls
them, is only read from top to bottom here: what a name was bound to last is what it is.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct

from compilelint.inspect import kinds, names
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind
from compilelint.source.index import blocks, statement_bindings
from compilelint.source.model import Import, Key, ModuleIndex
from compilelint.source.watched import says

_T = TypeVar("_T")
Position: TypeAlias = tuple[int, int]
"""Line and column (in bytes), as ast counts them."""
END: Position = (1 << 30, 0)
FunctionDef: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class Statement(Struct, frozen=True):
    """A statement of a scope, and the compound statements that it stands in, outermost first."""

    node: ast.stmt
    ancestors: tuple[ast.stmt, ...]
    expressions: tuple[ast.expr, ...]
    """Every expression that the statement itself evaluates, in any order; not those of blocks and lambdas."""


class Bound(Struct, frozen=True):
    """A name gets a value; from `since` on it has it."""

    since: Position
    value: ast.expr | None = None
    iterated: tuple[int, ...] | None = None
    """Where the value is iterated over: the name's place in the tuple target, () for the item itself."""
    annotation: ast.expr | None = None
    kind: Kind | None = None
    unpacked: tuple[ast.expr, tuple[int, ...]] | None = None
    """Of `a, (b, c) = call()`, the expression, and the name's place in what it gives: (1, 0) for `b`."""


class Barrier(Struct, frozen=True):
    """What is bound between two places is not seen between two others further down: no path leads there."""

    bound: tuple[Position, Position]
    unseen: tuple[Position, Position]


@dataclass(slots=True)
class Scope:
    """A module's top level, or a function's body without the functions inside it."""

    inspector: Inspector
    module: ModuleIndex
    node: ast.Module | FunctionDef
    parent: Scope | None = None
    owner: kinds.Instance | None = None
    """`self`, in a method."""
    qualname: str = "<module>"
    statements: list[Statement] = field(default_factory=list)
    bindings: dict[str, list[Bound]] = field(default_factory=dict)
    held: dict[str, list[tuple[str, Bound]]] = field(default_factory=dict)
    """The same of attributes, by their name, each with how its object is written: `self` of `self.model`."""
    barriers: list[Barrier] = field(default_factory=list)
    handlers: list[Barrier] = field(default_factory=list)
    """The bodies of `try` statements and their handlers: what both bind is one or the other afterwards."""
    calls: list[tuple[Statement, ast.Call]] = field(default_factory=list)
    """Every call that the statements make, with its statement."""
    given: dict[str, Kind] = field(default_factory=dict)
    """What attributes hold as the function begins, by how they are written, where their class does not tell."""
    given_in_place: tuple[str, ...] = ()
    """Parameters whose module was compiled in place before."""
    given_compiled: Mapping[str, Any] = field(default_factory=dict)
    """What parameters, and attributes that keep them, were compiled from, by how they are written: each a
    `compiled.Compiled`."""
    answers: dict[object, Any] = field(default_factory=dict)
    """What has been asked of the scope already, see `asked_once` and `scope_kinds.kind_at`."""
    depth: int = 0

    @property
    def outermost(self) -> Scope:
        """The module's top level."""
        return self if self.parent is None else self.parent.outermost

    @property
    def self_name(self) -> str | None:
        if self.owner is None or isinstance(self.node, ast.Module) or not self.node.args.args:
            return None
        return self.node.args.args[0].arg


def takes(scope: Scope, name: str) -> bool:
    """Whether a function has a parameter of this name."""
    spec = None if isinstance(scope.node, ast.Module) else scope.node.args
    return spec is not None and name in {arg.arg for arg in (*spec.args, *spec.kwonlyargs)}


def expects_error(statement: Statement) -> bool:
    """Whether a statement is inside `with pytest.raises(…)` and the like."""
    return any(
        "raises" in ast.unparse(item.context_expr) or "assertRaises" in ast.unparse(item.context_expr)
        for ancestor in statement.ancestors
        if isinstance(ancestor, ast.With)
        for item in ancestor.items
    )


def asked_once(question: Callable[[Scope], _T]) -> Callable[[Scope], _T]:
    """A question that many ask of a scope is answered once."""

    @functools.wraps(question)
    def answer(scope: Scope) -> _T:
        if question not in scope.answers:
            scope.answers[question] = question(scope)
        found: _T = scope.answers[question]
        return found

    return answer


def scopes(inspector: Inspector, module: ModuleIndex, saying: str = "") -> Iterator[Scope]:
    """The module's top level first, then every function whose text has these words, methods and nested ones too."""
    outer = _scope(inspector, module, module.tree, None, None, "<module>")
    yield outer
    yield from _inner(outer, "", saying)


def method_scope(scope: Scope, key: Key) -> Scope | None:
    """Another method of the class whose method a scope is, in the same file."""
    info = scope.module.functions.get(key)
    if info is None or isinstance(info.node, ast.Lambda):
        return None
    return _scope(scope.inspector, scope.module, info.node, scope.outermost, scope.owner, info.qualname)


def _inner(scope: Scope, prefix: str, saying: str) -> Iterator[Scope]:
    for statement in scope.statements:
        yield from _definitions(scope, statement.node, prefix, None, saying)


def _definitions(
    scope: Scope, node: ast.stmt, prefix: str, owner: kinds.Instance | None, saying: str
) -> Iterator[Scope]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        if saying and not says(node, scope.module.lines, saying):
            return
        inner = _scope(scope.inspector, scope.module, node, scope, owner, prefix + node.name)
        yield inner
        yield from _inner(inner, f"{prefix}{node.name}.<locals>.", saying)
    elif isinstance(node, ast.ClassDef):
        key = (scope.module.name, node.lineno, node.col_offset)
        instance = scope.inspector.instance(kinds.ProjectClass(key, node.name))
        for part in node.body:
            yield from _definitions(scope, part, f"{prefix}{node.name}.", instance, saying)


def _scope(
    inspector: Inspector,
    module: ModuleIndex,
    node: ast.Module | FunctionDef,
    parent: Scope | None,
    owner: kinds.Instance | None,
    qualname: str,
) -> Scope:
    scope = Scope(inspector, module, node, parent, owner, qualname)
    scope.statements = list(_flat(node.body, ()))
    scope.calls = [
        (statement, part)
        for statement in scope.statements
        for part in statement.expressions
        if isinstance(part, ast.Call)
    ]
    if not isinstance(node, ast.Module):
        _bind_parameters(scope, node)
    for statement in scope.statements:
        _bind(scope, statement.node)
        scope.barriers.extend(_barriers(statement.node))
        scope.handlers.extend(_handlers(statement.node))
    return scope


def _barriers(node: ast.stmt) -> Iterator[Barrier]:
    """The other branch does not see what one binds; nothing below a branch does that leaves the function, nor a handler
    what the last statement of its `try` would have bound."""
    match node:
        case ast.If(body=body, orelse=orelse):
            if orelse:
                yield Barrier(_span(body), _span(orelse))
            yield from (Barrier(_span(block), (end_of(block[-1]), END)) for block in (body, orelse) if _leaves(block))
        case ast.Match(cases=cases):
            for case in cases[:-1]:
                yield Barrier(_span(case.body), (end_of(case.body[-1]), end_of(node)))
        case ast.Try(body=body, handlers=[first, *_] as handlers):
            yield Barrier(_span(body[-1:]), (start_of(first), end_of(handlers[-1])))


def _handlers(node: ast.stmt) -> Iterator[Barrier]:
    if isinstance(node, ast.Try) and node.handlers:
        yield Barrier(_span(node.body), (start_of(node.handlers[0]), end_of(node.handlers[-1])))


def _span(block: list[ast.stmt]) -> tuple[Position, Position]:
    return start_of(block[0]), end_of(block[-1])


def _leaves(block: list[ast.stmt]) -> bool:
    return bool(block) and isinstance(block[-1], ast.Return | ast.Raise)


def _flat(body: list[ast.stmt], ancestors: tuple[ast.stmt, ...]) -> Iterator[Statement]:
    for node in body:
        yield Statement(node, ancestors, tuple(_expressions(node)))
        around = ancestors if _is_of_script(node) else (*ancestors, node)
        for block in blocks(node):
            yield from _flat(block, around)


def _is_of_script(node: ast.stmt) -> bool:
    """`if __name__ == "__main__":` decides nothing where the file is run."""
    match node:
        case ast.If(
            test=ast.Compare(
                left=ast.Name(id="__name__"), ops=[ast.Eq()], comparators=[ast.Constant(value="__main__")]
            ),
            orelse=[],
        ):
            return True
        case _:
            return False


def _expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    pending: list[ast.AST] = [
        part
        for part in ast.iter_child_nodes(statement)
        if not isinstance(part, ast.stmt | ast.ExceptHandler | ast.match_case | ast.arguments)
    ]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.expr):
            yield node
        if not isinstance(node, ast.Lambda):
            pending.extend(ast.iter_child_nodes(node))


def _bind_parameters(scope: Scope, node: FunctionDef) -> None:
    arguments = node.args
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    kept = _kept(node)
    for parameter in [*parameters, *filter(None, (arguments.vararg, arguments.kwarg))]:
        if parameter.arg not in kept or scope.parent is None or parameter.arg not in scope.parent.bindings:
            scope.bindings[parameter.arg] = [Bound((0, 0), annotation=parameter.annotation)]
    if scope.self_name is not None:
        scope.bindings[scope.self_name] = [Bound((0, 0), kind=scope.owner)]


def _kept(node: FunctionDef) -> frozenset[str]:
    """The names by which a function keeps what it sees around it, for a loop will give them another value:
    `def hook(x, net=net)`. Nobody passes them."""
    defaults = node.args.defaults
    last = [*node.args.posonlyargs, *node.args.args][-len(defaults) :] if defaults else []
    pairs = [*zip(last, defaults, strict=True), *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)]
    return frozenset(arg.arg for arg, value in pairs if isinstance(value, ast.Name) and value.id == arg.arg)


def _bind(scope: Scope, node: ast.stmt) -> None:
    after = end_of(node)
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                _bind_target(scope, target, Bound(after, value))
        case ast.AnnAssign(target=target, value=value, annotation=annotation) if value is not None:
            _bind_target(scope, target, Bound(after, value, annotation=annotation))
        case ast.AugAssign(target=target):
            _bind_target(scope, target, Bound(after))
        case ast.For(target=target, iter=iterable) | ast.AsyncFor(target=target, iter=iterable):
            _bind_items(scope, target, iterable, end_of(iterable))
        case ast.With(items=items) | ast.AsyncWith(items=items):
            for item in items:
                if item.optional_vars is not None:
                    _bind_target(scope, item.optional_vars, Bound(end_of(item.context_expr)))
        case ast.Import() | ast.ImportFrom():
            _bind_imports(scope, node, after)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            key = (scope.module.name, node.lineno, node.col_offset)
            scope.bindings.setdefault(name, []).append(Bound(after, kind=scope.inspector.definition(key)))


def _bind_target(scope: Scope, target: ast.expr, bound: Bound) -> None:
    match target:
        case ast.Name(id=name):
            scope.bindings.setdefault(name, []).append(bound)
        case ast.Attribute():
            scope.held.setdefault(target.attr, []).append((ast.unparse(target.value), bound))
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            starred = any(isinstance(element, ast.Starred) for element in elements)
            for position, element in enumerate(elements):
                value = _part(bound.value, position, len(elements))
                item = None if value is not None or starred else _item(bound, position)
                _bind_target(scope, element, Bound(bound.since, value, unpacked=item))
        case ast.Starred(value=value):
            _bind_target(scope, value, Bound(bound.since))


def _part(value: ast.expr | None, position: int, length: int) -> ast.expr | None:
    """The expression that `a, b = x, y` gives to one of its targets."""
    if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == length:
        return value.elts[position]
    return None


def _item(bound: Bound, position: int) -> tuple[ast.expr, tuple[int, ...]] | None:
    if bound.value is not None:
        return bound.value, (position,)
    return (bound.unpacked[0], (*bound.unpacked[1], position)) if bound.unpacked is not None else None


def _bind_items(scope: Scope, target: ast.expr, iterable: ast.expr, since: Position) -> None:
    for name, path in item_paths(target):
        scope.bindings.setdefault(name, []).append(Bound(since, iterable, iterated=path))


def item_paths(target: ast.expr, path: tuple[int, ...] = ()) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The names that a loop binds, each with its place in the tuple target: () for the item itself."""
    match target:
        case ast.Name(id=name):
            yield name, path
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for position, element in enumerate(elements):
                yield from item_paths(element, (*path, position))


def _bind_imports(scope: Scope, node: ast.stmt, after: Position) -> None:
    for name, binding in statement_bindings(node, scope.module.name, scope.module.package):
        if isinstance(binding, Import):
            kind = names.import_kind(scope.inspector, binding.target, scope.module.name)
            scope.bindings.setdefault(name, []).append(Bound(after, kind=kind))


def end_of(node: ast.AST) -> Position:
    return (getattr(node, "end_lineno", None) or 0, getattr(node, "end_col_offset", None) or 0)


def start_of(node: ast.AST) -> Position:
    return (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))


def last_seen(scope: Scope, bounds: Iterable[Bound], position: Position) -> Bound | None:
    """Of what a name of the scope was bound to the last that a path to this place leads past."""
    found = [bound for bound in bounds if bound.since <= position and not _is_hidden(scope, bound.since, position)]
    return max(found, key=lambda bound: bound.since) if found else None


def alternatives(scope: Scope, name: str, bound: Bound) -> list[Bound]:
    """What a name is bound to in other branches than the one that binds it last, in order, and that last."""
    others = (each for each in scope.bindings.get(name, ()) if each.since < bound.since)
    apart = [*scope.barriers, *scope.handlers]
    return [*(each for each in others if _is_apart(apart, each.since, bound.since)), bound]


def _is_hidden(scope: Scope, since: Position, position: Position) -> bool:
    return _is_apart(scope.barriers, since, position)


def _is_apart(barriers: Iterable[Barrier], since: Position, position: Position) -> bool:
    return any(
        barrier.bound[0] <= since <= barrier.bound[1] and barrier.unseen[0] <= position <= barrier.unseen[1]
        for barrier in barriers
    )


def binding_at(scope: Scope, name: str, position: Position) -> tuple[Scope, Bound] | None:
    """What bound a name last, and in which scope; None where no scope of the file binds it before."""
    bounds = scope.bindings.get(name)
    if bounds is not None:
        found = last_seen(scope, bounds, position)
        return None if found is None else (scope, found)
    here = scope.parent
    while here is not None:
        if here.bindings.get(name):
            return here, max(here.bindings[name], key=lambda bound: bound.since)
        here = here.parent
    return None
