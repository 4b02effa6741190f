"""Recipes for lightly: losses and heads of self-supervised learning."""

from __future__ import annotations

import torch
from lightly import loss
from lightly.models import modules, utils
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "lightly"


def _views(target: nn.Module, width: int = 16) -> Built:
    return shaped(target, ((8, width), (12, width)), ((8, width), (12, width)))


RECIPES: Recipes = {
    "NTXentLoss": lambda: _views(loss.NTXentLoss()),
    "NTXentLoss_memory": lambda: _views(loss.NTXentLoss(memory_bank_size=(16, 16))),
    "BarlowTwinsLoss": lambda: _views(loss.BarlowTwinsLoss()),
    "VICRegLoss": lambda: _views(loss.VICRegLoss()),
    "DCLLoss": lambda: _views(loss.DCLLoss()),
    "NegativeCosineSimilarity": lambda: _views(loss.NegativeCosineSimilarity()),
    "TiCoLoss": lambda: _views(loss.TiCoLoss()),
    "MMCRLoss": lambda: shaped(loss.MMCRLoss(), ((8, 2, 16), (12, 2, 16)), ((8, 2, 16), (12, 2, 16))),
    "KoLeoLoss": lambda: shaped(loss.KoLeoLoss(), ((8, 16), (12, 16))),
    "DirectCLRLoss": lambda: _views(loss.DirectCLRLoss(loss_dim=8)),
    "WMSELoss": lambda: shaped(loss.WMSELoss(w_size=8, embedding_dim=4, num_samples=2), ((16, 4), (32, 4))),
    "DINOLoss": lambda: built(
        loss.DINOLoss(output_dim=16),
        lambda n: {
            "teacher_out": [torch.randn(n, 16) for _ in range(2)],
            "student_out": [torch.randn(n, 16) for _ in range(4)],
            "epoch": 3,
        },
        (4,),
        (6,),
    ),
    "IBOTPatchLoss": lambda: built(
        loss.IBOTPatchLoss(output_dim=16),
        lambda n: {
            "teacher_out": torch.randn(int(n * 4), 16),
            "student_out": torch.randn(int(n * 4), 16),
            "mask": torch.ones(n, 2, 2, dtype=torch.bool),
        },
        (2,),
        (3,),
    ),
    "MSNLoss": lambda: built(
        loss.MSNLoss(),
        lambda n: {"anchors": torch.randn(2 * n, 8), "targets": torch.randn(n, 8), "prototypes": torch.randn(6, 8)},
        (4,),
        (6,),
    ),
    "SwaVLoss": lambda: built(
        loss.SwaVLoss(sinkhorn_iterations=2),
        lambda n: {
            "high_resolution_outputs": [torch.randn(n, 8) for _ in range(2)],
            "low_resolution_outputs": [torch.randn(n, 8) for _ in range(2)],
        },
        (4,),
        (6,),
    ),
    "DINOProjectionHead": lambda: shaped(
        modules.DINOProjectionHead(16, 16, 8, 16, freeze_last_layer=1), ((8, 16), (12, 16))
    ),
    "SwaVPrototypes": lambda: built(
        modules.SwaVPrototypes(8, [4, 6], n_steps_frozen_prototypes=1), lambda n: (torch.randn(n, 8), 0), (4,), (6,)
    ),
    "NNMemoryBankModule": lambda: shaped(modules.NNMemoryBankModule((16, 8)), ((4, 8), (6, 8))),
    "random_token_mask": lambda: built(
        utils.random_token_mask, lambda b, n: ((b, n), 0.5), (2, 8), (3, 12), trains=False
    ),
    "get_at_index": lambda: built(
        utils.get_at_index,
        lambda b, n: (torch.randn(b, n, 4), torch.zeros(b, 3, dtype=torch.long)),
        (2, 8),
        (3, 12),
        trains=False,
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
