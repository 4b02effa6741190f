"""Recipes for native_sparse_attention_pytorch."""

from __future__ import annotations

from typing import Any

from native_sparse_attention_pytorch import SparseAttention

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "native_sparse_attention_pytorch"


def _attention(**more: Any) -> Built:
    model = SparseAttention(
        dim=32,
        dim_head=16,
        heads=2,
        sliding_window_size=4,
        compress_block_size=4,
        compress_block_sliding_stride=2,
        selection_block_size=4,
        num_selected_blocks=2,
        **more,
    )
    return shaped(model, ((2, 13, 32), (3, 21, 32)))


RECIPES: Recipes = {
    "SparseAttention": lambda: _attention(causal=True),
    "SparseAttention_differentiable": lambda: _attention(causal=True, use_diff_topk=True, kv_heads=1),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
