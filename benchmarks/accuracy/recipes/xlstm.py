"""Recipes for xlstm."""

from __future__ import annotations

import xlstm
from torch import nn
from xlstm.blocks.mlstm.layer import mLSTMLayerConfig

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "xlstm"


def _stack() -> nn.Module:
    block = xlstm.mLSTMBlockConfig(mlstm=mLSTMLayerConfig(num_heads=2, conv1d_kernel_size=3, qkv_proj_blocksize=4))
    return xlstm.xLSTMBlockStack(
        xlstm.xLSTMBlockStackConfig(mlstm_block=block, num_blocks=2, embedding_dim=16, context_length=16)
    )


RECIPES: Recipes = {
    "xLSTMBlockStack": lambda: shaped(_stack(), ((2, 16, 16), (3, 12, 16))),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
