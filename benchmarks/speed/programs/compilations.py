"""Compiles all the time: functions that break, each for sizes that do not fit what was compiled before."""

from __future__ import annotations

import sys
from collections.abc import Callable

import torch


def function() -> Callable[[torch.Tensor], torch.Tensor]:
    """A function with a code object of its own, as Dynamo counts recompiles for each."""
    names: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {}
    source = compile(
        "def scaled(x):\n"
        "    y = (x * 2).relu() + x.sum()\n"
        "    if y.sum().item() > 1e9:\n"
        "        y = y / 2\n"
        "    return y.softmax(-1) @ y.T\n",
        "scaled.py",
        "exec",
    )
    exec(source, {"torch": torch}, names)
    return names["scaled"]


def main(functions: int) -> None:
    for _ in range(functions):
        compiled = torch.compile(function(), backend="eager", dynamic=False)
        for size in range(2, 6):
            compiled(torch.ones(size, size))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 45)
