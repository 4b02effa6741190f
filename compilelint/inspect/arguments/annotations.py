"""Annotations as kinds."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable
from typing import TypeAlias

from compilelint.inspect import kinds, signatures
from compilelint.inspect.kinds import UNKNOWN, Kind

Resolve: TypeAlias = Callable[[ast.expr], Kind]
"""What a name or attribute in an annotation stands for; for a class of the project, an instance of it."""

_ITERABLES = {
    "list": "list",
    "List": "list",
    "Sequence": "list",
    "MutableSequence": "list",
    "Iterable": kinds.ITERABLE,
    "Iterator": "iterator",
    "Generator": "iterator",
    "Collection": "list",
    "set": "set",
    "Set": "set",
    "frozenset": "set",
    "FrozenSet": "set",
    "deque": "list",
}
_MAPPINGS = {"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "DefaultDict", "defaultdict"}
_TRANSPARENT = {"Annotated", "Final", "ClassVar", "Required", "NotRequired", "Mapped"}


def spelling(node: ast.expr) -> Hashable:
    """What is the same for annotations that are spelled alike, at whatever place; None for those that are not short."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Constant(value=str() | None as text):
            return ("constant", text)
        case ast.Attribute(value=ast.Name(id=head), attr=attr):
            return (head, attr)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            both = (spelling(left), spelling(right))
            return ("|", both) if None not in both else None
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Name() | ast.Attribute() | ast.BinOp() as index):
            inner = spelling(index)
            return ("[]", name, inner) if inner is not None else None
        case _:
            return None


def annotation_kind(node: ast.expr, resolve: Resolve) -> Kind:
    """The kind of a value that is annotated so; Unknown where the annotation does not tell."""
    match node:
        case ast.Constant(value=None):
            return kinds.NONE
        case ast.Constant(value=str() as text):
            try:
                return annotation_kind(ast.parse(text, mode="eval").body, resolve)
            except (SyntaxError, ValueError, RecursionError):
                return UNKNOWN
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _union([left, right], resolve)
        case ast.Subscript(value=value, slice=index):
            return _subscript(value, index, resolve)
        case ast.Name() | ast.Attribute():
            return _instance(resolve(node))
        case _:
            return UNKNOWN


def _instance(kind: Kind) -> Kind:
    match kind:
        case kinds.External(cls=kinds.UNION_TYPE, args=classes):  # `Adj = Tensor | SparseTensor`
            return _either([_instance(cls) for cls in classes])
        case kinds.Reference(name=kinds.NONE_TYPE):
            return kinds.NONE
        case kinds.Reference(name):
            return signatures.annotation_kind(name) or _external_instance(name)
        case kinds.Instance() | kinds.Tensor() | kinds.Union() | kinds.Sequence() | kinds.Dictionary():
            # An alias such as `Adj = Union[Tensor, SparseTensor]` was read as an annotation already.
            return kind
        case _:
            return UNKNOWN


_NOT_CLASSES = (
    "typing.",
    "typing_extensions.",
    "collections.abc.",
    "types.",
    "builtins.",
    "numpy.typing.",
    "jaxtyping.",
)


def _external_instance(name: str) -> Kind:
    """An instance of a class from outside, as far as the name looks like one."""
    if name.startswith(_NOT_CLASSES) or not name.rpartition(".")[2][:1].isupper():
        return UNKNOWN
    return kinds.External(name)


def _union(members: list[ast.expr], resolve: Resolve) -> Kind:
    return _either([annotation_kind(member, resolve) for member in members])


def _either(known: list[Kind]) -> Kind:
    if any(kind == UNKNOWN for kind in known):
        # "A tensor or something that source does not show" is still worth knowing, at less confidence.
        tensors = [part for kind in known if (part := kinds.tensor_part(kind)) is not None]
        return kinds.join(*tensors, kinds.OBJECT) if tensors else UNKNOWN
    return kinds.join(*known)


def _subscript(value: ast.expr, index: ast.expr, resolve: Resolve) -> Kind:
    members = index.elts if isinstance(index, ast.Tuple) else [index]
    head = value.attr if isinstance(value, ast.Attribute) else getattr(value, "id", "")
    match head:
        case "Optional":
            return kinds.join(kinds.NONE, annotation_kind(index, resolve)) if members else UNKNOWN
        case "Union":
            return _union(members, resolve)
        case "tuple" | "Tuple":
            if len(members) == 2 and isinstance(members[1], ast.Constant) and members[1].value is Ellipsis:
                return kinds.Sequence("tuple", annotation_kind(members[0], resolve))
            return kinds.sequence("tuple", [annotation_kind(member, resolve) for member in members])
        case "Literal":
            values = [member.value for member in members if isinstance(member, ast.Constant)]
            return kinds.Python(type(values[0]).__name__) if values else UNKNOWN
        case _ if head in _ITERABLES:
            return kinds.Sequence(_ITERABLES[head], annotation_kind(members[0], resolve))
        case _ if head in _MAPPINGS:
            return kinds.Dictionary(annotation_kind(members[-1], resolve))
        case _ if head in _TRANSPARENT and members:
            return annotation_kind(members[0], resolve)
        case _:
            return _of_items(_instance(resolve(value)))


def _of_items(kind: Kind) -> Kind:
    """`float["b n d"]`: no number has items, so what is annotated so is an array of them, as in jaxtyping."""
    match kind:
        case kinds.Python(type="int" | "float" | "bool" | "complex" as dtype):
            return kinds.Tensor(dtype)
        case _:
            return kind
