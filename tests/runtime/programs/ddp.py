"""Two ranks, DDP on gloo; rank 1 alone gets a batch of another size, and each breaks on its own line too."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.second = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.first(x))
        print("in the middle", flush=True)
        return self.second(x)


@torch.compile(backend="eager")
def only_on_one(x: torch.Tensor) -> torch.Tensor:
    return x * x.sum().item()


def main() -> None:
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = torch.compile(DistributedDataParallel(Net()), backend="eager")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        size = 5 if rank == 1 and step == 2 else 4
        model(torch.randn(size, 8)).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
    if rank == 1:
        only_on_one(torch.ones(3))
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
