"""Recipes for nnAudio: spectrograms as layers."""

from __future__ import annotations

from nnAudio import features

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "nnAudio"

RECIPES: Recipes = {
    "STFT": lambda: shaped(features.STFT(n_fft=64, hop_length=16, verbose=False), ((2, 512), (3, 768))),
    "MelSpectrogram": lambda: shaped(
        features.MelSpectrogram(sr=8000, n_fft=256, n_mels=8, hop_length=64, verbose=False), ((2, 1024), (3, 1536))
    ),
    "MFCC": lambda: shaped(
        features.MFCC(sr=8000, n_mfcc=6, n_fft=256, n_mels=16, hop_length=64, verbose=False), ((2, 1024), (3, 1536))
    ),
    "CQT": lambda: shaped(
        features.CQT(sr=8000, hop_length=64, fmin=220, n_bins=12, verbose=False), ((2, 2048), (3, 4096))
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
