"""Recipes for x_clip: contrastive pretraining of text and images."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import torch
import x_clip

from benchmarks.accuracy.recipes import Built, Inputs
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "x_clip"


def _clip(**more: Any) -> Built:
    model = x_clip.CLIP(
        dim_text=16,
        dim_image=16,
        dim_latent=16,
        num_text_tokens=50,
        text_enc_depth=1,
        text_seq_len=12,
        text_heads=2,
        text_dim_head=8,
        num_visual_tokens=16,
        visual_enc_depth=1,
        visual_image_size=16,
        visual_patch_size=4,
        visual_heads=2,
        visual_dim_head=8,
        **more,
    )

    def arguments(batch: int, **how: bool) -> Mapping[str, Any]:
        return {"text": torch.randint(1, 50, (batch, 12)), "image": torch.randn(batch, 3, 16, 16), **how}

    evaluated = built(model, arguments, (2,), (2,))
    return replace(evaluated, train=Inputs(kwargs=arguments(2, return_loss=True)))


RECIPES: Recipes = {
    "CLIP": lambda: _clip(),
    "CLIP_filip": lambda: _clip(
        use_all_token_embeds=True, decoupled_contrastive_learning=True, visual_patch_dropout=0.5
    ),
    "CLIP_mlm": lambda: _clip(use_mlm=True, mlm_mask_token_id=2, mlm_pad_token_id=0, mlm_mask_ignore_token_ids=[0]),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
