"""Recompiles and recompile limits that the program has forbidden: each is an exception, which it catches."""

import contextlib

import torch
import torch._dynamo


@torch.compile(backend="eager", dynamic=False)
def shapes(x: torch.Tensor) -> torch.Tensor:
    return x + 1


@torch.compile(backend="eager", dynamic=False, fullgraph=True)
def whole(x: torch.Tensor) -> torch.Tensor:
    return x + 1


shapes(torch.ones(2))
with torch._dynamo.config.patch(error_on_recompile=True), contextlib.suppress(Exception):
    shapes(torch.ones(3))
shapes(torch.ones(4))
with torch._dynamo.config.patch(recompile_limit=2):
    with torch._dynamo.config.patch(fail_on_recompile_limit_hit=True), contextlib.suppress(Exception):
        shapes(torch.ones(5))
    for size in range(2, 6):
        with contextlib.suppress(Exception):
            whole(torch.ones(size))
