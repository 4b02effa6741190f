"""Recipes for encodec."""

from __future__ import annotations

import torch
from encodec.modules import SEANetDecoder, SEANetEncoder
from encodec.modules.lstm import SLSTM
from encodec.modules.transformer import StreamingTransformerEncoder
from encodec.quantization import ResidualVectorQuantizer

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "encodec"

RECIPES: Recipes = {
    "SEANetEncoder": lambda: shaped(
        SEANetEncoder(dimension=8, n_filters=2, ratios=[2, 2], lstm=1, causal=True), ((1, 1, 64), (2, 1, 97))
    ),
    "SEANetDecoder": lambda: shaped(
        SEANetDecoder(dimension=8, n_filters=2, ratios=[2, 2], lstm=1, norm="weight_norm"), ((1, 8, 16), (2, 8, 24))
    ),
    "ResidualVectorQuantizer": lambda: built(
        ResidualVectorQuantizer(dimension=8, n_q=4, bins=16),
        lambda b, n: (torch.randn(b, 8, n), 50, 1.0),
        (1, 16),
        (2, 24),
    ),
    "SLSTM": lambda: shaped(SLSTM(8), ((1, 8, 16), (2, 8, 24))),
    "StreamingTransformerEncoder": lambda: built(
        StreamingTransformerEncoder(16, num_layers=1, num_heads=2),
        lambda b, n: (torch.randn(b, n, 16),),
        (1, 12),
        (2, 20),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
