"""Recipes for whisper."""

from __future__ import annotations

import torch
from whisper.model import ModelDimensions, Whisper

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "whisper"

RECIPES: Recipes = {
    "Whisper": lambda: built(
        Whisper(
            ModelDimensions(
                n_mels=8,
                n_audio_ctx=16,
                n_audio_state=16,
                n_audio_head=2,
                n_audio_layer=1,
                n_vocab=50,
                n_text_ctx=12,
                n_text_state=16,
                n_text_head=2,
                n_text_layer=1,
            )
        ),
        lambda b, n: (torch.randn(b, 8, 32), torch.randint(0, 50, (b, n))),
        (1, 6),
        (2, 9),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
