"""Recipes for demucs."""

from __future__ import annotations

from demucs.demucs import Demucs
from demucs.hdemucs import HDemucs
from demucs.htdemucs import HTDemucs

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "demucs"

RECIPES: Recipes = {
    "Demucs": lambda: shaped(
        Demucs(
            ["a", "b"], audio_channels=1, channels=4, depth=3, rewrite=True, dconv_mode=0, lstm_layers=1, resample=False
        ),
        ((1, 1, 1024), (2, 1, 1536)),
    ),
    "HDemucs": lambda: shaped(
        HDemucs(["a", "b"], audio_channels=1, channels=4, nfft=256, depth=4, hybrid=True, dconv_mode=0, norm_groups=2),
        ((1, 1, 2048), (2, 1, 3072)),
    ),
    "HTDemucs": lambda: shaped(
        HTDemucs(
            ["a", "b"],
            audio_channels=1,
            channels=4,
            nfft=256,
            depth=2,
            t_layers=1,
            t_heads=2,
            bottom_channels=0,
            dconv_mode=0,
            norm_groups=2,
            segment=0.1,
            samplerate=8000,
        ),
        ((1, 1, 800), (2, 1, 800)),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
