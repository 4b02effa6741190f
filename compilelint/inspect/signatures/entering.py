"""Which functions call the callables that they are given, and with what."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Many
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from compilelint.inspect.kinds import (
    UNKNOWN,
    Dictionary,
    Kind,
    Sequence,
    Tensor,
    element,
    join,
    of_any_rank,
    tensor_part,
)
from compilelint.inspect.signatures.calls import iterated

Gives = Literal["result", "iterator", "list", "same-structure", "nothing", "other"]
"""How the value of the whole call follows from what the callable returns:

"result": it is what the callable returned · "iterator", "list": of such values · "same-structure": the
argument with each tensor replaced (`tree_map`) · "nothing": the callable's result is thrown away ·
"other": `signatures.result` says what the call gives.
"""


class Entered(Struct, frozen=True):
    """A callable among the arguments of a call that will be called."""

    argument: int | str
    """Where it was given: its position, or its keyword."""
    args: tuple[Kind, ...]
    keywords: tuple[tuple[str, Kind], ...] = ()
    gives: Gives = "result"


CHECKPOINTS = frozenset(
    {
        "torch.utils.checkpoint.checkpoint",
        "torch.utils.checkpoint.checkpoint_sequential",
        "deepspeed.checkpointing.checkpoint",
        "fairscale.nn.checkpoint_wrapper",
    }
)
CHECKPOINT_OPTIONS = frozenset(
    {"use_reentrant", "preserve_rng_state", "context_fn", "determinism_check", "debug", "early_stop"}
)
TRANSFORMS = frozenset(
    {
        "torch.vmap",
        "torch.func.vmap",
        "torch.func.grad",
        "torch.func.grad_and_value",
        "torch.func.jacrev",
        "torch.func.jacfwd",
        "torch.func.hessian",
        "torch.func.functionalize",
    }
)
"""Functions that give a function; calling that one calls the one they were given."""
TREE_MAPS = frozenset(
    {
        "torch.utils._pytree.tree_map",
        "torch.utils._pytree.tree_map_only",
        "torch.utils._pytree.tree_map_",
    }
)
BRANCHES = frozenset({"torch.cond", "torch._higher_order_ops.cond.cond", "torch._higher_order_ops.cond"})
LOOPS = frozenset(
    {"torch.while_loop", "torch._higher_order_ops.while_loop", "torch._higher_order_ops.while_loop.while_loop"}
)
CARRYING_SCANS = frozenset({"torch._higher_order_ops.scan", "torch._higher_order_ops.scan.scan"})
SCANS = CARRYING_SCANS | frozenset(
    {
        "torch._higher_order_ops.associative_scan",
        "torch._higher_order_ops.associative_scan.associative_scan",
    }
)


def entered(callee: str, args: Many[Kind], keywords: Mapping[str, Kind]) -> tuple[Entered, ...]:
    """The callables among the arguments that this call will call, in the order in which it does."""
    if callee in CHECKPOINTS:
        rest = tuple((name, kind) for name, kind in keywords.items() if name not in CHECKPOINT_OPTIONS)
        return _first(args, keywords, "function", tuple(args[1:]), rest)
    if callee in BRANCHES:
        given = _handed_in(_operands(_argument(args, keywords, 3, "operands")))
        return (
            *_at(args, keywords, 1, "true_fn", given),
            *_at(args, keywords, 2, "false_fn", given),
        )
    if callee in LOOPS:
        given = _handed_in(_operands(_argument(args, keywords, 2, "carried_inputs")))
        return (
            *_at(args, keywords, 0, "cond_fn", given, "other"),
            *_at(args, keywords, 1, "body_fn", given),
        )
    if callee in SCANS:
        return _scanned(callee, args, keywords)
    if callee in TREE_MAPS:
        at = 1 if callee.endswith("tree_map_only") else 0
        tree = _argument(args, keywords, at + 1, "tree")
        return _at(args, keywords, at, "func", (leaf(tree) if tree is not None else UNKNOWN,), "same-structure")
    handler = _SIMPLE.get(callee)
    return handler(args, keywords) if handler is not None else ()


def leaf(kind: Kind) -> Kind:
    """What the leaves of a nested structure have in common."""
    match kind:
        case Sequence():
            return leaf(element(kind))
        case Dictionary(value=value, entries=entries):
            return join(*(leaf(item) for _, item in entries)) if entries else leaf(value)
        case _:
            return kind


def _argument(args: Many[Kind], keywords: Mapping[str, Kind], position: int, name: str) -> Kind | None:
    return args[position] if position < len(args) else keywords.get(name)


def _operands(kind: Kind | None) -> tuple[Kind, ...]:
    if kind is None:
        return ()
    if isinstance(kind, Sequence):
        return kind.items if kind.items is not None else (kind.item,)
    return (kind,)


def _handed_in(operands: tuple[Kind, ...]) -> tuple[Kind, ...]:
    """Operands as the body sees them: tensors that are there before it starts."""
    return tuple(replace(kind, parameter=True) if isinstance(kind, Tensor) else kind for kind in operands)


def _at(
    args: Many[Kind],
    keywords: Mapping[str, Kind],
    position: int,
    name: str,
    given: tuple[Kind, ...],
    gives: Gives = "result",
) -> tuple[Entered, ...]:
    if position < len(args):
        return (Entered(position, given, (), gives),)
    return (Entered(name, given, (), gives),) if name in keywords else ()


def _first(
    args: Many[Kind],
    keywords: Mapping[str, Kind],
    name: str,
    given: tuple[Kind, ...],
    more: tuple[tuple[str, Kind], ...],
) -> tuple[Entered, ...]:
    if args:
        return (Entered(0, given, more),)
    rest = tuple((key, kind) for key, kind in more if key != name)
    return (Entered(name, given, rest),) if name in keywords else ()


def _scanned(callee: str, args: Many[Kind], keywords: Mapping[str, Kind]) -> tuple[Entered, ...]:
    if "associative" in callee:
        xs = _argument(args, keywords, 1, "xs") or UNKNOWN
        return _at(args, keywords, 0, "combine_fn", (xs, xs), "other")
    carry = _argument(args, keywords, 1, "init") or UNKNOWN
    xs = _argument(args, keywords, 2, "xs") or UNKNOWN
    part = tensor_part(xs)
    row: Kind = iterated(part) if part is not None else UNKNOWN
    return _at(args, keywords, 0, "combine_fn", _handed_in((carry, row)), "other")


def _map(args: Many[Kind], keywords: Mapping[str, Kind]) -> tuple[Entered, ...]:
    return (Entered(0, tuple(iterated(arg) for arg in args[1:]), (), "iterator"),) if args else ()


def _starmap(args: Many[Kind], keywords: Mapping[str, Kind]) -> tuple[Entered, ...]:
    if len(args) < 2:
        return ()
    row = iterated(args[1])
    given = row.items if isinstance(row, Sequence) and row.items is not None else (UNKNOWN,)
    return (Entered(0, given, (), "iterator"),)


def _filter(args: Many[Kind], keywords: Mapping[str, Kind]) -> tuple[Entered, ...]:
    return (Entered(0, (iterated(args[1]),), (), "other"),) if len(args) > 1 else ()


def _reduce(args: Many[Kind], keywords: Mapping[str, Kind]) -> tuple[Entered, ...]:
    if len(args) < 2:
        return ()
    item = iterated(args[1])
    first = join(item, args[2]) if len(args) > 2 else item
    # It is called with what it gave before, too.
    return (Entered(0, (of_any_rank(first), item)),)


def _keyed(args: Many[Kind], keywords: Mapping[str, Kind]) -> tuple[Entered, ...]:
    if "key" not in keywords or not args:
        return ()
    item = iterated(args[0]) if len(args) == 1 else join(*args)
    return (Entered("key", (item,), (), "other"),)


def _derivative(args: Many[Kind], keywords: Mapping[str, Kind]) -> tuple[Entered, ...]:
    """`vjp(f, *primals)`, `jvp(f, primals, tangents)`."""
    return (Entered(0, tuple(args[1:]), (), "other"),) if args else ()


def _jvp(args: Many[Kind], keywords: Mapping[str, Kind]) -> tuple[Entered, ...]:
    return (Entered(0, _operands(args[1]), (), "other"),) if len(args) > 1 else ()


def _functional_call(args: Many[Kind], keywords: Mapping[str, Kind]) -> tuple[Entered, ...]:
    if len(args) < 2:
        return ()
    given = _argument(args, keywords, 2, "args")
    return (Entered(0, _operands(given)),)


def _mapped_tensor(args: Many[Kind], keywords: Mapping[str, Kind]) -> tuple[Entered, ...]:
    return (Entered(0, (Tensor(ndim=0),), (), "other"),) if args else ()


def _hook(args: Many[Kind], keywords: Mapping[str, Kind]) -> tuple[Entered, ...]:
    return _at(args, keywords, 0, "hook", (Tensor(),), "other")


_SIMPLE = {
    "builtins.map": _map,
    "itertools.starmap": _starmap,
    "builtins.filter": _filter,
    "itertools.filterfalse": _filter,
    "itertools.takewhile": _filter,
    "itertools.dropwhile": _filter,
    "functools.reduce": _reduce,
    "builtins.sorted": _keyed,
    "builtins.max": _keyed,
    "builtins.min": _keyed,
    "builtins.list.sort": _keyed,
    "torch.func.vjp": _derivative,
    "torch.func.linearize": _derivative,
    "torch.func.jvp": _jvp,
    "torch.func.functional_call": _functional_call,
    "torch.Tensor.register_hook": _hook,
    "torch.Tensor.apply_": _mapped_tensor,
    "torch.Tensor.map_": _mapped_tensor,
}
