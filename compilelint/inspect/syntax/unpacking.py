"""What iterating and unpacking values gives, and the names that it is bound to."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from compilelint.inspect import kinds, signatures
from compilelint.inspect.calling import calls
from compilelint.inspect.deciding.asked_again import forget
from compilelint.inspect.frame import Frame, path_of
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.members import named_tuples
from compilelint.inspect.sizing import input_sizes
from compilelint.inspect.sureness import sureness
from compilelint.report.confidence import Confidence


def iterate(frame: Frame, kind: Kind) -> Kind:
    """What a `for` over a value gives."""
    match kind:
        case kinds.Instance() | kinds.External() if (named := named_tuples.as_tuple(frame.inspector, kind)) is not None:
            return kinds.element(named)
        case kinds.Instance():
            with frame.aggravated("as an object is iterated"):
                return _of_object(frame, kind)
        case kinds.External(cls="torch.nn.ModuleList" | "torch.nn.Sequential", args=layers) if layers:
            return kinds.join(*layers)
        case kinds.Union():
            found = [iterate(frame, option) for option in kind.options if option != kinds.NONE]
            return kinds.join(*found) if found else UNKNOWN
        case _:
            return signatures.iterated(kind)


def _of_object(frame: Frame, kind: kinds.Instance) -> Kind:
    result = calls.call_method(frame, kind, "__iter__", ())
    if isinstance(result, kinds.Sequence):
        return kinds.element(result)
    if isinstance(result, kinds.Instance):
        return calls.call_method(frame, result, "__next__", ()) or UNKNOWN
    return calls.call_method(frame, kind, "__getitem__", (kinds.INT,)) or UNKNOWN


def report_advanced(frame: Frame, node: ast.expr, kind: Kind) -> None:
    """Report an iterator whose items are all taken at once: `a, b = it`, `[*it]`."""
    if any(isinstance(option, kinds.Sequence) and option.type == "iterator" for option in kinds.options(kind)):
        frame.emit("iterate", node, receiver=kind, confidence=sureness(kind), subject=node)


def bind_target(frame: Frame, target: ast.expr, kind: Kind) -> None:
    """Bind the names of a target that is no attribute or subscript; `assignments.assign` does those as well."""
    match target:
        case ast.Name(id=name):
            forget(frame, name)
            if name in frame.env or name in frame.closure or frame.globals_written:
                _forget_below(frame, name)
            frame.env[name] = kind
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for element, part in zip(elements, unpack(frame, kind, elements), strict=True):
                bind_target(frame, element, part)
        case ast.Starred(value=value):
            bind_target(frame, value, kind)


_ANY_NUMBER_OF_ANYTHING = kinds.Sequence("tuple", UNKNOWN)
"""`*args` of what nobody is seen calling."""


def spread(frame: Frame, target: ast.expr, value: ast.expr, kind: Kind) -> Kind:
    """What `a, b, c, d = *x.shape, self.flag` unpacks: how many names there are tells how much the star stands for.

    The kind itself where that does not help.
    """
    report_advanced(frame, value, kind)
    match target, value:
        case ast.Tuple(elts=names), ast.Attribute() | ast.Call() if kind == input_sizes.OF_ANY_RANK:
            if any(isinstance(name, ast.Starred) for name in names):
                return kind
            return kinds.sequence("tuple", input_sizes.unpacked(len(names)))
        case ast.Tuple(elts=names), ast.Name(id=whole) if kind in (UNKNOWN, _ANY_NUMBER_OF_ANYTHING):
            items = [frame.env.get(f"{whole}[{position}]", UNKNOWN) for position in range(len(names))]
            return kinds.sequence("tuple", items) if any(item != UNKNOWN for item in items) else kind
        case ast.Tuple(elts=names), ast.Tuple(elts=parts) if isinstance(kind, kinds.Sequence) and kind.items is None:
            starred = [position for position, part in enumerate(parts) if isinstance(part, ast.Starred)]
            if len(starred) != 1 or len(names) < len(parts) - 1 or any(isinstance(name, ast.Starred) for name in names):
                return kind
        case _:
            return kind
    given = [frame.inspector.peek(frame, part.value if isinstance(part, ast.Starred) else part) for part in parts]
    (at,) = starred
    middle = [iterate(frame, given[at])] * (len(names) - len(parts) + 1)
    return kinds.sequence(kind.type, [*given[:at], *middle, *given[at + 1 :]])


def handed_back(frame: Frame, target: ast.expr, value: ast.expr, kind: Kind) -> Kind:
    """What `x, size = self.downsample(x, size)` unpacks, where nobody knows the submodule: a tensor first, as it is
    given one; of the rest, what was given by the same name is handed back, and what is new may be a size as well.

    The kind itself of other values.
    """
    match target, value:
        case ast.Tuple(elts=[_, _, *_] as names), ast.Call(func=ast.Attribute(value=ast.Name(id=owner))) if (
            isinstance(kind, kinds.Tensor)
            and frame.receiver_instance is not None
            and frame.env.get(owner) == frame.receiver_instance
            and frame.inspector.peek(frame, value.func) == UNKNOWN
        ):
            arguments = (*value.args, *(keyword.value for keyword in value.keywords))
            given = {argument.id: argument for argument in arguments if isinstance(argument, ast.Name)}
            rest = [given.get(name.id) if isinstance(name, ast.Name) else None for name in names[1:]]
            new = kinds.Tensor(confidence=Confidence.LOW)
            handed = [frame.inspector.peek(frame, argument) if argument is not None else new for argument in rest]
            return kinds.sequence("tuple", [kind, *handed])
        case _:
            return kind


def learn_dimensions(frame: Frame, target: ast.expr, value: ast.expr) -> None:
    """`batch, length = x.shape`: the tensor has as many dimensions as there are names."""
    match target, value:
        case (
            ast.Tuple(elts=names) | ast.List(elts=names),
            ast.Attribute(value=subject, attr="shape")
            | ast.Call(func=ast.Attribute(value=subject, attr="size"), args=[], keywords=[]),
        ) if not any(isinstance(name, ast.Starred) for name in names):
            path = path_of(subject)
            kind = frame.env.get(path) if path is not None else None
            if path is not None and isinstance(kind, kinds.Tensor) and kind.ndim is None:
                frame.env[path] = replace(kind, ndim=len(names))


def _forget_below(frame: Frame, path: str) -> None:
    # Mostly nothing is: one look at all names at once tells.
    names = "\n" + "\n".join(frame.env)
    below = (f"{path}.", f"{path}[")
    if f"\n{below[0]}" in names or f"\n{below[1]}" in names:
        for known in [key for key in frame.env if key.startswith(below)]:
            del frame.env[known]


def plain(frame: Frame, kind: Kind) -> Kind:
    """A named tuple as the tuple that it is; all else as it is."""
    return named_tuples.as_tuple(frame.inspector, kind) or kind


def unpack(frame: Frame, kind: Kind, targets: list[ast.expr]) -> list[Kind]:
    """What each of the targets of an unpacking gets."""
    starred = next((i for i, target in enumerate(targets) if isinstance(target, ast.Starred)), None)
    parts = []
    for option in _that_fit(kind, len(targets), starred):
        option = plain(frame, option)
        items = option.items if isinstance(option, kinds.Sequence) else None
        if items is not None and starred is None and len(items) == len(targets):
            parts.append(list(items))
        elif items is not None and starred is not None and len(items) >= len(targets) - 1:
            tail = len(targets) - starred - 1
            middle = items[starred : len(items) - tail]
            parts.append([*items[:starred], kinds.sequence("list", middle), *items[len(items) - tail :]])
        else:
            one = iterate(frame, option)
            parts.append(
                [kinds.Sequence("list", one) if position == starred else one for position in range(len(targets))]
            )
    if not parts:
        return [UNKNOWN] * len(targets)
    return [kinds.join(*column) for column in zip(*parts, strict=True)]


def _that_fit(kind: Kind, count: int, starred: int | None) -> list[Kind]:
    """Of what a value may be, what can be unpacked into so many targets: of `(x, size)` and `(x, size, loss)` the one
    that has as many parts, and of a tensor or `(shape, x)` the pair.
    """
    possible = [option for option in kinds.options(kind) if option != kinds.NONE]
    if starred is not None or not any(_length(option) == count for option in possible):
        return possible
    fitting = [option for option in possible if _length(option) in (count, None)]
    if any(_length(option) == count and _tells_more(option) for option in fitting):
        return [option for option in fitting if not isinstance(option, kinds.Tensor)]
    return fitting


def _tells_more(kind: Kind) -> bool:
    """Whether of all parts of a tuple it is known what they are, and that they are not the numbers that a tensor, given
    in place of a pair of them, is unpacked into as well."""
    items = kind.items if isinstance(kind, kinds.Sequence) else None
    are_numbers = all(isinstance(item, kinds.Python) and item.type in ("int", "float") for item in items or ())
    return items is not None and UNKNOWN not in items and not are_numbers


def _length(kind: Kind) -> int | None:
    return len(kind.items) if isinstance(kind, kinds.Sequence) and kind.items is not None else None
