"""Recipes for auraloss: losses of audio."""

from __future__ import annotations

from auraloss import freq, time
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "auraloss"


def _pairs(loss: nn.Module) -> Built:
    return shaped(loss, ((2, 1, 1024), (3, 1, 1536)), ((2, 1, 1024), (3, 1, 1536)))


RECIPES: Recipes = {
    "STFTLoss": lambda: _pairs(freq.STFTLoss(fft_size=128, hop_size=32, win_length=128, w_phs=1.0)),
    "MultiResolutionSTFTLoss": lambda: _pairs(freq.MultiResolutionSTFTLoss([128, 64], [32, 16], [128, 64])),
    "RandomResolutionSTFTLoss": lambda: _pairs(
        freq.RandomResolutionSTFTLoss(resolutions=1, min_fft_size=64, max_fft_size=128)
    ),
    "SISDRLoss": lambda: _pairs(time.SISDRLoss()),
    "ESRLoss": lambda: _pairs(time.ESRLoss()),
    "LogCoshLoss": lambda: _pairs(time.LogCoshLoss()),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
