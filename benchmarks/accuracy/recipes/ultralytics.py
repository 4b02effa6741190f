"""Recipes for ultralytics: networks of detection, segmentation, pose and classification from their YAML files."""

from __future__ import annotations

from typing import Any

import torch
from ultralytics.nn import tasks
from ultralytics.utils import loss, metrics, nms, ops

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "ultralytics"


def _network(kind: str, config: str, side: int = 64, second: int = 96, **more: Any) -> Built:
    model = getattr(tasks, kind)(config, ch=3, nc=4, verbose=False, **more)
    return shaped(model, ((1, 3, side, side), (2, 3, second, second)))


def _boxes(count: int) -> torch.Tensor:
    corner = torch.rand(count, 2) * 16
    return torch.cat([corner, corner + 2 + torch.rand(count, 2) * 16], 1)


RECIPES: Recipes = {
    "yolov8n": lambda: _network("DetectionModel", "yolov8n.yaml"),
    "yolov9t": lambda: _network("DetectionModel", "yolov9t.yaml"),
    "yolov10n": lambda: _network("DetectionModel", "yolov10n.yaml"),
    "yolo11n": lambda: _network("DetectionModel", "yolo11n.yaml"),
    "yolo12n": lambda: _network("DetectionModel", "yolo12n.yaml"),
    "yolov5n": lambda: _network("DetectionModel", "yolov5n.yaml"),
    "yolov8n-seg": lambda: _network("SegmentationModel", "yolov8n-seg.yaml"),
    "yolov8n-pose": lambda: _network("PoseModel", "yolov8n-pose.yaml", data_kpt_shape=(5, 3)),
    "yolov8n-obb": lambda: _network("OBBModel", "yolov8n-obb.yaml"),
    "yolov8n-cls": lambda: _network("ClassificationModel", "yolov8n-cls.yaml"),
    "nms.non_max_suppression": lambda: built(
        nms.non_max_suppression,
        lambda n: (torch.cat([torch.rand(1, 4, n) * 32, torch.rand(1, 4, n)], 1),),
        (30,),
        (40,),
        trains=False,
    ),
    "metrics.bbox_iou": lambda: built(
        metrics.bbox_iou, lambda n: (_boxes(n), _boxes(n), False, False, False, True), (6,), (9,), trains=False
    ),
    "metrics.probiou": lambda: built(
        metrics.probiou, lambda n: (torch.rand(n, 5) + 1, torch.rand(n, 5) + 1), (6,), (9,), trains=False
    ),
    "ops.xyxy2xywh": lambda: built(ops.xyxy2xywh, lambda n: (_boxes(n),), (6,), (9,), trains=False),
    "ops.process_mask": lambda: built(
        ops.process_mask,
        lambda n: (torch.randn(4, 8, 8), torch.randn(n, 4), _boxes(n), (32, 32), True),
        (3,),
        (5,),
        trains=False,
    ),
    "ops.scale_boxes": lambda: built(
        ops.scale_boxes, lambda n: ((32, 32), _boxes(n), (64, 48)), (6,), (9,), trains=False
    ),
    "loss.VarifocalLoss": lambda: built(
        loss.VarifocalLoss(), lambda n: (torch.randn(n, 4), torch.rand(n, 4), torch.rand(n, 4)), (6,), (9,)
    ),
    "loss.DFLoss": lambda: built(loss.DFLoss(8), lambda n: (torch.randn(n * 4, 8), torch.rand(n, 4) * 6), (6,), (9,)),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
