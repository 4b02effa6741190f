"""Whether an expression in a loop is another value in each iteration, as far as source tells."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.regions.around import scopes
from compilelint.regions.around.driving import Loop
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Bound, Scope
from compilelint.regions.around.written_items import items_of, part_of_each
from compilelint.regions.changes import changing_tensors, comparisons, draws, in_turn
from compilelint.regions.changes.batch_sizes import size_asked, size_unpacked, size_varies
from compilelint.regions.changes.changing_tensors import sizes_given
from compilelint.regions.changes.growing import COUNTING, grows, is_counted, none_at_times
from compilelint.regions.changes.named_items import comprehended_items, is_of_files, is_of_state, joins_paths
from compilelint.regions.changes.possible_tensors import may_be_tensor
from compilelint.regions.changes.read_numbers import is_read
from compilelint.regions.changes.schedules import counts_steps, followed, is_of_math
from compilelint.regions.changes.variations import Variation, What, of_constants
from compilelint.source.nodes import walk

_SHOWS_PROGRESS = frozenset({"tqdm", "trange", "track", "list", "tuple", "iter", "reversed", "sorted"})
_SAME_SHAPE = frozenset(
    {"to", "cuda", "cpu", "clone", "detach", "contiguous", "float", "double", "half", "bfloat16", "long", "int"}
)
_SAME_KIND = frozenset({"cuda", "cpu", "clone", "detach", "contiguous"})
_NAMED = frozenset({"named_parameters", "named_modules", "named_children", "named_buffers"})


def variation(scope: Scope, node: ast.expr, loops: tuple[Loop, ...], depth: int = 8) -> Variation | None:
    """What another iteration of the loops around changes about an expression; None where nothing is seen to."""
    if not loops or not depth:
        return None
    asked = size_asked(node)
    if asked is not None and (found := _of_size(scope, asked, loops, depth)) is not None:
        return found
    match node:
        case ast.Name(id=name):
            return _of_name(scope, node, name, loops, depth)
        case ast.Attribute(value=value, attr=attr):
            if is_counted(node, loops[-1]):
                return Variation("int")
            found = variation(scope, value, loops, depth - 1) if attr == "name" else None
            return replace(found, what="str") if found is not None and found.what == "member" else None
        case ast.BinOp(left=left, op=op, right=right):
            return _of_arithmetic(scope, left, op, right, loops, depth)
        case ast.JoinedStr(values=parts):
            return _as_text(
                [
                    variation(scope, part.value, loops, depth - 1)
                    for part in parts
                    if isinstance(part, ast.FormattedValue)
                ]
            )
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            changes = [variation(scope, side, loops, depth - 1) for side in (left, right)]
            return comparisons.variation_of(scope, op, (left, right), changes)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return Variation("bool", 2) if variation(scope, operand, loops, depth - 1) is not None else None
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return variation(scope, operand, loops, depth - 1)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _of_choice(body, orelse) if variation(scope, test, loops, depth - 1) is not None else None
        case ast.Starred(value=value):
            found = variation(scope, value, loops, depth - 1)
            return found if found is not None and found.what == "length" else None
        case ast.Subscript(value=value, slice=index):
            counts = isinstance(index, ast.Constant) and counts_steps(scope, node)
            return Variation("int") if counts else _of_item(scope, value, index, loops, depth)
        case ast.Call():
            return _of_call(scope, node, loops, depth)
        case ast.ListComp(generators=[generator]) | ast.DictComp(generators=[generator]):
            found = variation(scope, generator.iter, loops, depth - 1)
            what: What = "keys" if isinstance(node, ast.DictComp) else "length"
            return Variation(what, found.values) if found is not None and found.what in ("int", "length") else None
    return None


def first_size_varies(scope: Scope, tensor: ast.expr, loops: tuple[Loop, ...]) -> Variation | None:
    """What the loops change about how many rows a tensor has."""
    is_asked = bool(loops) and isinstance(tensor, ast.Name | ast.Call | ast.Subscript)
    return _of_size(scope, (tensor, 0), loops, 8) if is_asked else None


def _of_size(scope: Scope, asked: tuple[ast.expr, int], loops: tuple[Loop, ...], depth: int) -> Variation | None:
    def varies(size: ast.expr, around: tuple[Loop, ...]) -> Variation | None:
        return variation(scope, size, around, depth - 1)

    return size_varies(scope, *asked, loops, varies)


# Names


def _of_name(scope: Scope, node: ast.Name, name: str, loops: tuple[Loop, ...], depth: int) -> Variation | None:
    for loop in reversed(loops):
        if isinstance(loop, ast.For | ast.AsyncFor):
            found = _of_loop_variable(scope, loop, name)
            if found is not None:
                return found
    test = none_at_times(node, loops[-1])
    if test is not None and variation(scope, test, loops, depth - 1) is not None:
        return Variation("none", 2)
    grown = grows(scope, name, loops)
    if grown is not None:
        return grown
    if changing_tensors.grows(scope, name, loops[-1]):
        return Variation("shape")
    bound = scopes.binding_at(scope, name, scopes.start_of(node))
    if bound is not None and bound[0] is scope and (unpacked := size_unpacked(bound[1])) is not None:
        return _of_size(scope, unpacked, loops, depth) if bound[1].since > scopes.start_of(loops[0]) else None
    if bound is None or bound[0] is not scope:
        return None
    given = (_of_bound(scope, name, each, loops, depth) for each in scopes.alternatives(scope, name, bound[1]))
    return next((each for each in given if each is not None), None)


def _of_bound(scope: Scope, name: str, bound: Bound, loops: tuple[Loop, ...], depth: int) -> Variation | None:
    start = scopes.start_of(loops[0])
    if bound.iterated is not None or bound.value is None or bound.since <= start:
        return None
    if any(isinstance(part, ast.Name) and part.id == name for part in walk(bound.value)):
        # `rate = rate * 0.9` goes on from iteration to iteration, unless each begins it: `rate = base` further up.
        before = scopes.last_seen(scope, scope.bindings.get(name, ()), scopes.start_of(bound.value))
        if before is None or before.since <= start:
            return None
    return variation(scope, bound.value, loops, depth - 1)


def _of_loop_variable(scope: Scope, loop: ast.For | ast.AsyncFor, name: str) -> Variation | None:
    iterable = bare_iterable(loop.iter)
    written = _written(scope, iterable) if isinstance(iterable, ast.Name) else None
    if isinstance(written, ast.Call | ast.Subscript | ast.ListComp | ast.DictComp):
        iterable = bare_iterable(written)
    return _item_of(scope, loop.target, iterable, name)


def bare_iterable(iterable: ast.expr) -> ast.expr:
    """What is iterated over, without what shows progress: `tqdm(range(n), desc="…")`, and in which order."""
    match iterable:
        case ast.Subscript(value=inner, slice=ast.Slice(lower=None, upper=None)):
            return bare_iterable(inner)
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Attribute(attr="arange"), args=args), attr="tolist")):
            return ast.copy_location(ast.Call(ast.Name("range", ast.Load()), args, []), iterable)
        case ast.Call(func=ast.Name(id="trange"), args=args) if args:
            return ast.copy_location(ast.Call(ast.Name("range", ast.Load()), args, []), iterable)
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=[inner, *_]) if (
            called in _SHOWS_PROGRESS
        ):
            return bare_iterable(inner)
        case _:
            return iterable


def _item_of(scope: Scope, target: ast.expr, iterable: ast.expr, name: str) -> Variation | None:
    """What an item of an iterable gives to a name of the loop's target."""
    match target, iterable:
        case ast.Name(id=bound), ast.Call(func=ast.Name(id="range"), args=args) if bound == name:
            return Variation("int", _range_length(args))
        case ast.Tuple(elts=[ast.Name(id=bound), _]), ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]) if (
            bound == name
        ):
            return Variation("int", _length(inner))
        case ast.Tuple(elts=[_, rest]), ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
            return _item_of(scope, rest, bare_iterable(inner), name)
        case ast.Tuple(elts=parts), ast.Call(func=ast.Name(id="zip"), args=args) if len(parts) == len(args):
            found = (_item_of(scope, part, bare_iterable(arg), name) for part, arg in zip(parts, args, strict=True))
            return next((each for each in found if each is not None), None)
        case ast.Tuple(elts=[ast.Name(id=bound), _]), ast.Call(func=ast.Attribute(attr=attr)) if bound == name and (
            attr in _NAMED or is_of_state(iterable, "items")
        ):
            return Variation("str")
        case ast.Name(id=bound), _ if bound == name and (is_of_state(iterable, "keys") or is_of_files(scope, iterable)):
            return Variation("str", read=is_of_files(scope, iterable))
    made = _of_comprehended(scope, target, iterable, name)
    if made is not None:
        return made
    items = items_of(iterable, lambda listed: _written(scope, listed))
    if items is not None:
        return _of_items(scope, target, items, name)
    if not isinstance(target, ast.Name) or target.id != name:
        return None
    return in_turn.of_members(scope, iterable) or in_turn.of_layers(scope, iterable)


def _of_comprehended(scope: Scope, target: ast.expr, iterable: ast.expr, name: str) -> Variation | None:
    """What each item of a comprehension is, or each key of one: `[f"layer{i}" for i in range(n)]`."""
    for part, made in comprehended_items(target, iterable, lambda held: _written(scope, held)):
        if isinstance(part, ast.Name) and part.id == name:
            return variation(scope, made.value, (made.loop,))
    return None


def _of_items(scope: Scope, target: ast.expr, items: list[ast.expr], name: str) -> Variation | None:
    """What these items, one after the other, give to a name of the loop's target."""
    match target:
        case ast.Name(id=bound):
            return of_constants(items) or in_turn.of_items(scope, items) if bound == name else None
        case ast.Tuple(elts=parts):
            each = ((part, part_of_each(items, at, len(parts))) for at, part in enumerate(parts))
            found = (_of_items(scope, part, values, name) for part, values in each if values is not None)
            return next((one for one in found if one is not None), None)
        case _:
            return None


def _written(scope: Scope, name: ast.Name) -> ast.expr | None:
    found = scopes.binding_at(scope, name.id, scopes.start_of(name))
    return found[1].value if found is not None and found[1].iterated is None else None


def _range_length(args: list[ast.expr]) -> int | None:
    bounds = [arg.value for arg in args if isinstance(arg, ast.Constant) and isinstance(arg.value, int)]
    return len(range(*bounds)) if bounds and len(bounds) == len(args) and 0 not in bounds[2:] else None


def _length(node: ast.expr) -> int | None:
    match bare_iterable(node):
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return len(items)
        case ast.Call(func=ast.Name(id="range"), args=args):
            return _range_length(args)
        case _:
            return None


# Expressions


def _of_arithmetic(
    scope: Scope, left: ast.expr, op: ast.operator, right: ast.expr, loops: tuple[Loop, ...], depth: int
) -> Variation | None:
    if isinstance(op, ast.Mult) and isinstance(left, ast.List | ast.Tuple):
        found = variation(scope, right, loops, depth - 1)
        return Variation("length", found.values) if found is not None and found.what == "int" else None
    sides = [variation(scope, side, loops, depth - 1) for side in (left, right)]
    found = next((side for side in sides if side is not None), None)
    if found is None or any(side is not None and side.what not in ("int", "float", "str") for side in sides):
        return None
    if any(each is None and may_be_tensor(scope, side) for side, each in zip((left, right), sides, strict=True)):
        return None
    numbers = found.what in ("int", "float")
    match op, right:
        case ast.Mod(), ast.Constant(value=int(divisor)) if found.what == "int":
            return Variation("int", min(divisor, found.values or divisor)) if divisor > 1 else None
        case ast.FloorDiv(), ast.Constant(value=int(divisor)) if found.what == "int" and found.values and divisor > 0:
            return replace(found, values=-(-found.values // divisor))
        case ast.Add(), _ if found.what == "str":
            return found
        case ast.Div(), _ if numbers:
            return replace(found, what="float")
        case ast.Pow(), ast.BinOp(op=ast.FloorDiv() | ast.Mod()):
            return None  # `0.1 ** (epoch // 30)` is the same in most iterations
        case _ if isinstance(op, (*COUNTING, ast.Pow)) and numbers:
            floats = any(_is_float(scope, side) for side in (left, right)) or any(
                side is not None and side.what == "float" for side in sides
            )
            known = all(
                side is not None or _is_int(scope, part) for side, part in zip(sides, (left, right), strict=True)
            )
            return replace(found, what="float") if floats else found if known else None
        case _:
            return None


def _is_float(scope: Scope, node: ast.expr) -> bool:
    return _type_of(scope, node.operand if isinstance(node, ast.UnaryOp) else node) == "float"


def _is_int(scope: Scope, node: ast.expr) -> bool:
    """Whether the other side of some arithmetic is known to be an int: with a tensor the result is one."""
    return _type_of(scope, node) == "int"


def _type_of(scope: Scope, node: ast.expr) -> str | None:
    kind = kind_at(scope, node)
    return kinds.type_name(kind) if isinstance(kind, kinds.Const | kinds.Python) else None


def _as_text(parts: list[Variation | None]) -> Variation | None:
    found = [part for part in parts if part is not None]
    return Variation("str", found[0].values if len(found) == 1 else None) if found else None


def _of_choice(body: ast.expr, orelse: ast.expr) -> Variation | None:
    """`mask if step % 2 else None`, `"a" if step == 0 else "b"`."""
    constants = [part.value for part in (body, orelse) if isinstance(part, ast.Constant)]
    if None in constants:
        return Variation("none", 2) if len(constants) == 1 else None
    return of_constants([body, orelse])


def _of_item(scope: Scope, value: ast.expr, index: ast.expr, loops: tuple[Loop, ...], depth: int) -> Variation | None:
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    bounds = [
        variation(scope, bound, loops, depth - 1)
        for part in parts
        if isinstance(part, ast.Slice) and not _is_window(part)
        for bound in (part.lower, part.upper)
        if bound is not None
    ]
    found = next((bound for bound in bounds if bound is not None and bound.what == "int"), None)
    if found is not None:
        kind = kind_at(scope, value)
        if isinstance(kind, kinds.Sequence):
            return Variation("length", found.values)
        return Variation("shape", found.values) if isinstance(kind, kinds.Tensor) or len(parts) > 1 else None
    chosen = variation(scope, index, loops, depth - 1)
    if chosen is None or chosen.what not in ("int", "bool"):
        return None
    # `names[i]`: as many values as there are names, or as indices where these are fewer.
    literal = _written(scope, value) if isinstance(value, ast.Name) else None
    items = literal.elts if isinstance(literal, ast.List | ast.Tuple) else []
    values = of_constants(items) or in_turn.of_items(scope, items)
    if values is None or values.values is None:
        return None
    return replace(values, values=min(values.values, chosen.values or values.values))


def _is_window(part: ast.Slice) -> bool:
    """`x[i : i + n]`: both bounds move, the length may stay."""
    return part.lower is not None and part.upper is not None


def _of_call(scope: Scope, node: ast.Call, loops: tuple[Loop, ...], depth: int) -> Variation | None:
    drawn = draws.variation_of(scope, node)
    if drawn is not None:
        return drawn
    if is_read(scope, node, loops):
        return Variation("int", read=True)
    match node:
        case ast.Call(func=ast.Name(id="str"), args=[value]):
            return _as_text([variation(scope, value, loops, depth - 1)])
        case ast.Call(func=ast.Attribute(attr="join"), args=parts) if joins_paths(scope, node):
            return _as_text([variation(scope, part, loops, depth - 1) for part in parts])
        case ast.Call(func=ast.Name(id="float" | "int" as conversion), args=[value]):
            found = variation(scope, value, loops, depth - 1)
            if found is None or found.what not in ("int", "float"):
                return None
            return replace(found, what="float" if conversion == "float" else "int")
        case ast.Call(func=ast.Name(id="bool"), args=[value]):
            return Variation("bool", 2) if variation(scope, value, loops, depth - 1) is not None else None
        case ast.Call(func=ast.Name(id="range"), args=args):
            found = next((each for arg in args if (each := variation(scope, arg, loops, depth - 1)) is not None), None)
            return found if found is not None and found.what == "int" else None
        case ast.Call(func=ast.Name(id="len"), args=[value]):
            found = variation(scope, value, loops, depth - 1)
            return replace(found, what="int") if found is not None and found.what in ("length", "keys") else None
        case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in _SAME_SHAPE:
            found = variation(scope, value, loops, depth - 1)
            if found is not None and found.what in ("shape", "kind") and attr in _SAME_KIND:
                return found
            return found if found is not None and found.what == "shape" else _of_made(scope, node, loops, depth)
        case ast.Call(func=ast.Name(id="min" | "max"), args=args):
            # Of ints `min(step, 3)` leaves few; the limit of a schedule is reached after many values.
            found = next((each for arg in args if (each := variation(scope, arg, loops, depth - 1)) is not None), None)
            return found if found is not None and found.what == "float" else None
    numbers = followed(scope, node)
    if numbers:
        return _of_formula(scope, node, numbers, loops, depth)
    return _of_made(scope, node, loops, depth)


def _of_made(scope: Scope, call: ast.Call, loops: tuple[Loop, ...], depth: int) -> Variation | None:
    """What changes about a tensor that is made: its sizes, how many they are, or its dtype."""
    dtypes = [keyword.value for keyword in call.keywords if keyword.arg == "dtype"]
    if isinstance(call.func, ast.Attribute) and call.func.attr in ("to", "type"):
        dtypes += call.args[:1]
    parts = (variation(scope, part, loops, depth - 1) for part in (*dtypes, *sizes_given(scope, call)))
    found = next((each for each in parts if each is not None), None)
    if found is None or found.what not in ("int", "rank", "dtype"):
        return None
    return replace(found, what="shape" if found.what == "int" else "kind")


def _of_formula(
    scope: Scope, call: ast.Call, numbers: list[ast.expr], loops: tuple[Loop, ...], depth: int
) -> Variation | None:
    """What is computed of these: a float that follows them, if none of the others may be a tensor."""
    found = [variation(scope, number, loops, depth - 1) for number in numbers]
    others = [number for number, each in zip(numbers, found, strict=True) if each is None and not is_of_math(call)]
    if any(kind_at(scope, other) == kinds.UNKNOWN for other in others):
        return None
    changing = next((each for each in found if each is not None), None)
    return replace(changing, what="float") if changing is not None and changing.what in ("int", "float") else None
