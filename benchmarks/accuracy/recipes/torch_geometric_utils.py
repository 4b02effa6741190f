"""Functions of torch_geometric.utils on random graphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch_geometric import utils

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built

SMALL, LARGER = (12, 30), (19, 44)


def edges(nodes: int, links: int) -> torch.Tensor:
    """The ends of so many random edges, [2, links]."""
    return torch.randint(0, nodes, (2, links))


def batches(nodes: int) -> torch.Tensor:
    """Which of three graphs each node belongs to, sorted."""
    return torch.arange(nodes) * 3 // nodes


def _function(function: Callable[..., Any], **more: Any) -> Built:
    """A function of edges; callables among the other arguments are given the numbers of nodes and edges."""

    def arguments(nodes: int, links: int) -> Mapping[str, Any]:
        given = {name: value(nodes, links) if callable(value) else value for name, value in more.items()}
        return {"edge_index": edges(nodes, links)} | given

    return built(function, arguments, SMALL, LARGER, trains=False)


def _call(function: Callable[..., Any], arguments: Callable[[int, int], tuple[Any, ...]]) -> Built:
    return built(function, arguments, SMALL, LARGER, trains=False)


def _nodes(nodes: int, links: int) -> int:
    return nodes


def _features(nodes: int, links: int) -> torch.Tensor:
    return torch.randn(links, 4)


def _some(nodes: int, links: int) -> torch.Tensor:
    return torch.arange(nodes // 2)


UTILS: Recipes = {
    "utils.subgraph": lambda: _function(utils.subgraph, subset=_some, edge_attr=_features, relabel_nodes=True),
    "utils.bipartite_subgraph": lambda: _function(
        utils.bipartite_subgraph, subset=lambda n, e: (torch.arange(n // 2), torch.arange(n // 3)), relabel_nodes=True
    ),
    "utils.k_hop_subgraph": lambda: _function(utils.k_hop_subgraph, node_idx=3, num_hops=2, relabel_nodes=True),
    "utils.dropout_node": lambda: _function(utils.dropout_node, p=0.5, relabel_nodes=True),
    "utils.dropout_edge": lambda: _function(utils.dropout_edge, p=0.5, force_undirected=True),
    "utils.homophily": lambda: _function(utils.homophily, y=lambda n, e: torch.randint(0, 3, (n,)), method="node"),
    "utils.assortativity": lambda: _function(utils.assortativity),
    "utils.normalize_edge_index": lambda: _function(utils.normalize_edge_index, num_nodes=_nodes),
    "utils.get_laplacian": lambda: _function(utils.get_laplacian, normalization="rw"),
    "utils.to_undirected": lambda: _function(utils.to_undirected, edge_attr=_features, reduce="mean"),
    "utils.coalesce": lambda: _function(utils.coalesce, edge_attr=_features),
    "utils.contains_self_loops": lambda: _function(utils.contains_self_loops),
    "utils.segregate_self_loops": lambda: _function(utils.segregate_self_loops, edge_attr=_features),
    "utils.get_self_loop_attr": lambda: _function(utils.get_self_loop_attr, num_nodes=_nodes),
    "utils.add_remaining_self_loops": lambda: _function(utils.add_remaining_self_loops, fill_value="mean",
                                                        edge_attr=_features),
    "utils.remove_isolated_nodes": lambda: _function(utils.remove_isolated_nodes, num_nodes=_nodes),
    "utils.to_dense_adj": lambda: _function(utils.to_dense_adj, batch=lambda n, e: batches(n)),
    "utils.to_edge_index": lambda: _call(utils.to_edge_index, lambda n, e: (torch.eye(n).to_sparse(),)),
    "utils.to_torch_csr_tensor": lambda: _function(utils.to_torch_csr_tensor, size=_nodes),
    "utils.to_scipy_sparse_matrix": lambda: _function(utils.to_scipy_sparse_matrix, num_nodes=_nodes),
    "utils.unbatch_edge_index": lambda: _function(utils.unbatch_edge_index, batch=lambda n, e: batches(n)),
    "utils.negative_sampling": lambda: _function(utils.negative_sampling, num_nodes=_nodes, method="dense"),
    "utils.batched_negative_sampling": lambda: _function(
        utils.batched_negative_sampling, batch=lambda n, e: batches(n), num_neg_samples=4
    ),
    "utils.structured_negative_sampling": lambda: _function(utils.structured_negative_sampling, num_nodes=_nodes),
    "utils.dense_to_sparse": lambda: _call(utils.dense_to_sparse, lambda n, e: ((torch.rand(2, n, n) > 0.5).float(),)),
    "utils.to_dense_batch": lambda: _call(
        utils.to_dense_batch, lambda n, e: (torch.randn(n, 8), batches(n), 0.0, n)
    ),
    "utils.unbatch": lambda: _call(utils.unbatch, lambda n, e: (torch.randn(n, 8), batches(n))),
    "utils.group_argsort": lambda: _call(utils.group_argsort, lambda n, e: (torch.randn(n), batches(n))),
    "utils.segment": lambda: _call(utils.segment, lambda n, e: (torch.randn(n, 8), torch.tensor([0, 4, 9, n]))),
    "utils.cumsum": lambda: _call(utils.cumsum, lambda n, e: (torch.arange(n),)),
    "utils.lexsort": lambda: _call(utils.lexsort, lambda n, e: (list(torch.randint(0, 4, (2, n))),)),
    "utils.mask_to_index": lambda: _call(utils.mask_to_index, lambda n, e: (torch.rand(n) > 0.5,)),
    "utils.index_to_mask": lambda: _call(utils.index_to_mask, lambda n, e: (torch.arange(n // 2),)),
    "utils.one_hot": lambda: _call(utils.one_hot, lambda n, e: (torch.randint(0, 5, (n,)),)),
    "utils.grid": lambda: _call(utils.grid, lambda n, e: (n // 3, 4)),
    "utils.normalized_cut": lambda: _function(utils.normalized_cut, edge_attr=lambda n, e: torch.rand(e)),
    "utils.softmax": lambda: _call(utils.softmax, lambda n, e: (torch.randn(n, 8), batches(n))),
    "utils.spmm": lambda: _call(utils.spmm, lambda n, e: (torch.eye(n).to_sparse(), torch.randn(n, 8), "mean")),
    "utils.shuffle_node": lambda: _call(utils.shuffle_node, lambda n, e: (torch.randn(n, 8), batches(n))),
    "utils.mask_feature": lambda: _call(utils.mask_feature, lambda n, e: (torch.randn(n, 8), 0.5, "row")),
    "utils.add_random_edge": lambda: _function(utils.add_random_edge, p=0.5, num_nodes=lambda n, e: (n, n)),
}  # fmt: skip
