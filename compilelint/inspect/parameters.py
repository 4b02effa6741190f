"""What a function's parameters are: what it is called with, annotations, defaults, and how a root's body uses them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from compilelint.inspect import kinds, signatures
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.report.confidence import Confidence
from compilelint.source.model import FunctionNode

Evaluate = Callable[[ast.expr], Kind]


class Arguments(NamedTuple):
    """What a call passes. `open_ended` if it also passes `*args` or `**kwargs` whose content is not known."""

    args: tuple[Kind, ...] = ()
    keywords: tuple[tuple[str, Kind], ...] = ()
    open_ended: bool = False


def bind(node: FunctionNode, arguments: Arguments, annotation: Evaluate, default: Evaluate) -> dict[str, Kind]:
    """The parameters of a function that is called like this, as the environment in which its body starts."""
    spec = node.args
    positional = [*spec.posonlyargs, *spec.args]
    defaults = dict(zip([arg.arg for arg in positional[::-1]], spec.defaults[::-1], strict=False))
    defaults |= {arg.arg: value for arg, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if value}
    given = {arg.arg: kind for arg, kind in zip(positional, arguments.args, strict=False)}
    names = {arg.arg for arg in (*positional, *spec.kwonlyargs)}
    given |= {name: kind for name, kind in arguments.keywords if name in names}
    env: dict[str, Kind] = {}
    for arg in (*positional, *spec.kwonlyargs):
        kind = given.get(arg.arg)
        if kind is None:
            kind = UNKNOWN
            if arg.arg in defaults and not arguments.open_ended:
                kind = default(defaults[arg.arg])
        if isinstance(kind, kinds.Unknown | kinds.Method) and arg.annotation is not None:
            kind = _as_input(annotation(arg.annotation))
        elif arg.annotation is not None and (kinds.tensor_part(kind) is not None or isinstance(kind, kinds.Sequence)):
            kind = _unless_declared_python(annotation(arg.annotation), kind)
        elif arg.arg in defaults and _is_flag(defaults[arg.arg]) and kinds.tensor_part(kind) is not None:
            kind = kinds.BOOL
        env[arg.arg] = kind
    if spec.vararg:
        rest = arguments.args[len(positional) :]
        unknown_rest = kinds.Sequence("tuple", UNKNOWN)
        known_rest = replace(kinds.sequence("tuple", rest), record=True)
        env[spec.vararg.arg] = unknown_rest if arguments.open_ended else known_rest
    if spec.kwarg:
        extra = tuple((name, kind) for name, kind in arguments.keywords if name not in names)
        env[spec.kwarg.arg] = kinds.Dictionary(UNKNOWN, extra, record=True)
    return env


def _is_flag(default: ast.expr) -> bool:
    """`True`, `False`: what is so by default is no tensor, whatever a caller seems to pass."""
    return isinstance(default, ast.Constant) and isinstance(default.value, bool)


def _unless_declared_python(declared: Kind, given: Kind) -> Kind:
    """Where a parameter is annotated as a number, text or dict, that is surer than a tensor that was inferred."""
    if any(option in kinds.options(declared) for option in kinds.options(given)):
        # "This or a tensor" was passed: more than is declared, and what is declared as well.
        return given
    if isinstance(given, kinds.Sequence):
        return declared if _holds_numbers(declared) and kinds.tensor_part(kinds.element(given)) is not None else given
    return declared if all(_is_no_tensor(option) for option in kinds.options(declared)) else given


def _holds_numbers(kind: Kind) -> bool:
    """`tuple[int, int]`: a size."""
    return isinstance(kind, kinds.Sequence) and kinds.element(kind) in (kinds.INT, kinds.FLOAT)


def _is_no_tensor(kind: Kind) -> bool:
    match kind:
        case kinds.Python(type=type_):
            return type_ in ("int", "float", "bool", "str")
        case kinds.Const(value=None) | kinds.Dictionary():
            return True
        case kinds.Sequence():
            return kinds.element(kind) == kinds.STR
        case _:
            return False


def rests_on_annotation(node: FunctionNode, arguments: Arguments, annotation: Evaluate) -> bool | None:
    """Whether a call passes something unknown where a tensor is declared: then only the declaration says so.

    False if it passes a list or a tuple there, which shows that the declaration is not true; None for other calls.
    """
    spec = node.args
    given = dict(zip([arg.arg for arg in (*spec.posonlyargs, *spec.args)], arguments.args, strict=False))
    given |= dict(arguments.keywords)
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


def declared_parameters(
    node: FunctionNode, receiver: Kind | None, annotation: Evaluate, default: Evaluate
) -> dict[str, Kind]:
    """What annotations and defaults alone say of a function's parameters, whoever calls it."""
    spec = node.args
    positional = [*spec.posonlyargs, *spec.args]
    defaults = dict(zip([arg.arg for arg in positional[::-1]], spec.defaults[::-1], strict=False))
    defaults |= {arg.arg: value for arg, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if value}
    found: dict[str, Kind] = {}
    for arg in (*positional, *spec.kwonlyargs):
        kind = annotation(arg.annotation) if arg.annotation is not None else UNKNOWN
        if kind == UNKNOWN:
            kind = _from_default(defaults, arg.arg, default)
        found[arg.arg] = _as_input(kind)
    if receiver is not None and positional:
        found[positional[0].arg] = receiver
    return found


def assumed_parameters(node: FunctionNode, receiver: Kind | None, declared: Mapping[str, Kind]) -> dict[str, Kind]:
    """What a root is called with: nobody is seen calling it, so where nothing is declared its body must tell."""
    positional = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
    first = next(iter(positional[0 if receiver is None else 1 :]), None)
    is_open = any(kind in (UNKNOWN, kinds.NONE) for kind in declared.values())
    uses = usage(node) if is_open else {}
    return {
        name: _from_usage(name, kind, uses.get(name, set()), is_first=name == first)
        if kind in (UNKNOWN, kinds.NONE)
        else kind
        for name, kind in declared.items()
    }


def as_arguments(node: FunctionNode, parameters: Mapping[str, Kind]) -> Arguments:
    """The call that gives a function's parameters these kinds."""
    spec = node.args
    return Arguments(
        tuple(
            UNKNOWN if parameters[arg.arg] == kinds.NONE else parameters[arg.arg]
            for arg in (*spec.posonlyargs, *spec.args)
        ),
        tuple((arg.arg, parameters[arg.arg]) for arg in spec.kwonlyargs),
        open_ended=True,
    )


def first_parameter(node: FunctionNode) -> str | None:
    """The name of the first positional parameter: of a method, what it calls `self`."""
    return next((arg.arg for arg in (*node.args.posonlyargs, *node.args.args)), None)


def _as_input(kind: Kind) -> Kind:
    """Tensors that come from outside exist before the region starts."""
    match kind:
        case kinds.Tensor(dtype=dtype, ndim=ndim, confidence=confidence):
            return kinds.Tensor(dtype, ndim, confidence, parameter=True)
        case kinds.Union(options=options):
            return kinds.join(*(_as_input(option) for option in options))
        case _:
            return kind


def _from_default(defaults: Mapping[str, ast.expr], name: str, default: Evaluate) -> Kind:
    if name not in defaults:
        return UNKNOWN
    kind = default(defaults[name])
    match kind:
        case kinds.Const(value=None):
            return kind
        case kinds.Const(value=bool() | str()):
            return kinds.widen(kind)
        case kinds.Const(value=int() | float()):
            # A number is often only the default of what may also be a tensor (`scale=1.0`).
            return kinds.widen(kind)
        case kinds.Reference() | kinds.ProjectClass() | kinds.Function():
            return kind
        case _:
            return UNKNOWN


_NOT_A_TENSOR = re.compile(
    r"^(num|n|is|has|use)_|(shape|size|dim|len|length|num|count|index|idx|mode|name|path|config|cfg|args|device|dtype)s?$"
)
"""How parameters are called that are numbers, options or settings."""


def _from_usage(name: str, kind: Kind, uses: set[str], *, is_first: bool) -> Kind:
    assumed = kinds.Tensor(confidence=Confidence.MEDIUM)
    optional = [kinds.NONE] if kind == kinds.NONE else []
    if "python" in uses:
        return UNKNOWN
    if "tensor" in uses or (is_first and not optional and "number" not in uses and not _NOT_A_TENSOR.search(name)):
        return _as_input(kinds.join(assumed, *optional))
    return UNKNOWN


def usage(node: FunctionNode) -> dict[str, set[str]]:
    """How a function's body uses its parameters.

    "tensor" is what only tensors do, "python" what they never do, "number" what numbers and options do as a rule.
    """
    names = {arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    found: dict[str, set[str]] = {}
    body: Sequence[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else node.body
    for statement in body:
        for part in ast.walk(statement):
            for name, use in _uses(part):
                if name in names:
                    found.setdefault(name, set()).add(use)
    return found


_TENSOR_ATTRIBUTES = frozenset({"shape", "ndim", "requires_grad", "grad_fn", "is_cuda", "device", "dtype"})
_PYTHON_METHODS = frozenset(
    {
        "append",
        "items",
        "keys",
        "values",
        "get",
        "update",
        "startswith",
        "endswith",
        "lower",
        "upper",
        "extend",
        "pop",
    }
)
_PYTHON_CALLS = frozenset({"range", "open", "getattr"})


_BUILTIN_METHODS = frozenset(name for type_ in (str, bytes, list, tuple, dict, set, int, float) for name in dir(type_))


_OF_TWO_TENSORS = frozenset({"masked_fill", "masked_fill_", "masked_select", "matmul", "bmm", "mm"})
"""Methods of tensors that are given another one."""


def _uses(node: ast.AST) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Call(func=ast.Attribute(attr=method), args=[ast.Name(id=name), *_]) if method in _OF_TWO_TENSORS:
            yield name, "tensor"
    match node:
        case ast.Call(func=ast.Name(id="arange") | ast.Attribute(attr="arange")):
            for argument in node.args:
                yield from ((name, "number") for name in _numbers(argument))
        case ast.Call(func=func, args=[ast.Name(id=name), *_]) if _is_tensor_function(func):
            yield name, "tensor"
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if (
            signatures.is_tensor_method(method) and method not in _BUILTIN_METHODS
        ):
            yield name, "tensor"
        case ast.Attribute(value=ast.Name(id=name), attr=attribute):
            if attribute in _TENSOR_ATTRIBUTES or signatures.is_distinctive_tensor_method(attribute):
                yield name, "tensor"
            elif attribute in _PYTHON_METHODS:
                yield name, "python"
        case ast.Call(func=ast.Name(id=function), args=[*arguments]) if function in _PYTHON_CALLS:
            for argument in arguments:
                if isinstance(argument, ast.Name):
                    yield argument.id, "python"
        case ast.Call(func=ast.Name(id=name)):
            yield name, "python"
        case ast.Compare(
            left=ast.Name(id=name),
            ops=[ast.Eq() | ast.NotEq() | ast.In() | ast.NotIn()],
            comparators=[ast.Constant(value=str())],
        ):
            yield name, "python"
        case ast.Compare(left=ast.Constant(value=str()), ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=name)]):
            yield name, "python"
        case ast.UnaryOp(op=ast.Invert(), operand=ast.Name(id=name)):
            yield name, "tensor"
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str())):
            yield name, "python"
        case ast.BinOp(op=ast.MatMult()):
            for side in (node.left, node.right):
                if isinstance(side, ast.Name):
                    yield side.id, "tensor"
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple()):
            yield name, "tensor"
        case ast.Slice(lower=lower, upper=upper):
            for bound in (lower, upper):
                yield from ((name, "number") for name in _numbers(bound))
        case ast.Compare(left=left, comparators=[right]):
            if _is_size(left) or _is_size(right) or _is_enum_member(right):
                yield from ((side.id, "number") for side in (left, right) if isinstance(side, ast.Name))


def _numbers(node: ast.expr | None) -> list[str]:
    """The names that an expression is made of, where it is nothing but names, numbers and arithmetic."""
    match node:
        case ast.Name(id=name):
            return [name]
        case ast.UnaryOp(operand=operand):
            return _numbers(operand)
        case ast.BinOp(left=left, right=right):
            return [*_numbers(left), *_numbers(right)]
        case _:
            return []


def _is_size(node: ast.expr) -> bool:
    """`x.shape[0]`, `x.size(0)`."""
    match node:
        case ast.Subscript(value=ast.Attribute(attr="shape")) | ast.Call(func=ast.Attribute(attr="size")):
            return True
        case _:
            return False


def _is_enum_member(node: ast.expr) -> bool:
    """`Stage.TRAIN`, as far as spelling tells."""
    match node:
        case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner), attr=name):
            return name.isupper() and owner[:1].isupper()
        case _:
            return False


def _is_tensor_function(func: ast.expr) -> bool:
    """`torch.f(x)` and `F.f(x)`: what is spelled so takes a tensor first."""
    match func:
        case ast.Attribute(value=ast.Name(id="F")):
            return True
        case ast.Attribute(value=ast.Name(id="torch"), attr=attribute):
            return signatures.is_tensor_method(attribute)
        case _:
            return False
