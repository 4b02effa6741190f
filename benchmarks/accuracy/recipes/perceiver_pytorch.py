"""Recipes for perceiver_pytorch."""

from __future__ import annotations

import perceiver_pytorch
import torch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped, tokens

PACKAGE = "perceiver_pytorch"

RECIPES: Recipes = {
    "Perceiver": lambda: shaped(
        perceiver_pytorch.Perceiver(
            input_channels=3,
            input_axis=2,
            num_freq_bands=4,
            max_freq=10.0,
            depth=2,
            num_latents=8,
            latent_dim=16,
            cross_heads=1,
            latent_heads=2,
            cross_dim_head=8,
            latent_dim_head=8,
            num_classes=5,
            weight_tie_layers=True,
        ),
        ((2, 8, 8, 3), (3, 12, 12, 3)),
    ),
    "PerceiverIO": lambda: built(
        perceiver_pytorch.PerceiverIO(
            dim=16,
            queries_dim=16,
            logits_dim=5,
            depth=2,
            num_latents=8,
            latent_dim=16,
            cross_heads=1,
            latent_heads=2,
            cross_dim_head=8,
            latent_dim_head=8,
            seq_dropout_prob=0.2,
        ),
        lambda b, n: {"data": torch.randn(b, n, 16), "queries": torch.randn(4, 16)},
        (2, 12),
        (3, 20),
    ),
    "PerceiverLM": lambda: tokens(
        perceiver_pytorch.perceiver_io.PerceiverLM(
            dim=16, num_tokens=50, max_seq_len=32, depth=1, num_latents=8, latent_dim=16
        ),
        (2, 16),
        (3, 24),
        50,
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
