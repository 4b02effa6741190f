"""What dtypes come together."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.inspect.events import Event
from compilelint.inspect.kinds import Kind

_OBJECTS = ("builtins.object", "builtins.str", "numpy.object_", "numpy.str_")


def changes_dtype(event: Event) -> bool:
    """The tensor that is written has another dtype than the one that it replaces, or one that was cast for it."""
    written = kinds.tensor_part(event.args[0]) if event.args else None
    before = kinds.tensor_part(event.receiver) if event.receiver is not None else None
    if written is None or before is None or written.dtype is None:
        return False
    return before.dtype is not None and written.dtype != before.dtype


def is_no_number(event: Event) -> bool:
    """An array of objects or text is made or cast to: `dtype=object`, `dtype=str`, a list with text in it."""
    dtypes = [value for name, value in event.keywords if name == "dtype"]
    if event.callee.endswith(".astype") and event.args:
        dtypes.append(event.args[0])
    if any(_is_object(dtype) for dtype in dtypes):
        return True
    made = event.callee in ("numpy.array", "numpy.asarray") and not dtypes and bool(event.args)
    return made and _has_text(event.args[0])


def has_fields(event: Event) -> bool:
    """A structured array is made: `dtype=[("a", np.float32)]`."""
    return any(name == "dtype" and isinstance(value, kinds.Sequence) for name, value in event.keywords)


def _is_object(dtype: Kind) -> bool:
    match dtype:
        case kinds.Reference(name=name):
            return name in _OBJECTS
        case kinds.Const(value=str(text)):
            return text in ("object", "O", "str", "U")
        case _:
            return False


def _has_text(kind: Kind) -> bool:
    return isinstance(kind, kinds.Sequence) and any(
        isinstance(item, kinds.Const | kinds.Python) and kinds.type_name(item) == "str" for item in kind.items or ()
    )
