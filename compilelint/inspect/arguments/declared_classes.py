"""Arguments of a class below the one that a parameter declares: `config: PreTrainedConfig`, given a `BertConfig`.

What a library does for all of its models is written for what the base has. It is walked once for the base, not for each
class below it that only has more fields, and checks of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import Arguments
from compilelint.inspect.kinds import Kind, ProjectClass
from compilelint.inspect.members import classes
from compilelint.source.model import FunctionInfo, Key, ModuleIndex
from compilelint.source.nodes import walk
from compilelint.source.watched import says

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_OF_FIELDS = frozenset({"__post_init__"})
"""What a class whose fields stand in its body may have of its own."""
_ASKING = ("isinstance(", "match ", "type(")
"""What stands before a name of whose class somebody asks."""


def as_declared(inspector: Inspector, info: FunctionInfo, arguments: Arguments) -> Arguments:
    """The arguments of a call as the function declares them, where it names a class above theirs."""
    declared = _declared(inspector, info)
    if not declared:
        return arguments
    spec = info.node.args
    names = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    named = zip(names, arguments.args, strict=False)
    args = tuple(_seen_as(inspector, kind, declared.get(name, ())) for name, kind in named)
    keywords = ((name, _seen_as(inspector, kind, declared.get(name, ()))) for name, kind in arguments.keywords)
    return arguments._replace(args=(*args, *arguments.args[len(args) :]), keywords=tuple(keywords))


def seen_as_declared(inspector: Inspector, info: FunctionInfo, given: Mapping[str, Kind]) -> dict[str, Kind]:
    """The same for what is given by name."""
    declared = _declared(inspector, info)
    return {name: _seen_as(inspector, kind, declared.get(name, ())) for name, kind in given.items()}


def _declared(inspector: Inspector, info: FunctionInfo) -> Mapping[str, tuple[ProjectClass, ...]]:
    return inspector.derived(("declared classes", info.key), lambda: _classes_of_parameters(inspector, info))


def _classes_of_parameters(inspector: Inspector, info: FunctionInfo) -> Mapping[str, tuple[ProjectClass, ...]]:
    """The classes of the project of which parameters are declared to be, but for modules."""
    module, spec = inspector.tree.module(info.key[0]), info.node.args
    found: dict[str, tuple[ProjectClass, ...]] = {}
    for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
        if module is not None and arg.annotation is not None and not _asks_for_class(module, info, arg.arg):
            kind = inspector.annotated(inspector.module_frame(module), arg.annotation)
            plain = (each for each in kinds.options(kind) if isinstance(each, kinds.Instance) and not each.module)
            if named := tuple(each.cls for each in plain):
                found[arg.arg] = named
    return found


def _asks_for_class(module: ModuleIndex, info: FunctionInfo, name: str) -> bool:
    """Whether a function asks of which class a parameter is, as what chooses by it does: `isinstance(spec, Dense)`."""
    return any(says(info.node, module.lines, f"{asking}{name}") for asking in _ASKING)


def _seen_as(inspector: Inspector, kind: Kind, declared: tuple[ProjectClass, ...]) -> Kind:
    match kind:
        case kinds.Instance(cls=cls, module=False, given=(), options=()) if declared and cls not in declared:
            base = next((each for each in declared if _only_has_more_fields(inspector, cls, each)), cls)
            return kinds.Instance(base, fresh=kind.fresh)
        case _:
            return kind


def _only_has_more_fields(inspector: Inspector, cls: ProjectClass, base: ProjectClass) -> bool:
    return inspector.derived(("only has more fields", cls, base), lambda: _has_more_fields(inspector, cls, base))


def _has_more_fields(inspector: Inspector, cls: ProjectClass, base: ProjectClass) -> bool:
    """Whether a class is below another, and has no method of its own that the other has, too, but for checks."""
    order = classes.mro(inspector, cls)
    return base in order and not any(
        name == "__init__"
        or (classes.find_method(inspector, base, name) is not None and not _only_checks(inspector, key))
        for below in order[: order.index(base)]
        for name, key in _own_methods(inspector, below)
    )


def _own_methods(inspector: Inspector, cls: Kind) -> Iterable[tuple[str, Key | None]]:
    """What a class defines itself, by name; of a class that is not the project's nobody knows: an `__init__`, say."""
    info = inspector.tree.class_(cls.key) if isinstance(cls, ProjectClass) else None
    if info is None:
        return (("__init__", None),)
    return ((name, key) for name, key in info.methods.items() if name not in _OF_FIELDS)


def _only_checks(inspector: Inspector, key: Key | None) -> bool:
    """Whether a method gives nothing and sets nothing, as one does that raises where fields do not fit each other."""
    info = inspector.tree.function(key) if key is not None else None
    return info is not None and not any(map(_gives_or_sets, walk(info.node)))


def _gives_or_sets(node: ast.AST) -> bool:
    match node:
        case ast.Return(value=value):
            return value is not None
        case ast.Attribute(ctx=ctx) | ast.Subscript(ctx=ctx):
            return not isinstance(ctx, ast.Load)
        case _:
            return isinstance(node, ast.Yield | ast.YieldFrom)
