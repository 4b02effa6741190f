import torch
import torch.nn.functional as F
from torch_geometric.nn import GATConv, GCNConv, TopKPooling, global_mean_pool


class GNN(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = GCNConv(8, 16)
        self.pool = TopKPooling(16)
        self.conv2 = GATConv(16, 8)

    def forward(self, x, edge_index, batch):
        x = F.relu(self.conv1(x, edge_index))
        x, edge_index, _, batch, _, _ = self.pool(x, edge_index, None, batch)
        x = self.conv2(x, edge_index)
        return global_mean_pool(x, batch)


if __name__ == "__main__":
    x = torch.randn(10, 8)
    edge_index = torch.randint(0, 10, (2, 30))
    batch = torch.tensor([0] * 5 + [1] * 5)
    torch.compile(GNN(), backend="eager")(x, edge_index, batch)
