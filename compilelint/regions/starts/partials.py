"""What a function is given before it is compiled: `torch.compile(partial(simulate, train=False))`."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members.objects import is_object
from compilelint.inspect.starting import Accepts
from compilelint.source.nodes import positional_names


def given_by_partial(inspector: Inspector, target: Kind, function: kinds.Function) -> Accepts:
    """The constants and the objects that a function has been given by what is compiled, by parameter.

    Of tensors its own body tells enough. Who calls the compiled function could give an option anew, and seldom does.
    """
    args: tuple[Kind, ...] = ()
    keywords: dict[str, Kind] = {}
    while isinstance(target, kinds.Partial):
        args, keywords = (*target.args, *args), {**dict(target.keywords), **keywords}
        target = target.function
    info = inspector.tree.function(function.key)
    if info is None or not isinstance(target, kinds.Function) or target.key != function.key:
        return ()
    names = positional_names(info.node.args)[function.receiver is not None :]
    parameters = {*names, *(arg.arg for arg in info.node.args.kwonlyargs)}
    given = {**dict(zip(names, args, strict=False)), **keywords}
    return tuple(
        (name, kind)
        for name, kind in given.items()
        if name in parameters and (isinstance(kind, kinds.Const) or is_object(kind))
    )
