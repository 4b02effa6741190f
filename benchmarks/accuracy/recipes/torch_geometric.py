"""Recipes for torch_geometric: convolutions, aggregations, norms, pooling, dense layers and whole models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch
from torch import nn
from torch_geometric import nn as gnn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped
from benchmarks.accuracy.recipes.torch_geometric_utils import UTILS, batches, edges

PACKAGE = "torch_geometric"
SMALL, LARGER = (12, 30), (19, 44)
"""Nodes and edges of the graph in the first call, and in the second."""


def _conv(layer: nn.Module, **attributes: Callable[[int, int], Any]) -> Built:
    """A layer called with features of 8 channels, edges, and whatever is made of the numbers of nodes and edges."""

    def arguments(nodes: int, links: int) -> Mapping[str, Any]:
        more = {name: value(nodes, links) for name, value in attributes.items()}
        return {"x": torch.randn(nodes, 8), "edge_index": edges(nodes, links)} | more

    return built(layer, arguments, SMALL, LARGER)


def _weights(nodes: int, links: int) -> torch.Tensor:
    return torch.rand(links)


def _types(nodes: int, links: int) -> torch.Tensor:
    return torch.randint(0, 3, (links,))


def _features(nodes: int, links: int, width: int = 4) -> torch.Tensor:
    return torch.randn(links, width)


def _mlp(first: int = 8, last: int = 8) -> nn.Module:
    return nn.Sequential(nn.Linear(first, 16), nn.ReLU(), nn.Linear(16, last))


CONVS: Recipes = {
    "GCNConv": lambda: _conv(gnn.GCNConv(8, 16), edge_weight=_weights),
    "GCNConv_cached": lambda: built(
        gnn.GCNConv(8, 16, cached=True), lambda n: (torch.randn(n, 8), edges(n, 30)), (12,), (12,)
    ),
    "ChebConv": lambda: _conv(gnn.ChebConv(8, 16, K=3), edge_weight=_weights),
    "SAGEConv": lambda: _conv(gnn.SAGEConv(8, 16, aggr="max")),
    "GraphConv": lambda: _conv(gnn.GraphConv(8, 16), edge_weight=_weights),
    "GatedGraphConv": lambda: _conv(gnn.GatedGraphConv(16, 2)),
    "ResGatedGraphConv": lambda: _conv(gnn.ResGatedGraphConv(8, 16)),
    "GATConv": lambda: _conv(gnn.GATConv(8, 4, heads=2, edge_dim=4, dropout=0.1), edge_attr=_features),
    "GATv2Conv": lambda: _conv(gnn.GATv2Conv(8, 4, heads=2)),
    "TransformerConv": lambda: _conv(gnn.TransformerConv(8, 4, heads=2, edge_dim=4, beta=True), edge_attr=_features),
    "AGNNConv": lambda: _conv(gnn.AGNNConv()),
    "GINConv": lambda: _conv(gnn.GINConv(_mlp(), train_eps=True)),
    "GINEConv": lambda: _conv(gnn.GINEConv(_mlp(), edge_dim=4), edge_attr=_features),
    "SSGConv": lambda: _conv(gnn.SSGConv(8, 16, alpha=0.1, K=3)),
    "APPNP": lambda: _conv(gnn.APPNP(K=3, alpha=0.1, dropout=0.2)),
    "MFConv": lambda: _conv(gnn.MFConv(8, 16, max_degree=4)),
    "RGCNConv": lambda: _conv(gnn.RGCNConv(8, 16, 3, num_bases=2), edge_type=_types),
    "SignedConv": lambda: built(
        gnn.SignedConv(8, 16, first_aggr=True),
        lambda n, e: (torch.randn(n, 8), edges(n, e), edges(n, e)),
        SMALL,
        LARGER,
    ),
    "PointNetConv": lambda: built(
        gnn.PointNetConv(_mlp(11, 16)), lambda n, e: (torch.randn(n, 8), torch.randn(n, 3), edges(n, e)), SMALL, LARGER
    ),
    "NNConv": lambda: _conv(gnn.NNConv(8, 16, _mlp(4, 128)), edge_attr=_features),
    "CGConv": lambda: _conv(gnn.CGConv(8, dim=4, batch_norm=True), edge_attr=_features),
    "EdgeConv": lambda: _conv(gnn.EdgeConv(_mlp(16, 8))),
    "PPFConv": lambda: built(
        gnn.PPFConv(_mlp(12, 16)),
        lambda n, e: (torch.randn(n, 8), torch.randn(n, 3), torch.randn(n, 3), edges(n, e)),
        SMALL,
        LARGER,
    ),
    "PointTransformerConv": lambda: built(
        gnn.PointTransformerConv(8, 16),
        lambda n, e: (torch.randn(n, 8), torch.randn(n, 3), edges(n, e)),
        SMALL,
        LARGER,
    ),
    "LEConv": lambda: _conv(gnn.LEConv(8, 16), edge_weight=_weights),
    "GCN2Conv": lambda: built(
        gnn.GCN2Conv(8, alpha=0.1, theta=0.5, layer=1),
        lambda n, e: (torch.randn(n, 8), torch.randn(n, 8), edges(n, e)),
        SMALL,
        LARGER,
    ),
    "WLConvContinuous": lambda: _conv(gnn.WLConvContinuous()),
    "WLConv": lambda: built(
        gnn.WLConv(), lambda n, e: (torch.randint(0, 4, (n,)), edges(n, e)), SMALL, LARGER, trains=False
    ),
    "EGConv": lambda: _conv(gnn.EGConv(8, 16, aggregators=["symnorm", "max", "std"], num_heads=4)),
    "PDNConv": lambda: _conv(gnn.PDNConv(8, 16, edge_dim=4, hidden_channels=8), edge_attr=_features),
    "GeneralConv": lambda: _conv(gnn.GeneralConv(8, 16, in_edge_channels=4, attention=True), edge_attr=_features),
    "HEATConv": lambda: _conv(
        gnn.HEATConv(8, 8, 2, 3, 4, 4, 4, heads=2),
        node_type=lambda n, e: torch.randint(0, 2, (n,)),
        edge_type=_types,
        edge_attr=_features,
    ),
    "LGConv": lambda: _conv(gnn.LGConv()),
    "PointGNNConv": lambda: built(
        gnn.PointGNNConv(_mlp(8, 3), _mlp(11, 16), _mlp(16, 8)),
        lambda n, e: (torch.randn(n, 8), torch.randn(n, 3), edges(n, e)),
        SMALL,
        LARGER,
    ),
    "GPSConv": lambda: _conv(gnn.GPSConv(8, gnn.GCNConv(8, 8), heads=2), batch=lambda n, e: batches(n)),
    "GPSConv_performer": lambda: _conv(
        gnn.GPSConv(8, gnn.SAGEConv(8, 8), heads=2, attn_type="performer"), batch=lambda n, e: batches(n)
    ),
    "AntiSymmetricConv": lambda: _conv(gnn.AntiSymmetricConv(8, num_iters=2)),
    "HypergraphConv": lambda: built(
        gnn.HypergraphConv(8, 16), lambda n, e: (torch.randn(n, 8), edges(n, e)), SMALL, LARGER
    ),
    "SimpleConv": lambda: _conv(gnn.SimpleConv(aggr="median", combine_root="cat")),
    "PNAConv": lambda: _conv(gnn.PNAConv(8, 16, ["mean", "std"], ["identity", "linear"], torch.tensor([1, 3, 5]))),
}


def _aggregation(layer: nn.Module, **more: Any) -> Built:
    def arguments(nodes: int, _: int) -> Mapping[str, Any]:
        return {"x": torch.randn(nodes, 8), "index": batches(nodes)} | more

    return built(layer, arguments, SMALL, LARGER)


AGGREGATIONS: Recipes = {
    "MultiAggregation": lambda: _aggregation(gnn.MultiAggregation(["mean", "max", "std"], mode="attn", mode_kwargs={
        "in_channels": 8, "out_channels": 8, "num_heads": 2})),
    "MedianAggregation": lambda: _aggregation(gnn.MedianAggregation()),
    "QuantileAggregation": lambda: _aggregation(gnn.QuantileAggregation([0.25, 0.75])),
    "SoftmaxAggregation": lambda: _aggregation(gnn.SoftmaxAggregation(learn=True)),
    "SortAggregation": lambda: _aggregation(gnn.SortAggregation(k=3)),
    "DegreeScalerAggregation": lambda: _aggregation(
        gnn.DegreeScalerAggregation("mean", "amplification", torch.tensor([0, 2, 4]))
    ),
    "EquilibriumAggregation": lambda: _aggregation(gnn.EquilibriumAggregation(8, 4, [16], grad_iter=2)),
    "MLPAggregation": lambda: _aggregation(gnn.MLPAggregation(8, 4, 12, num_layers=1)),
    "SetTransformerAggregation": lambda: _aggregation(gnn.SetTransformerAggregation(8, heads=2)),
    "VariancePreservingAggregation": lambda: _aggregation(gnn.VariancePreservingAggregation()),
    "PatchTransformerAggregation": lambda: _aggregation(gnn.PatchTransformerAggregation(8, 8, 4, 16, heads=2)),
    "Set2Set": lambda: _aggregation(gnn.Set2Set(8, processing_steps=2)),
}  # fmt: skip


def _norm(layer: nn.Module) -> Built:
    return built(layer, lambda n, e: {"x": torch.randn(n, 8), "batch": batches(n)}, SMALL, LARGER)


LAYERS: Recipes = {
    "InstanceNorm": lambda: _norm(gnn.InstanceNorm(8, affine=True, track_running_stats=True)),
    "LayerNorm": lambda: _norm(gnn.LayerNorm(8)),
    "GraphSizeNorm": lambda: _norm(gnn.GraphSizeNorm()),
    "PairNorm": lambda: _norm(gnn.PairNorm()),
    "BatchNorm": lambda: shaped(gnn.BatchNorm(8, allow_single_element=True), ((12, 8), (19, 8))),
    "MessageNorm": lambda: shaped(gnn.MessageNorm(learn_scale=True), ((12, 8), (19, 8)), ((12, 8), (19, 8))),
    "SAGPooling": lambda: _conv(gnn.SAGPooling(8, ratio=0.5), batch=lambda n, e: batches(n)),
    "EdgePooling": lambda: _conv(gnn.EdgePooling(8), batch=lambda n, e: batches(n)),
    "ClusterPooling": lambda: _conv(gnn.ClusterPooling(8), batch=lambda n, e: batches(n)),
    "ASAPooling": lambda: _conv(gnn.ASAPooling(8, ratio=0.5), batch=lambda n, e: batches(n)),
    "global_max_pool": lambda: _global(gnn.global_max_pool),
    "TopKPooling": lambda: _conv(gnn.TopKPooling(8, min_score=0.05), batch=lambda n, e: batches(n)),
    "global_mean_pool": lambda: _global(gnn.global_mean_pool),
    "global_add_pool": lambda: _global(gnn.global_add_pool),
    "DenseGINConv": lambda: _dense(gnn.DenseGINConv(_mlp())),
    "DenseGraphConv": lambda: _dense(gnn.DenseGraphConv(8, 8)),
    "DenseSAGEConv": lambda: _dense(gnn.DenseSAGEConv(8, 8, normalize=True)),
    "DenseGATConv": lambda: _dense(gnn.DenseGATConv(8, 4, heads=2)),
    "DMoNPooling": lambda: _dense(gnn.DMoNPooling(8, 4)),
    "dense_diff_pool": lambda: _dense(gnn.dense_diff_pool, clusters=4),
    "dense_mincut_pool": lambda: _dense(gnn.dense_mincut_pool, clusters=4),
    "HeteroDictLinear": lambda: built(
        gnn.HeteroDictLinear({"a": 8, "b": 4}, 6),
        lambda n: ({"a": torch.randn(n, 8), "b": torch.randn(n + 1, 4)},),
        (5,),
        (8,),
    ),
    "PositionalEncoding": lambda: shaped(gnn.PositionalEncoding(8), ((12,), (19,))),
    "TemporalEncoding": lambda: shaped(gnn.TemporalEncoding(8), ((12,), (19,))),
}


def _global(function: Callable[..., Any]) -> Built:
    return built(function, lambda n, e: {"x": torch.randn(n, 8), "batch": batches(n)}, SMALL, LARGER)


def _dense(layer: Callable[..., Any], clusters: int = 0) -> Built:
    def arguments(batch: int, nodes: int) -> tuple[Any, ...]:
        links = (torch.rand(batch, nodes, nodes) > 0.5).float()
        assignment = (torch.randn(batch, nodes, clusters),) if clusters else ()
        return (torch.randn(batch, nodes, 8), links, *assignment)

    return built(layer, arguments, (2, 6), (3, 9))


def _autoencoder(method: str) -> Built:
    model = gnn.VGAE(_Variational())
    if method == "encode":
        return built(model.encode, lambda n, e: (torch.randn(n, 8), edges(n, e)), SMALL, LARGER)
    model.encode(torch.randn(12, 8), edges(12, 30))
    return built(model.recon_loss, lambda n, e: (torch.randn(n, 6), edges(n, e)), SMALL, LARGER)


class _Variational(nn.Module):
    """The encoder that torch_geometric asks its users to write."""

    def __init__(self) -> None:
        super().__init__()
        self.mean = gnn.GCNConv(8, 6)
        self.spread = gnn.GCNConv(8, 6)

    def forward(self, x: torch.Tensor, edge_index: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self.mean(x, edge_index), self.spread(x, edge_index)  # compilelint: ignore[CL137] what is measured


def _mean(z: torch.Tensor, *_: Any) -> torch.Tensor:
    return z.mean(0)


def _shuffled(x: torch.Tensor, links: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return x[torch.randperm(len(x))], links


def _gnn(name: str, **more: Any) -> Built:
    return _conv(getattr(gnn, name)(8, 16, 2, out_channels=4, **more))


MODELS: Recipes = {
    "GCN": partial(_gnn, "GCN", dropout=0.1, norm="batch", jk="cat"),
    "GIN": partial(_gnn, "GIN", jk="lstm"),
    "GAT": partial(_gnn, "GAT", heads=2, v2=True),
    "EdgeCNN": partial(_gnn, "EdgeCNN", norm="layer"),
    "GraphSAGE": partial(_gnn, "GraphSAGE"),
    "MLP": lambda: shaped(gnn.MLP([8, 16, 4], dropout=0.2), ((12, 8), (19, 8))),
    "JumpingKnowledge": lambda: built(
        gnn.JumpingKnowledge("lstm", 8, 2), lambda n: ([torch.randn(n, 8) for _ in range(2)],), (12,), (19,)
    ),
    "GraphUNet": lambda: _conv(gnn.GraphUNet(8, 16, 4, depth=2)),
    "DeepGCNLayer": lambda: built(
        gnn.DeepGCNLayer(gnn.GENConv(8, 8), gnn.LayerNorm(8), nn.ReLU(), block="res+", dropout=0.1),
        lambda n, e: (torch.randn(n, 8), edges(n, e)),
        SMALL,
        LARGER,
    ),
    "GroupAddRev": lambda: built(
        gnn.GroupAddRev(gnn.SAGEConv(4, 4), num_groups=2), lambda n, e: (torch.randn(n, 8), edges(n, e)), SMALL, LARGER
    ),
    "LINKX": lambda: built(gnn.LINKX(12, 8, 16, 4, 2), lambda e: (torch.randn(12, 8), edges(12, e)), (30,), (44,)),
    "PMLP": lambda: _conv(gnn.PMLP(8, 16, 4, 2)),
    "RECT_L": lambda: _conv(gnn.RECT_L(8, 16)),
    "VGAE_encode": partial(_autoencoder, "encode"),
    "VGAE_recon_loss": partial(_autoencoder, "recon_loss"),
    "SignedGCN": lambda: built(
        gnn.SignedGCN(8, 16, 2), lambda n, e: (torch.randn(n, 8), edges(n, e), edges(n, e)), SMALL, LARGER
    ),
    "MaskLabel": lambda: built(
        gnn.MaskLabel(4, 8),
        lambda n, e: (torch.randn(n, 8), torch.randint(0, 4, (n,)), torch.rand(n) > 0.5),
        SMALL,
        LARGER,
    ),
    "DeepGraphInfomax": lambda: built(
        gnn.DeepGraphInfomax(8, gnn.GCNConv(8, 8), _mean, _shuffled),
        lambda n, e: (torch.randn(n, 8), edges(n, e)),
        SMALL,
        LARGER,
    ),
    "LightGCN_rank": lambda: built(gnn.LightGCN(12, 8, 2), lambda e: (edges(12, e),), (30,), (44,)),
    "CorrectAndSmooth_correct": lambda: built(
        gnn.CorrectAndSmooth(2, 0.8, 2, 0.8).correct,
        lambda n, e: (torch.rand(n, 4), torch.randint(0, 4, (n // 2,)), torch.arange(n // 2), edges(n, e)),
        SMALL,
        LARGER,
        trains=False,
    ),
    "TGNMemory": lambda: built(
        gnn.TGNMemory(12, 4, 8, 8, gnn.models.tgn.IdentityMessage(4, 8, 8), gnn.models.tgn.LastAggregator()),
        lambda n: (torch.arange(n),),
        (5,),
        (9,),
    ),
    "GraphSAGE_project": lambda: _conv(gnn.GraphSAGE(8, 16, 3, act="elu", project=True)),
}

RECIPES: Recipes = {**CONVS, **AGGREGATIONS, **LAYERS, **MODELS, **UTILS}


def names() -> list[str]:
    """Layers and models by class name, functions of utils by theirs."""
    return list(RECIPES)


def build(name: str) -> Built:
    """The layer, model or function of that name."""
    return make(RECIPES, name)
