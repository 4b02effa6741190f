"""What a function's parameters are: what it is called with, annotations, defaults, and how a root's body uses them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.arguments.declared_or_given import NUMBERS, is_surer_than, seen
from compilelint.inspect.arguments.defaults import from_default, kept_by_default
from compilelint.inspect.arguments.items import is_dict_of_anything, may_be_of
from compilelint.inspect.arguments.usage import head_of, may_hold
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.report.confidence import Confidence
from compilelint.source.model import FunctionNode
from compilelint.source.nodes import is_none, positional_names

Evaluate = Callable[[ast.expr], Kind]
Uses = Mapping[str, set[str]]
"""How parameters, and what they hold, are used, see `usage`."""


class Arguments(NamedTuple):
    """What a call passes. `open_ended` if it also passes `*args` or `**kwargs` whose content is not known."""

    args: tuple[Kind, ...] = ()
    keywords: tuple[tuple[str, Kind], ...] = ()
    open_ended: bool = False
    items: tuple[tuple[str, Kind], ...] = ()
    """What is assumed of items and attributes of arguments that are not known, by path (`usage.item_path`)."""
    closed: bool = False
    """Whether nothing else is given by name: what the function's `**options` hold is known."""


def bind(
    node: FunctionNode,
    arguments: Arguments,
    annotation: Evaluate,
    default: Evaluate,
    uses: Callable[[], Uses],
    sureness: Confidence,
) -> dict[str, Kind]:
    """The parameters of a function that is called like this, as the environment in which its body starts.

    `uses` says how its body uses them; `sureness` is how sure it is that this function is what is called.
    """
    spec = node.args
    positional = [*spec.posonlyargs, *spec.args]
    defaults = defaults_of(node)
    given = {arg.arg: kind for arg, kind in zip(positional, arguments.args, strict=False)}
    names = {arg.arg for arg in (*positional, *spec.kwonlyargs)}
    given |= {name: kind for name, kind in arguments.keywords if name in names}
    env: dict[str, Kind] = {}
    for arg in (*positional, *spec.kwonlyargs):
        kind = given.get(arg.arg)
        if kind is None:
            kind = UNKNOWN
            if arg.arg in defaults and not arguments.open_ended:
                kind = kept_by_default(default(defaults[arg.arg]))
        if isinstance(kind, kinds.Unknown | kinds.Method) and arg.annotation is not None:
            kind = either(_as_input(_declared(arg.arg, annotation(arg.annotation), defaults.get(arg.arg))))
            if _is_tensor_or_none(kind) and uses().get(arg.arg) == {"number"}:
                # `num_experts: Tensor = None`: what is only a size to the body is no tensor by a declaration alone.
                kind = UNKNOWN
        elif arg.annotation is not None and (kinds.tensor_part(kind) is not None or isinstance(kind, kinds.Sequence)):
            declared = annotation(arg.annotation)
            if is_surer_than(declared, kind):
                kind = seen(declared, kind) if sureness == Confidence.HIGH else declared
        elif arg.arg in defaults and _is_flag(defaults[arg.arg]) and _seems_a_tensor(kind):
            kind = kinds.BOOL
        env[arg.arg] = kind
    env |= {path: kind for path, kind in arguments.items if may_be_of(env.get(head_of(path)), kind)}
    if spec.vararg:
        rest = arguments.args[len(positional) :]
        unknown_rest = kinds.Sequence("tuple", UNKNOWN)
        known_rest = replace(kinds.sequence("tuple", rest), record=True)
        env[spec.vararg.arg] = unknown_rest if arguments.open_ended else known_rest
        if arguments.open_ended:
            env |= {path: kind for path, kind in arguments.items if head_of(path) == spec.vararg.arg}
    if spec.kwarg:
        extra = tuple((name, kind) for name, kind in arguments.keywords if name not in names)
        env[spec.kwarg.arg] = kinds.Dictionary(UNKNOWN, extra, record=True, closed=arguments.closed)
    return env


def without_unknown_rest(node: FunctionNode, arguments: Arguments) -> Arguments:
    """The arguments without the keywords that end up in `**kwargs` and of which nothing is known."""
    spec = node.args
    if spec.kwarg is None:
        return arguments
    names = {arg.arg for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    kept = tuple((name, kind) for name, kind in arguments.keywords if kind != UNKNOWN or name in names)
    return arguments._replace(keywords=kept, closed=arguments.closed and len(kept) == len(arguments.keywords))


def defaults_of(node: FunctionNode) -> dict[str, ast.expr]:
    """What parameters are unless something is passed, by name."""
    spec = node.args
    positional = positional_names(spec)
    found = dict(zip(positional[::-1], spec.defaults[::-1], strict=False))
    return found | {arg.arg: value for arg, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if value}


def _declared(name: str, annotation: Kind, default: ast.expr | None) -> Kind:
    """What an annotation says, but for what is no tensor by its default (`a: Tensor | None = False`) or its name.

    What is missing by default may be missing, whatever is declared: `mask: Tensor = None`.
    """
    if kinds.tensor_part(annotation) is None:
        return annotation
    if default is not None and _is_flag(default):
        return kinds.BOOL
    if _A_COLLECTION.search(name):
        return UNKNOWN
    return kinds.join(annotation, kinds.NONE) if is_none(default) else annotation


def either(kind: Kind) -> Kind:
    """What something unknown is where a tensor or a Python object is declared: nobody says that it is the tensor."""
    options = kinds.options(kind)
    if all(isinstance(option, kinds.Tensor) or option == kinds.NONE for option in options):
        return kind
    unsure = (replace(o, confidence=Confidence.LOW) if isinstance(o, kinds.Tensor) else o for o in options)
    return kinds.join(*unsure)


def _is_flag(default: ast.expr) -> bool:
    """`True`, `False`: what is so by default is no tensor, whatever a caller seems to pass."""
    return isinstance(default, ast.Constant) and isinstance(default.value, bool)


def _seems_a_tensor(kind: Kind) -> bool:
    """Whether a call passes what may be a tensor. What surely is one, on one path at least, outweighs a default:
    `drop=torch.rand(1) < 0.2`."""
    tensors = [option for option in kinds.options(kind) if isinstance(option, kinds.Tensor)]
    return bool(tensors) and all(tensor.confidence < Confidence.HIGH for tensor in tensors)


def _is_tensor_or_none(kind: Kind) -> bool:
    others = [option for option in kinds.options(kind) if option != kinds.NONE]
    return bool(others) and all(isinstance(option, kinds.Tensor) for option in others)


def is_missing_by_default(node: FunctionNode, name: str) -> bool:
    """Whether a parameter is None unless something is passed."""
    return is_none(defaults_of(node).get(name))


def rests_on_annotation(node: FunctionNode, arguments: Arguments, annotation: Evaluate) -> bool | None:
    """Whether a call passes something unknown where a tensor is declared: then only the declaration says so.

    False if it passes a list or a tuple there, which shows that the declaration is not true; None for other calls.
    """
    spec = node.args
    given = by_name(node, arguments)
    rests: bool | None = None
    for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
        kind = given.get(arg.arg)
        if arg.annotation is None or not isinstance(kind, kinds.Sequence | kinds.Unknown):
            continue
        if isinstance(annotation(arg.annotation), kinds.Tensor):
            if isinstance(kind, kinds.Sequence):
                return False
            rests = True
    return rests


def declared_parameters(node: FunctionNode, annotation: Evaluate, default: Evaluate) -> dict[str, Kind]:
    """What annotations and defaults alone say of a function's parameters, whoever calls it."""
    spec = node.args
    positional = [*spec.posonlyargs, *spec.args]
    defaults = defaults_of(node)
    found: dict[str, Kind] = {}
    for arg in (*positional, *spec.kwonlyargs):
        kind: Kind = UNKNOWN
        if arg.annotation is not None:
            kind = _declared(arg.arg, annotation(arg.annotation), defaults.get(arg.arg))
        if kind == UNKNOWN:
            kind = from_default(defaults, arg.arg, default)
        found[arg.arg] = _as_input(kind)
    return found


def assumed_arguments(
    node: FunctionNode,
    receiver: Kind | None,
    declared: Mapping[str, Kind],
    accepts: Mapping[str, Kind],
    uses_here: Callable[[], Uses],
    uses_elsewhere: Callable[[frozenset[str], frozenset[str]], Uses],
) -> Arguments:
    """What a root is called with: nobody is seen calling it, so where nothing is declared its body must tell, or what
    it calls.

    `accepts` are parameters that are known to take something else than their declarations say, constants those that
    nobody gives anything but what they are by default; `uses_here` says how
    the body uses them, `uses_elsewhere` how those are used by what they are passed to of which the body does not tell,
    and what those hold that may hold something.
    """
    positional = [*node.args.posonlyargs, *node.args.args]
    foremost = next(iter(positional[0 if receiver is None else 1 :]), None)
    first = foremost.arg if foremost is not None and not _declares_callable(foremost.annotation) else None
    open_names = [name for name, kind in declared.items() if kind in (UNKNOWN, kinds.NONE)]
    dicts = [name for name, kind in declared.items() if is_dict_of_anything(kind)]
    uses = uses_here() if node.args.vararg is not None or open_names or dicts else {}
    untold = frozenset(name for name in open_names if not uses.get(name))
    holders = frozenset([*(name for name in open_names if may_hold(uses.get(name, set()))), *dicts])
    if untold or holders:
        elsewhere = uses_elsewhere(untold, holders)
        uses = {**elsewhere, **{path: use for path, use in uses.items() if use or path not in elsewhere}}
    assumed = {
        name: _from_usage(name, kind, uses.get(name, set()), is_first=name == first)
        if kind in (UNKNOWN, kinds.NONE)
        else kind
        for name, kind in declared.items()
    }
    holds_tensors = first is not None and declared[first] == UNKNOWN and _is_record(first, uses.get(first, set()))
    items = tuple(
        (path, _ASSUMED)
        for path in sorted(uses)
        if path not in declared
        and (uses[path] == {"tensor"} or (holds_tensors and head_of(path) == first and not uses[path]))
    )
    # A number that one call is seen to give is no tensor: the first parameter would be taken for one.
    accepted = {
        name: kind for name, kind in accepts.items() if kind not in NUMBERS or "tensor" not in uses.get(name, ())
    }
    return _with_rest(node, {**assumed, **accepted}, accepted, items)


def _with_rest(
    node: FunctionNode,
    parameters: Mapping[str, Kind],
    accepted: Mapping[str, Kind],
    items: tuple[tuple[str, Kind], ...],
) -> Arguments:
    """What a root is called with, and what its `*args` and `**options` are known to hold."""
    by_place, by_name_ = node.args.vararg, node.args.kwarg
    options = accepted.get(by_name_.arg) if by_name_ is not None else None
    rest = {each.arg for each in (by_place, by_name_) if each is not None}
    known = {name: kind for name, kind in accepted.items() if name not in rest}
    if isinstance(options, kinds.Dictionary):
        known = {str(name): kind for name, kind in options.entries} | known
    told = tuple((path, kind) for path, kind in accepted.items() if "." in path or (path in rest and kind != options))
    found = as_arguments(node, {**known, **parameters}, known)
    return found._replace(items=(*items, *told), closed=isinstance(options, kinds.Dictionary) and options.closed)


def _declares_callable(annotation: ast.expr | None) -> bool:
    """`Callable[[Tensor], Tensor]`, `type[Module]`, also where it may be missing: no tensor for being passed first."""
    match annotation:
        case ast.Subscript(value=ast.Name(id="Optional") | ast.Attribute(attr="Optional"), slice=inner):
            return _declares_callable(inner)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _declares_callable(left) or _declares_callable(right)
        case ast.Subscript(value=value):
            return _declares_callable(value)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in _CALLABLE
        case _:
            return False


def as_arguments(node: FunctionNode, parameters: Mapping[str, Kind], known: Collection[str] = ()) -> Arguments:
    """The call that gives a function's parameters these kinds. None is only a default, but for the `known` ones; of
    these `**options` swallow what is no parameter."""
    spec = node.args
    own = {arg.arg for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    swallowed = [name for name in known if name not in own] if spec.kwarg is not None else []
    return Arguments(
        tuple(
            UNKNOWN if parameters[arg.arg] == kinds.NONE and arg.arg not in known else parameters[arg.arg]
            for arg in (*spec.posonlyargs, *spec.args)
        ),
        (
            *((arg.arg, parameters[arg.arg]) for arg in spec.kwonlyargs),
            *((name, parameters[name]) for name in swallowed),
        ),
        open_ended=True,
    )


def by_name(node: FunctionNode, arguments: Arguments) -> dict[str, Kind]:
    """What a call gives, by parameter."""
    names = (arg.arg for arg in (*node.args.posonlyargs, *node.args.args))
    return dict(zip(names, arguments.args, strict=False)) | dict(arguments.keywords)


def first_parameter(node: FunctionNode) -> str | None:
    """The name of the first positional parameter: of a method, what it calls `self`."""
    positional = node.args.posonlyargs or node.args.args
    return positional[0].arg if positional else None


def _as_input(kind: Kind) -> Kind:
    """Tensors that come from outside exist before the region starts."""
    match kind:
        case kinds.Tensor(dtype=dtype, ndim=ndim, confidence=confidence):
            return kinds.Tensor(dtype, ndim, confidence, parameter=True)
        case kinds.Union(options=options):
            return kinds.join(*(_as_input(option) for option in options))
        case kinds.Dictionary(value=kinds.Tensor() as value):
            # `batch: dict[str, Tensor]` is said of dicts that hold names and lists as well.
            return replace(kind, value=replace(value, confidence=min(value.confidence, Confidence.MEDIUM)))
        case _:
            return kind


_NOT_A_TENSOR = re.compile(
    r"^(num|n|is|has|use)_|(shape|size|dim|len|length|num|count|index|idx|mode|name|path|config|cfg|args|device|dtype|iter|iteration|epoch)s?$"
)
"""How parameters are called that are numbers, options or settings."""


_CALLABLE = frozenset({"Callable", "Type", "type"})
"""What functions and classes are declared as."""

_A_COLLECTION = re.compile(r"_(list|tuple|dict)$")
"""How parameters are called that no tensor is given for, as which some are declared all the same."""

_OPTIMIZER = kinds.External("torch.optim.Optimizer")
_GENERATOR = kinds.join(kinds.External("torch.Generator"), kinds.INT)
"""What is drawn from, where callers give it in any case: one of torch's as a rule, at times a seed."""
_ASSUMED = kinds.Tensor(confidence=Confidence.MEDIUM, parameter=True)


def _from_usage(name: str, kind: Kind, uses: set[str], *, is_first: bool) -> Kind:
    optional = [kinds.NONE] if kind == kinds.NONE else []
    if {"zero_grad", "step"} <= uses:
        return _OPTIMIZER
    if "generator" in uses and not optional:
        return _GENERATOR
    if "python" in uses:
        return UNKNOWN
    is_something_else = not uses.isdisjoint({"number", "container"})
    if "tensor" in uses or (is_first and not optional and not is_something_else and not _NOT_A_TENSOR.search(name)):
        return kinds.join(_ASSUMED, *optional)
    return UNKNOWN


def _is_record(name: str, uses: set[str]) -> bool:
    """Whether a first parameter is no tensor but what holds the tensors: `nodes, edges, count = inputs`."""
    return uses == {"container"} and not _NOT_A_TENSOR.search(name)
