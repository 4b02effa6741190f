"""What the functions of torch and the methods of a tensor give."""

from __future__ import annotations

from collections.abc import Mapping

from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    OBJECT,
    STR,
    UNKNOWN,
    Array,
    Kind,
    Python,
    Scalar,
    Sequence,
    join,
    sequence,
    tensor_part,
)
from compilelint.inspect.signatures import conversions, creation, elementwise, functional, reductions, shapes
from compilelint.inspect.signatures.calls import RANKS, Call, dtype_asked, promoted
from compilelint.inspect.signatures.rules import Rule, words
from compilelint.inspect.signatures.table import table
from compilelint.report.confidence import Confidence

SHARED: Mapping[str, Rule] = {
    **shapes.RULES,
    **elementwise.RULES,
    **reductions.RULES,
    **creation.RULES,
    **conversions.RULES,
}
"""What is the same as a function of torch and as a method of a tensor."""
RULES: Mapping[str, Mapping[str, Rule]] = {
    "torch": SHARED,
    "torch.Tensor": SHARED,
    "torch.nn.functional": {**SHARED, **functional.FUNCTIONAL},
    "torch.linalg": functional.LINALG,
    "torch.fft": functional.FFT,
    "torch.special": SHARED,
}
SHAPE_CHANGING = words("unsqueeze squeeze t transpose swapaxes swapdims resize as_strided set")
WORDS: Mapping[str, Kind] = {
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "str": STR,
    "none": NONE,
    "dtype": Python("dtype"),
    "device": Python("device"),
    "layout": OBJECT,
    "size": Sequence("tuple", INT),
    "number": Scalar(),
    "array": Array(),
}


def operator_result(namespace: str, call: Call) -> Kind:
    """What the call gives, by hand-written rule, as measured, or as declared; else Unknown.

    `namespace` is where the name is looked up: `torch`, `torch.Tensor`, `torch.nn.functional` …
    """
    if namespace == "torch.nn.init":
        rule = functional.init_rule(call.name)
        return rule(call) if rule is not None else UNKNOWN
    dunder = _of_dunder(call)
    if dunder is not None:
        return operator_result(namespace, dunder)
    rule = RULES.get(namespace, {}).get(call.name)
    if rule is not None:
        return rule(call)
    if call.name.endswith("_") and _code(namespace, call.name) is not None:
        return _in_place(namespace, call)
    measured = table().measured.get(namespace, {}).get(call.name)
    if measured is not None:
        return _by_measure(call, measured)
    code = _code(namespace, call.name)
    return decode(code, call.confidence) if code is not None else UNKNOWN


def _of_dunder(call: Call) -> Call | None:
    """`__add__` as the operator that it is."""
    if not (call.name.startswith("__") and call.name.endswith("__")):
        return None
    bare = call.name.strip("_")
    name = elementwise.OPERATORS.get(bare)
    if name is None or name == call.name:
        return None
    args = call.args[::-1] if bare.startswith("r") and bare not in ("rshift", "remainder") else call.args
    return Call(name, args, call.keywords, call.confidence)


def _code(namespace: str, name: str) -> str | None:
    returns = table().returns
    code = returns.get(namespace, {}).get(name)
    return returns["torch"].get(name) if code is None and namespace == "torch.Tensor" else code


def _in_place(namespace: str, call: Call) -> Kind:
    base = call.name.removesuffix("_")
    if base in SHAPE_CHANGING:
        return operator_result(namespace, Call(base, call.args, call.keywords, call.confidence))
    tensor = tensor_part(call.args[0]) if call.args else None
    return call.give(tensor.dtype, tensor.ndim) if tensor is not None else call.give()


def _by_measure(call: Call, measured: str) -> Kind:
    dtype_rule, ndim_rule = measured.split()
    first = call.tensor()
    ndim = first.ndim
    together = elementwise.combined_dtype(call) if len(call.args) > 1 else first.dtype
    match dtype_rule:
        case "same":
            dtype = first.dtype
        case "promoted":
            dtype = together
        case "floating":
            dtype = "complex" if together == "complex" else "float"
        case "summed":
            dtype = promoted(together, "int") if together is not None else None
        case "real":
            dtype = "float" if first.dtype == "complex" else first.dtype
        case "bool" | "int" | "float" | "complex":
            dtype = dtype_rule
        case _:
            dtype = None
    match ndim_rule:
        case "broadcast":
            ndim = elementwise.combined_ndim(call)
        case "last":
            ndim = call.tensor(len(call.args) - 1).ndim
        case "less" | "more":
            ndim = ndim + (1 if ndim_rule == "more" else -1) if ndim is not None else None
        case "?":
            ndim = None
        case "same":
            pass
        case _:
            ndim = int(ndim_rule)
    return call.give(dtype_asked(call, dtype), ndim)


def decode(code: str, confidence: Confidence) -> Kind:
    """A return code of the table as a kind: "T", "(T,int)", "T*", "T|T*"."""
    if "|" in code and not code.startswith("("):
        return join(*(decode(part, confidence) for part in code.split("|")))
    if code == "T":
        return Call("", (), {}, confidence).give()
    if code.endswith("*"):
        return Sequence("tuple", decode(code[:-1], confidence))
    if code.startswith("("):
        return sequence("tuple", (decode(part, confidence) for part in code[1:-1].split(",")))
    return WORDS.get(code, UNKNOWN)


__all__ = ["RANKS", "decode", "operator_result"]
