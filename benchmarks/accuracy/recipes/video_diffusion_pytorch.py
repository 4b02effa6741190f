"""Recipes for video_diffusion_pytorch."""

from __future__ import annotations

import torch
import video_diffusion_pytorch as video
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "video_diffusion_pytorch"


def _unet() -> nn.Module:
    return video.Unet3D(dim=8, dim_mults=(1, 2), attn_heads=2, attn_dim_head=8)


RECIPES: Recipes = {
    "Unet3D": lambda: built(
        _unet(), lambda b, f: (torch.randn(b, 3, f, 16, 16), torch.randint(0, 10, (b,))), (1, 3), (2, 4)
    ),
    "GaussianDiffusion": lambda: built(
        video.GaussianDiffusion(_unet(), image_size=16, num_frames=3, timesteps=10),
        lambda b: (torch.rand(b, 3, 3, 16, 16),),
        (1,),
        (2,),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
