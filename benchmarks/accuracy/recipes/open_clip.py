"""Recipes for open_clip: towers of images and text, and their losses."""

from __future__ import annotations

import open_clip
import torch
from open_clip.loss import CoCaLoss, SigLipLoss
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "open_clip"

VISION = {"layers": 1, "width": 32, "head_width": 16, "patch_size": 8, "image_size": 32}
TEXT = {"context_length": 12, "vocab_size": 60, "width": 32, "heads": 2, "layers": 1}


def _pairs(model: nn.Module) -> Built:
    return built(model, lambda b: (torch.randn(b, 3, 32, 32), torch.randint(1, 60, (b, 12))), (2,), (3,))


def _coca() -> Built:
    model = open_clip.CoCa(
        32,
        {"width": 32, "heads": 2, "layers": 1, "context_length": 12, "vocab_size": 60},
        TEXT | {"embed_cls": True, "output_tokens": True, "pad_id": 0},
        VISION | {"attentional_pool": True, "attn_pooler_heads": 2, "output_tokens": True},
    )
    return _pairs(model)


RECIPES: Recipes = {
    "CLIP": lambda: _pairs(open_clip.CLIP(32, VISION, TEXT)),
    "CLIP_dict": lambda: _pairs(
        open_clip.CLIP(
            32, VISION | {"patch_dropout": 0.5, "pool_type": "avg"}, TEXT, output_dict=True, init_logit_bias=-10.0
        )
    ),
    "CLIP_resnet": lambda: _pairs(open_clip.CLIP(32, VISION | {"layers": [1, 1, 1, 1], "patch_size": None}, TEXT)),
    "CLIP_timm": lambda: _pairs(
        open_clip.CLIP(32, {"timm_model_name": "test_resnet", "timm_model_pretrained": False, "image_size": 32}, TEXT)
    ),
    "CustomTextCLIP": lambda: _pairs(
        open_clip.CustomTextCLIP(
            32,
            VISION | {"attentional_pool": True, "attn_pooler_heads": 2},
            TEXT | {"no_causal_mask": True, "pool_type": "last"},
        )
    ),
    "CoCa": _coca,
    "ClipLoss": lambda: built(
        open_clip.ClipLoss(), lambda n: (torch.randn(n, 8), torch.randn(n, 8), torch.tensor(2.0)), (4,), (6,)
    ),
    "SigLipLoss": lambda: built(
        SigLipLoss(),
        lambda n: (torch.randn(n, 8), torch.randn(n, 8), torch.tensor(2.0), torch.tensor(-1.0)),
        (4,),
        (6,),
    ),
    "CoCaLoss": lambda: built(
        CoCaLoss(1.0, 1.0),
        lambda b: (
            torch.randn(b, 8),
            torch.randn(b, 8),
            torch.randn(b, 5, 20),
            torch.randint(0, 20, (b, 5)),
            torch.tensor(2.0),
        ),
        (4,),
        (6,),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
