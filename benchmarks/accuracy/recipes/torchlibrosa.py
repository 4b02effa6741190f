"""Recipes for torchlibrosa."""

from __future__ import annotations

import torch
import torchlibrosa

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "torchlibrosa"

RECIPES: Recipes = {
    "Spectrogram": lambda: shaped(torchlibrosa.Spectrogram(n_fft=64, hop_length=16), ((2, 512), (3, 768))),
    "LogmelFilterBank": lambda: built(
        torchlibrosa.LogmelFilterBank(sr=8000, n_fft=64, n_mels=8),
        lambda b, n: (torch.rand(b, 1, n, 33),),
        (2, 12),
        (3, 16),
    ),
    "SpecAugmentation": lambda: shaped(
        torchlibrosa.SpecAugmentation(time_drop_width=4, time_stripes_num=2, freq_drop_width=2, freq_stripes_num=2),
        ((2, 1, 20, 16), (3, 1, 30, 16)),
    ),
    "ISTFT": lambda: built(
        torchlibrosa.stft.ISTFT(n_fft=64, hop_length=16),
        lambda b, n: (torch.randn(b, 1, n, 33), torch.randn(b, 1, n, 33), 128),
        (1, 12),
        (2, 16),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
