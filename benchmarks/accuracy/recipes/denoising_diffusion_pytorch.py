"""Recipes for denoising_diffusion_pytorch: networks, and the losses that train them."""

from __future__ import annotations

from typing import Any

import denoising_diffusion_pytorch as ddpm
import torch
from denoising_diffusion_pytorch.karras_unet import KarrasUnet
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "denoising_diffusion_pytorch"


def _unet(**more: Any) -> nn.Module:
    return ddpm.Unet(dim=8, dim_mults=(1, 2), flash_attn=False, attn_heads=2, attn_dim_head=8, **more)


def _denoised(batch: int, side: int) -> tuple[Any, ...]:
    return torch.randn(batch, 3, side, side), torch.randint(0, 10, (batch,))


def _images(model: nn.Module) -> Built:
    return built(model, lambda batch: (torch.rand(batch, 3, 16, 16),), (2,), (3,))


RECIPES: Recipes = {
    "Unet": lambda: built(_unet(), _denoised, (2, 16), (3, 24)),
    "GaussianDiffusion": lambda: _images(ddpm.GaussianDiffusion(_unet(), image_size=16, timesteps=10)),
    "GaussianDiffusion_sample": lambda: built(
        ddpm.GaussianDiffusion(_unet(), image_size=16, timesteps=3).sample,
        lambda n: {"batch_size": n},
        (1,),
        (2,),
        trains=False,
    ),
    "LearnedGaussianDiffusion": lambda: _images(
        ddpm.LearnedGaussianDiffusion(_unet(learned_variance=True), image_size=16, timesteps=10)
    ),
    "ElucidatedDiffusion": lambda: _images(
        ddpm.ElucidatedDiffusion(_unet(random_fourier_features=True), image_size=16)
    ),
    "ContinuousTimeGaussianDiffusion": lambda: _images(
        ddpm.ContinuousTimeGaussianDiffusion(_unet(random_fourier_features=True), image_size=16, num_sample_steps=2)
    ),
    "WeightedObjectiveGaussianDiffusion": lambda: _images(
        ddpm.WeightedObjectiveGaussianDiffusion(_unet(out_dim=8), image_size=16, timesteps=10)
    ),
    "Unet1D": lambda: built(
        ddpm.Unet1D(dim=8, dim_mults=(1, 2), channels=4),
        lambda b, n: (torch.randn(b, 4, n), torch.randint(0, 10, (b,))),
        (2, 16),
        (3, 32),
    ),
    "GaussianDiffusion1D": lambda: shaped(
        ddpm.GaussianDiffusion1D(ddpm.Unet1D(dim=8, dim_mults=(1, 2), channels=4), seq_length=16, timesteps=10),
        ((2, 4, 16), (3, 4, 16)),
    ),
    "KarrasUnet": lambda: built(
        KarrasUnet(
            image_size=16,
            dim=8,
            dim_max=16,
            num_downsamples=1,
            num_blocks_per_stage=1,
            attn_res=(8,),
            attn_dim_head=8,
            fourier_dim=8,
        ),
        lambda b: (torch.randn(b, 4, 16, 16), torch.rand(b)),
        (2,),
        (3,),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
