"""Subscripts that are read, in terms of kinds."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from compilelint.inspect import kinds, signatures
from compilelint.inspect.calling import calls, protocols, type_arguments
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import INT, STR, UNKNOWN, Kind
from compilelint.inspect.members import attributes, classes, computed_names, named_tuples
from compilelint.inspect.sizing import input_sizes, sizes
from compilelint.inspect.sureness import confidence_of, sureness
from compilelint.inspect.syntax import operators
from compilelint.report.confidence import Confidence

_DATA_SETS = frozenset({"torch.utils.data.Dataset", "torch.utils.data.dataset.Dataset"})
_MASK = re.compile(r"(^|_)masks?$")


def subscript(frame: Frame, node: ast.Subscript, option: Kind, base: Kind, components: tuple[Kind, ...]) -> Kind:
    """`option[components]`, where `option` is one of the kinds that the base may be."""
    protocols.call(frame, node, option, "__getitem__", components)
    match option:
        case kinds.Tensor():
            frame.emit(
                "index",
                node,
                construct="read",
                receiver=option,
                args=tuple(map(as_held, components)),
                confidence=min(confidence_of(base, option), *(sureness(part) for part in components)),
                subject=node.slice,
            )
            if frame.is_heard and (of_size := sizes.index_of_size(frame, node.slice)) is not None:
                part, sure = of_size
                sure = min(confidence_of(base, option), sure)
                frame.emit("index", part, construct=sizes.HELD, receiver=option, confidence=sure)
            return UNKNOWN if _is_count(frame, node, components) else _index_tensor(option, components)
        case kinds.Array():
            frame.emit("index", node, construct="read", receiver=option, args=components)
            return _index_row(option, components) if option.row else option
        case kinds.Text():
            operators.look_at_text(frame, node, option)
            return STR
        case kinds.Unknown() | kinds.Sequence() if _is_of_tensors(option, components):
            assumed = kinds.Tensor(confidence=Confidence.MEDIUM)
            return subscript(frame, node, assumed, assumed, components)
        case kinds.Sequence():
            return _index_sequence(frame, node, option, components, _sureness_beside_tensors(base))
        case kinds.Dictionary():
            protocols.looked_up(frame, node, components[0])
            return _index_dictionary(option, components)
        case kinds.External(cls="torch.nn.ModuleList" | "torch.nn.Sequential", args=layers):
            _report_read_by_tensor(frame, node, option, components)
            return _index_layers(option, layers, components)
        case kinds.External() if (plain := named_tuples.as_tuple(frame.inspector, option)) is not None:
            return _index_sequence(frame, node, plain, components)
        case kinds.External(cls="torch.nn.ModuleDict", args=layers) if layers:
            return _layer_named(option, components) or _layers_written(option, node.slice) or kinds.join(*layers)
        case kinds.Instance() if _is_batch_of(frame, option, components):
            return UNKNOWN
        case kinds.Instance():
            index = components[0] if len(components) == 1 else kinds.sequence("tuple", components)
            found = calls.call_method(frame, option, "__getitem__", (index,)) or UNKNOWN
            plain = named_tuples.as_tuple(frame.inspector, option) if found == UNKNOWN else None
            if plain is not None:
                return _index_sequence(frame, node, plain, components)
            return attributes.field_at(frame.inspector, option, index) if found == UNKNOWN else found
        case kinds.Const(value=str(text)):
            _report_read_by_tensor(frame, node, option, components)
            return _index_text(text, node.slice, components)
        case kinds.Python(type="str"):
            _report_read_by_tensor(frame, node, option, components)
            return STR
        case kinds.Reference(name=signatures.TORCH_VERSION):
            release = frame.inspector.knowledge.torch
            return _index_text(release, node.slice, components) if release else STR
        case kinds.ProjectClass():
            type_arguments.report_subscript(frame, node, option)
            return option
        case kinds.Reference():
            return option
        case kinds.Python(type="range"):
            return INT
        case _:
            return UNKNOWN


def _report_read_by_tensor(frame: Frame, node: ast.Subscript, indexed: Kind, components: tuple[Kind, ...]) -> None:
    """Report where a tensor picks one of several things, as only a number of Python's can."""
    index = components[0]
    if kinds.tensor_part(index) is not None or isinstance(index, kinds.Scalar):
        frame.emit("index", node, construct="read", receiver=indexed, args=components, confidence=sureness(index))


def as_mask(node: ast.expr, kind: Kind) -> Kind:
    """What indexes, of dtype bool if nothing says otherwise and it is called a mask: other masks index nothing."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) if _MASK.search(name):
            return _of_truths(kind)
        case _:
            return kind


def as_held(index: Kind) -> Kind:
    """What indexes a tensor, as Dynamo holds it: the number that an array gives, `parents[i]`, is a tensor."""
    return kinds.Tensor(index.dtype, 0) if isinstance(index, kinds.Array) and index.number and not index.kept else index


def _of_truths(kind: Kind) -> Kind:
    match kind:
        case kinds.Tensor(dtype=None):
            return replace(kind, dtype="bool", confidence=min(kind.confidence, Confidence.MEDIUM))
        case kinds.Unknown() | kinds.Python(type="bool"):  # as what compares something that is not known gives
            return kinds.Tensor("bool", confidence=Confidence.MEDIUM)
        case _:
            return kind


def _is_mask(kind: Kind) -> bool:
    """Whether it is a truth for each of several things; one alone is the number 0 or 1 to a list."""
    return isinstance(kind, kinds.Tensor) and kind.dtype == "bool" and kind.ndim != 0


def _index_tensor(tensor: kinds.Tensor, components: tuple[Kind, ...]) -> Kind:
    if any(operators.is_text(part) for part in components):
        # No tensor is asked by name: it is a dict, whatever is declared, and may hold numbers as well.
        return kinds.Tensor(confidence=min(tensor.confidence, Confidence.MEDIUM))
    ndim = tensor.ndim
    is_alone = sum(isinstance(part, kinds.Tensor) for part in components) == 1
    for part in components:
        match part:
            case kinds.Const(value=None):
                ndim = ndim + 1 if ndim is not None else None
            case kinds.Const(value=bool()):
                ndim = None
            case kinds.Const(value=int()) | kinds.Python(type="int") | kinds.Scalar(type="int"):
                ndim = ndim - 1 if ndim is not None else None
            case kinds.Python(type="slice"):
                pass
            case kinds.Tensor(dtype="int", ndim=0):
                ndim = ndim - 1 if ndim is not None else None
            case kinds.Tensor(dtype="int" | "bool") if is_alone:
                ndim = _selected(ndim, part)
            case _:
                ndim = None
    return kinds.Tensor(tensor.dtype, ndim if ndim is None or ndim >= 0 else None, tensor.confidence)


def _is_count(frame: Frame, node: ast.Subscript, components: tuple[Kind, ...]) -> bool:
    """Whether it is the entry of a dict that the function uses as a number: `torch.zeros(graph["num_nodes"], 1)`."""
    if frame.function is None or not any(operators.is_text(part) for part in components):
        return False
    counts = frame.inspector.counts(frame.function)
    return bool(counts) and ast.unparse(node) in counts


def _is_batch_of(frame: Frame, owner: kinds.Instance, components: tuple[Kind, ...]) -> bool:
    """Whether what is declared to be a data set is a batch of one: a data set is asked by number, a batch by name.

    `def forward(self, inputs: BaseDataset): x = inputs["data"]`: what the data set's own `__getitem__` gives is a whole
    entry, and no part of it.
    """
    if not any(operators.is_text(part) for part in components):
        return False
    return not _DATA_SETS.isdisjoint(classes.external_bases(frame.inspector, owner.cls))


def _selected(ndim: int | None, index: kinds.Tensor) -> int | None:
    """How many dimensions are left where one tensor says what is taken: `x[order]`, `x[mask]`."""
    if ndim == 1 and index.dtype == "bool":
        return 1  # no mask of another number of dimensions fits
    if ndim is None or index.ndim is None:
        return None
    return ndim - index.ndim + 1 if index.dtype == "bool" else ndim - 1 + index.ndim


def _is_of_tensors(option: Kind, components: tuple[Kind, ...]) -> bool:
    """Whether only tensors and arrays are indexed in this way, whatever was thought of what is indexed.

    They are by a mask, and in several dimensions: of a list, `x[rows, columns]` raises TypeError.
    """
    return any(map(_is_mask, components)) or (len(components) > 1 and isinstance(option, kinds.Sequence))


def _sureness_beside_tensors(base: Kind) -> Confidence:
    """How sure it is that a sequence is meant where a tensor indexes: who does so means a tensor, if it may be one."""
    return Confidence.HIGH if kinds.tensor_part(base) is None else Confidence.LOW


def _index_row(row: kinds.Array, components: tuple[Kind, ...]) -> Kind:
    match components:
        case [kinds.Const() | kinds.Python() as index] if kinds.type_name(index) == "int":
            return kinds.Array(row.dtype, number=True)
        case _:
            return replace(row, row=False)


def _index_sequence(
    frame: Frame,
    node: ast.Subscript,
    base: kinds.Sequence,
    components: tuple[Kind, ...],
    sure: Confidence = Confidence.HIGH,
) -> Kind:
    index = components[0] if components else UNKNOWN
    if kinds.tensor_part(index) is not None or isinstance(index, kinds.Scalar):
        frame.emit("index", node, construct="read", receiver=base, args=(index,), confidence=min(sure, sureness(index)))
    match index:
        case kinds.Const(value=int() as position) if base.items is not None:
            return base.items[position] if -len(base.items) <= position < len(base.items) else UNKNOWN
        case kinds.Const(value=int() as position) if base == input_sizes.OF_ANY_RANK:
            return input_sizes.dimension(base, position)
        case kinds.Const(value=str()):
            return UNKNOWN  # what is indexed by a text is none: another of the things that the base may be
        case kinds.Python(type="slice"):
            return _slice_sequence(base, node.slice)
        case _:
            return kinds.any_item(base)


def _slice_sequence(base: kinds.Sequence, index: ast.expr) -> Kind:
    bounds = _bounds(index)
    if base.items is not None and bounds is not None:
        return kinds.Sequence(base.type, UNKNOWN, base.items[bounds])
    if base == input_sizes.OF_ANY_RANK and bounds is not None:
        return input_sizes.sliced(bounds)
    return kinds.Sequence(base.type, kinds.element(base))


def _bounds(index: ast.expr) -> slice | None:
    """A slice that is written out in numbers; None for all others."""
    if not isinstance(index, ast.Slice):
        return None
    bounds: list[int | None] = []
    for bound in (index.lower, index.upper, index.step):
        match bound:
            case None:
                bounds.append(None)
            case ast.Constant(value=int() as value):
                bounds.append(value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
                bounds.append(-value)
    return slice(*bounds) if len(bounds) == 3 and bounds[2] != 0 else None


def _index_text(text: str, index: ast.expr, components: tuple[Kind, ...]) -> Kind:
    bounds = _bounds(index)
    if bounds is not None:
        return kinds.Const(text[bounds])
    match components:
        case (kinds.Const(value=int() as position),) if -len(text) <= position < len(text):
            return kinds.Const(text[position])
        case _:
            return STR


def _index_dictionary(base: kinds.Dictionary, components: tuple[Kind, ...]) -> Kind:
    index = components[0] if len(components) == 1 else UNKNOWN
    if isinstance(index, kinds.Const):
        for key, value in base.entries:
            if key == index.value and type(key) is type(index.value):
                return value
        return base.value
    return kinds.any_value(base)


def _index_layers(base: kinds.External, layers: tuple[Kind, ...], components: tuple[Kind, ...]) -> Kind:
    index = components[0] if components else UNKNOWN
    if index == kinds.Python("slice"):
        return base
    if isinstance(index, kinds.Const) and isinstance(index.value, int) and base.cls == "torch.nn.Sequential":
        return layers[index.value] if -len(layers) <= index.value < len(layers) else UNKNOWN
    return _layer_named(base, components) or (kinds.join(*layers) if layers else UNKNOWN)


def _layer_named(container: kinds.External, components: tuple[Kind, ...]) -> Kind | None:
    """The layer that an index names, of a container of which it is known which is which."""
    match components:
        case (kinds.Const(value=int(position)),) if -len(container.keys) <= position < len(container.keys):
            return container.args[position]
        case (kinds.Const(value=str(name)),) if name in container.keys:
            return container.args[container.keys.index(name)]
        case _:
            return None


def _layers_written(container: kinds.External, index: ast.expr) -> Kind | None:
    """The layers of a ModuleDict that an index may name of which only parts are known: `self.parts[f"{name}_lstm"]`."""
    name = computed_names.attribute_name(UNKNOWN, index)
    found = [
        layer
        for key, layer in zip(container.keys, container.args, strict=False)
        if name and (key == name or computed_names.may_be(name, key) or computed_names.may_be(key, name))
    ]
    return kinds.join(*found) if found else None
