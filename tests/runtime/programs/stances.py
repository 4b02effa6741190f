"""Stances, and settings that change while the program runs."""

import contextlib

import torch
import torch._dynamo


@torch.compile(backend="eager")
def step(x):
    print("step")
    return x + 1


@torch.compile(backend="eager")
def total(x):
    return x * x.sum().item()


@torch.compile(backend="eager")
def twice(x):
    return x.sin()


with torch.compiler.set_stance("eager_on_recompile"):
    step(torch.ones(2)), step(torch.ones(3))
step(torch.ones(3)), step(torch.ones(4, dtype=torch.int))
with torch.compiler.set_stance("fail_on_recompile"), contextlib.suppress(RuntimeError):
    step(torch.ones(3, 3))
with torch.compiler.set_stance("eager_then_compile"):
    for size in (2, 3, 4):
        twice(torch.ones(size))
total(torch.ones(2))
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.reset()
total(torch.ones(2)), total(torch.ones(3))
torch._dynamo.config.capture_scalar_outputs = False
total(torch.ones(4))
with torch._dynamo.config.patch(automatic_dynamic_shapes=False):
    total(torch.ones(5)), total(torch.ones(6))
with torch._dynamo.error_on_graph_break(True), contextlib.suppress(Exception):
    step(torch.ones(2, 2, 2))
