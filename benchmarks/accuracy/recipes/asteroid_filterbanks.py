"""Recipes for asteroid_filterbanks."""

from __future__ import annotations

from asteroid_filterbanks import STFTFB, Decoder, Encoder, FreeFB, MelGramFB, ParamSincFB

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "asteroid_filterbanks"

RECIPES: Recipes = {
    "Encoder_stft": lambda: shaped(Encoder(STFTFB(32, 32, 16)), ((2, 1, 200), (3, 1, 300))),
    "Encoder_free": lambda: shaped(Encoder(FreeFB(16, 32, 16)), ((2, 200), (3, 300))),
    "Encoder_sinc": lambda: shaped(Encoder(ParamSincFB(16, 33, 16)), ((2, 1, 200), (3, 1, 300))),
    "Encoder_mel": lambda: shaped(
        Encoder(MelGramFB(32, 32, 16, sample_rate=8000, n_mels=6)), ((2, 1, 200), (3, 1, 300))
    ),
    "Decoder": lambda: shaped(Decoder(FreeFB(16, 32, 16)), ((2, 16, 12), (3, 16, 18))),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
