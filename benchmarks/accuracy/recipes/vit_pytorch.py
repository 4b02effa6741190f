"""Recipes for vit_pytorch: vision transformers as papers describe them, and how they are pretrained."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import Any

import torch
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "vit_pytorch"
VIT = {
    "image_size": 32,
    "patch_size": 8,
    "num_classes": 5,
    "dim": 32,
    "depth": 2,
    "heads": 2,
    "mlp_dim": 32,
    "dim_head": 16,
}


def _vit(module: str, name: str = "ViT", **config: Any) -> nn.Module:
    return _made(module, name, VIT | config)


def _made(module: str, name: str, config: Mapping[str, Any]) -> nn.Module:
    return getattr(import_module(f"vit_pytorch.{module}"), name)(**config)


def _images(model: nn.Module, side: int = 32) -> Built:
    return shaped(model, ((2, 3, side, side), (3, 3, side, side)))


def _like_vit(module: str, name: str = "ViT", **config: Any) -> Built:
    return _images(_vit(module, name, **config))


def _other(module: str, name: str, side: int = 32, **config: Any) -> Built:
    return _images(_made(module, name, config), side)


def _pretraining(module: str, name: str, **config: Any) -> Built:
    return _images(_made(module, name, config | {"net": _vit("vit")}))


def _distilled() -> Built:
    student = _made("distill", "DistillableViT", VIT)
    model = _made("distill", "DistillWrapper", {"teacher": _vit("vit"), "student": student, "hard": True})
    return built(model, lambda n: (torch.randn(n, 3, 32, 32), torch.randint(0, 5, (n,))), (2,), (3,))


def _different_sizes() -> Built:
    model = _vit("na_vit", "NaViT", token_dropout_prob=0.1)

    def arguments(*sides: int) -> tuple[Any, ...]:
        images = [torch.randn(3, side, 16) for side in sides]
        return ([images[:1], images[1:]],)

    return built(model, arguments, (16, 24, 32), (8, 24, 32, 32))


def _nested_tensors() -> Built:
    model = _vit("na_vit_nested_tensor", "NaViT", token_dropout_prob=0.1)
    return built(model, lambda *sides: ([torch.randn(3, s, 16) for s in sides],), (16, 24), (8, 24, 32))


def _actions() -> Built:
    model = _made(
        "vat",
        "VAT",
        {
            "vit": _vit("vat"),
            "dim": 32,
            "depth": 2,
            "heads": 2,
            "dim_head": 16,
            "dim_action": 4,
            "mlp_dim": 32,
            "num_views": 2,
            "num_tasks": 3,
        },
    )

    def arguments(batch: int) -> Mapping[str, Any]:
        return {
            "video_or_image": torch.randn(batch, 2, 3, 32, 32),
            "tasks": torch.randint(0, 3, (batch,)),
            "actions": torch.randn(batch, 7, 4),
        }

    return built(model, arguments, (2,), (3,))


def _video() -> Built:
    config = {"image_size": 16, "image_patch_size": 8, "frames": 4, "frame_patch_size": 2, "num_classes": 5, "dim": 32}
    model = _made("vivit", "ViViT", config | {"spatial_depth": 1, "temporal_depth": 1, "heads": 2, "mlp_dim": 32})
    return shaped(model, ((2, 3, 4, 16, 16), (3, 3, 4, 16, 16)))


RECIPES: Recipes = {
    "ViT": partial(_like_vit, "vit", pool="mean", dropout=0.1),
    "ParallelViT": partial(_like_vit, "parallel_vit"),
    "RvT": partial(_like_vit, "rvt", "RvT"),
    "AdaptiveTokenSamplingViT": partial(_like_vit, "ats_vit", max_tokens_per_depth=(8, 4)),
    "LearnableMemoryViT": lambda: _images(
        _made("learnable_memory_vit", "Adapter", {"vit": _vit("learnable_memory_vit"), "num_memories_per_layer": 3})
    ),
    "SmallDatasetViT": partial(_like_vit, "vit_for_small_dataset"),
    "PatchDropoutViT": partial(_like_vit, "vit_with_patch_dropout", patch_dropout=0.3),
    "PatchMergerViT": partial(_like_vit, "vit_with_patch_merger", patch_merge_layer=1, patch_merge_num_tokens=3),
    "DeepViT": partial(_like_vit, "deepvit", "DeepViT"),
    "CaiT": partial(_like_vit, "cait", "CaiT", cls_depth=1, layer_dropout=0.1),
    "NaViT": _different_sizes,
    "NaViT_nested": _nested_tensors,
    "nViT": partial(_like_vit, "normalized_vit", "nViT"),
    "JumboViT": partial(_like_vit, "jumbo_vit", "JumboViT"),
    "SimpleUViT": partial(_like_vit, "simple_uvit", "SimpleUViT"),
    "PiT": partial(_like_vit, "pit", "PiT", depth=(1, 1)),
    "XCiT": partial(_like_vit, "xcit", "XCiT", cls_depth=1, layer_dropout=0.1),
    "ViTND_rotary": partial(
        _other, "vit_nd_rotary", "ViTND", **{key: VIT[key] for key in ("patch_size", "num_classes", "dim", "depth")},
        ndim=2, input_shape=32, heads=2, mlp_dim=32,
    ),
    "LoopedViT": partial(
        _other, "looped_vit", "LoopedViT", num_classes=5, dim=32, image_size=32, patch_size=8, pre_loop_depth=1,
        num_looped_blocks=1, post_loop_depth=1, loop_depth=2, heads=2, mlp_dim=32, adaptive_loop=True,
    ),
    "CCT": partial(
        _other, "cct", "CCT", img_size=32, embedding_dim=32, n_conv_layers=1, kernel_size=7, num_layers=2, num_heads=2,
        mlp_ratio=1.0, num_classes=5, positional_embedding="learnable",
    ),
    "CrossViT": partial(
        _other, "cross_vit", "CrossViT", image_size=32, num_classes=5, depth=1, sm_dim=16, sm_patch_size=8,
        sm_enc_heads=2, sm_enc_mlp_dim=16, lg_dim=32, lg_patch_size=16, lg_enc_depth=1, lg_enc_heads=2,
        lg_enc_mlp_dim=16, cross_attn_depth=1, cross_attn_heads=2,
    ),
    "CrossFormer": partial(
        _other, "crossformer", "CrossFormer", side=64, dim=(32, 32, 32, 64), depth=(1, 1, 1, 1),
        global_window_size=(4, 2, 2, 1), local_window_size=2, num_classes=5,
    ),
    "CvT": partial(
        _other, "cvt", "CvT", num_classes=5, s1_emb_dim=16, s2_emb_dim=16, s2_heads=2, s2_depth=1, s3_emb_dim=16,
        s3_heads=2, s3_depth=1,
    ),
    "LeViT": partial(
        _other, "levit", "LeViT", side=64, image_size=64, num_classes=5, stages=2, dim=(16, 32), depth=1, heads=(2, 2),
        mlp_mult=2, num_distill_classes=3,
    ),
    "MaxViT": partial(_other, "max_vit", "MaxViT", num_classes=5, dim=16, depth=(1, 1), dim_head=8, window_size=4),
    "MobileViT": partial(
        _other, "mobile_vit", "MobileViT", side=64, image_size=(64, 64), dims=[16, 16, 16],
        channels=[8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 16], num_classes=5,
    ),
    "NesT": partial(
        _other, "nest", "NesT", image_size=32, patch_size=4, dim=16, heads=2, num_hierarchies=3,
        block_repeats=(1, 1, 1), num_classes=5,
    ),
    "RegionViT": partial(
        _other, "regionvit", "RegionViT", side=64, dim=(8, 16, 32, 64), depth=(1, 1, 1, 1), window_size=2,
        num_classes=5, use_peg=True,
    ),
    "ScalableViT": partial(
        _other, "scalable_vit", "ScalableViT", side=64, num_classes=5, dim=8, heads=(1, 1, 1, 1), depth=(1, 1, 1, 1),
        reduction_factor=(8, 4, 2, 1), window_size=(4, 4, None, None),
    ),
    "TwinsSVT": partial(
        _other, "twins_svt", "TwinsSVT", side=64, num_classes=5, s1_emb_dim=8, s1_local_patch_size=4, s1_global_k=4,
        s2_emb_dim=8, s2_local_patch_size=4, s2_global_k=4, s3_emb_dim=8, s3_local_patch_size=2, s3_global_k=2,
        s3_depth=1, s4_emb_dim=8, s4_local_patch_size=1, s4_global_k=1, s4_depth=1,
    ),
    "T2TViT": partial(
        _other, "t2t", "T2TViT", image_size=32, num_classes=5, dim=16, depth=1, heads=2, mlp_dim=16,
        t2t_layers=((7, 4), (3, 2)),
    ),
    "LookViT": partial(
        _other, "look_vit", "LookViT", dim=32, image_size=32, num_classes=5, depth=1, patch_size=16, heads=2,
        highres_patch_size=8, cross_attn_heads=2, dim_head=16, mlp_factor=2,
    ),
    "SimpleViT_fourier": partial(
        _other, "simple_vit_with_fft", "SimpleViT", image_size=32, patch_size=8, freq_patch_size=8, num_classes=5,
        dim=32, depth=1, heads=2, mlp_dim=32,
    ),
    "ViViT": _video,
    "VAT": _actions,
    "Dino": partial(
        _pretraining, "dino", "Dino", image_size=32, hidden_layer="to_latent", projection_hidden_size=16,
        projection_layers=2, num_classes_K=16,
    ),
    "EsViTTrainer": lambda: _images(
        _made("es_vit", "EsViTTrainer", {
            "net": _made("cvt", "CvT", {
                "num_classes": 5, "s1_emb_dim": 16, "s2_emb_dim": 16, "s2_heads": 2, "s2_depth": 1, "s3_emb_dim": 16,
                "s3_heads": 2, "s3_depth": 1}),
            "image_size": 32, "hidden_layer": "layers", "projection_hidden_size": 16, "projection_layers": 2,
            "num_classes_K": 16})
    ),
    "MP3": lambda: _images(_made("mp3", "MP3", {
        "vit": _made("mp3", "ViT", {
            "num_classes": 5, "image_size": 32, "patch_size": 8, "dim": 32, "depth": 1, "heads": 2, "mlp_dim": 32}),
        "masking_ratio": 0.75})),
    "Distill": _distilled,
    "Extractor": lambda: _images(_made("extractor", "Extractor", {"vit": _vit("vit")})),
    "Recorder": lambda: _images(_made("recorder", "Recorder", {"vit": _vit("vit")})),
}  # fmt: skip


def names() -> list[str]:
    """Models by class name, with the module's where several have the same."""
    return list(RECIPES)


def build(name: str) -> Built:
    """The model of that name."""
    return make(RECIPES, name)
