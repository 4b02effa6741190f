"""Recipes for timm: one small model of each of many families."""

from __future__ import annotations

from functools import partial
from typing import Any

import timm

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "timm"


def _model(name: str, side: int = 64, second: int = 64, **config: Any) -> Built:
    return shaped(timm.create_model(name, num_classes=5, **config), ((2, 3, side, side), (3, 3, second, second)))


RECIPES: Recipes = {
    **{
        name: partial(_model, name, side, second)
        for name, side, second in (
            ("test_vit3", 160, 160),
            ("test_resnet", 64, 96),
            ("crossvit_9_240", 240, 240),
            ("cspresnet50", 64, 96),
            ("dla34", 64, 96),
            ("dm_nfnet_f0", 64, 96),
            ("edgenext_xx_small", 64, 96),
            ("efficientformer_l1", 224, 224),
            ("fastvit_t8", 64, 96),
            ("focalnet_tiny_srf", 64, 96),
            ("gcvit_xxtiny", 224, 224),
            ("ghostnet_050", 64, 96),
            ("gmixer_12_224", 224, 224),
            ("hardcorenas_a", 64, 96),
            ("hgnet_tiny", 64, 96),
            ("inception_next_atto", 64, 96),
            ("lcnet_035", 64, 96),
            ("levit_128s", 224, 224),
            ("mixnet_s", 64, 96),
            ("mobilevit_xxs", 64, 96),
            ("mobilevitv2_050", 64, 96),
            ("nest_tiny", 224, 224),
            ("pit_ti_224", 224, 224),
            ("poolformer_s12", 64, 96),
            ("pvt_v2_b0", 64, 96),
            ("regnetx_002", 64, 96),
            ("repvgg_a0", 64, 96),
            ("repvit_m0_9", 64, 96),
            ("res2net50_14w_8s", 64, 96),
            ("rexnet_100", 64, 96),
            ("sebotnet33ts_256", 256, 256),
            ("selecsls42b", 64, 96),
            ("sequencer2d_s", 224, 224),
            ("skresnet18", 64, 96),
            ("starnet_s1", 64, 96),
            ("swin_tiny_patch4_window7_224", 224, 224),
            ("tiny_vit_5m_224", 224, 224),
            ("tnt_s_legacy_patch16_224", 224, 224),
            ("tresnet_m", 64, 96),
            ("twins_svt_small", 224, 224),
            ("visformer_tiny", 224, 224),
            ("volo_d1_224", 224, 224),
            ("xcit_nano_12_p16_224", 224, 224),
        )
    },
    "naflexvit": lambda: _model("naflexvit_base_patch16_gap", embed_dim=32, depth=1, num_heads=2),
    "features_only": lambda: shaped(
        timm.create_model("resnet18", features_only=True), ((2, 3, 64, 64), (3, 3, 96, 96))
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
