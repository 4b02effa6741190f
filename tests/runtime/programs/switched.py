"""Functions that are switched off, stances, resets, logging and warnings, and code that exec made."""

import logging
import warnings

import torch
import torch._dynamo

logger = logging.getLogger(__name__)


@torch.compiler.disable
def eager(x: torch.Tensor) -> torch.Tensor:
    return x.relu()


@torch.compile(backend="eager")
def calls_eager(x: torch.Tensor) -> torch.Tensor:
    return eager(x.sin()).cos()


@torch.compile(backend="eager")
def complains(x: torch.Tensor) -> torch.Tensor:
    logger.warning("size %d", x.shape[0])
    warnings.warn("a warning", stacklevel=1)
    return x.sin()


@torch.compile(backend="eager")
def asks(x: torch.Tensor) -> torch.Tensor:
    torch._dynamo.graph_break()
    return x.sin()


names: dict[str, object] = {"torch": torch}
exec("def made(x):\n    y = x.sin()\n    print('made')\n    return y.cos()\n", names)
made = torch.compile(names["made"], backend="eager")

for _ in range(2):
    calls_eager(torch.ones(3))
    complains(torch.ones(3))
    asks(torch.ones(3))
    made(torch.ones(3))
    torch._dynamo.reset()
with torch.compiler.set_stance("force_eager"):
    calls_eager(torch.ones(4))
