"""Exceptions raised while Dynamo traces, by fullgraph and by a backend, and caught by the program."""

import contextlib

import torch
import torch._dynamo


@torch.compile(backend="eager")
def raising(x: torch.Tensor) -> torch.Tensor:
    y = x.sin()
    raise RuntimeError("always")
    return y


@torch.compile(backend="eager")
def missing(x: torch.Tensor) -> torch.Tensor:
    return x.sin() + {}["key"]


@torch.compile(backend="eager", fullgraph=True)
def whole(x: torch.Tensor) -> torch.Tensor:
    print("not in one graph")
    return x.sin()


@torch.compile(backend="eager")
def mismatched(x: torch.Tensor) -> torch.Tensor:
    return x @ torch.ones(7, 7)


def broken_backend(graph, inputs):
    raise NotImplementedError("no such operator")


@torch.compile(backend=broken_backend)
def failing(x: torch.Tensor) -> torch.Tensor:
    return x.sin()


for each in (raising, missing, whole, mismatched, failing):
    with contextlib.suppress(Exception):
        each(torch.ones(3))
torch._dynamo.config.suppress_errors = True
print(failing(torch.ones(3)))
