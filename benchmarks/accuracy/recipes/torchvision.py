"""Recipes for torchvision: classification, detection, segmentation, video, optical flow, and its operators."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
import torchvision
from torchvision import ops
from torchvision.models import detection, optical_flow, segmentation, video
from torchvision.transforms import v2

from benchmarks.accuracy.recipes import Built, Inputs
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "torchvision"


def _classifier(name: str, side: int = 64, second: int = 96, **config: Any) -> Built:
    model = torchvision.models.get_model(name, weights=None, num_classes=5, **config)
    return shaped(model, ((2, 3, side, side), (3, 3, second, second)))


def _image_list(batch: int, side: int) -> tuple[Any, ...]:
    return ([torch.rand(3, side, side + 8 * each) for each in range(batch)],)


def _boxes(count: int) -> torch.Tensor:
    corner = torch.rand(count, 2) * 16
    return torch.cat([corner, corner + 2 + torch.rand(count, 2) * 16], 1)


def _targets(batch: int) -> list[dict[str, torch.Tensor]]:
    return [
        {
            "boxes": _boxes(3),
            "labels": torch.randint(1, 3, (3,)),
            "masks": torch.ones(3, 64, 64 + 8 * each, dtype=torch.uint8),
        }
        for each in range(batch)
    ]


def _detector(name: str, **config: Any) -> Built:
    model = getattr(detection, name)(weights=None, weights_backbone=None, num_classes=3, **config)
    evaluated = built(model, _image_list, (1, 64), (2, 96))
    return replace(evaluated, train=Inputs((*_image_list(2, 64), _targets(2))))


def _rcnn(mask: bool) -> Built:
    backbone = torchvision.models.mobilenet_v2(weights=None).features
    backbone.out_channels = 1280
    anchors = detection.anchor_utils.AnchorGenerator(sizes=((8, 16),), aspect_ratios=((0.5, 1.0),))
    kind = detection.MaskRCNN if mask else detection.FasterRCNN
    model = kind(backbone, num_classes=3, rpn_anchor_generator=anchors, min_size=64, max_size=96)
    evaluated = built(model, _image_list, (1, 64), (2, 96))
    return replace(evaluated, train=Inputs((*_image_list(2, 64), _targets(2))))


def _segmenter(name: str, **config: Any) -> Built:
    model = getattr(segmentation, name)(weights=None, weights_backbone=None, num_classes=3, **config)
    return shaped(model, ((2, 3, 64, 64), (3, 3, 96, 96)))


def _clip(name: str, frames: int = 8, **config: Any) -> Built:
    model = getattr(video, name)(weights=None, num_classes=5, **config)
    return shaped(model, ((1, 3, frames, 32, 32), (2, 3, frames, 48, 48)))


def _of_boxes(function: Callable[..., Any], arguments: Callable[[int], tuple[Any, ...]]) -> Built:
    return built(function, arguments, (6,), (9,), trains=False)


def _transform(transform: Callable[..., Any]) -> Built:
    return built(
        transform,
        lambda b, s: (torch.randint(0, 255, (b, 3, s, s), dtype=torch.uint8),),
        (2, 16),
        (3, 24),
        trains=False,
    )


MODELS: Recipes = {
    "googlenet": lambda: _classifier("googlenet", init_weights=False),
    "inception_v3": lambda: _classifier("inception_v3", side=96, second=128, aux_logits=False, init_weights=False),
    "densenet121": lambda: _classifier("densenet121", memory_efficient=True),
    "squeezenet1_1": lambda: _classifier("squeezenet1_1"),
    "shufflenet_v2_x0_5": lambda: _classifier("shufflenet_v2_x0_5"),
    "mnasnet0_5": lambda: _classifier("mnasnet0_5"),
    "regnet_y_400mf": lambda: _classifier("regnet_y_400mf"),
    "convnext_tiny": lambda: _classifier("convnext_tiny"),
    "mobilenet_v3_small": lambda: _classifier("mobilenet_v3_small"),
    "SwinTransformer": lambda: shaped(
        torchvision.models.SwinTransformer([4, 4], 8, [1, 2], [1, 2], [4, 4], stochastic_depth_prob=0.2, num_classes=5),
        ((2, 3, 32, 32), (3, 3, 48, 48)),
    ),
    "SwinTransformer_v2": lambda: shaped(
        torchvision.models.SwinTransformer(
            [4, 4],
            8,
            [1, 2],
            [1, 2],
            [4, 4],
            num_classes=5,
            block=torchvision.models.swin_transformer.SwinTransformerBlockV2,
            downsample_layer=torchvision.models.swin_transformer.PatchMergingV2,
        ),
        ((2, 3, 32, 32), (3, 3, 48, 48)),
    ),
    "MaxVit": lambda: shaped(
        torchvision.models.MaxVit((64, 64), 16, 2, [16, 16], [1, 1], 8, 0.1, num_classes=5),
        ((2, 3, 64, 64), (3, 3, 64, 64)),
    ),
    "VisionTransformer": lambda: shaped(
        torchvision.models.VisionTransformer(32, 8, 1, 2, 16, 32, num_classes=5), ((2, 3, 32, 32), (3, 3, 32, 32))
    ),
    "ssdlite320_mobilenet_v3_large": lambda: _detector("ssdlite320_mobilenet_v3_large"),
    "retinanet_resnet50_fpn": lambda: _detector("retinanet_resnet50_fpn", min_size=64, max_size=96),
    "fcos_resnet50_fpn": lambda: _detector("fcos_resnet50_fpn", min_size=64, max_size=96),
    "FasterRCNN": lambda: _rcnn(mask=False),
    "MaskRCNN": lambda: _rcnn(mask=True),
    "lraspp_mobilenet_v3_large": lambda: _segmenter("lraspp_mobilenet_v3_large"),
    "deeplabv3_mobilenet_v3_large": lambda: _segmenter("deeplabv3_mobilenet_v3_large", aux_loss=True),
    "fcn_resnet50": lambda: _segmenter("fcn_resnet50", aux_loss=True),
    "r3d_18": lambda: _clip("r3d_18"),
    "MViT": lambda: shaped(
        video.MViT(
            (32, 32),
            4,
            [
                video.mvit.MSBlockConfig(1, 16, 16, (3, 3, 3), (1, 2, 2), (1, 1, 1), (1, 1, 1)),
                video.mvit.MSBlockConfig(2, 16, 32, (3, 3, 3), (1, 1, 1), (1, 2, 2), (1, 1, 1)),
            ],
            residual_pool=True,
            residual_with_cls_embed=False,
            rel_pos_embed=True,
            proj_after_attn=True,
            num_classes=5,
        ),
        ((1, 3, 4, 32, 32), (2, 3, 4, 32, 32)),
    ),
    "SwinTransformer3d": lambda: shaped(
        video.SwinTransformer3d([2, 4, 4], 8, [1, 1], [1, 2], [2, 4, 4], num_classes=5),
        ((1, 3, 4, 32, 32), (2, 3, 6, 48, 48)),
    ),
    "raft_small": lambda: built(
        optical_flow.raft_small(weights=None),
        lambda b, s: (torch.randn(b, 3, s, s), torch.randn(b, 3, s, s), 2),
        (1, 128),
        (2, 136),
    ),
}

OPERATORS: Recipes = {
    "ops.batched_nms": lambda: _of_boxes(
        ops.batched_nms, lambda n: (_boxes(n), torch.rand(n), torch.randint(0, 2, (n,)), 0.5)
    ),
    "ops.MultiScaleRoIAlign": lambda: built(
        ops.MultiScaleRoIAlign(["0", "1"], 3, 2),
        lambda n: ({"0": torch.randn(1, 4, 16, 16), "1": torch.randn(1, 4, 8, 8)}, [_boxes(n)], [(32, 32)]),
        (6,),
        (9,),
    ),
    "ops.ps_roi_align": lambda: _of_boxes(ops.ps_roi_align, lambda n: (torch.randn(1, 9, 16, 16), [_boxes(n)], 3)),
    "ops.DeformConv2d": lambda: shaped(
        ops.DeformConv2d(4, 6, 3, padding=1), ((2, 4, 8, 8), (3, 4, 12, 12)), ((2, 18, 8, 8), (3, 18, 12, 12))
    ),
    "ops.DropBlock2d": lambda: shaped(ops.DropBlock2d(0.3, 3), ((2, 4, 8, 8), (3, 4, 12, 12))),
    "ops.StochasticDepth": lambda: shaped(ops.StochasticDepth(0.3, "row"), ((2, 4, 8, 8), (3, 4, 12, 12))),
    "ops.FeaturePyramidNetwork": lambda: built(
        ops.FeaturePyramidNetwork([4, 8], 4, ops.feature_pyramid_network.LastLevelMaxPool()),
        lambda b, s: ({"a": torch.randn(b, 4, s, s), "b": torch.randn(b, 8, s // 2, s // 2)},),
        (2, 16),
        (3, 24),
    ),
    "ops.masks_to_boxes": lambda: _of_boxes(ops.masks_to_boxes, lambda n: (torch.rand(n, 16, 16) > 0.5,)),
    "ops.remove_small_boxes": lambda: _of_boxes(ops.remove_small_boxes, lambda n: (_boxes(n), 4.0)),
    "ops.complete_box_iou_loss": lambda: _of_boxes(ops.complete_box_iou_loss, lambda n: (_boxes(n), _boxes(n), "mean")),
    "ops.sigmoid_focal_loss": lambda: _of_boxes(
        ops.sigmoid_focal_loss, lambda n: (torch.randn(n, 4), torch.rand(n, 4), 0.25, 2, "mean")
    ),
    "ops.box_convert": lambda: _of_boxes(ops.box_convert, lambda n: (_boxes(n), "xyxy", "cxcywh")),
    "transforms.RandAugment": lambda: _transform(v2.RandAugment()),
    "transforms.RandomResizedCrop": lambda: _transform(v2.RandomResizedCrop(8, antialias=True)),
    "transforms.ColorJitter": lambda: _transform(v2.ColorJitter(0.2, 0.2, 0.2, 0.1)),
    "transforms.RandomErasing": lambda: _transform(v2.RandomErasing(p=1.0)),
    "transforms.Normalize": lambda: _transform(
        v2.Compose([v2.ToDtype(torch.float32, scale=True), v2.Normalize([0.5] * 3, [0.2] * 3)])
    ),
}

RECIPES: Recipes = {**MODELS, **OPERATORS}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
