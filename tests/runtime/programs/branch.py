"""Branches on tensors, in a function and in what it calls; the same break reached by two ways."""

import torch


def positive(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:
        return x + 1
    return x - 1


@torch.compile(backend="eager")
def one(x: torch.Tensor) -> torch.Tensor:
    return positive(x) * 2


@torch.compile(backend="eager")
def two(x: torch.Tensor) -> torch.Tensor:
    y = positive(x)
    z = positive(-y)
    while z.mean() > 3:
        z = z / 2
    return z if bool((z > 0).all()) else -z


for size in (3, 3, 4):
    one(torch.ones(size))
    two(torch.ones(size) * 9)
