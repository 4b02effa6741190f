"""Assignments: what they make of names, attributes and items, and which of them outlive the call."""

from __future__ import annotations

import ast
import math

from msgspec.structs import replace

from compilelint.inspect import kinds, names
from compilelint.inspect.calling import protocols
from compilelint.inspect.deciding.asked_again import forget
from compilelint.inspect.deciding.conditions import RECOMPILE_LIMIT, cycles, happens_once, is_for_new_key, starts_again
from compilelint.inspect.frame import Frame, item_of, path_of
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.lasting import bounds, optimizer_state
from compilelint.inspect.lasting.begun_by_callers import is_begun_by_callers
from compilelint.inspect.lasting.first_calls import report_fill
from compilelint.inspect.lasting.misses import is_counted_as_filled
from compilelint.inspect.lasting.moving_numbers import AND_READ, is_float, is_read_besides, moves_on
from compilelint.inspect.lasting.taken_back import is_taken_back
from compilelint.inspect.members import (
    attributes,
    class_decorators,
    computed_names,
    handed_to_models,
    self_attributes,
    setting,
)
from compilelint.inspect.members.buffers import is_buffer_object, resizes_buffer, sets_buffer_object
from compilelint.inspect.sizing.sizes import catches_up
from compilelint.inspect.sureness import confidence_of, is_tensor_like, sureness
from compilelint.inspect.syntax import bodies, expressions, operators, unpacking
from compilelint.inspect.syntax.counting_up import as_counted, is_counted_from, is_named, item_got
from compilelint.inspect.syntax.expressions import evaluate
from compilelint.inspect.syntax.subscripts import as_held
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk
from compilelint.source.watched import says

_CONTEXT = "torch.autograd.function.FunctionCtx"
_UNBOUNDED = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Pow, ast.LShift)
"""Operators by which a value goes on changing; `%`, `&`, `|` and `^` soon give values that were there before."""


_REPLACING = ("assign", "buffer-object")
"""The constructs by which a target is another object afterwards."""


def assign(frame: Frame, target: ast.expr, kind: Kind, statement: ast.stmt, construct: str = "assign") -> None:
    """`target = value`, with what that means for attributes and subscripts."""
    if construct in _REPLACING and kind != kinds.NONE:
        report_fill(frame, target, statement)
    match target:
        case ast.Name(id=name):
            if name in frame.globals_written:
                sure = _sureness_of_count(frame, statement) if construct == "augmented" else Confidence.HIGH
                frame.emit("global-write", statement, callee=name, construct=construct, args=(kind,), confidence=sure)
                bodies.report_write(frame, statement, target)
            unpacking.bind_target(frame, target, kind)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            parts = unpacking.unpack(frame, kind, elements)
            for element, part in zip(elements, parts, strict=True):
                assign(frame, element, part, statement)
        case ast.Starred(value=value):
            assign(frame, value, kind, statement)
        case ast.Attribute():
            _assign_attribute(frame, target, kind, statement, construct)
        case ast.Subscript():
            _assign_subscript(frame, target, kind, statement, construct)


def _sureness_of_count(frame: Frame, statement: ast.stmt) -> Confidence:
    """How sure it is that what counts calls counts each of them."""
    return Confidence.LOW if frame.is_heard and is_counted_as_filled(frame, statement) else happens_once(frame)


def _assign_attribute(frame: Frame, target: ast.Attribute, kind: Kind, statement: ast.stmt, construct: str) -> None:
    base = evaluate(frame, target.value)
    path = path_of(target)
    if construct == "assign" and frame.is_heard and moves_on(frame, statement, target, kind):
        construct = "augmented"
    if construct not in _REPLACING and (path in frame.replaced or cycles(frame, path) or _wraps(frame, path)):
        construct = "assign"
    sure = Confidence.HIGH
    if construct == "augmented" and is_float(kind) and is_read_besides(frame, statement, target):
        construct += AND_READ
    if construct == "augmented" and path is not None and isinstance(kind, kinds.Sequence):
        grows = bounds.grows(frame, statement, path)
        construct, sure = ("augmented", grows) if grows is not None else ("assign", sure)
    elif construct == "augmented" and path is not None and frame.is_heard:
        goes_on = not is_for_new_key(frame) and not catches_up(frame, statement, path)
        goes_on = goes_on and not is_begun_by_callers(frame, target) and not is_taken_back(frame, path)
        sure = min(sure, _sureness_of_count(frame, statement)) if goes_on else Confidence.LOW
    if frame.inspector.seeks_effects:
        handed_to_models.note_method(frame, statement, target, base, kind)
    told, surely = as_counted(statement, kind) if construct == "augmented" else (kind, Confidence.HIGH)
    for option in kinds.options(base):
        if isinstance(option, kinds.ProjectClass):
            class_decorators.note_write(frame.inspector, option, target.attr, kind)
        if not frame.is_heard:
            continue
        if isinstance(option, kinds.Instance):
            setting.run_setter(frame, statement, option, target.attr, kind)
        if isinstance(option, kinds.Instance) and option.fresh and target.attr != "__class__":
            continue
        callee = attributes.written_attribute(frame, target, option)
        if construct == "augmented" and self_attributes.is_begun_elsewhere(frame.inspector, option, target.attr):
            sure = Confidence.LOW
        frame.emit(
            "attribute-write",
            statement,
            callee=callee,
            construct=construct,
            receiver=option,
            args=(told,),
            confidence=min(
                confidence_of(base, option), happens_once(frame), sure, Confidence.HIGH if is_named(option) else surely
            ),
            subject=target.value,
        )
    if construct in _REPLACING:
        bodies.report_write(frame, statement, target)
    if path is not None:
        forget(frame, path)
        frame.env[path] = kind
        if construct in _REPLACING and not starts_again(frame, path):
            frame.replaced.add(path)


def _assign_subscript(frame: Frame, target: ast.Subscript, kind: Kind, statement: ast.stmt, construct: str) -> None:
    base = evaluate(frame, target.value)
    components = expressions.index_components(frame, target.slice)
    frame.emit(
        "index-write",
        statement,
        callee=attributes.class_name(frame.inspector, base),
        construct=construct,
        receiver=base,
        args=(_most_telling(tuple(map(as_held, components)), construct), kind),
        confidence=sureness(base),
        subject=target.slice,
    )
    protocols.call(frame, statement, base, "__setitem__", (*components, kind))
    if isinstance(base, kinds.Sequence | kinds.Dictionary):
        bodies.report_write(frame, statement, target.value)
    if isinstance(base, kinds.Dictionary):
        protocols.looked_up(frame, target, components[0])
    path = path_of(target.value)
    if frame.is_heard:
        _report_item_counted(frame, target, kind, statement, construct)
    if path is None:
        return
    if names.is_global(frame, path):
        frame.globals_filled.add(path)
    key = components[0] if len(components) == 1 else UNKNOWN
    if isinstance(key, kinds.Const):
        frame.env.pop(item_of(path, key), None)
        if construct in _REPLACING and not frame.conditions:
            frame.replaced.add(item_of(path, key))
    match base, key:
        case kinds.Tensor() | kinds.Union(), kinds.Const(value=str()):
            frame.env[path] = kinds.join(*(_with_item(option, key, kind) for option in kinds.options(base)))
            return
        case kinds.Unknown(), kinds.Const(value=str()):
            frame.env[item_of(path, key)] = kinds.shallow(kind)
            return
    match base:
        case kinds.Dictionary() if isinstance(key, kinds.Const):
            frame.env[path] = _with_item(base, key, kind)
        case kinds.Dictionary(value=value, entries=entries):
            if value == UNKNOWN and not entries and not base.record:
                value = kinds.shallow(kind)
            elif value != UNKNOWN:
                value = kinds.shallow(kinds.join(value, kind))
            frame.env[path] = kinds.with_any_entry(replace(base, value=value))
        case kinds.External(cls="torch.nn.ModuleDict"):
            frame.env[path] = _with_layer(base, computed_names.attribute_name(key, target.slice), kind)
        case kinds.Sequence() if not base.record:
            elements = [kinds.element(base), kind] if base.items != () else [kind]
            frame.env[path] = kinds.Sequence(base.type, kinds.shallow(kinds.join(*elements)))


def _with_item(container: Kind, key: kinds.Const, kind: Kind) -> Kind:
    """What something is that is given an item by name: a dict, whatever it was taken for before."""
    entry = (key.value, kinds.shallow(kind))
    match container:
        case kinds.Dictionary(entries=entries):
            kept = tuple(each for each in entries if each[0] != key.value)
            closed = container.closed and len(kept) < kinds.MAX_ITEMS
            return replace(container, entries=(*kept, entry)[-kinds.MAX_ITEMS :], closed=closed)
        case kinds.Tensor(confidence=confidence):
            # As a module gave it: a dict of such.
            return kinds.Dictionary(kinds.Tensor(confidence=confidence), (entry,))
        case kinds.Python(type="object") | kinds.Const(value=None):
            return kinds.Dictionary(UNKNOWN, (entry,))
        case _:
            return container


def _with_layer(container: kinds.External, name: str, layer: Kind) -> Kind:
    """A ModuleDict that is given a layer: by name, or what is known of it, if all that it has are known by theirs."""
    layers, names = container.args, container.keys
    if not name or not len(layers) == len(names) < kinds.MAX_ITEMS:
        return kinds.External(container.cls, tuple(dict.fromkeys((*layers, layer)))[: kinds.MAX_OPTIONS])
    if computed_names.is_computed(name) and name in names:  # it may be one beside the other
        layer = kinds.join(layers[names.index(name)], layer)
    kept = [at for at, each in enumerate(names) if each != name]
    return kinds.External(container.cls, (*(layers[at] for at in kept), layer), (*(names[at] for at in kept), name))


def _report_item_counted(frame: Frame, target: ast.Subscript, kind: Kind, statement: ast.stmt, construct: str) -> None:
    """Report an item that is moved on, of what is there in the next call, too."""
    held, owner = optimizer_state.counted_in(frame, target, statement), frame.receiver_instance
    if held is not None and owner is not None:
        callee = f"{attributes.class_name(frame.inspector, owner)}.{held}"
        frame.emit(
            "attribute-write", statement, callee=callee, construct="item-augmented", receiver=owner, args=(kinds.INT,)
        )
    elif construct == "augmented":
        counted = kinds.INT if kind == UNKNOWN and is_counted_from(statement) else kind
        _emit_item_written(frame, target.value, counted, statement)


def _emit_item_written(frame: Frame, container: ast.expr, kind: Kind, statement: ast.stmt) -> None:
    """`self.stats["calls"] += 1`: the container outlives the call."""
    while isinstance(container, ast.Subscript):
        container = container.value
    match container:
        case ast.Attribute():
            owner = frame.inspector.peek(frame, container.value)
            if isinstance(owner, kinds.Instance) and not owner.fresh and path_of(container) not in frame.replaced:
                begun = is_begun_by_callers(frame, container)
                frame.emit(
                    "attribute-write",
                    statement,
                    callee=attributes.written_attribute(frame, container, owner),
                    construct=_item_written(frame, container, kind, statement),
                    receiver=owner,
                    args=(kind,),
                    confidence=Confidence.LOW if begun else Confidence.HIGH,
                )
        case ast.Name(id=name) if names.is_global(frame, name):
            frame.emit("global-write", statement, callee=name, construct="item-augmented", args=(kind,))


def _item_written(frame: Frame, container: ast.Attribute, kind: Kind, statement: ast.stmt) -> str:
    is_read = is_float(kind) and is_read_besides(frame, statement, container)
    return f"item-augmented{AND_READ}" if is_read else "item-augmented"


def _most_telling(components: tuple[Kind, ...], construct: str) -> Kind:
    """Of the parts of `x[a, b] = v` the one that decides: what is read back, a tensor without dimensions, before all
    others; where it is read as well, `x[a, b] += v`, a mask."""
    tensors = [part for part in components if isinstance(part, kinds.Tensor)]
    masks = [part for part in tensors if part.dtype == "bool"]
    numbers = [part for part in tensors if part.ndim == 0 and not part.parameter]
    foremost = [*masks, *numbers] if construct == "augmented" else [*numbers, *masks]
    return next(iter((*foremost, *tensors)), components[0])


def delete(frame: Frame, node: ast.Delete) -> None:
    """`del target`, with what that runs; a name is not there afterwards."""
    for target in node.targets:
        match target:
            case ast.Subscript(value=value, slice=index):
                components = expressions.index_components(frame, index)
                protocols.call(frame, node, evaluate(frame, value), "__delitem__", components)
            case ast.Attribute(value=value) if evaluate(frame, value) == kinds.External(_CONTEXT):
                frame.emit("call", target, callee=f"{_CONTEXT}.__delattr__")
        path = path_of(target)
        if path is not None:
            frame.env.pop(path, None)


def augmented(frame: Frame, node: ast.AugAssign) -> None:
    target = node.target
    load = _as_load(target)
    left = evaluate(frame, load) if not isinstance(target, ast.Subscript) else _read_subscript(frame, target)
    right = evaluate(frame, node.value)
    kind = operators.binary(frame, node, left, right)
    in_place = isinstance(target, ast.Subscript) and is_tensor_like(left)
    goes_on = isinstance(node.op, _UNBOUNDED) or (isinstance(node.op, ast.Div) and is_float(kind))
    construct = "augmented" if in_place or goes_on else "assign"
    if isinstance(target, ast.Attribute) and isinstance(left, kinds.Tensor) and not frame.inspector.silent:
        owner = frame.inspector.peek(frame, target.value)
        if is_buffer_object(frame.inspector, owner, target.attr):
            construct = "buffer-object"
    assign(frame, target, kind, node, construct)


def _read_subscript(frame: Frame, target: ast.Subscript) -> Kind:
    """What `x[i] += v` reads; the event is the write's."""
    frame.rehearsals += 1
    kind = evaluate(frame, _as_load(target))
    frame.rehearsals -= 1
    return kind


def _as_load(target: ast.expr) -> ast.expr:
    match target:
        case ast.Name(id=name):
            return ast.copy_location(ast.Name(name, ast.Load()), target)
        case ast.Attribute(value=value, attr=attr):
            return ast.copy_location(ast.Attribute(value, attr, ast.Load()), target)
        case ast.Subscript(value=value, slice=index):
            return ast.copy_location(ast.Subscript(value, index, ast.Load()), target)
        case _:
            return target


def construct_of(frame: Frame, target: ast.expr, value: ast.expr) -> str:
    outlives = bool(frame.globals_written)
    if isinstance(target, ast.Attribute):
        owner = frame.inspector.peek(frame, target.value)
        if resizes_buffer(frame.inspector, owner, target, value):
            return "resized"
        if sets_buffer_object(frame.inspector, owner, value, frame.conditions):
            return "buffer-object"
        outlives = True
        value = _counted_round(frame, value)
    return "augmented" if _repeats(target, value) or (outlives and _adds(target, value)) else "assign"


def _counted_round(frame: Frame, value: ast.expr) -> ast.expr:
    """What is counted up where it begins anew only after more than a few values, as a place in a ring of many:
    `self.next + n` of `self.next = (self.next + n) % len(self.ring)`. The value itself of all others."""
    match value:
        case ast.BinOp(left=ast.BinOp(right=step) as counted, op=ast.Mod(), right=places) if _are_many(
            frame, places, step
        ):
            return counted
        case _:
            return value


def _wraps(frame: Frame, path: str | None) -> bool:
    """Whether a counter goes round a few values by a statement of its own: `self.step += 1`, then `self.step %= 2`."""
    function = frame.function
    if path is None or function is None or not says(function.node, frame.module.lines, "%"):
        return False
    for node in walk(function.node):
        match node:
            case (
                ast.AugAssign(target=counter, op=ast.Mod(), value=places)
                | ast.Assign(targets=[counter], value=ast.BinOp(left=ast.Attribute(), op=ast.Mod(), right=places))
            ) if path_of(counter) == path and not _are_many(frame, places, None):
                return True
    return False


def _are_many(frame: Frame, places: ast.expr, step: ast.expr | None) -> bool:
    """Whether a ring has more places, of those at which such a step ends, than what Dynamo compiles a function for."""
    peek = frame.inspector.peek
    match peek(frame, places), peek(frame, step) if step is not None else UNKNOWN:
        case kinds.Const(value=int() as number), kinds.Const(value=int() as by):
            return bool(number) and number // math.gcd(number, by) > RECOMPILE_LIMIT
        case kinds.Const(value=int() as number), _:
            return number > RECOMPILE_LIMIT
        case _:
            return _is_length_of_tensor(frame, places)


def _is_length_of_tensor(frame: Frame, node: ast.expr) -> bool:
    """Whether this is how long a tensor is; lists are mostly short."""
    match node:
        case ast.Subscript(value=ast.Attribute(value=owner, attr="shape")):
            return is_tensor_like(frame.inspector.peek(frame, owner))
        case (
            ast.Call(func=ast.Name(id="len"), args=[owner])
            | ast.Call(func=ast.Attribute(value=owner, attr="size" | "numel"))
        ):
            return is_tensor_like(frame.inspector.peek(frame, owner))
        case _:
            return False


def _adds(target: ast.expr, value: ast.expr) -> bool:
    """Whether a container gets more: `self.seen = [*self.seen, x]`."""
    path = path_of(target)
    return path is not None and bounds.adds_to(value, path)


def _repeats(target: ast.expr, value: ast.expr) -> bool:
    """`self.n = self.n + 1` is `self.n += 1` by another spelling."""
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, _UNBOUNDED):
        return False
    if not isinstance(target, ast.Name | ast.Attribute | ast.Subscript):
        return False
    if isinstance(target, ast.Name):
        return any(isinstance(side, ast.Name) and side.id == target.id for side in (value.left, value.right))
    sides = [item_got(side) for side in (value.left, value.right)]
    alike = [side for side in sides if type(side) is type(target)]
    return bool(alike) and ast.unparse(target) in map(ast.unparse, alike)
