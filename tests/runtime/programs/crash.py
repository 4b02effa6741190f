"""A compiled function breaks, recompiles, and then the script dies of an exception that it raises."""

import torch


class Strict(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("checking")
        if x.shape[0] > 4:
            raise ValueError("too long")
        return x.sin()


model = torch.compile(Strict(), backend="eager")
model(torch.ones(3))
model(torch.ones(4))
model(torch.ones(5))
