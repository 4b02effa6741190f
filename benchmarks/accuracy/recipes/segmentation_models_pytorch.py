"""Recipes for segmentation_models_pytorch: decoders over several encoders, losses and metrics."""

from __future__ import annotations

from typing import Any

import segmentation_models_pytorch as smp
import torch
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "segmentation_models_pytorch"


def _model(architecture: str, encoder: str = "resnet18", side: int = 64, **config: Any) -> Built:
    model = smp.create_model(architecture, encoder, encoder_weights=None, in_channels=3, classes=2, **config)
    return shaped(model, ((2, 3, side, side), (3, 3, side * 3 // 2, side * 3 // 2)))


def _loss(loss: nn.Module) -> Built:
    return built(loss, lambda b, s: (torch.randn(b, 3, s, s), torch.randint(0, 3, (b, s, s))), (2, 8), (3, 12))


def _binary(loss: nn.Module) -> Built:
    return built(
        loss, lambda b, s: (torch.randn(b, 1, s, s), torch.randint(0, 2, (b, 1, s, s)).float()), (2, 8), (3, 12)
    )


RECIPES: Recipes = {
    "Unet": lambda: _model("unet", decoder_attention_type="scse", aux_params={"classes": 3, "dropout": 0.2}),
    "UnetPlusPlus": lambda: _model("unetplusplus", "mobilenet_v2"),
    "MAnet": lambda: _model("manet", "timm-mobilenetv3_small_minimal_100"),
    "Linknet": lambda: _model("linknet", "efficientnet-b0"),
    "FPN": lambda: _model("fpn", "mit_b0"),
    "PSPNet": lambda: _model("pspnet", "densenet121"),
    "DeepLabV3Plus": lambda: _model("deeplabv3plus", "resnet18"),
    "PAN": lambda: _model("pan", "resnet18", side=128),
    "UPerNet": lambda: _model("upernet", "resnet18"),
    "Segformer": lambda: _model("segformer", "mobileone_s0"),
    "DPT": lambda: _model("dpt", "tu-vit_tiny_patch16_224", dynamic_img_size=True),
    "JaccardLoss": lambda: _loss(smp.losses.JaccardLoss("multiclass")),
    "DiceLoss": lambda: _loss(smp.losses.DiceLoss("multiclass", ignore_index=2)),
    "TverskyLoss": lambda: _loss(smp.losses.TverskyLoss("multiclass")),
    "FocalLoss": lambda: _loss(smp.losses.FocalLoss("multiclass", ignore_index=2)),
    "LovaszLoss": lambda: _loss(smp.losses.LovaszLoss("multiclass", per_image=True)),
    "SoftBCEWithLogitsLoss": lambda: _binary(smp.losses.SoftBCEWithLogitsLoss(smooth_factor=0.1)),
    "SoftCrossEntropyLoss": lambda: _loss(smp.losses.SoftCrossEntropyLoss(smooth_factor=0.1)),
    "MCCLoss": lambda: _binary(smp.losses.MCCLoss()),
    "metrics.get_stats": lambda: built(
        smp.metrics.get_stats,
        lambda b, s: {
            "output": torch.randint(0, 3, (b, s, s)),
            "target": torch.randint(0, 3, (b, s, s)),
            "mode": "multiclass",
            "num_classes": 3,
        },
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
