"""Recipes for segment_anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from segment_anything.modeling import ImageEncoderViT, MaskDecoder, PromptEncoder, Sam, TwoWayTransformer
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "segment_anything"


def _sam() -> nn.Module:
    encoder = ImageEncoderViT(
        img_size=64,
        patch_size=8,
        embed_dim=16,
        depth=2,
        num_heads=2,
        out_chans=16,
        use_rel_pos=True,
        window_size=4,
        global_attn_indexes=(1,),
    )
    prompts = PromptEncoder(embed_dim=16, image_embedding_size=(8, 8), input_image_size=(64, 64), mask_in_chans=4)
    decoder = MaskDecoder(
        transformer_dim=16, transformer=TwoWayTransformer(depth=1, embedding_dim=16, num_heads=2, mlp_dim=16)
    )
    return Sam(encoder, prompts, decoder)


def _prompted() -> Built:
    def arguments(side: int, points: int) -> Mapping[str, Any]:
        prompts = {
            "image": torch.rand(3, side, side) * 255,
            "original_size": (side, side),
            "point_coords": torch.rand(1, points, 2) * side,
            "point_labels": torch.ones(1, points),
        }
        return {"batched_input": [prompts], "multimask_output": True}

    return built(_sam(), arguments, (48, 2), (64, 3), trains=False)


RECIPES: Recipes = {
    "Sam": _prompted,
    "ImageEncoderViT": lambda: shaped(_sam().image_encoder, ((1, 3, 64, 64), (2, 3, 64, 64))),
    "PromptEncoder": lambda: built(
        _sam().prompt_encoder,
        lambda b, n: {"points": (torch.rand(b, n, 2), torch.ones(b, n)), "boxes": None, "masks": None},
        (1, 2),
        (2, 3),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
