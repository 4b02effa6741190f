"""Recipes for kornia: augmentation, geometry, filters, losses, enhancement, features and metrics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import kornia
import torch
from kornia import augmentation as augment
from kornia import contrib, enhance, feature, filters, geometry, losses, metrics

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "kornia"

IMAGES = ((2, 3, 16, 16), (3, 3, 24, 24))
GRAY = ((2, 1, 32, 32), (3, 1, 48, 48))


def _images(target: Callable[..., Any]) -> Built:
    return built(target, lambda *shape: (torch.rand(*shape),), *IMAGES)


def _pairs(target: Callable[..., Any]) -> Built:
    return built(target, lambda *shape: (torch.rand(*shape), torch.rand(*shape)), *IMAGES)


def _gray(target: Callable[..., Any]) -> Built:
    return built(target, lambda *shape: (torch.rand(*shape),), *GRAY)


def _points(target: Callable[..., Any]) -> Built:
    return built(target, lambda b, n: (torch.randn(b, n, 2), torch.randn(b, n, 2)), (2, 8), (3, 12))


def _labels(target: Callable[..., Any]) -> Built:
    return built(target, lambda b, s: (torch.randn(b, 4, s, s), torch.randint(0, 4, (b, s, s))), (2, 8), (3, 12))


def _warp() -> Built:
    def arguments(batch: int, side: int) -> tuple[Any, ...]:
        return torch.rand(batch, 3, side, side), torch.eye(3).repeat(batch, 1, 1), (side, side)

    return built(geometry.warp_perspective, arguments, (2, 16), (3, 24))


def _matches() -> Built:
    return built(feature.match_smnn, lambda n, m: (torch.randn(n, 16), torch.randn(m, 16), 0.95), (10, 12), (14, 9))


AUGMENTATIONS: Recipes = {
    "augmentation.Sequential": lambda: _images(
        augment.AugmentationSequential(
            augment.ColorJitter(0.1, 0.1, 0.1, 0.1, p=1.0),
            augment.RandomHorizontalFlip(p=0.5),
            augment.RandomAffine(10.0, p=0.5),
            data_keys=["input"],
        )
    ),
    "augmentation.ImageSequential": lambda: _images(
        augment.ImageSequential(augment.RandomGrayscale(p=0.5), augment.RandomErasing(p=1.0), random_apply=1)
    ),
    "augmentation.RandomResizedCrop": lambda: _images(augment.RandomResizedCrop((8, 8), p=1.0)),
    "augmentation.RandomGaussianBlur": lambda: _images(augment.RandomGaussianBlur((3, 3), (0.1, 2.0), p=1.0)),
    "augmentation.RandomPerspective": lambda: _images(augment.RandomPerspective(0.2, p=1.0)),
    "augmentation.RandomElasticTransform": lambda: _images(augment.RandomElasticTransform((7, 7), (4.0, 4.0), p=1.0)),
    "augmentation.RandomMixUpV2": lambda: _images(augment.RandomMixUpV2(p=1.0)),
    "augmentation.RandomCutMixV2": lambda: _images(augment.RandomCutMixV2(p=1.0)),
    "augmentation.CenterCrop": lambda: _images(augment.CenterCrop(8)),
    "augmentation.RandomSolarize": lambda: _images(augment.RandomSolarize(p=1.0)),
    "augmentation.RandAugment": lambda: _images(augment.auto.RandAugment(n=2, m=10)),
    "augmentation.PatchSequential": lambda: _images(
        augment.PatchSequential(augment.RandomHorizontalFlip(p=1.0), grid_size=(2, 2), patchwise_apply=False)
    ),
}

GEOMETRY: Recipes = {
    "geometry.warp_perspective": _warp,
    "geometry.rotate": lambda: built(
        geometry.rotate, lambda b, s: (torch.rand(b, 3, s, s), torch.rand(b) * 90), (2, 16), (3, 24)
    ),
    "geometry.resize": lambda: built(geometry.resize, lambda b, s: (torch.rand(b, 3, s, s), s // 2), (2, 16), (3, 24)),
    "geometry.find_homography_dlt": lambda: _points(geometry.find_homography_dlt),
    "geometry.find_fundamental": lambda: _points(geometry.find_fundamental),
    "geometry.RANSAC": lambda: built(
        geometry.RANSAC("homography", max_iter=2, batch_size=8),
        lambda n: (torch.rand(n, 2), torch.rand(n, 2)),
        (12,),
        (16,),
        trains=False,
    ),
    "geometry.axis_angle_to_rotation_matrix": lambda: shaped(geometry.axis_angle_to_rotation_matrix, ((2, 3), (4, 3))),
    "geometry.undistort_points": lambda: built(
        geometry.undistort_points,
        lambda b, n: (torch.rand(b, n, 2), torch.eye(3).repeat(b, 1, 1), torch.rand(b, 4) * 0.01),
        (2, 8),
        (3, 12),
    ),
    "geometry.depth_to_3d": lambda: built(
        geometry.depth.depth_to_3d, lambda b, s: (torch.rand(b, 1, s, s), torch.eye(3).repeat(b, 1, 1)), (2, 8), (3, 12)
    ),
    "geometry.ScalePyramid": lambda: _gray(geometry.ScalePyramid(n_levels=2, min_size=8)),
    "geometry.bbox_to_mask": lambda: built(
        geometry.bbox.bbox_to_mask,
        lambda b, s: (torch.tensor([[[1.0, 1.0], [4.0, 1.0], [4.0, 3.0], [1.0, 3.0]]]).repeat(b, 1, 1), s, s),
        (2, 8),
        (3, 12),
    ),
}

PIXELS: Recipes = {
    "filters.Canny": lambda: _images(filters.Canny()),
    "filters.GaussianBlur2d": lambda: _images(filters.GaussianBlur2d((3, 3), (1.5, 1.5))),
    "filters.MedianBlur": lambda: _images(filters.MedianBlur((3, 3))),
    "filters.bilateral_blur": lambda: built(
        filters.bilateral_blur, lambda *shape: (torch.rand(*shape), (3, 3), 0.1, (1.5, 1.5)), *IMAGES
    ),
    "filters.motion_blur": lambda: built(
        filters.motion_blur, lambda *shape: (torch.rand(*shape), 5, 90.0, 1.0), *IMAGES
    ),
    "filters.guided_blur": lambda: built(
        filters.guided_blur, lambda *shape: (torch.rand(*shape), torch.rand(*shape), 3, 0.1), *IMAGES
    ),
    "filters.unsharp_mask": lambda: built(
        filters.unsharp_mask, lambda *shape: (torch.rand(*shape), (3, 3), (1.5, 1.5)), *IMAGES
    ),
    "enhance.equalize": lambda: _images(enhance.equalize),
    "enhance.equalize_clahe": lambda: built(
        enhance.equalize_clahe, lambda s: (torch.rand(1, 3, s, s), 40.0, (4, 4)), (16,), (32,)
    ),
    "enhance.adjust_hue": lambda: built(enhance.adjust_hue, lambda *shape: (torch.rand(*shape), 0.2), *IMAGES),
    "enhance.posterize": lambda: built(enhance.posterize, lambda *shape: (torch.rand(*shape), 3), *IMAGES),
    "enhance.image_histogram2d": lambda: _gray(enhance.image_histogram2d),
    "enhance.jpeg_codec_differentiable": lambda: built(
        enhance.jpeg_codec_differentiable,
        lambda b, s: (torch.rand(b, 3, s, s), torch.tensor([50.0] * b)),
        (2, 16),
        (3, 32),
    ),
    "color.rgb_to_lab": lambda: _images(kornia.color.rgb_to_lab),
    "color.rgb_to_hsv": lambda: _images(kornia.color.rgb_to_hsv),
    "color.apply_colormap": lambda: built(
        kornia.color.apply_colormap,
        lambda b, s: (torch.randint(0, 255, (b, 1, s, s)).float(), kornia.color.ColorMap("jet", 256)),
        (2, 8),
        (3, 12),
    ),
    "morphology.closing": lambda: built(
        kornia.morphology.closing, lambda *shape: (torch.rand(*shape), torch.ones(3, 3)), *IMAGES
    ),
    "contrib.connected_components": lambda: built(
        contrib.connected_components, lambda b, s: ((torch.rand(b, 1, s, s) > 0.5).float(), 8), (1, 8), (2, 12)
    ),
    "contrib.extract_tensor_patches": lambda: built(
        contrib.extract_tensor_patches, lambda *shape: (torch.rand(*shape), 5, 3, 2), *IMAGES
    ),
    "contrib.distance_transform": lambda: _gray(contrib.distance_transform),
}

LOSSES: Recipes = {
    "losses.SSIMLoss": lambda: _pairs(losses.SSIMLoss(5)),
    "losses.MS_SSIMLoss": lambda: _pairs(losses.MS_SSIMLoss(sigmas=[0.5, 1.0])),
    "losses.focal_loss": lambda: built(
        losses.focal_loss, lambda b, s: (torch.randn(b, 4, s, s), torch.randint(0, 4, (b, s, s)), 0.25), (2, 8), (3, 12)
    ),
    "losses.dice_loss": lambda: _labels(losses.dice_loss),
    "losses.lovasz_softmax_loss": lambda: _labels(losses.lovasz_softmax_loss),
    "losses.tversky_loss": lambda: built(
        losses.tversky_loss,
        lambda b, s: (torch.randn(b, 4, s, s), torch.randint(0, 4, (b, s, s)), 0.5, 0.5),
        (2, 8),
        (3, 12),
    ),
    "losses.HausdorffERLoss": lambda: built(
        losses.HausdorffERLoss(k=2),
        lambda b, s: (torch.randn(b, 2, s, s), torch.randint(0, 2, (b, 1, s, s))),
        (2, 8),
        (3, 12),
    ),
    "losses.total_variation": lambda: _images(losses.total_variation),
    "metrics.mean_iou": lambda: built(
        metrics.mean_iou,
        lambda b, s: (torch.randint(0, 4, (b, s, s)), torch.randint(0, 4, (b, s, s)), 4),
        (2, 8),
        (3, 12),
        trains=False,
    ),
    "metrics.confusion_matrix": lambda: built(
        metrics.confusion_matrix,
        lambda b, s: (torch.randint(0, 4, (b, s, s)), torch.randint(0, 4, (b, s, s)), 4),
        (2, 8),
        (3, 12),
        trains=False,
    ),
}

FEATURES: Recipes = {
    "feature.match_smnn": _matches,
    "feature.CornerHarris": lambda: _gray(feature.CornerHarris(0.04)),
    "feature.SIFTDescriptor": lambda: built(
        feature.SIFTDescriptor(32), lambda b: (torch.rand(b, 1, 32, 32),), (2,), (3,)
    ),
    "feature.HardNet": lambda: built(feature.HardNet(False), lambda b: (torch.rand(b, 1, 32, 32),), (2,), (3,)),
    "feature.ScaleSpaceDetector": lambda: _gray(feature.ScaleSpaceDetector(8)),
    "feature.LAFOrienter": lambda: built(
        feature.LAFOrienter(16),
        lambda b: (torch.tensor([[[[5.0, 0, 8], [0, 5.0, 8]]]]).repeat(b, 1, 1, 1), torch.rand(b, 1, 24, 24)),
        (1,),
        (2,),
    ),
    "feature.extract_patches_from_pyramid": lambda: built(
        feature.extract_patches_from_pyramid,
        lambda b: (torch.rand(b, 1, 32, 32), torch.tensor([[[[5.0, 0, 8], [0, 5.0, 8]]]]).repeat(b, 1, 1, 1), 8),
        (1,),
        (2,),
    ),
    "feature.DISK": lambda: built(feature.DISK(desc_dim=8), lambda b: (torch.rand(b, 3, 32, 32), 8), (1,), (2,)),
    "feature.LoFTR": lambda: built(
        feature.LoFTR(pretrained=None),
        lambda s: ({"image0": torch.rand(1, 1, s, s), "image1": torch.rand(1, 1, s, s)},),
        (64,),
        (96,),
        trains=False,
    ),
    "feature.KeyNet": lambda: _gray(feature.KeyNet(pretrained=False)),
    "feature.CornerGFTT": lambda: _gray(feature.CornerGFTT()),
    "feature.LightGlue": lambda: built(
        feature.LightGlue(
            None, input_dim=16, descriptor_dim=32, n_layers=1, num_heads=2, depth_confidence=0.95, width_confidence=0.99
        ),
        lambda n: (
            {
                f"image{i}": {
                    "keypoints": torch.rand(1, n, 2),
                    "descriptors": torch.randn(1, n, 16),
                    "image_size": torch.tensor([[32, 32]]),
                }
                for i in range(2)
            },
        ),
        (8,),
        (12,),
    ),
}

RECIPES: Recipes = {**AUGMENTATIONS, **GEOMETRY, **PIXELS, **LOSSES, **FEATURES}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
