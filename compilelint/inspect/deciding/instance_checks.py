"""`isinstance` and `torch.is_tensor`: what they give, and whether asking runs code."""

from __future__ import annotations

import builtins

from compilelint.inspect import kinds, signatures
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import BOOL, Kind
from compilelint.inspect.members import classes
from compilelint.report.confidence import Confidence

PYTHON_TYPES = {"builtins.int": "int", "builtins.float": "float", "builtins.bool": "bool", "builtins.str": "str"}
"""What values of these classes are called in a `kinds.Python`."""
_CLASSES_IN_LOWER_CASE = {"numpy.ndarray", "torch.device", "torch.dtype", "torch.layout", "collections.deque"}
_COLLECTIONS = {"builtins.list", "builtins.tuple", "builtins.set", "builtins.dict"}
_ABSTRACT = {
    **dict.fromkeys(("Mapping", "MutableMapping"), frozenset({"dict"})),
    **dict.fromkeys(
        ("Container", "Sized", "Iterable", "Collection"), frozenset({"list", "tuple", "set", "dict", "str", "Tensor"})
    ),
    "Sequence": frozenset({"list", "tuple", "str"}),
    **dict.fromkeys(("MutableSequence", "List"), frozenset({"list"})),
    "Tuple": frozenset({"tuple"}),
    "Dict": frozenset({"dict"}),
}
"""Which of Python's own types are of an abstract class of `collections.abc`, or of `typing`."""
_ANSWERED = frozenset({"list", "tuple", "set", "dict", "str", "int", "float", "bool", "NoneType", "Tensor"})
_TENSOR = kinds.Reference("torch.Tensor")
_NONE_TYPE = kinds.Reference(kinds.NONE_TYPE)
_OF_NO_FUNCTION = signatures.TENSOR_CLASSES | {"torch.nn.Module", "numpy.ndarray"}


def is_instance(frame: Frame, value: Kind, cls: Kind) -> Kind:
    """What `isinstance(value, cls)` gives, where both are known; an assumed tensor proves nothing."""
    outcomes = [{_is_one(frame, option, one) for one in _each(cls)} for option in kinds.options(value)]
    if all(True in each for each in outcomes):
        return kinds.Const(True)
    return kinds.Const(False) if all(each == {False} for each in outcomes) else BOOL


def is_tensor(frame: Frame, value: Kind) -> Kind:
    """What `torch.is_tensor(value)` gives while Dynamo traces it: it takes arrays of numpy for tensors."""
    others = [option for option in kinds.options(value) if not isinstance(option, kinds.Array)]
    if not others:
        return kinds.Const(True)
    answer = is_instance(frame, kinds.join(*others), _TENSOR)
    return answer if answer == kinds.Const(True) or len(others) == len(kinds.options(value)) else BOOL


def own_check(frame: Frame, cls: Kind) -> str | None:
    """Whether asking for instances of any of these classes runs code of their own, and of which sort."""
    found = {
        classes.is_data_protocol(frame.inspector, one)
        for one in _each(cls)
        if isinstance(one, kinds.ProjectClass) and classes.decides_on_instances(frame.inspector, one)
    }
    return None if not found else "data-protocol" if True in found else "custom-check"


def is_asked_of_nested(value: Kind, cls: Kind) -> bool:
    """Whether something that is no tensor is asked for types with another tuple among them, `(int, (list, tuple))`:
    Dynamo takes flat ones (of a tensor, any)."""
    types = cls.items if isinstance(cls, kinds.Sequence) else None
    return any(isinstance(one, kinds.Sequence) for one in types or ()) and not all(
        isinstance(option, kinds.Tensor) for option in kinds.options(value)
    )


def _each(cls: Kind) -> tuple[Kind, ...]:
    """All classes of a tuple of them, of the tuples in it, and of a union."""
    match cls:
        case kinds.Sequence(items=tuple(items)) | kinds.External(cls=kinds.UNION_TYPE, args=items):
            return tuple(one for part in items for one in _each(part))
        case _:
            return (cls,)


def abstract(cls: str) -> frozenset[str] | None:
    """Which of Python's own types are of an abstract class, by its name; None for all other classes."""
    module, _, name = cls.rpartition(".")
    return _ABSTRACT.get(name) if module in ("collections.abc", "typing") else None


def is_of_abstract(value: Kind, types: frozenset[str]) -> bool | None:
    """Whether a value is of an abstract class, of which these types are; None where its kind does not tell."""
    match value:
        case kinds.Dictionary():
            type_ = "dict"
        case kinds.Sequence(type=type_):
            pass
        case kinds.Const() | kinds.Python():
            type_ = kinds.type_name(value)
        case kinds.Tensor(confidence=Confidence.HIGH):
            type_ = "Tensor"
        case _:
            return None
    return type_ in types if type_ in _ANSWERED else None


def is_class(value: Kind) -> bool | None:
    """Whether a value is a class, `isinstance(value, type)`; what a library defines goes by how it is spelled."""
    match value:
        case kinds.ProjectClass():
            return True
        case kinds.Reference(name=name):
            module, _, last = name.rpartition(".")
            if module == "builtins":
                return isinstance(getattr(builtins, last, None), type)
            return True if last.lstrip("_")[:1].isupper() or name in _CLASSES_IN_LOWER_CASE else None
        case _ if value == kinds.UNKNOWN:
            return None
        case _:
            return False


def union_of_classes(left: Kind, right: Kind) -> Kind | None:
    """What `int | None` is, to `isinstance` the same as a tuple of both; None for all that is no union of classes."""
    first, second = _classes_of(left), _classes_of(right)
    return kinds.External(kinds.UNION_TYPE, (*first, *second)) if first and second else None


def _classes_of(kind: Kind) -> tuple[Kind, ...]:
    match kind:
        case kinds.Const(value=None):
            return (_NONE_TYPE,)
        case kinds.ProjectClass():
            return (kind,)
        case kinds.Reference() if is_class(kind) and not _is_flag(kind.name):
            return (kind,)
        case kinds.External(cls=kinds.UNION_TYPE, args=classes):
            return classes
        case _:
            return ()


def _is_flag(name: str) -> bool:
    """Whether a name from outside is rather that of a flag, as in `re.I | re.M`, than of a class, as `nn.GRU`."""
    return name.rpartition(".")[2].isupper() and not name.startswith("torch.nn.")


def _is_one(frame: Frame, value: Kind, cls: Kind) -> bool | None:
    if isinstance(cls, kinds.Reference) and (types := abstract(cls.name)) is not None:
        return is_of_abstract(value, types)
    match value, cls:
        case ((kinds.Const() | kinds.Python()), kinds.Reference(kinds.NONE_TYPE)):
            return None if kinds.type_name(value) == "object" else value == kinds.NONE
        case ((kinds.Sequence() | kinds.Dictionary()), kinds.Reference(kinds.NONE_TYPE)):
            return False
        case kinds.Instance(), kinds.ProjectClass():
            return _is_of_class(frame, value, cls)
        case _, kinds.Reference("builtins.type"):
            return is_class(value)
        case kinds.Tensor(confidence=Confidence.HIGH), kinds.Reference(name=name):
            if name in signatures.TENSOR_CLASSES:
                return True
            return False if name.startswith("builtins.") else None
        case ((kinds.Const() | kinds.Python()), kinds.Reference(name=name)):
            type_ = kinds.type_name(value)
            if type_ == "object":
                return None
            if name in PYTHON_TYPES:
                return type_ == PYTHON_TYPES[name] or (type_, PYTHON_TYPES[name]) == ("bool", "int")
            is_other = name in _COLLECTIONS and (type_ in PYTHON_TYPES.values() or value == kinds.NONE)
            return False if is_other or name in signatures.TENSOR_CLASSES else None
        case kinds.Const(value=None), kinds.ProjectClass():
            return None if classes.decides_on_instances(frame.inspector, cls) else False
        case kinds.Sequence(type=type_), kinds.Reference(name=name):
            if name in _COLLECTIONS or name in PYTHON_TYPES:
                return None if type_ == kinds.ITERABLE else name == f"builtins.{type_}"
            return False if name in signatures.TENSOR_CLASSES else None
        case kinds.Dictionary(), kinds.Reference(name=name):
            if name in _COLLECTIONS or name in PYTHON_TYPES:
                return name == "builtins.dict"
            return False if name in signatures.TENSOR_CLASSES else None
        case ((kinds.Function() | kinds.ProjectClass()), kinds.Reference(name=name)):
            return False if name in PYTHON_TYPES or name in _OF_NO_FUNCTION else None
        case _:
            return None


def _is_of_class(frame: Frame, value: kinds.Instance, cls: kinds.ProjectClass) -> bool | None:
    """Whether an object of the project is one of this class. An object of two classes of which neither is derived from
    the other is rare, but for a mixin, which asks it of itself."""
    inspector = frame.inspector
    if classes.decides_on_instances(inspector, cls):
        return None
    above = classes.mro(inspector, value.cls)
    if any(isinstance(each, kinds.ProjectClass) and each.key == cls.key for each in above):
        return True
    below = any(
        isinstance(each, kinds.ProjectClass) and each.key == value.cls.key for each in classes.mro(inspector, cls)
    )
    return None if below or kinds.UNKNOWN in above or value == frame.receiver_instance else False
