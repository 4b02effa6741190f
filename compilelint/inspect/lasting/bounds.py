"""What keeps a container from growing with each call: what empties it, or leaves it alone.

What a container is emptied at does so only once it is full. Until then each call finds another length, and is compiled
anew: with room for more than a few elements Dynamo gives up before (its `recompile_limit` is 8), measured on torch 2.13
with `if len(self.seen) > 10: self.seen.pop(0)` and the like.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from compilelint.inspect import kinds
from compilelint.inspect.deciding.conditions import RECOMPILE_LIMIT, is_first_time
from compilelint.inspect.frame import Frame, path_of
from compilelint.inspect.lasting.rounds import parts_after_rounds
from compilelint.inspect.members import classes
from compilelint.report.confidence import Confidence
from compilelint.source.index import blocks
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import pairs_of, walk

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_Number: TypeAlias = Callable[[ast.expr], int | None]

A_FEW = RECOMPILE_LIMIT - 1
"""How many elements a container may come to hold before Dynamo gives up: each length is compiled, and so is none."""
_OF_EPOCH = re.compile(r"on_(?:train|validation|test|predict)_(?:epoch_)?(?:start|end)|\w+_epoch_end")
"""Methods that Lightning calls once in an epoch, or in a run, by their names; the second form is that of before 2.0."""


def grows(frame: Frame, node: ast.expr | ast.stmt, path: str) -> Confidence | None:
    """How sure it is that a container which a call or a statement fills grows until Dynamo gives up.

    None if it starts anew each time, is emptied, or is left alone when it holds a few elements.
    """
    if path in frame.replaced or _left_if_held(frame, node, path):
        return None
    name = f".{path.rpartition('.')[2]}" if "." in path else path
    number = _numbers_of(frame.inspector, frame.module)
    if any(
        path in ast.unparse(condition) and not _holds_for_long(condition, name, number)
        for condition in frame.conditions
    ):
        return None
    if any(_is_filled_up(condition, path, number) for condition in frame.conditions):
        return None
    rooms = {room for module in _files_of(frame) for room in _rooms_in(frame.inspector, module, name)}
    if any(room is not None and room <= A_FEW for room in rooms):
        return None
    return Confidence.MEDIUM if None in rooms else Confidence.HIGH


def grows_around(frame: Frame, node: ast.expr | ast.stmt, name: str) -> Confidence | None:
    """The same of a container that a function around the root of a region has made before.

    What is around a function that the region calls may be a part of the region: then each call makes another one.
    """
    binder = _binder(frame, name) if not frame.route.depth else None
    if binder is None or isinstance(binder.node, ast.Lambda) or _left_if_held(frame, node, name):
        return None
    number = _numbers_of(frame.inspector, frame.module)
    if any(name in ast.unparse(test) and not _holds_for_long(test, name, number) for test in frame.conditions):
        return None
    parts = list(walk(binder.node))
    made = [part for part in parts if _assigned(part, name) is not None]
    is_made_once = len(made) == 1 and any(made[0] is each for each in _run_once(binder.node.body))
    is_emptied = any(_empties(part, name) for part in parts)
    return Confidence.MEDIUM if is_made_once and not is_emptied else None


def grows_by_default(frame: Frame, name: str) -> Confidence | None:
    """The same of what a parameter is by default, `seen=[]`. What a root is called with nobody need have seen."""
    number = _numbers_of(frame.inspector, frame.module)
    if frame.function is None or any(
        name in ast.unparse(test) and not _holds_for_long(test, name, number) for test in frame.conditions
    ):
        return None
    is_emptied = any(_empties(part, name) for part in walk(frame.function.node))
    return None if is_emptied else Confidence.HIGH if frame.route.depth else Confidence.MEDIUM


def _binder(frame: Frame, name: str) -> FunctionInfo | None:
    """The innermost function around that assigns to a name."""
    found = frame.function
    while found is not None and found.parent is not None:
        found = frame.inspector.tree.function(found.parent)
        if (
            found is not None
            and not isinstance(found.node, ast.Lambda)
            and any(_assigned(part, name) is not None for part in walk(found.node))
        ):
            return found
    return None


def _empties(node: ast.AST, name: str) -> bool:
    """Whether something takes from a container: `seen.clear()`, `del seen[:]`."""
    match node:
        case (
            ast.Call(func=ast.Attribute(value=container, attr="clear" | "pop" | "popleft" | "popitem" | "remove"))
            | ast.Delete(targets=[ast.Subscript(value=container)])
        ):
            return _is_it(container, name)
        case _:
            return False


def is_replaced(frame: Frame, holder: str, owner: kinds.Instance, attr: str) -> bool:
    """Whether an object that is held, `self.state`, is another one at times, or empties the container of this name:
    `self.state = State()` where an epoch begins."""
    if holder in frame.replaced:
        return True
    module = frame.inspector.tree.module(owner.cls.key[0])
    asked = [(each, f".{holder.rpartition('.')[2]}") for each in _files_of(frame)]
    asked += [(module, f".{attr}")] if module is not None and module.name != frame.module.name else []
    rooms = {room for each, name in asked for room in _rooms_in(frame.inspector, each, name)}
    return any(room is not None and room <= A_FEW for room in rooms)


def _holds_for_long(condition: ast.expr, name: str, number: _Number) -> bool:
    """Whether a condition under which a container grows, `len(self.seen) < 100`, holds until it has many elements."""
    return any(room is not None and room > A_FEW for room in _lengths(condition, name, number))


def _is_filled_up(condition: ast.expr, path: str, number: _Number) -> bool:
    """Whether a condition is that what holds a container of this path is not long enough yet, by its own length:
    `while len(cache) < len(self.layers): cache.keys.append(None)`. The calls that follow find it long enough."""
    for part in walk(condition):
        match part:
            case (
                ast.Compare(
                    left=ast.Call(func=ast.Name(id="len"), args=[held]), ops=[ast.Lt() | ast.LtE()], comparators=[bound]
                )
                | ast.Compare(
                    left=bound, ops=[ast.Gt() | ast.GtE()], comparators=[ast.Call(func=ast.Name(id="len"), args=[held])]
                )
            ) if (holder := path_of(held)) is not None and path.startswith(f"{holder}."):
                room = number(bound)
                return room is None or room <= A_FEW
            case _:
                pass
    return False


def adds_to(value: ast.expr, path: str) -> bool:
    """Whether a value is what a container of this path holds, or the last of it, and more: `self.seen[-9:] + [x]`."""
    match value:
        case ast.Subscript(value=inner, slice=ast.Slice()):
            return adds_to(inner, path)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return any(adds_to(side, path) or _is_of(side, path) for side in (left, right))
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            starred = [part for part in parts if isinstance(part, ast.Starred)]
            return len(starred) < len(parts) and any(_is_of(part.value, path) for part in starred)
        case _:
            return False


def _is_of(node: ast.expr, path: str) -> bool:
    """Whether it is the container of this path, or a slice of it."""
    kept = node.value if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) else node
    return path_of(kept) == path


def _left_if_held(frame: Frame, node: ast.expr | ast.stmt, path: str) -> bool:
    """Whether the function returns before if the container holds something: `if key in SEEN: return`."""
    if frame.function is None:
        return False
    return any(
        isinstance(leaving, ast.If)
        and leaving.lineno < node.lineno
        and isinstance(leaving.body[-1], ast.Return | ast.Raise | ast.Continue)
        and any(
            isinstance(part, ast.Compare)
            and isinstance(part.ops[0], ast.In)
            and ast.unparse(part.comparators[0]) == path
            for part in walk(leaving.test)
        )
        for leaving in walk(frame.function.node)
    )


def _lengths(test: ast.expr, name: str, number: _Number) -> Iterator[int | None]:
    """What a condition compares the length of a container with; None where that is no number."""
    for part in walk(test):
        match part:
            case (
                ast.Compare(left=ast.Call(func=ast.Name(id="len"), args=[container]), comparators=[bound])
                | ast.Compare(left=bound, comparators=[ast.Call(func=ast.Name(id="len"), args=[container])])
            ) if _is_it(container, name):
                yield number(bound)


def _numbers_of(inspector: Inspector, module: ModuleIndex) -> _Number:
    """What expressions of a file come to, where that is a whole number: `4`, or a name that the file gives it."""

    def number(node: ast.expr) -> int | None:
        if isinstance(node, ast.Name | ast.Attribute):
            kind = inspector.evaluate_globally(module, node)
            return kind.value if isinstance(kind, kinds.Const) and type(kind.value) is int else None
        return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None

    return number


def _files_of(frame: Frame) -> list[ModuleIndex]:
    """The file that is walked, and those of the classes that its `self` is of."""
    receiver = frame.receiver_instance
    bases = classes.mro(frame.inspector, receiver.cls) if receiver is not None else ()
    files = {base.key[0] for base in bases if isinstance(base, kinds.ProjectClass)} - {frame.module.name}
    found = [frame.inspector.tree.module(name) for name in sorted(files)]
    return [frame.module, *(module for module in found if module is not None)]


def _rooms_in(inspector: Inspector, module: ModuleIndex, name: str) -> frozenset[int | None]:
    """As `_rooms`; many models fill what one file of a library defines."""
    return inspector.derived(
        ("rooms", module.name, name), lambda: frozenset(_rooms(module, name, _numbers_of(inspector, module)))
    )


def _rooms(module: ModuleIndex, name: str, number: _Number) -> Iterator[int | None]:
    """How many elements a container of this name holds before each statement of a file that empties it, or gives it a
    new value after it was first filled: 0 where that does not depend on it, None where nobody knows."""
    beginning = {id(part) for part in _parts_that_begin(module, name)}
    now_and_then = (*_parts_of_epochs(module), *parts_after_rounds(module, partial(_is_few, number), name))
    full = {**dict(_parts_for_full(module, name, number)), **dict.fromkeys(now_and_then)}
    for node in walk(module.tree):
        value = _assigned(node, name)
        if value is not None:
            yield from _longest(value, name, number)
            if id(node) in full and isinstance(value, ast.Subscript):
                yield full[id(node)]
            elif id(node) not in beginning and not _mentions(value, name):
                yield full.get(id(node), 0)
        match node:
            case ast.Delete(targets=[ast.Subscript(value=container, slice=ast.Slice() as cut)]) if _is_it(
                container, name
            ):
                yield full.get(id(node), _left_by(cut, number))
            case (
                ast.Call(func=ast.Attribute(value=container, attr="clear" | "pop" | "popleft" | "popitem"))
                | ast.Delete(targets=[ast.Subscript(value=container)])
            ) if _is_it(container, name):
                yield full.get(id(node), 0)
            case ast.Call(func=ast.Attribute(value=ast.Call() as named, attr="clear")) if _has_computed_name(named):
                yield 0
            case ast.Call(func=ast.Name(id="setattr")) if id(node) not in beginning and _has_computed_name(node):
                yield 0


def _longest(value: ast.expr, name: str, number: _Number) -> Iterator[int | None]:
    """How many elements what a container is given may hold: `deque(maxlen=4)`, `self.seen[-4:]`."""
    if isinstance(value, ast.Call):
        if isinstance(value.func, ast.Name | ast.Attribute) and ast.unparse(value.func).endswith("deque"):
            yield from (number(each.value) for each in value.keywords if each.arg == "maxlen")
        return
    for part in walk(value):
        match part:
            case (
                ast.Subscript(value=kept, slice=ast.Slice(lower=ast.UnaryOp(ast.USub(), bound), upper=None))
                | ast.Subscript(value=kept, slice=ast.Slice(lower=None, upper=ast.expr() as bound))
            ) if _mentions(kept, name):
                kept_elements = number(bound)
                # What is put to a slice comes on top of it: `self.seen[-4:] + [x]`.
                yield kept_elements + (part is not value) if kept_elements is not None else None


def _left_by(cut: ast.Slice, number: _Number) -> int | None:
    """How many elements `del self.seen[:-10]` and `del self.seen[10:]` leave."""
    match cut:
        case (
            ast.Slice(lower=None, upper=ast.UnaryOp(ast.USub(), bound))
            | ast.Slice(lower=ast.expr() as bound, upper=None)
        ):
            return number(bound)
        case _:
            return 0


def _parts_for_full(module: ModuleIndex, name: str, number: _Number) -> Iterator[tuple[int, int | None]]:
    """What runs only where a container of this name holds enough, by identity, and how much that is."""
    for node in walk(module.tree):
        if isinstance(node, ast.If | ast.While):
            for room in _lengths(node.test, name, number):
                yield from ((id(part), room) for statement in node.body for part in walk(statement))


def _is_few(number: _Number, rounds: ast.expr) -> bool:
    """Whether a loop goes through no more than a few numbers: `range(4)`."""
    match rounds:
        case ast.Call(func=ast.Name(id="range"), args=[ast.expr() as end]):
            known = number(end)
            return known is not None and known <= A_FEW
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return len(parts) <= A_FEW
        case _:
            return False


def _parts_of_epochs(module: ModuleIndex) -> Iterator[int]:
    """What Lightning runs once in an epoch, by identity: until then each step finds another length."""
    for info in module.functions.values():
        if _OF_EPOCH.fullmatch(info.qualname.rpartition(".")[2]):
            yield from map(id, walk(info.node))


def _parts_that_begin(module: ModuleIndex, name: str) -> Iterator[ast.AST]:
    """What a file runs as it is imported, what is in `__init__`, and what happens where the container is not there yet:
    `if self.seen is None:`."""
    yield from _run_once(module.tree.body)
    for info in module.functions.values():
        if info.qualname.endswith("__init__"):
            yield from walk(info.node)
    for node in walk(module.tree):
        if isinstance(node, ast.If) and is_first_time(node.test) and _is_asked_for(node.test, name):
            for statement in node.body:
                yield from walk(statement)


def _run_once(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a file that no loop runs: also those under `if __name__ == "__main__":`."""
    for statement in body:
        yield statement
        if not isinstance(statement, ast.For | ast.AsyncFor | ast.While):
            for block in blocks(statement):
                yield from _run_once(block)


def _assigned(node: ast.AST, name: str) -> ast.expr | None:
    match node:
        case ast.Assign():
            return next((value for target, value in pairs_of(node) if _is_it(target, name)), None)
        case ast.AnnAssign(target=target, value=value) if _is_it(target, name):
            return value
        case _:
            return None


def _is_it(node: ast.AST, name: str) -> bool:
    """Whether an expression is a container: one in an attribute, where the name begins with a dot, or a global."""
    match node:
        case ast.Attribute(attr=attr):
            return name == f".{attr}"
        case ast.Name(id=identifier):
            return name == identifier
        case _:
            return False


def _mentions(node: ast.AST, name: str) -> bool:
    return any(_is_it(part, name) for part in walk(node))


def _is_asked_for(test: ast.expr, name: str) -> bool:
    return any(
        _is_it(part, name)
        or (isinstance(part, ast.Constant) and isinstance(part.value, str) and f".{part.value}" == name)
        for part in walk(test)
    )


def _has_computed_name(call: ast.Call) -> bool:
    """Whether it is a `getattr` or `setattr` of `self` whose name is computed: it may mean any attribute."""
    match call:
        case ast.Call(func=ast.Name(id="getattr" | "setattr"), args=[ast.Name(id="self"), name, *_]):
            return not isinstance(name, ast.Constant)
        case _:
            return False
