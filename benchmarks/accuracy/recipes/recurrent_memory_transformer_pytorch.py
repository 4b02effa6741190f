"""Recipes for recurrent_memory_transformer_pytorch."""

from __future__ import annotations

import recurrent_memory_transformer_pytorch as rmt
import torch
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, tokens

PACKAGE = "recurrent_memory_transformer_pytorch"


def _model() -> nn.Module:
    return rmt.RecurrentMemoryTransformer(
        num_tokens=50,
        num_memory_tokens=4,
        dim=16,
        depth=2,
        seq_len=16,
        causal=True,
        dim_head=8,
        heads=2,
        use_flash_attn=False,
    )


RECIPES: Recipes = {
    "RecurrentMemoryTransformer": lambda: tokens(_model(), (2, 16), (3, 12), 50),
    "RecurrentMemoryTransformerWrapper": lambda: built(
        rmt.RecurrentMemoryTransformerWrapper(_model()),
        lambda b, n: {"x": torch.randint(0, 50, (b, n)), "return_loss": True},
        (2, 33),
        (3, 49),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
