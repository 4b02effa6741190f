"""Training: DataLoader with workers, a ragged last batch, a scheduler, a compiled step and its optimizer."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(3))
        self.seen: list[float] = []
        self.calls = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        for layer in self.layers:
            x = torch.relu(layer(x))
        self.seen.append(x.mean().item())
        return x


def step(model: nn.Module, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    loss = nn.functional.mse_loss(model(x), y)
    if torch.isnan(loss):
        raise FloatingPointError("loss")
    return loss


def main() -> None:
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(22, 8), torch.randn(22, 8))
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
    compiled_step = torch.compile(step, backend="eager")
    update = torch.compile(optimizer.step, backend="eager")
    for _ in range(2):
        for x, y in DataLoader(data, batch_size=8, num_workers=2):
            loss = compiled_step(model, x, y)
            loss.backward()
            update()
            optimizer.zero_grad()
        scheduler.step()
    model.eval()
    with torch.no_grad():
        compiled_step(model, *data[:4])


if __name__ == "__main__":
    main()
