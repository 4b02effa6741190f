"""Floats that grow from layer to layer, of layers that are compiled one by one, where an operator holds the number.

Vision transformers have such drop rates.

A float that a module has becomes a variable when it is another one for the first time, as an argument does, unless an
operator wants the number itself (`float_uses.py`; rules/CL505).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator
from functools import partial

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import defaults_of, first_parameter
from compilelint.regions.around.compiled import Target
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes.compiled_apart import (
    Construction,
    Read,
    classes_compiled_apart,
    counters,
    first_reads,
    method_of,
    parameters_given,
    reads_in_forward,
)
from compilelint.regions.changes.float_uses import constant_float_use
from compilelint.regions.changes.spelled import is_made_of, is_spelled
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import parameter_of, positional_names, walk

_HOLDING = {
    **{f"torch.nn.{name}": "p" for name in ("Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout")},
    "torchvision.ops.StochasticDepth": "p",
    "timm.layers.DropPath": "drop_prob",
    "timm.models.layers.DropPath": "drop_prob",
}
"""Layers that hold their first argument, and what they call it. Those that are not torch's were seen to on torch 2.13,
of torchvision 0.28 and timm 1.0.31: twelve layers are eight graphs."""
_LIBRARIES = frozenset({"torch", "np", "numpy"})


def _floats_per_instance(scope: Scope) -> Iterator[Usage]:
    """What `forward` reads of layers that are compiled one by one, and that a loop gave each another float for."""
    for cls in classes_compiled_apart(scope):
        counted = set(parameters_given(scope, cls, _is_count))
        seen = set[int]()
        for confidence in (Confidence.MEDIUM, Confidence.LOW):
            growing = set(parameters_given(scope, cls, partial(_grows, confidence)))
            differs = partial(_differs, scope, cls, confidence, growing, counted)
            for read in _held(scope, cls, differs) if growing or counted else ():
                if id(read.node) not in seen:
                    seen.add(id(read.node))
                    yield read.usage(scope, "float-differs-per-instance", confidence)


# What a loop gives


def _grows(confidence: Confidence, argument: ast.expr, made: Construction) -> bool:
    """Whether this is, so surely, another float in each iteration: `rates[i]`, `rate` of a loop over rates."""
    match argument:
        case ast.Name(id=name):
            rates = _gone_through(made, name)
        case ast.Subscript(value=value, slice=index):
            rates = value if _counts(index, counters(made)) else None
        case ast.BinOp():
            return confidence is Confidence.MEDIUM and _is_fraction_of(argument, counters(made))
        case _:
            return False
    return rates is not None and _ramp(rates, made.module) is confidence


def _gone_through(made: Construction, name: str) -> ast.expr | None:
    """What a loop takes the values of a name from: `for rate in rates`, `for i, rate in enumerate(rates)`."""
    match made.iterable, made.target:
        case ast.Call(func=ast.Name(id="enumerate"), args=[several, *_]), ast.Tuple(elts=[_, ast.Name(id=variable)]):
            return several if variable == name else None
        case ast.Call(func=ast.Name(id="zip"), args=several), ast.Tuple(elts=variables):
            pairs = zip(variables, several, strict=False)
            return next((each for variable, each in pairs if is_spelled(variable, name)), None)
        case several, ast.Name(id=variable) if variable == name:
            return several
        case _:
            return None


def _counts(node: ast.expr, counting: Collection[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in counting for part in walk(node))


def _is_fraction_of(node: ast.expr, counting: Collection[str]) -> bool:
    """Whether a number is made of a loop's variable by a division, or with a float: `0.3 * i / n`."""
    return _counts(node, counting) and any(
        (isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div))
        or (isinstance(part, ast.Constant) and isinstance(part.value, float))
        for part in walk(node)
    )


def _ramp(node: ast.expr, module: ModuleIndex) -> Confidence | None:
    """How sure it is that this is a list of floats that differ, as it is written or as the file binds the name."""
    match node:
        case ast.Name(id=name):
            bound = [each.value for each in walk(module.tree) if isinstance(each, ast.Assign) and _binds(each, name)]
            ramps = [None if isinstance(value, ast.Name) else _ramp(value, module) for value in bound]
            return None if None in ramps else min((ramp for ramp in ramps if ramp is not None), default=None)
        case ast.ListComp(elt=ast.Call(func=ast.Attribute(attr="item"), args=[]), generators=[each]):
            return _drawn(each.iter, module)
        case ast.ListComp(elt=ast.Call(func=ast.Name(id="float"), args=[ast.Name()]), generators=[each]):
            return _drawn(each.iter, module)
        case ast.Call(func=ast.Attribute(value=drawn, attr="tolist"), args=[]):
            return _drawn(drawn, module)
        case ast.ListComp(elt=element, generators=[each]):
            names = {part.id for part in walk(each.target) if isinstance(part, ast.Name)}
            return Confidence.MEDIUM if _is_fraction_of(element, names) else None
        case _:
            return None


def _binds(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)


def _drawn(node: ast.expr, module: ModuleIndex) -> Confidence | None:
    """How sure it is that the values of a line differ: not if its end is a parameter that is 0 by default."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=library), attr="linspace"), args=[_, end, *_]):
            if library not in _LIBRARIES:
                return None
            may_be_flat = isinstance(end, ast.Name) and end.id in _zero_by_default(module)
            return Confidence.LOW if may_be_flat else Confidence.MEDIUM
        case _:
            return None


def _zero_by_default(module: ModuleIndex) -> set[str]:
    """The parameters of the file's functions that are 0 if nobody gives them."""
    return {
        parameter
        for node in walk(module.tree)
        if isinstance(node, ast.FunctionDef)
        for parameter, default in defaults_of(node).items()
        if isinstance(default, ast.Constant) and default.value == 0
    }


# What a layer makes of its number


def _is_count(argument: ast.expr, made: Construction) -> bool:
    return isinstance(argument, ast.Name) and argument.id in counters(made)


def _differs(
    scope: Scope,
    cls: kinds.ProjectClass,
    confidence: Confidence,
    growing: Collection[str],
    counted: Collection[str],
    value: ast.expr,
) -> bool:
    """Whether it is made of what grows, or of a layer's number, so surely another float in each: `0.2 * index / n`."""
    if _is_of_any(growing, value):
        return True
    if not counted or not isinstance(value, ast.BinOp) or not _is_fraction_of(value, counted):
        return False
    module = scope.inspector.tree.module(cls.key[0])
    flat = _zero_by_default(module) if module is not None else set[str]()
    may_be_flat = any(
        isinstance(factor, ast.Attribute) or (isinstance(factor, ast.Name) and factor.id in flat)
        for factor in _factors(value)
    )
    return may_be_flat is (confidence is Confidence.LOW)


def _factors(node: ast.expr) -> Iterator[ast.expr]:
    """What makes a number 0 where it is 0: not what it is divided by, or added to."""
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            yield from _factors(left)
            yield from _factors(right)
        case ast.BinOp(left=left, op=ast.Div()):
            yield from _factors(left)
        case _:
            yield node


def _is_of_any(parameters: Collection[str], value: ast.expr) -> bool:
    return any(is_made_of(value, name) for name in parameters)


# What it does with it


def _held(scope: Scope, cls: kinds.ProjectClass, differs: Callable[[ast.expr], bool], depth: int = 2) -> Iterator[Read]:
    """What `forward` reads that holds as a constant what is such of `__init__`: the number, or a layer."""
    init = method_of(scope, cls, "__init__")
    if init is None:
        return
    numbers, layers = set[str](), set[str]()
    for attr, value in _assigned(init):
        if differs(value):
            numbers.add(attr)
        elif any(_holds(scope, init, call, differs, depth) for call in _choices(value)):
            layers.add(attr)
    yield from first_reads(scope, cls, layers)
    left = set(numbers)
    for read in reads_in_forward(scope, cls) if numbers else ():
        if read.node.attr in left and _is_held(scope, read):
            left.discard(read.node.attr)
            yield read


def _assigned(init: FunctionInfo) -> Iterator[tuple[str, ast.expr]]:
    receiver = first_parameter(init.node)
    for node in walk(init.node):
        match node:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=attr)], value=value):
                if owner == receiver:
                    yield attr, value


def _choices(value: ast.expr) -> Iterator[ast.Call]:
    """The calls of which one makes a layer: `DropPath(rate) if rate > 0.0 else nn.Identity()`."""
    match value:
        case ast.Call():
            yield value
        case ast.IfExp(body=body, orelse=orelse):
            yield from _choices(body)
            yield from _choices(orelse)


def _holds(scope: Scope, init: FunctionInfo, call: ast.Call, differs: Callable[[ast.expr], bool], depth: int) -> bool:
    """Whether the layer that a call makes holds what is such."""
    module = scope.inspector.tree.module(init.key[0])
    arguments = (*call.args, *(keyword.value for keyword in call.keywords))
    given = [argument for argument in arguments if differs(argument)]
    if module is None or not given:
        return False
    match scope.inspector.evaluate_globally(module, call.func):
        case kinds.Reference(name=name) if name in _HOLDING:
            return any(parameter_of(call, [_HOLDING[name]], argument) == _HOLDING[name] for argument in given)
        case kinds.ProjectClass() as inner if depth and scope.inspector.instance(inner).module:
            inner_init = method_of(scope, inner, "__init__")
            if inner_init is None:
                return False
            names = positional_names(inner_init.node.args)[1:]
            passed = {str(parameter_of(call, names, argument)) for argument in given}
            return any(True for _ in _held(scope, inner, partial(_is_of_any, passed), depth - 1))
        case _:
            return False


def is_held(scope: Scope, cls: kinds.ProjectClass, attr: str) -> bool:
    """Whether an operator in `forward`, or in what it calls, holds a float that is this attribute."""
    return any(read.node.attr == attr and _is_held(scope, read) for read in reads_in_forward(scope, cls))


def _is_held(scope: Scope, read: Read) -> bool:
    module = scope.inspector.tree.module(read.method.key[0])
    if module is None:
        return False
    target = Target(read.method.node, module, scope.inspector.instance(read.cls))
    return constant_float_use(scope, target, ast.unparse(read.node), {}) is not None


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_floats_per_instance,)
