"""Recipes for performer_pytorch: random features in place of the softmax."""

from __future__ import annotations

import performer_pytorch
import torch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped, tokens

PACKAGE = "performer_pytorch"

RECIPES: Recipes = {
    "Performer": lambda: shaped(
        performer_pytorch.Performer(dim=32, depth=2, heads=2, dim_head=16, feature_redraw_interval=2),
        ((2, 16, 32), (3, 24, 32)),
    ),
    "PerformerLM": lambda: tokens(
        performer_pytorch.PerformerLM(
            num_tokens=50, max_seq_len=32, dim=32, depth=2, heads=2, dim_head=16, reversible=True
        ),
        (2, 16),
        (3, 24),
        50,
    ),
    "SelfAttention_generalized": lambda: shaped(
        performer_pytorch.SelfAttention(
            dim=32, heads=2, dim_head=16, generalized_attention=True, local_heads=1, local_window_size=4
        ),
        ((2, 16, 32), (3, 24, 32)),
    ),
    "PerformerEncDec": lambda: built(
        performer_pytorch.PerformerEncDec(
            dim=32,
            enc_num_tokens=50,
            enc_depth=1,
            enc_heads=2,
            enc_max_seq_len=32,
            dec_num_tokens=50,
            dec_depth=1,
            dec_heads=2,
            dec_max_seq_len=32,
        ),
        lambda b, n: (torch.randint(0, 50, (b, n)), torch.randint(0, 50, (b, n))),
        (2, 16),
        (3, 24),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
