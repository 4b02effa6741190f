"""The questions that the inspection asks of the table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Sequence as Many

from msgspec.structs import replace

from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    TRAINING,
    UNKNOWN,
    Array,
    Const,
    Dictionary,
    External,
    Instance,
    Kind,
    Method,
    Partial,
    Python,
    Reference,
    Scalar,
    Sequence,
    Tensor,
    join,
    tensor_part,
    type_name,
)
from compilelint.inspect.signatures import (
    arrays,
    distributions,
    einops,
    facts,
    foreseen,
    graphs,
    modules,
    releases,
    sparse,
    stdlib,
    values,
)
from compilelint.inspect.signatures.calls import Call
from compilelint.inspect.signatures.classes import is_module_class
from compilelint.inspect.signatures.conversions import TENSOR_TYPES
from compilelint.inspect.signatures.creation import legacy_ndim
from compilelint.inspect.signatures.entering import TRANSFORMS
from compilelint.inspect.signatures.names import MORE_LOGGERS, canonical, is_logger_getter
from compilelint.inspect.signatures.shapes import count_of_dimensions, dimensions
from compilelint.inspect.signatures.table import split_name, table
from compilelint.inspect.signatures.tensors import operator_result
from compilelint.report.confidence import Confidence

_MODULE_HOOK = re.compile(r"register_(full_)?(forward|backward)_(pre_)?hook")


def result(callee: str, receiver: Kind | None, args: Many[Kind], keywords: Mapping[str, Kind]) -> Kind:
    """The kind of the value of calling a resolved dotted name; Unknown where that is not known.

    `receiver` is what a method is called on, and is then not among `args`. An operator is a function of the
    `operator` module: `operator.add`, `operator.getitem`, `operator.invert`.
    """
    name = canonical(callee)
    root = name.partition(".")[0]
    if root == "torch":
        given = tuple(args)
        found = _of_torch(name, receiver, given, keywords)
        operands = given if receiver is None else (receiver, *given)
        return sparse.mark(name, foreseen.mark(name, found, operands, keywords), operands)
    if root == "numpy":
        if name.startswith(("numpy.ndarray.", "numpy.random.Generator.", "numpy.random.RandomState.")):
            return _of_array(name, receiver, args, keywords)
        return arrays.array_function(name.removeprefix("numpy."), args, keywords)
    if root == "einops" and not is_module_class(name) and not is_module_class(split_name(name)[0]):
        return einops.function(name, args, keywords)
    if is_logger_getter(name):
        return External("logging.Logger")
    if name in MORE_LOGGERS:
        return Reference("loguru.logger")
    if receiver is not None and root == "builtins" and name.count(".") == 2:
        return values.value_method(receiver, name.rpartition(".")[2], args, keywords)
    known = stdlib.library_function(name, args, keywords)
    if known != UNKNOWN:
        return known
    if name in modules.CALLERS:
        return modules.construct(name, args, keywords)
    owner, last = split_name(name)
    if is_module_class(name):
        return graphs.layer(name, keywords)
    if is_module_class(owner):
        return External(owner) if last in MAKERS else _of_module(owner, last, receiver, tuple(args), keywords)
    return graphs.function(name)


MAKERS = frozenset({"from_pretrained", "from_config", "load_from_checkpoint"})
"""Class methods of models outside torch that give an instance."""


def _of_array(name: str, receiver: Kind | None, args: Many[Kind], keywords: Mapping[str, Kind]) -> Kind:
    owner, method = split_name(name)
    if owner == "numpy.ndarray":
        if receiver is None and args:
            receiver, args = args[0], args[1:]
        return arrays.array_method(receiver, method, args, keywords)
    return arrays.array_function(f"random.{method}", args, keywords)


def _of_torch(name: str, receiver: Kind | None, args: tuple[Kind, ...], keywords: Mapping[str, Kind]) -> Kind:
    if name in facts.FUNCTIONS:
        return facts.FUNCTIONS[name]
    if name in facts.FIRST_ARGUMENT_BACK and args:
        return args[0]
    owner, last = split_name(name)
    if last in facts.OF_DEVICES:
        return facts.OF_DEVICES[last]
    if last.startswith("_foreach_"):
        return NONE if last.endswith("_") else Sequence("tuple", Tensor())
    if owner == "torch.Tensor":
        return operator_result(owner, _method_call(last, receiver, args, keywords))
    if owner in facts.NAMESPACES and not last[:1].isupper():
        found = operator_result(owner, Call(last, args, keywords))
        if found != UNKNOWN:
            return found
    if name in TENSOR_TYPES:
        return Tensor(TENSOR_TYPES[name], legacy_ndim(args))
    if name in facts.PARAMETERS:
        given = (tensor_part(args[0]) if args else None) or Tensor()
        return Tensor(given.dtype, given.ndim, parameter=True)
    if name in TRANSFORMS:
        return Partial(args[0]) if args else UNKNOWN
    if is_module_class(name):
        return modules.construct(name, args, keywords)
    if is_module_class(owner):
        return _of_module(owner, last, receiver, args, keywords)
    if owner.startswith("torch.distributions."):
        return facts.DISTRIBUTION_METHODS.get(last, UNKNOWN)
    if owner == "torch.distributions" and last[:1].isupper():
        return distributions.made(name, args, keywords)
    return External(name) if last[:1].isupper() or last in facts.CLASSES_IN_LOWER_CASE else UNKNOWN


def _method_call(name: str, receiver: Kind | None, args: tuple[Kind, ...], keywords: Mapping[str, Kind]) -> Call:
    """A method on the same terms as a function: what it is called on comes first."""
    if receiver is None:
        return Call(name, args, keywords)
    tensor = tensor_part(receiver)
    return Call(name, (receiver, *args), keywords, tensor.confidence if tensor is not None else Confidence.LOW)


def _of_module(
    cls: str, method: str, receiver: Kind | None, args: tuple[Kind, ...], keywords: Mapping[str, Kind]
) -> Kind:
    if method in ("forward", "__call__"):
        return modules.forward(receiver, cls, args, keywords)
    if isinstance(receiver, External):
        found = modules.container_method(receiver, method)
        # `children` is a method of nn.Module: what it is called on tells that it gives the elements.
        if found is not None and (receiver.cls in modules.CONTAINERS or cls.startswith("torch.nn.Parameter")):
            return found
    return modules.module_method(receiver, method)


def attribute(kind: Kind, name: str) -> Kind | None:
    """An attribute of a value; a method is a `Method`; None where it is not known."""
    match kind:
        case Tensor():
            return _tensor_attribute(kind, name)
        case Array():
            return arrays.array_attribute(kind, name) or Method(kind, name)
        case External(cls=cls):
            return releases.attribute(kind, name) or _external_attribute(kind, cls, name)
        case Reference(name=module):
            return facts.CONSTANTS.get(f"{module}.{name}")
        case Python(type="dtype"):
            return facts.DTYPE_ATTRIBUTES.get(name)
        case Python(type="device"):
            return {"type": STR, "index": join(INT, NONE)}.get(name)
        case Sequence(type="tuple", items=tuple(items)) if _is_field(items, name):
            return items[facts.RETURN_FIELDS[name]]
        case Sequence() | Dictionary():
            return Method(kind, name)
        case Const(value=str()) | Python(type="str"):
            return Method(kind, name)
        case Scalar() | Const() | Python(type="int" | "float" | "bool"):
            return {"real": kind, "imag": kind}.get(name) or (
                Method(kind, name) if name in facts.NUMBER_METHODS else None
            )
        case Instance(module=True):
            return TRAINING if name == "training" else None
        case _:
            return None


def _is_field(items: tuple[Kind, ...], name: str) -> bool:
    """Whether it is a field of what `x.max(dim)` and its like give, which is a tuple for the rest."""
    position = facts.RETURN_FIELDS.get(name)
    return position is not None and position < len(items) and all(isinstance(item, Tensor) for item in items)


def _tensor_attribute(tensor: Tensor, name: str) -> Kind | None:
    if name in facts.TENSOR_ATTRIBUTES:
        return facts.TENSOR_ATTRIBUTES[name]
    if name == "shape":
        return dimensions(tensor)
    if name == "ndim":
        return count_of_dimensions(tensor)
    if name in facts.SAME_ATTRIBUTES:
        return Tensor(tensor.dtype, tensor.ndim, tensor.confidence, name == "data" and tensor.parameter)
    if name in ("real", "imag"):
        return Tensor("float" if tensor.dtype == "complex" else tensor.dtype, tensor.ndim, tensor.confidence)
    if name == "grad":
        return join(Tensor(tensor.dtype, tensor.ndim, tensor.confidence), NONE)
    if is_tensor_method(name):
        return Method(tensor, name)
    return BOOL if name.startswith("is_") and name != "is_shared" else None


def _external_attribute(kind: External, cls: str, name: str) -> Kind | None:
    if cls == "collections.namedtuple.type" and not name.startswith("_"):
        return UNKNOWN
    if cls in ("torch.finfo", "numpy.finfo"):
        return FLOAT if name in ("max", "min", "eps", "tiny", "resolution", "smallest_normal") else INT
    if cls in ("torch.iinfo", "numpy.iinfo"):
        return INT
    if cls == "torch.autograd.function.FunctionCtx" and name == "saved_tensors":
        return Sequence("tuple", Tensor(parameter=True))
    if cls.startswith("torch.distributions.") and name in facts.DISTRIBUTION_ATTRIBUTES:
        return facts.DISTRIBUTION_ATTRIBUTES[name]
    if name == "param_groups" and cls.startswith("torch.optim."):
        return facts.PARAMETER_GROUPS
    if cls in modules.WRAPPERS and name == "module" and kind.args:
        return kind.args[0]
    if is_module_class(cls):
        found = modules.module_attribute(cls, name)
        is_method = name in modules.METHODS or name in modules.METHODS_OF.get(cls, ())
        return found if found is not None else Method(kind, name) if is_method else None
    return Method(kind, name)


def is_module_method(name: str) -> bool:
    """Whether every nn.Module has a method of this name."""
    return name in modules.METHODS and name not in modules.OF_SOME


def is_tensor_method(name: str) -> bool:
    """Whether tensors have a method of this name."""
    return name in table().returns["torch.Tensor"] or name in facts.MORE_TENSOR_METHODS


def is_distinctive_tensor_method(name: str) -> bool:
    """Whether hardly anything but a tensor has a method of this name."""
    return name in facts.DISTINCTIVE


def is_method_of_tensors_only(name: str) -> bool:
    """Whether tensors have a method of this name, and neither arrays nor what a comparison gives otherwise."""
    return is_tensor_method(name) and name not in arrays.ARRAY_METHODS and not hasattr(bool, name)


def is_distinctive_module_method(name: str) -> bool:
    """Whether nothing but a module has a method of this name: optimizers and tensors take hooks of other names."""
    return _MODULE_HOOK.fullmatch(name) is not None


def class_name(kind: Kind) -> str | None:
    """The dotted name of the class of a value: `torch.Tensor`, `numpy.ndarray`, `builtins.str` …"""
    match kind:
        case Tensor():
            return "torch.Tensor"
        case Array():
            return "numpy.ndarray"
        case External(cls=cls):
            return cls
        case Const() | Python():
            return f"builtins.{type_name(kind)}"
        case Scalar(type=type_):
            return f"builtins.{type_}"
        case Sequence(type=type_):
            return f"builtins.{type_}"
        case Dictionary():
            return "builtins.dict"
        case _ if tensor_part(kind) is not None:
            return "torch.Tensor"
        case _:
            return None


_OF_OTHERS = frozenset(arrays.ARRAY_METHODS) | frozenset(
    {"backward", "bfloat16", "chunk", "expand", "gather", "half", "narrow", "pin_memory", "requires_grad_", "scatter"}
)
"""Methods of arrays, modules, distributions, batches and communicators, too."""


def result_by_keywords(method: str, args: Many[Kind], keywords: Mapping[str, Kind]) -> Kind:
    """What a method of something unknown gives that only tensors have, or whose keywords all others than torch call
    `axis` and `keepdims`."""
    is_of_tensors = is_distinctive_tensor_method(method) and method not in _OF_OTHERS
    if not is_of_tensors and "dim" not in keywords and "keepdim" not in keywords:
        return UNKNOWN
    made = result(f"torch.Tensor.{method}", Tensor(), args, keywords)
    return replace(made, confidence=Confidence.MEDIUM) if isinstance(made, Tensor) else UNKNOWN
