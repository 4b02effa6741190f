"""Leaves by sys.exit from deep inside, with a code of its own, after a break."""

import atexit
import sys

import torch


@torch.compile(backend="eager")
def step(x: torch.Tensor) -> torch.Tensor:
    y = x * x.max().item()
    return y.sin()


def train() -> None:
    for _ in range(3):
        step(torch.ones(3))
    sys.exit(7)


atexit.register(print, "goodbye")
if __name__ == "__main__":
    train()
