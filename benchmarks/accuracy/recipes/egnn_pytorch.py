"""Recipes for egnn_pytorch: equivariant networks on atoms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import egnn_pytorch
import torch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "egnn_pytorch"


def _atoms(batch: int, atoms: int) -> tuple[Any, ...]:
    return torch.randn(batch, atoms, 16), torch.randn(batch, atoms, 3)


def _network(batch: int, atoms: int) -> Mapping[str, Any]:
    return {
        "feats": torch.randint(0, 9, (batch, atoms)),
        "coors": torch.randn(batch, atoms, 3),
        "mask": torch.ones(batch, atoms, dtype=torch.bool),
    }


RECIPES: Recipes = {
    "EGNN": lambda: built(egnn_pytorch.EGNN(dim=16), _atoms, (2, 8), (3, 12)),
    "EGNN_nearest": lambda: built(
        egnn_pytorch.EGNN(dim=16, num_nearest_neighbors=4, norm_coors=True, soft_edges=True), _atoms, (2, 8), (3, 12)
    ),
    "EGNN_Network": lambda: built(
        egnn_pytorch.EGNN_Network(
            num_tokens=9,
            dim=16,
            depth=2,
            num_nearest_neighbors=4,
            coor_weights_clamp_value=2.0,
            global_linear_attn_every=1,
            num_global_tokens=2,
            global_linear_attn_heads=2,
            global_linear_attn_dim_head=8,
        ),
        _network,
        (2, 8),
        (3, 12),
    ),
    "EGNN_Sparse": lambda: built(
        egnn_pytorch.EGNN_Sparse(feats_dim=16),
        lambda n, e: (torch.randn(n, 19), torch.randint(0, n, (2, e))),
        (8, 20),
        (12, 30),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
