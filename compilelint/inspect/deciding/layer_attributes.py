"""Conditions on what a layer of torch was made with, as `__init__` spells it: `if self.drop.p > 0:`,
`if self.proj.bias is None:`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, TypeAlias

from compilelint.inspect import kinds
from compilelint.inspect.deciding.by_default import outcome_by_default
from compilelint.inspect.deciding.comparing import OPEN
from compilelint.inspect.deciding.written_once import attribute_written
from compilelint.inspect.kinds import Const, Instance, ProjectClass
from compilelint.inspect.members import settled
from compilelint.inspect.members.never_set import sets_any

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame
    from compilelint.inspect.inspector import Inspector

_Option: TypeAlias = tuple[int, Any]
"""The place of an option among the arguments, counted from 0, and its default; `OPEN` where it has none."""
_LAYERS = "torch.nn."
_DROPOUT = {"p": (0, 0.5), "inplace": (1, False)}
_BATCH_NORM = {
    "num_features": (0, OPEN),
    "eps": (1, 1e-5),
    "momentum": (2, 0.1),
    "affine": (3, True),
    "track_running_stats": (4, True),
}
_CONV = {"in_channels": (0, OPEN), "out_channels": (1, OPEN), "groups": (6, 1), "bias": (7, True)}
_OPTIONS: dict[str, dict[str, _Option]] = {
    "Linear": {"in_features": (0, OPEN), "out_features": (1, OPEN), "bias": (2, True)},
    "LayerNorm": {"eps": (1, 1e-5), "elementwise_affine": (2, True)},
    "Embedding": {"num_embeddings": (0, OPEN), "embedding_dim": (1, OPEN), "padding_idx": (2, None)},
    **dict.fromkeys(("Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout"), _DROPOUT),
    **dict.fromkeys(("BatchNorm1d", "BatchNorm2d", "BatchNorm3d"), _BATCH_NORM),
    **dict.fromkeys(("Conv1d", "Conv2d", "Conv3d"), _CONV),
}
"""Options that are kept under their own names."""
_THERE = {
    ("Linear", "bias"): "bias",
    **{(f"Conv{n}d", "bias"): "bias" for n in (1, 2, 3)},
    **{(f"BatchNorm{n}d", name): "affine" for n in (1, 2, 3) for name in ("weight", "bias")},
    **{(f"BatchNorm{n}d", name): "track_running_stats" for n in (1, 2, 3) for name in ("running_mean", "running_var")},
    ("LayerNorm", "weight"): "elementwise_affine",
}
"""Tensors of layers that are None where an option is False."""
_TENSOR = object()
"""What stands for a tensor, of which it is only asked whether there is one."""


def outcome_of_layer(frame: Frame, test: ast.expr) -> bool | None:
    """What a condition comes to with the layers that `__init__` makes, as it spells their options; None where that does
    not tell. Whoever sets such an option of any layer later, in the files of the class, may set this one."""
    return outcome_by_default(test, lambda asked: _value(frame, asked)) if frame.receiver_instance else None


def _value(frame: Frame, asked: ast.expr) -> Any:
    match asked:
        case ast.Attribute(value=ast.Attribute(value=ast.Name(), attr=layer) as held, attr=option):
            kind = frame.inspector.peek(frame, held)
            if not isinstance(kind, kinds.External) or not kind.cls.startswith(_LAYERS):
                return OPEN
            owner = frame.inspector.peek(frame, held.value)
            name = kind.cls.removeprefix(_LAYERS)
            return _option(frame.inspector, owner.cls, layer, name, option) if isinstance(owner, Instance) else OPEN
        case _:
            return OPEN


def _option(inspector: Inspector, owner: ProjectClass, layer: str, name: str, option: str) -> Any:
    question = ("option of a layer", owner.key, layer, name, option)
    return inspector.derived(question, lambda: _spelled(inspector, owner, layer, name, option))


def _spelled(inspector: Inspector, owner: ProjectClass, layer: str, name: str, option: str) -> Any:
    named = _THERE.get((name, option), option)
    place = _OPTIONS.get(name, {}).get(named)
    written = attribute_written(inspector, owner, layer) if place is not None else None
    if place is None or written is None:
        return OPEN
    frame, call = written
    if not isinstance(call, ast.Call):
        return OPEN
    made = frame.inspector.peek(frame, call.func)
    if made != kinds.Reference(_LAYERS + name) or _is_set(inspector, owner, frame, option):
        return OPEN
    given = _given(call, named, *place)
    value = given if not isinstance(given, ast.expr) else _constant(frame, given)
    if (name, option) not in _THERE:
        return value
    return OPEN if value is OPEN else _TENSOR if value else None


def _is_set(inspector: Inspector, owner: ProjectClass, frame: Frame, option: str) -> bool:
    files = settled.files_of(inspector, owner, frame.module)
    modules = [module for file in files if (module := inspector.tree.module(file)) is not None]
    return any(sets_any(inspector, module.name) or option in settled.set_in(inspector, module) for module in modules)


def _given(call: ast.Call, named: str, place: int, default: Any) -> Any:
    """What a call gives a parameter: an expression, or else its default."""
    if any(isinstance(arg, ast.Starred) for arg in call.args) or any(each.arg is None for each in call.keywords):
        return OPEN
    by_name = {each.arg: each.value for each in call.keywords}
    return call.args[place] if place < len(call.args) else by_name.get(named, default)


def _constant(frame: Frame, node: ast.expr) -> Any:
    kind = frame.inspector.peek(frame, node)
    return kind.value if isinstance(kind, Const) else OPEN
