"""Compiles in the middle of compiled code: in a forward, behind a break, in a function that is disabled."""

import torch
import torch._dynamo


class Inner(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("inner")
        return x.sin()


class Outer(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Inner()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        inner = torch.compile(self.inner, backend="eager")
        return inner(x) + 1


@torch.compile(backend="eager")
def eager_part(x: torch.Tensor) -> torch.Tensor:
    torch._dynamo.graph_break()
    import colorsys

    return torch.compile(torch.sin, backend="eager")(x) * colorsys.ONE_THIRD


@torch.compiler.disable(recursive=False)
def compiles(x: torch.Tensor) -> torch.Tensor:
    """Dynamo lets it run, and looks at all that it calls."""
    return torch.compile(Inner(), backend="eager")(x)


@torch.compile(backend="eager")
def step(x: torch.Tensor) -> torch.Tensor:
    return compiles(x.sin()).cos()


outer = torch.compile(Outer(), backend="eager")
for size in (2, 3):
    outer(torch.ones(size))
    eager_part(torch.ones(size))
    step(torch.ones(2))
