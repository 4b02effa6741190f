"""Of which class a layer is, of torch or of the project: what `isinstance(self.norm, nn.LayerNorm)` gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.kinds import External, Instance, Kind, ProjectClass, Reference
from compilelint.inspect.members import classes

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_LAYERS = "torch.nn."
_MODULE = "torch.nn.Module"
_DERIVED = {
    "torch.nn.ReLU6": "torch.nn.Hardtanh",
    "torch.nn.NLLLoss2d": "torch.nn.NLLLoss",
    **{f"torch.nn.{name}2d": "torch.nn.Upsample" for name in ("UpsamplingBilinear", "UpsamplingNearest")},
    **{f"torch.nn.ZeroPad{n}d": f"torch.nn.ConstantPad{n}d" for n in (1, 2, 3)},
}
"""The layers of torch 2.5 to 2.15 whose base is another one that has a name in `torch.nn`, but for the lazy ones."""
_OPEN = ("torch.nn.Lazy", "torch.nn.Parameter", "torch.nn.RNN")
"""What becomes another class when it is first called, has no class of its own for `isinstance`, or has derived ones
(`RNNBase`, `RNNCellBase`)."""


def is_of(inspector: Inspector, value: Kind, cls: Kind) -> bool | None:
    """Whether a layer is of a class or of one that is derived from it; None where that is not known."""
    match value, cls:
        case External(cls=name), Reference(name=wanted) if _is_layer(name) and _is_layer(wanted):
            return wanted in (name, _DERIVED.get(name), _MODULE)
        case External(cls=name), ProjectClass() if _is_layer(name):
            return None if classes.decides_on_instances(inspector, cls) else False
        case Instance(cls=own, module=True), Reference(name=wanted) if _is_layer(wanted):
            bases = classes.external_bases(inspector, own)
            if kinds.UNKNOWN in classes.mro(inspector, own) or not all(map(_is_layer, bases)):
                return None
            return any(wanted in (base, _DERIVED.get(base), _MODULE) for base in bases)
        case kinds.Const(value=None), Reference(name=wanted) if _is_layer(wanted):
            return False
        case _:
            return None


def is_exactly(value: Kind, cls: Kind) -> bool | None:
    """Whether the class of a layer is this one; None where that is not known."""
    match value, cls:
        case External(cls=name), Reference(name=wanted) if _is_layer(name) and _is_layer(wanted):
            return name == wanted
        case Instance(cls=own, module=True), ProjectClass(key=key):
            return own.key == key
        case _:
            return None


def _is_layer(name: str) -> bool:
    """Whether a class is a public one of `torch.nn`, which has its name for itself."""
    last = name.removeprefix(_LAYERS)
    return last != name and last[:1].isupper() and "." not in last and not name.startswith(_OPEN)
