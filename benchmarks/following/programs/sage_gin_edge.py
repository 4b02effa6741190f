import torch
from torch import nn
from torch_geometric.nn import EdgeConv, GINConv, SAGEConv, global_add_pool
from torch_geometric.utils import dropout_edge, to_dense_batch


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.sage = SAGEConv(8, 16)
        self.gin = GINConv(nn.Linear(16, 16))
        self.edge = EdgeConv(nn.Linear(32, 16))

    def forward(self, x, edge_index, batch):
        edge_index, _ = dropout_edge(edge_index, p=0.2, training=self.training)
        x = self.sage(x, edge_index).relu()
        x = self.gin(x, edge_index)
        x = self.edge(x, edge_index)
        dense, _ = to_dense_batch(x, batch)
        return global_add_pool(x, batch), dense.sum()


if __name__ == "__main__":
    x = torch.randn(10, 8)
    e = torch.randint(0, 10, (2, 30))
    b = torch.tensor([0] * 5 + [1] * 5)
    torch.compile(Net(), backend="eager")(x, e, b)
