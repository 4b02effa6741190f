"""Breaks in a loop, in `try`, in `with` and in a comprehension, where Dynamo cannot resume in the middle."""

import contextlib
from collections.abc import Iterator

import torch


@contextlib.contextmanager
def scaled(factor: float) -> Iterator[float]:
    yield factor


@torch.compile(backend="eager")
def in_loop(x: torch.Tensor) -> torch.Tensor:
    for _ in range(3):
        x = x + x.sum().item()
    return x


@torch.compile(backend="eager")
def in_try(x: torch.Tensor) -> torch.Tensor:
    try:
        print("trying")
        return x.sin()
    except ValueError:
        return x.cos()


@torch.compile(backend="eager")
def in_with(x: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        x = x + 1
        print("in no_grad")
        x = x + 2
    return x


@torch.compile(backend="eager")
def in_own_with(x: torch.Tensor) -> torch.Tensor:
    with scaled(2.0) as factor:
        print("in a context manager of our own")
        return x * factor


@torch.compile(backend="eager")
def in_comprehension(x: torch.Tensor) -> torch.Tensor:
    return torch.stack([row * row.max().item() for row in x])


def helper(x: torch.Tensor) -> torch.Tensor:
    for row in x:
        if row.sum() > 0:
            x = x + row
    return x


@torch.compile(backend="eager")
def in_callee(x: torch.Tensor) -> torch.Tensor:
    y = x.sin()
    z = helper(y)
    return z.cos()


for each in (in_loop, in_try, in_with, in_own_with, in_comprehension, in_callee):
    each(torch.ones(2, 3))
