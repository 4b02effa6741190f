"""Modules that run once as they are made, so that what their first call makes is there before they are compiled.

`self.forward(torch.randn(2, 3, size, size))` at the end of `__init__`, as self-supervised learners have it that make
their projector for the features that come: the first call that is compiled is no first
call. Nor is it of those that the code which compiles them calls before, nor of a method that `__init__` calls itself
(`self._build_table()`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.deciding.none_tests import spelled_out
from compilelint.inspect.kinds import Function, Instance, Kind, ProjectClass
from compilelint.inspect.lasting.once import given_state
from compilelint.inspect.members import classes
from compilelint.inspect.members.called_before import was_called
from compilelint.report.confidence import Confidence
from compilelint.source.index import flat_statements
from compilelint.source.model import ClassInfo, FunctionInfo, Key, ModuleIndex
from compilelint.source.nodes import pairs_of, walk
from compilelint.source.watched import says, stores

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame
    from compilelint.inspect.inspector import Inspector

_PLAIN = (ast.Expr, ast.Assign, ast.AnnAssign, ast.With)


def filled_as_made(frame: Frame, test: ast.expr) -> bool | None:
    """What a condition comes to once the first call has filled what it asks for; None where no call did so yet."""
    match spelled_out(frame, test):
        case ast.UnaryOp(
            op=ast.Not(), operand=ast.Call(func=ast.Name(id="hasattr"), args=[owner, ast.Constant(value=str(name))])
        ):
            return False if _has_run(frame, owner, name) else None
        case ast.UnaryOp(op=ast.Not(), operand=ast.Attribute(value=owner, attr=name)):
            return False if _has_run(frame, owner, name) and _is_turned(frame, owner, name, to=True) else None
        case ast.Attribute(value=owner, attr=name):
            return False if _has_run(frame, owner, name) and _is_turned(frame, owner, name, to=False) else None
        case ast.Compare(left=asked, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]):
            keeper = _keeper(frame.inspector, frame.function, asked)
            attr = asked.attr if isinstance(asked, ast.Attribute) else ""
            return isinstance(op, ast.IsNot) if keeper is not None and _has_run(frame, keeper, attr) else None
        case ast.BoolOp(op=ast.Or(), values=[first, *_]):
            # `if self.table is None or self.table.shape[0] < length`: most first calls make one that is long enough.
            return False if filled_as_made(frame, first) is False else None
        case _:
            return None


def sureness_behind(frame: Frame, callee: Function) -> Confidence:
    """How sure it is that a method is run whose decorator gives what the object keeps, and calls it for want of that.

    `made = getattr(self, name)`, `if made is not None: return made` in the function that takes its place.
    """
    if not isinstance(callee.wrapper, Function) or not _is_run(frame.inspector, callee.receiver):
        return Confidence.HIGH
    wrapper = frame.inspector.tree.function(callee.wrapper.key)
    if wrapper is None or isinstance(wrapper.node, ast.Lambda):
        return Confidence.HIGH
    own = first_parameter(wrapper.node)
    for statement in wrapper.node.body:
        match statement:
            case ast.If(
                test=ast.Compare(left=ast.Name(id=name) as asked, ops=[ast.IsNot()]),
                body=[ast.Return(value=ast.Name(id=given))],
            ) if (
                name == given
                and isinstance(keeper := _keeper(frame.inspector, wrapper, asked), ast.Name)
                and keeper.id == own
            ):
                return Confidence.LOW
    return Confidence.HIGH


def _keeper(inspector: Inspector, function: FunctionInfo | None, asked: ast.expr) -> ast.expr | None:
    """The object that keeps what is asked for: `self.made`, or `made = getattr(self, name)` before."""
    match asked:
        case ast.Attribute(value=owner):
            return owner
        case ast.Name(id=name) if function is not None and not isinstance(function.node, ast.Lambda):
            body = function.node.body
            read = inspector.derived(("read by name", function.key), lambda: dict(reversed([*_read_by_name(body)])))
            return read.get(name)
        case _:
            return None


def _read_by_name(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for statement in flat_statements(body):
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=target)], value=ast.Call(func=ast.Name(id="getattr"), args=[owner, *_])
            ):
                yield target, owner


def _has_run(frame: Frame, owner: ast.expr, attr: str = "") -> bool:
    """Whether what fills this attribute of something has run before the first compiled call."""
    method = frame.function.qualname.rpartition(".")[2] if frame.function is not None else ""
    held = frame.inspector.peek(frame, owner)
    return _is_run(frame.inspector, held, method) or _is_called_as_made(frame, owner, held, method, attr)


def _is_called_as_made(frame: Frame, owner: ast.expr, held: Kind | None, method: str, attr: str) -> bool:
    """Whether the `__init__` of a module calls this method of it, which is the one that is walked, and then leaves the
    attribute alone."""
    if not isinstance(held, Instance) or not held.module or frame.function is None:
        return False
    if not isinstance(owner, ast.Name) or owner.id != first_parameter(frame.function.node):
        return False
    called = frame.inspector.derived(
        ("called as made", held.cls.key), lambda: dict(_called_as_made(frame.inspector, held.cls))
    )
    return method in called and attr not in called[method]


def _called_as_made(inspector: Inspector, cls: ProjectClass) -> Iterator[tuple[str, frozenset[str]]]:
    """The methods that an `__init__` of a class surely calls, or a method does that it calls; each with the attributes
    that `__init__` gives a value afterwards."""
    for init in classes.methods(inspector, cls):
        if not init.qualname.endswith(".__init__") or isinstance(init.node, ast.Lambda):
            continue
        for called, line in _surely_called(init):
            later = (part for statement in init.node.body if statement.lineno > line for part in walk(statement))
            given = frozenset(each.attr for each in later if isinstance(each, ast.Attribute) and _is_stored(each))
            yield from ((name, given) for name in _with_what_it_calls(inspector, cls, called))


def _is_stored(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Store)


def _with_what_it_calls(inspector: Inspector, cls: ProjectClass, method: str) -> set[str]:
    found, waiting = set[str](), [method]
    while waiting:
        name = waiting.pop()
        key = classes.find_method(inspector, cls, name) if name not in found else None
        function = inspector.tree.function(key) if key is not None else None
        if function is not None:
            found.add(name)
            waiting += (called for called, _ in _surely_called(function))
    return found


def _surely_called(function: FunctionInfo) -> Iterator[tuple[str, int]]:
    """The methods that a method calls of its own object (`self.build()`) whatever it is given, and on which lines."""
    own = first_parameter(function.node)
    for part in (part for statement in _surely_run(function) for part in walk(statement)):
        match part:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=called)) if name == own:
                yield called, part.lineno


def _surely_run(function: FunctionInfo) -> Iterator[ast.stmt]:
    """The statements of a function that stand under no condition."""
    if not isinstance(function.node, ast.Lambda):
        yield from (each for each in function.node.body if isinstance(each, _PLAIN))


def _is_run(inspector: Inspector, held: Kind | None, method: str = "") -> bool:
    if not isinstance(held, Instance) or not held.module:
        return False
    if was_called(held, method):
        return True
    module = inspector.tree.module(held.cls.key[0])
    return module is not None and held.cls.key in inspector.derived(
        ("run as made", module.name), lambda: frozenset(_run_as_made(inspector, module))
    )


def _run_as_made(inspector: Inspector, module: ModuleIndex) -> set[Key]:
    """The classes of a file that call themselves in their `__init__`, and those of whose objects they are made; and
    those of what an `__init__` makes and calls: `self.net = Encoder()`, `n = self.net(torch.zeros(1, 3)).shape[1]`."""
    found: set[Key] = set()
    waiting = [info for info in module.classes.values() if _runs_itself(module, _init(module, info))]
    parts = {key for info in module.classes.values() for key in _parts_run(inspector, module, _init(module, info))}
    waiting += [info for info in module.classes.values() if info.key in parts]
    while waiting:
        info = waiting.pop()
        if info.key not in found:
            found.add(info.key)
            waiting += _made_by(inspector, module, _init(module, info))
    return found


def _parts_run(inspector: Inspector, module: ModuleIndex, init: FunctionInfo | None) -> set[Key]:
    """The classes of the parts that an `__init__` makes for itself and surely calls, all that it makes of a class."""
    if init is None or isinstance(init.node, ast.Lambda):
        return set()
    own, made, called = first_parameter(init.node), dict[str, ast.Name](), set[str]()
    for statement in _surely_run(init):
        for part in walk(statement) if made else ():
            match part:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[_, *_]) if name == own:
                    called.add(attr)
        for pair in pairs_of(statement):
            match pair:
                case ast.Attribute(value=ast.Name(id=name), attr=attr), ast.Call(func=ast.Name() as func) if (
                    name == own
                ):
                    made[attr] = func
    if called.isdisjoint(made):
        return set()
    waiting = {func.id for attr, func in made.items() if attr not in called}
    frame = inspector.module_frame(module)
    run = [inspector.peek(frame, func) for attr, func in made.items() if attr in called and func.id not in waiting]
    return {kind.key for kind in run if isinstance(kind, ProjectClass)}


def _init(module: ModuleIndex, info: ClassInfo) -> FunctionInfo | None:
    key = info.methods.get("__init__")
    return module.functions.get(key) if key is not None else None


def _runs_itself(module: ModuleIndex, init: FunctionInfo | None) -> bool:
    if init is None or isinstance(init.node, ast.Lambda):
        return False
    own = first_parameter(init.node)
    if not any(says(init.node, module.lines, f"{own}{called}") for called in ("(", ".forward(")):
        return False
    return any(_calls(part, own) for statement in _surely_run(init) for part in walk(statement))


def _calls(node: ast.AST, own: str | None) -> bool:
    """Whether this is `self(…)` or `self.forward(…)`."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(value=ast.Name(id=name), attr="forward"), args=[_, *_]):
            return name == own
        case _:
            return False


def _made_by(inspector: Inspector, module: ModuleIndex, init: FunctionInfo | None) -> list[ClassInfo]:
    if init is None or isinstance(init.node, ast.Lambda):
        return []
    frame = inspector.module_frame(module)
    called = (part.func for statement in init.node.body for part in walk(statement) if isinstance(part, ast.Call))
    made = (inspector.peek(frame, func) for func in called if isinstance(func, ast.Name))
    keys = {each.key for each in made if isinstance(each, ProjectClass)}
    return [info for info in module.classes.values() if info.key in keys]


def _is_turned(frame: Frame, owner: ast.expr, name: str, *, to: bool) -> bool:
    """Whether a method of the class turns a flag on or off, as the first call does, and none turns it back."""
    held = frame.inspector.peek(frame, owner)
    if not isinstance(held, Instance):
        return False
    methods = classes.methods(frame.inspector, held.cls)
    states = {state for method in methods for state in _states(method, name)}
    return states == {to}


def _states(method: FunctionInfo, name: str) -> Iterator[bool | None]:
    """What a method gives a flag; of `__init__`, what the functions do that it leaves behind: hooks, mostly."""
    if isinstance(method.node, ast.Lambda) or not stores(method.node):
        return
    bodies = [method.node.body]
    if method.qualname.endswith(".__init__"):
        nested = (each for statement in method.node.body for each in walk(statement))
        bodies = [each.body for each in nested if isinstance(each, ast.FunctionDef)]
    for statement in (each for body in bodies for each in flat_statements(body)):
        for target, value in pairs_of(statement):
            if isinstance(target, ast.Attribute) and target.attr == name:
                yield given_state(value)
