"""Recipes for vector_quantize_pytorch: quantizers with and without codebooks."""

from __future__ import annotations

import vector_quantize_pytorch as vq
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "vector_quantize_pytorch"


def _sequence(quantizer: nn.Module, width: int = 16) -> Built:
    return shaped(quantizer, ((2, 12, width), (3, 20, width)))


RECIPES: Recipes = {
    "VectorQuantize": lambda: _sequence(vq.VectorQuantize(dim=16, codebook_size=32, decay=0.8, commitment_weight=1.0)),
    "VectorQuantize_kmeans": lambda: _sequence(
        vq.VectorQuantize(dim=16, codebook_size=8, kmeans_init=True, kmeans_iters=2, threshold_ema_dead_code=2)
    ),
    "VectorQuantize_cosine": lambda: _sequence(
        vq.VectorQuantize(
            dim=16, codebook_size=32, use_cosine_sim=True, orthogonal_reg_weight=10, orthogonal_reg_max_codes=8
        )
    ),
    "VectorQuantize_heads": lambda: _sequence(
        vq.VectorQuantize(
            dim=16,
            codebook_size=32,
            heads=2,
            separate_codebook_per_head=True,
            learnable_codebook=True,
            ema_update=False,
        )
    ),
    "ResidualVQ": lambda: _sequence(
        vq.ResidualVQ(
            dim=16,
            num_quantizers=3,
            codebook_size=32,
            quantize_dropout=True,
            stochastic_sample_codes=True,
            sample_codebook_temp=0.1,
        )
    ),
    "GroupedResidualVQ": lambda: _sequence(vq.GroupedResidualVQ(dim=16, num_quantizers=2, groups=2, codebook_size=32)),
    "RandomProjectionQuantizer": lambda: _sequence(
        vq.RandomProjectionQuantizer(dim=16, num_codebooks=2, codebook_dim=8, codebook_size=32)
    ),
    "SimVQ": lambda: _sequence(vq.SimVQ(dim=16, codebook_size=32, rotation_trick=True)),
    "ResidualSimVQ": lambda: _sequence(
        vq.ResidualSimVQ(dim=16, num_quantizers=3, codebook_size=32, rotation_trick=True)
    ),
    "FSQ": lambda: _sequence(vq.FSQ([8, 5, 5]), 3),
    "ResidualFSQ": lambda: _sequence(vq.ResidualFSQ(dim=16, levels=[8, 5, 5], num_quantizers=2)),
    "LFQ": lambda: shaped(
        vq.LFQ(codebook_size=64, dim=16, entropy_loss_weight=0.1, diversity_gamma=1.0), ((2, 16, 4, 4), (3, 16, 6, 6))
    ),
    "ResidualLFQ": lambda: _sequence(vq.ResidualLFQ(dim=16, codebook_size=64, num_quantizers=2)),
    "LatentQuantize": lambda: shaped(
        vq.LatentQuantize(levels=[5, 5, 8], dim=16, commitment_loss_weight=0.1, quantization_loss_weight=0.1),
        ((2, 16, 4, 4), (3, 16, 6, 6)),
    ),
    "BinaryMapper": lambda: _sequence(vq.BinaryMapper(bits=4), 4),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
