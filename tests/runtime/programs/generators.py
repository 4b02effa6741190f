"""Generator functions, compiled and called: the compiled one is given up without a word."""

from collections.abc import Iterator

import torch


@torch.compile(backend="eager")
def pieces(x: torch.Tensor) -> Iterator[torch.Tensor]:
    for row in x:
        yield row.sin()


def breaking(x: torch.Tensor) -> Iterator[torch.Tensor]:
    for row in x:
        print("a row")
        yield row.sin()


@torch.compile(backend="eager")
def consumes(x: torch.Tensor) -> torch.Tensor:
    return torch.stack(list(breaking(x)))


list(pieces(torch.ones(2, 3)))
consumes(torch.ones(2, 3))
