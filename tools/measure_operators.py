"""Calls operators of torch on small inputs, to find the rules by which dtypes and dimensions come out."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch

Seen = tuple[tuple[str, ...], str, tuple[int, ...], int]
"""dtypes given, dtype got, numbers of dimensions given, number of dimensions got"""
INPUTS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "float": lambda x: x,
    "int": lambda x: (x * 4).long(),
    "bool": lambda x: x > 0.5,
    "complex": lambda x: x.to(torch.complex64),
}
SHAPES = ((), (3,), (3, 3), (2, 3, 3), (1, 2, 3, 3))


def _dtype_word(dtype: torch.dtype) -> str:
    if dtype == torch.bool:
        return "bool"
    return "complex" if dtype.is_complex else "float" if dtype.is_floating_point else "int"


def measured_rule(function: Callable[..., Any]) -> str:
    """The names of the rules of dtype and dimensions, "?" where none explains all that was seen: "same 0"."""
    torch.manual_seed(0)
    binary = list(_seen(function, _binary_calls()))
    unary = list(_seen(function, _unary_calls()))
    if not unary and not binary:
        unary = list(_seen(function, _unary_calls(0)))  # a dimension
    dtype = _common_rule(DTYPE_RULES, [(before, after) for before, after, _, _ in unary + binary])
    ndim = _common_rule(NDIM_RULES, [(before, after) for _, _, before, after in unary + binary])
    return f"{dtype} {ndim}" if _independent_of_options(function, unary) else f"{dtype} ?"


def _independent_of_options(function: Callable[..., Any], plain: list[Seen]) -> bool:
    """Whether `dim` changes nothing in how many dimensions come out."""
    with_dim = list(_seen(function, _unary_calls(dim=0)))
    return not with_dim or {seen[2:] for seen in with_dim} <= {seen[2:] for seen in plain}


def _unary_calls(*more: Any, **keywords: Any) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    for convert in INPUTS.values():
        for shape in SHAPES:
            yield (convert(torch.rand(shape)), *more), keywords


def _binary_calls() -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    for convert in INPUTS.values():
        for convert_other in INPUTS.values():
            for shape in SHAPES:
                yield (convert(torch.rand(shape)), convert_other(torch.rand(3, 3))), {}
                yield (convert(torch.rand(3, 3)), convert_other(torch.rand(shape))), {}


def _seen(function: Callable[..., Any], calls: Iterable[tuple[tuple[Any, ...], dict[str, Any]]]) -> Iterator[Seen]:
    for args, keywords in calls:
        tensors = [arg for arg in args if isinstance(arg, torch.Tensor)]
        with contextlib.suppress(Exception), contextlib.redirect_stderr(io.StringIO()):
            result = function(*args, **keywords)
            if isinstance(result, torch.Tensor):
                dtypes = tuple(_dtype_word(tensor.dtype) for tensor in tensors)
                dims = tuple(tensor.ndim for tensor in tensors)
                yield dtypes, _dtype_word(result.dtype), dims, result.ndim


ORDER = ("bool", "int", "float", "complex")
DTYPE_RULES: dict[str, Callable[[tuple[str, ...]], str]] = {
    "bool": lambda given: "bool",
    "int": lambda given: "int",
    "float": lambda given: "float",
    "complex": lambda given: "complex",
    "same": lambda given: given[0],
    "promoted": lambda given: max(given, key=ORDER.index),
    "floating": lambda given: max(*given, "float", key=ORDER.index),
    "summed": lambda given: max(*given, "int", key=ORDER.index),
    "real": lambda given: "float" if given[0] == "complex" else given[0],
}
NDIM_RULES: dict[str, Callable[[tuple[int, ...]], int]] = {
    "same": lambda given: given[0],
    "broadcast": max,
    "last": lambda given: given[-1],
    **{str(count): (lambda given, count=count: count) for count in range(4)},
    "less": lambda given: given[0] - 1,
    "more": lambda given: given[0] + 1,
}


def _common_rule(rules: dict[str, Callable[[Any], Any]], seen: list[tuple[Any, Any]]) -> str:
    """The first rule that explains everything, of which enough was seen to tell the rules apart."""
    if len(set(seen)) < 2:
        return "?"
    return next((name for name, rule in rules.items() if all(rule(given) == got for given, got in seen)), "?")
