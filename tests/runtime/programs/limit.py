"""A function that recompiles until Dynamo stops, one that does so by its float, and one with a low limit."""

import torch
import torch._dynamo


@torch.compile(backend="eager", dynamic=False)
def shapes(x: torch.Tensor) -> torch.Tensor:
    return x + 1


@torch.compile(backend="eager")
def kinds(x: torch.Tensor, key: str) -> torch.Tensor:
    return x * len(key)


class Counted(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.tag = "0"

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + int(self.tag)


for size in range(2, 14):
    shapes(torch.ones(size))
module = Counted()
compiled = torch.compile(module, backend="eager")
for number in range(12):
    module.tag = str(number)
    compiled(torch.ones(2))
with torch._dynamo.config.patch(recompile_limit=2):
    for number in range(5):
        kinds(torch.ones(2), "a" * number)
