"""Arguments of a class below the one that a parameter declares: `config: PreTrainedConfig`, given a `BertConfig`.

What a library does for all of its models is written for what the base has. It is walked once for the base, not for each
class below it that only has more fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from compilelint.inspect import classes, kinds
from compilelint.inspect.kinds import Kind, ProjectClass
from compilelint.inspect.parameters import Arguments
from compilelint.source.model import FunctionInfo

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_OF_FIELDS = frozenset({"__post_init__"})
"""What a class whose fields stand in its body may have of its own."""


def as_declared(inspector: Inspector, info: FunctionInfo, arguments: Arguments) -> Arguments:
    """The arguments of a call as the function declares them, where it names a class above theirs."""
    declared = _declared(inspector, info)
    if not declared:
        return arguments
    spec = info.node.args
    names = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    named = zip(names, arguments.args, strict=False)
    args = tuple(_seen_as(inspector, kind, declared.get(name, ())) for name, kind in named)
    return arguments._replace(
        args=(*args, *arguments.args[len(args) :]),
        keywords=tuple(seen_as_declared(inspector, info, dict(arguments.keywords)).items()),
    )


def seen_as_declared(inspector: Inspector, info: FunctionInfo, given: Mapping[str, Kind]) -> Mapping[str, Kind]:
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
        if module is not None and arg.annotation is not None:
            kind = inspector.annotated(inspector.module_frame(module), arg.annotation)
            plain = (each for each in kinds.options(kind) if isinstance(each, kinds.Instance) and not each.module)
            if named := tuple(each.cls for each in plain):
                found[arg.arg] = named
    return found


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
    """Whether a class is below another, and has no method of its own that the other has, too."""
    order = classes.mro(inspector, cls)
    if base not in order:
        return False
    for below in order[: order.index(base)]:
        info = inspector.tree.class_(below.key) if isinstance(below, ProjectClass) else None
        own = info.methods.keys() - _OF_FIELDS if info is not None else {"__init__"}
        if "__init__" in own or any(classes.find_method(inspector, base, name) is not None for name in own):
            return False
    return True
