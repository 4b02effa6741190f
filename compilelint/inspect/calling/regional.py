"""What compiles the blocks of a model that repeat, and not the model: regional compilation."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.calling import compilations
from compilelint.inspect.kinds import Instance, Kind, ProjectClass
from compilelint.inspect.members import classes
from compilelint.inspect.names import module_attribute

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call
    from compilelint.inspect.frame import Frame
    from compilelint.inspect.inspector import Inspector
    from compilelint.source.model import Key

COMPILE_REGIONS = ("accelerate.utils.compile_regions", "accelerate.utils.other.compile_regions")
CONTAINERS = frozenset({"torch.nn.ModuleList", "torch.nn.ModuleDict", "torch.nn.Sequential"})


def compile_blocks(frame: Frame, node: ast.AST, model: Kind | None, keywords: Mapping[str, Kind]) -> None:
    """`model.compile_repeated_blocks(fullgraph=True)`: remember which blocks are compiled."""
    if isinstance(model, Instance):
        for block in blocks(frame.inspector, model):
            compilations.record(frame, node, block, keywords)


def compile_regions(frame: Frame, call: Call) -> Kind | None:
    """`model = compile_regions(model)` of accelerate (1.15): the model, with what is compiled of it."""
    model = call.args[0] if call.args else call.keywords.get("module")
    if not isinstance(model, Instance):
        return None
    options = {name: kind for name, kind in call.keywords.items() if name != "module"}
    for region in regions(frame.inspector, model):
        compilations.record(frame, call.node, region, options)
    return model


def regions(inspector: Inspector, model: Instance) -> Iterator[Instance]:
    """The blocks of lists that hold one class of them, and whole parts that hold no such list."""
    met: set[Key] = set()
    pending = [model]
    while pending:
        each = pending.pop(0)
        if not _has_blocks(inspector, each):
            yield each
        elif each.cls.key not in met:
            met.add(each.cls.key)
            for kind in inspector.assigned(each).values():
                yield from _listed(kind)
                pending += _held(kind) if not any(_listed(kind)) else ()


def _has_blocks(inspector: Inspector, model: Instance) -> bool:
    holders = (model, *modules_in(inspector, model))
    return any(any(_listed(kind)) for each in holders for kind in inspector.assigned(each).values())


def _listed(kind: Kind) -> tuple[Instance, ...]:
    """The blocks of a list that holds one class of them."""
    match kind:
        case kinds.External(cls="torch.nn.ModuleList", args=args):
            held = tuple(option for each in args for option in kinds.options(each) if isinstance(option, Instance))
            return held if len({block.cls.key for block in held}) == 1 else ()
        case _:
            return ()


def blocks(inspector: Inspector, model: Instance) -> Iterator[Instance]:
    names = set(_names(inspector, model))
    for block in modules_in(inspector, model):
        if block.cls.name in names:
            names.discard(block.cls.name)
            yield block
    # Where it is not known what the model holds, its file defines or imports the classes mostly.
    module = inspector.tree.module(model.cls.key[0])
    if module is None:
        return
    for name in sorted(names):
        cls = module_attribute(inspector, module, name)
        if isinstance(cls, ProjectClass) and (made := inspector.instance(cls)).module:
            yield made


def _names(inspector: Inspector, model: Instance) -> Iterator[str]:
    """What the nearest class that has them calls its repeated blocks."""
    for base in classes.mro(inspector, model.cls):
        info = inspector.tree.class_(base.key) if isinstance(base, ProjectClass) else None
        given = info.attributes.get("_repeated_blocks") if info is not None else None
        match given.value if given is not None else None:
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                yield from (part.value for part in parts if isinstance(part, ast.Constant) and type(part.value) is str)
                return


def modules_in(inspector: Inspector, model: Instance) -> Iterator[Instance]:
    """The modules of the project that a module holds, however deep, each class once."""
    met: set[Key] = set()
    pending = [model]
    while pending:
        for kind in inspector.assigned(pending.pop()).values():
            for part in _held(kind):
                if part.module and part.cls.key not in met:
                    met.add(part.cls.key)
                    pending.append(part)
                    yield part


def _held(kind: Kind) -> Iterator[Instance]:
    for option in kinds.options(kind):
        match option:
            case Instance():
                yield option
            case kinds.External(cls=cls, args=args) if cls in CONTAINERS:
                for part in args:
                    yield from _held(part)
