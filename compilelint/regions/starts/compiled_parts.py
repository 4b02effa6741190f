"""Modules that compile what they hold: `self.net.compile()` in `__init__`. What is around that runs as it stands."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.calling.compilations import COMPILE
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import ProjectClass
from compilelint.inspect.members import classes
from compilelint.regions.around.own_methods import with_own_methods
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.users import calls_by_name
from compilelint.source.index import blocks
from compilelint.source.model import ClassInfo, FunctionInfo, Key, ModuleIndex
from compilelint.source.nodes import parameter_of, positional_names, walk
from compilelint.source.watched import says

_FunctionDef: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def compiles_parts(inspector: Inspector, cls: ProjectClass) -> bool:
    """Whether a method of a class, its own or inherited, compiles what `self` holds, or keeps what it compiles."""
    return inspector.derived(("compiles parts", cls.key), lambda: _compiles_parts(inspector, cls))


def leaves_itself_out(inspector: Inspector, cls: ProjectClass) -> bool:
    """Whether a class compiles parts of its objects, so that what is around them runs as it stands."""
    return compiles_when_made(inspector, cls) or compiles_in_parts(inspector, cls)


def compiles_when_made(inspector: Inspector, cls: ProjectClass) -> bool:
    """Whether to make an object of a class compiles a part or a method of it, or makes something that does so.

    Its author drew the line there: the `forward` around runs as it stands, unless somebody compiles the whole all the
    same. What only an option asks for that is off by default is left to users, unless the project itself asks for it.
    """
    seen: set[Key] = set()
    pending = [cls]
    while pending:
        each = pending.pop()
        if each.key not in seen:
            seen.add(each.key)
            init = _init_of(inspector, each)
            if init.compiles:
                return True
            pending += init.makes
    return False


def compiles_in_parts(inspector: Inspector, cls: ProjectClass) -> bool:
    """Whether a class has a `compile` of its own in place of torch's, which compiles a part or a method of the object.

    Who asks to compile such a model gets that, and no more.
    """
    return compiles_in(inspector, cls, "compile")


def compiles_in(inspector: Inspector, cls: ProjectClass, name: str) -> bool:
    """Whether this method of a class, its own or inherited, compiles a part or a method of the object."""
    return inspector.derived(("compiles in", cls.key, name), lambda: _compiles_in(inspector, cls, name))


def _compiles_in(inspector: Inspector, cls: ProjectClass, name: str) -> bool:
    key = classes.find_method(inspector, cls, name)
    method = inspector.tree.function(key) if key is not None else None
    module = inspector.tree.module(key[0]) if key is not None else None
    if method is None or module is None or isinstance(method.node, ast.Lambda):
        return False
    return any(_compilations_of_parts(inspector, module, method, _off(method.node)))


class _Init(NamedTuple):
    """What `__init__` of a class does, its own or inherited."""

    compiles: bool
    """A part or a method of the object."""
    makes: tuple[ProjectClass, ...]


def _init_of(inspector: Inspector, cls: ProjectClass) -> _Init:
    return inspector.derived(("seen in init", cls.key), lambda: _seen_in_init(inspector, cls))


def _seen_in_init(inspector: Inspector, cls: ProjectClass) -> _Init:
    makes: list[ProjectClass] = []
    for info in classes.infos(inspector, cls):
        made = _made_without_compiling(inspector, info)
        if made is None:
            compiles, made = _seen_in_own_init(inspector, cls, info)
            if compiles:
                return _Init(True, ())
        makes += made
    return _Init(False, tuple(makes))


def _made_without_compiling(inspector: Inspector, info: ClassInfo) -> tuple[ProjectClass, ...] | None:
    """What the `__init__` of a class itself makes; None if it may compile something. Asked for each class below it."""

    def found() -> tuple[ProjectClass, ...] | None:
        init = _own_init(inspector, info)
        if init is None:
            return ()
        return None if _compiling(inspector, init) else _made_in(inspector, init, _off(init.node))

    return inspector.derived(("made without compiling", info.key), found)


def _seen_in_own_init(inspector: Inspector, cls: ProjectClass, info: ClassInfo) -> _Init:
    module, init = inspector.tree.module(info.key[0]), _own_init(inspector, info)
    if module is None or init is None or isinstance(init.node, ast.Lambda):
        return _Init(False, ())
    off, compiling = _off(init.node), _compiling(inspector, init)
    if off and any(_compile_parts(inspector, module, init, compiling, frozenset())):
        off -= frozenset(_asked_for(inspector, cls, init.node, off))
    if any(_compile_parts(inspector, module, init, compiling, off)):
        return _Init(True, ())
    return _Init(False, _made_in(inspector, init, off))


def _own_init(inspector: Inspector, info: ClassInfo) -> FunctionInfo | None:
    init = inspector.tree.function(info.methods["__init__"]) if "__init__" in info.methods else None
    return None if init is None or isinstance(init.node, ast.Lambda) else init


def _compiling(inspector: Inspector, init: FunctionInfo) -> list[FunctionInfo]:
    """`__init__`, and methods that it may call, of which the text says that they compile something."""
    module = inspector.tree.module(init.key[0])
    own = with_own_methods(inspector, init) if module is not None else ()
    return [each for each in own if module is not None and says(each.node, module.lines, "compile(")]


def _made_in(inspector: Inspector, init: FunctionInfo, off: frozenset[str]) -> tuple[ProjectClass, ...]:
    module = inspector.tree.module(init.key[0])
    if module is None or isinstance(init.node, ast.Lambda):
        return ()
    calls = (call for call in _calls(init.node, off) if _may_be_class(call.func))
    made = (inspector.evaluate_globally(module, call.func) for call in calls)
    return tuple(each for each in made if isinstance(each, ProjectClass))


def _calls(node: _FunctionDef, off: frozenset[str]) -> list[ast.Call]:
    return [each for each in _unasked(node.body, off) if isinstance(each, ast.Call)]


def _asked_for(inspector: Inspector, cls: ProjectClass, init: _FunctionDef, options: Collection[str]) -> Iterator[str]:
    """Those of these options of `__init__` that the project gives anything but another word for off."""
    names = positional_names(init.args)[1:]
    for scope, call in calls_by_name(inspector, cls.key[0], cls.name):
        if kind_at(scope, call.func) != cls:
            continue
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            name = parameter_of(call, names, argument)
            if name is not None and name in options and not (isinstance(argument, ast.Constant) and not argument.value):
                yield name


def _compile_parts(
    inspector: Inspector,
    module: ModuleIndex,
    init: FunctionInfo,
    compiling: Sequence[FunctionInfo],
    off: frozenset[str],
) -> Iterator[bool]:
    """Whether `__init__`, and each of these methods of its own that it calls, compiles a part, with these options
    off."""
    if isinstance(init.node, ast.Lambda):
        return
    called = {call.func.attr for call in _calls(init.node, off) if isinstance(call.func, ast.Attribute)}
    for method in compiling:
        if method is init or method.qualname.rpartition(".")[2] in called:
            options = off if method is init else _off(method.node)
            yield from _compilations_of_parts(inspector, module, method, options)


def _compilations_of_parts(
    inspector: Inspector, module: ModuleIndex, method: FunctionInfo, off: frozenset[str]
) -> Iterator[bool]:
    own = first_parameter(method.node)
    nodes = list(_unasked(method.node.body, off)) if not isinstance(method.node, ast.Lambda) else []
    held = {name for node in nodes if isinstance(node, ast.For) and _is_of(node.iter, own) for name in _names(node)}
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="compile")) if name in held:
                yield True
            case ast.Call(func=ast.Attribute(value=ast.Attribute() as part, attr="compile")) if _is_of(part, own):
                yield True
            case ast.Call(func=func, args=[part, *_]) if _is_compile(inspector, module, func):
                yield _may_be_part(inspector, module, part, own)


def _may_be_part(inspector: Inspector, module: ModuleIndex, node: ast.expr, own: str | None) -> bool:
    """Whether what is compiled may be a layer or a method of `self`: not all of it, nor a function of the file."""
    match node:
        case ast.Attribute(value=ast.Name(id=name), attr="forward" | "__call__") if name == own:
            return False
        case ast.Attribute():
            return _is_of(node, own)
        case ast.Call():
            return True
        case ast.Name(id=name):
            return name != own and inspector.evaluate_globally(module, node) == kinds.UNKNOWN
        case _:
            return False


def _may_be_class(func: ast.expr) -> bool:
    match func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name[:1].isupper()
        case _:
            return False


def _off(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> frozenset[str]:
    """The options of a function that are off unless a caller asks."""
    args = (*node.args.posonlyargs, *node.args.args)
    defaults = [
        *zip(args[::-1], node.args.defaults[::-1], strict=False),
        *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True),
    ]
    return frozenset(arg.arg for arg, value in defaults if isinstance(value, ast.Constant) and not value.value)


def _unasked(body: Sequence[ast.stmt], off: frozenset[str]) -> Iterator[ast.AST]:
    """What stands in statements, but for what an option asks for that is off."""
    for statement in body:
        if isinstance(statement, ast.If) and _names_any(statement.test, off):
            yield from _unasked(statement.orelse, off)
            continue
        inner = list(blocks(statement))
        if inner:
            yield statement
            for block in inner:
                yield from _unasked(block, off)
            continue
        nodes = list(walk(statement))
        if not off or not any(isinstance(node, ast.IfExp) and _names_any(node.test, off) for node in nodes):
            yield from nodes


def _names_any(node: ast.expr, names: frozenset[str]) -> bool:
    return any(isinstance(each, ast.Name) and each.id in names for each in walk(node))


def _compiles_parts(inspector: Inspector, cls: ProjectClass) -> bool:
    for info in classes.infos(inspector, cls):
        module = inspector.tree.module(info.key[0])
        for key in info.methods.values() if module is not None else ():
            method = inspector.tree.function(key)
            if module is None or method is None or isinstance(method.node, ast.Lambda):
                continue
            if says(method.node, module.lines, "compile(") and any(_compilations(inspector, module, method)):
                return True
    return False


def _compilations(inspector: Inspector, module: ModuleIndex, method: FunctionInfo) -> Iterator[bool]:
    own = first_parameter(method.node)
    nodes = list(walk(method.node))
    held = {name for node in nodes if isinstance(node, ast.For) and _is_of(node.iter, own) for name in _names(node)}
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=ast.Call(func=func)) if any(_is_of(each, own) for each in targets):
                yield _is_compile(inspector, module, func)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="compile")) if name in held:
                yield True
            case ast.Call(func=ast.Attribute(value=ast.Attribute() as part, attr="compile")) if _is_of(part, own):
                yield True
            case ast.Call(func=func, args=[part, *_]) if _is_of(part, own):
                yield _is_compile(inspector, module, func)


def _is_of(node: ast.AST, own: str | None) -> bool:
    """Whether an expression reads an attribute of `self`, however deep."""
    return any(
        isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id == own
        for each in walk(node)
    )


def _names(loop: ast.For) -> Iterator[str]:
    return (node.id for node in walk(loop.target) if isinstance(node, ast.Name))


def _is_compile(inspector: Inspector, module: ModuleIndex, func: ast.expr) -> bool:
    return inspector.evaluate_globally(module, func) == kinds.Reference(COMPILE)
