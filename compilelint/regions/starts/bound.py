"""What `functools.partial` gives a function before it is compiled: `torch.compile(partial(loss, train=False))`."""

from __future__ import annotations

from msgspec import structs

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.starting import Accepts
from compilelint.source.nodes import positional_names


def bound_by(inspector: Inspector, target: Kind, function: kinds.Function) -> Accepts:
    """The parameters that a compiled partial gives the function that it leads to in each call, with what that is."""
    args: tuple[Kind, ...] = ()
    keywords: dict[str, Kind] = {}
    while isinstance(target, kinds.Partial):
        args, keywords, target = (*target.args, *args), {**dict(target.keywords), **keywords}, target.function
    info = inspector.tree.function(function.key) if args or keywords else None
    if info is None:
        return ()
    names = positional_names(info.node.args)[0 if function.receiver is None else 1 :]
    given = {**dict(zip(names, args, strict=False)), **keywords}
    known = {*names, *(arg.arg for arg in info.node.args.kwonlyargs)}
    return tuple((name, _from_outside(kind)) for name, kind in given.items() if name in known and kind != UNKNOWN)


def _from_outside(kind: Kind) -> Kind:
    """As the compiled code sees it. A transform around the partial, as `vmap`, may give a slice of a tensor."""
    if isinstance(kind, kinds.Tensor):
        return structs.replace(kind, ndim=None, parameter=True)
    return kind


def binds_positions(target: Kind) -> bool:
    """Whether the first parameters are given, so that what a call gives first is a later one."""
    while isinstance(target, kinds.Partial):
        if target.args:
            return True
        target = target.function
    return False
