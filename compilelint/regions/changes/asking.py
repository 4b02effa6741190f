"""Whether a function asks anything of a text or another constant that it is given, or hands it through.

Dynamo puts off such a value until something asks for it: what is only given another name, put into a container, given
back, or handed to a function that does no more with it, costs no graph of its own (seen with torch 2.13).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import named_tuples
from compilelint.inspect.members.attributes import super_attribute
from compilelint.inspect.members.classes import external_bases
from compilelint.regions.around.compiled import Target, targets_of
from compilelint.regions.around.scopes import Scope, start_of
from compilelint.regions.changes.spelled import called_in, is_rebound, kind_in, live_nodes
from compilelint.source.index import node_key
from compilelint.source.nodes import parameter_of, walk

Path: TypeAlias = tuple[str | int | None, ...]
"""Under which keys, places and attributes (`.n`) something holds a value, outermost first; None is any of them."""
_Held: TypeAlias = tuple[ast.expr, Path]
_ASSIGNS = ast.Assign | ast.AnnAssign | ast.AugAssign
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_FILLS = frozenset({"append", "extend", "insert", "update", "setdefault", "appendleft"})
_OF_TYPES = frozenset({"isinstance", "type", "callable", "torch.is_tensor"})
_DEPTH = 3
"""How many functions hand it on."""


class _AskedError(Exception):
    """Something is asked of the value, or nobody knows what is done with what holds it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path


def asks(scope: Scope, target: Target, spelled: str, given: Mapping[str, Kind]) -> bool:
    """Whether a function, or one that it calls, asks something of what is spelled so.

    Of what something else holds that is only so where it is seen; of the function's own parameter, where it is not seen
    that it does not. `given` is what the function's parameters are.
    """
    return _given_back_by_root(scope, target, spelled, given, _OF_TYPES) is None


def guards(scope: Scope, target: Target, spelled: str, given: Mapping[str, Kind]) -> bool:
    """The same of a member of an Enum, a dtype or a function, on which Dynamo guards where its type is asked for, too,
    and where it is given back."""
    return _given_back_by_root(scope, target, spelled, given, frozenset()) != set()


def _given_back_by_root(
    scope: Scope, target: Target, spelled: str, given: Mapping[str, Kind], free: frozenset[str]
) -> set[Path] | None:
    """Where what the compiled function gives back holds it; None where something is asked of it."""
    name, path = _parsed(spelled)
    if path and is_rebound(target, spelled):
        return set()
    try:
        return _given_back(_Function(scope, target, given, free, _DEPTH), name, path)
    except _AskedError as asked:
        return set() if path and asked.path else None


def _parsed(spelled: str) -> tuple[str, Path]:
    node, path = ast.parse(spelled, mode="eval").body, []
    while isinstance(node, ast.Attribute | ast.Subscript):
        path.append(f".{node.attr}" if isinstance(node, ast.Attribute) else _key(node.slice))
        node = node.value
    return (node.id if isinstance(node, ast.Name) else ""), tuple(reversed(path))


def _key(index: ast.expr) -> str | int | None:
    return index.value if isinstance(index, ast.Constant) and isinstance(index.value, str | int) else None


def _given_back(walker: _Function, name: str, path: Path) -> set[Path]:
    """Where what the function gives back holds what it has under a name."""
    if not walker.depth:
        raise _AskedError(path)
    pending: list[_Held] = [(node, path) for node in walker.loads_as_given(name, path)]
    seen: set[tuple[int, Path]] = set()
    found: set[Path] = set()
    while pending:
        node, path = pending.pop()
        if (id(node), path) in seen:
            continue
        seen.add((id(node), path))
        if walker.is_given_back(node, path):
            found.add(path)
        else:
            pending.extend(walker.holds_then(node, path))
    return found


class _Function:
    """A function's body, in which a value is followed from what holds it to what holds it then."""

    def __init__(
        self, scope: Scope, target: Target, given: Mapping[str, Kind], free: frozenset[str], depth: int
    ) -> None:
        self.scope, self.target, self.given, self.depth = scope, target, given, depth
        self.free = free
        """Functions of Python that ask nothing of their first argument."""
        live = list(live_nodes(target))
        self.stored = {each.id for each in live if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        never = {id(part) for node in live for each in self._never_run(node) for part in walk(each)}
        self.nodes = [node for node in live if id(node) not in never]
        self.above = {id(below): node for node in self.nodes for below in ast.iter_child_nodes(node)}

    def _never_run(self, node: ast.AST) -> Sequence[ast.AST]:
        """What stands under a flag of the file or of the object that says otherwise: `if self.verbose:`."""
        if not isinstance(node, ast.If | ast.IfExp):
            return ()
        holds = self._decided(node.test)
        never = () if holds is None else node.orelse if holds else node.body
        return [never] if isinstance(never, ast.AST) else never

    def _decided(self, test: ast.expr) -> bool | None:
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner = self._decided(operand)
                return None if inner is None else not inner
            case ast.BoolOp(op=ast.And(), values=values):
                return False if any(self._decided(value) is False for value in values) else None
            case ast.Name(id=name) if name in self.stored:
                return None
            case ast.Name() | ast.Attribute():
                kind = kind_in(self.scope, self.target, test, {})
                return bool(kind.value) if isinstance(kind, kinds.Const) and isinstance(kind.value, bool) else None
            case _:
                return None

    def loads(self, name: str, path: Path) -> Iterator[ast.Name]:
        """Where a name is read; functions in this one may do anything with it."""
        for node in self.nodes:
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                if self._is_in_another_function(node):
                    raise _AskedError(path)
                yield node

    def loads_as_given(self, name: str, path: Path) -> Iterator[ast.Name]:
        """The same of a parameter, before it is given another value, or where that is made of it."""
        stores = [
            node
            for node in self.nodes
            if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
        ]
        first = min(stores, key=start_of, default=None)
        remade = self.above.get(id(first)) if first is not None else None
        makes = {id(part) for part in walk(remade)} if isinstance(remade, _ASSIGNS) else set()
        for node in self.loads(name, path):
            if first is None or start_of(node) < start_of(first) or id(node) in makes:
                yield node

    def _is_in_another_function(self, node: ast.AST) -> bool:
        above = self.above.get(id(node))
        while above is not None:
            if isinstance(above, _FUNCTIONS):
                return True
            above = self.above.get(id(above))
        return False

    def is_given_back(self, node: ast.expr, path: Path) -> bool:
        if node is self.target.node.body:
            return True
        return isinstance(self.above.get(id(node)), ast.Return) and not self._is_in_another_function(node)

    def holds_then(self, node: ast.expr, path: Path) -> Iterator[_Held]:
        """What holds it next; an error if something asks for it here."""
        match self.above.get(id(node)):
            case ast.Expr():
                return
            case ast.Attribute(attr=attr) as part if path:
                yield from self._of_attribute(part, attr, path)
            case ast.Subscript(value=value, slice=index) as part if value is node and path:
                yield from self._of_item(part, index, path)
            case ast.Tuple(elts=parts) | ast.List(elts=parts) as whole:
                starred = any(isinstance(part, ast.Starred) for part in parts)
                place = next(at for at, part in enumerate(parts) if part is node)
                yield whole, (None if starred else place, *path)
            case ast.Dict(keys=keys, values=values) as whole if any(value is node for value in values):
                key = next(key for key, value in zip(keys, values, strict=True) if value is node)
                yield whole, path if key is None else (_key(key), *path)
            case ast.IfExp(test=test) as whole if test is not node:
                yield whole, path
            case ast.NamedExpr(target=named) as whole:
                yield whole, path
                yield from ((load, path) for load in self.loads(named.id, path))
            case ast.Assign(targets=targets):
                for target in targets:
                    yield from self._of_target(target, path)
            case ast.AnnAssign(target=target):
                yield from self._of_target(target, path)
            case ast.keyword() as keyword:
                call = self.above.get(id(keyword))
                if not isinstance(call, ast.Call):
                    raise _AskedError(path)
                yield from self._of_argument(call, node, path)
            case ast.Call(func=func) as call if func is not node:
                yield from self._of_argument(call, node, path)
            case _:
                raise _AskedError(path)

    def _of_attribute(self, part: ast.Attribute, attr: str, path: Path) -> Iterator[_Held]:
        call = self.above.get(id(part))
        if not isinstance(call, ast.Call) or call.func is not part:
            if path[0] in (f".{attr}", None):
                yield part, path[1:]
        elif attr in ("get", "pop") and call.args:
            yield from self._of_item(call, call.args[0], path)
        elif attr not in _FILLS:
            raise _AskedError(path)

    def _of_item(self, part: ast.expr, index: ast.expr, path: Path) -> Iterator[_Held]:
        if isinstance(part, ast.Subscript) and not isinstance(part.ctx, ast.Load):
            return
        key = _key(index)
        if key is None:
            raise _AskedError(path)
        if path[0] in (key, None):
            yield part, path[1:]

    def _of_target(self, target: ast.expr, path: Path) -> Iterator[_Held]:
        match target:
            case ast.Name(id=name):
                yield from ((load, path) for load in self.loads(name, path))
            case ast.Tuple(elts=parts) if path and not any(isinstance(part, ast.Starred) for part in parts):
                for place, part in enumerate(parts):
                    if path[0] in (place, None):
                        yield from self._of_target(part, path[1:])
            case ast.Subscript(value=ast.Name(id=name), slice=index) if self._is_own(name):
                yield from ((load, (_key(index), *path)) for load in self.loads(name, path))
            case _:
                raise _AskedError(path)

    def _is_own(self, name: str) -> bool:
        taken = {part.arg for part in walk(self.target.node.args) if isinstance(part, ast.arg)}
        return name not in taken and any(
            isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store) for node in self.nodes
        )

    def _of_argument(self, call: ast.Call, node: ast.expr, path: Path) -> Iterator[_Held]:
        key = next((keyword.arg for keyword in call.keywords if keyword.value is node), None)
        match call.func:
            case ast.Name() | ast.Attribute() if ast.unparse(call.func) in self.free:
                return
            case ast.Name(id="dict") if key is not None:
                yield call, (key, *path)
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if attr in _FILLS and self._is_own(name):
                yield from ((load, (key, *path)) for load in self.loads(name, path))
            case func:
                kind = self._called(func)
                if _is_named_tuple(self.scope, kind):
                    yield call, (None, *path)
                else:
                    yield from ((call, back) for back in self._given_back_by(kind, call, node, path))

    def _called(self, func: ast.expr) -> Kind:
        match func:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[]), attr=attr):
                receiver = self.target.receiver
                info = self.target.module.functions.get(node_key(self.target.module.name, self.target.node))
                if info is None or info.owner is None or not isinstance(receiver, kinds.Instance):
                    return kinds.UNKNOWN
                return super_attribute(self.scope.inspector, receiver, info.owner, attr)
            case _:
                return called_in(self.scope, self.target, func, self.given)

    def _given_back_by(self, kind: Kind, call: ast.Call, node: ast.expr, path: Path) -> set[Path]:
        found: set[Path] = set()
        inner = list(targets_of(self.scope, kind))
        for each in inner:
            name = parameter_of(call, each.parameters(), node) if not _spreads(call) else None
            takes = {part.arg for part in walk(each.node.args) if isinstance(part, ast.arg)}
            rest = each.node.args.kwarg
            if rest is not None and name is not None and name not in takes:
                found |= self._inside(each, rest.arg, (name, *path))
            elif name is not None and name in takes:
                found |= self._inside(each, name, path)
            else:
                raise _AskedError(path)
        if not inner:
            raise _AskedError(path)
        return found

    def _inside(self, called: Target, name: str, path: Path) -> set[Path]:
        return _given_back(_Function(self.scope, called, {}, self.free, self.depth - 1), name, path)


def _spreads(call: ast.Call) -> bool:
    return any(isinstance(argument, ast.Starred) for argument in call.args) or any(
        keyword.arg is None for keyword in call.keywords
    )


def _is_named_tuple(scope: Scope, kind: Kind) -> bool:
    match kind:
        case kinds.Partial(function=kinds.Reference(name=named_tuples.TYPE)):
            return True
        case kinds.ProjectClass():
            return named_tuples.DECLARED in external_bases(scope.inspector, kind)
        case _:
            return False
