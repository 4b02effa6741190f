"""Calls a tiny compiled function again and again: what a recorder does in each call is felt here most."""

from __future__ import annotations

import sys

import torch


@torch.compile(backend="eager")
def add(x: torch.Tensor) -> torch.Tensor:
    return x + 1


def main(calls: int) -> None:
    x = torch.zeros(4)
    for _ in range(calls):
        add(x)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_500_000)
