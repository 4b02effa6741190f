"""Recipes for bs_roformer: separation of music in bands of its spectrum."""

from __future__ import annotations

import bs_roformer

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "bs_roformer"

RECIPES: Recipes = {
    "BSRoformer": lambda: shaped(
        bs_roformer.BSRoformer(
            dim=8,
            depth=1,
            time_transformer_depth=1,
            freq_transformer_depth=1,
            heads=2,
            dim_head=8,
            stft_n_fft=64,
            stft_hop_length=16,
            stft_win_length=64,
            freqs_per_bands=(4, 4, 8, 17),
            flash_attn=False,
            multi_stft_resolutions_window_sizes=(64, 32),
        ),
        ((1, 512), (2, 768)),
    ),
    "MelBandRoformer": lambda: shaped(
        bs_roformer.MelBandRoformer(
            dim=8,
            depth=1,
            heads=2,
            dim_head=8,
            num_bands=6,
            stft_n_fft=128,
            stft_hop_length=32,
            stft_win_length=128,
            sample_rate=8000,
            flash_attn=False,
        ),
        ((1, 512), (2, 768)),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
