"""Recipes for facenet_pytorch: detection and recognition of faces."""

from __future__ import annotations

import facenet_pytorch
import torch
from facenet_pytorch.models import mtcnn
from facenet_pytorch.models.utils import detect_face

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "facenet_pytorch"

RECIPES: Recipes = {
    "InceptionResnetV1": lambda: shaped(
        facenet_pytorch.InceptionResnetV1(pretrained=None, classify=True, num_classes=5),
        ((2, 3, 96, 96), (3, 3, 112, 112)),
    ),
    "PNet": lambda: shaped(mtcnn.PNet(pretrained=False), ((2, 3, 24, 24), (3, 3, 32, 32))),
    "RNet": lambda: shaped(mtcnn.RNet(pretrained=False), ((2, 3, 24, 24), (3, 3, 24, 24))),
    "ONet": lambda: shaped(mtcnn.ONet(pretrained=False), ((2, 3, 48, 48), (3, 3, 48, 48))),
    "generateBoundingBox": lambda: built(
        detect_face.generateBoundingBox,
        lambda n: (torch.rand(n, 4, 6, 6), torch.rand(n, 6, 6), 0.5, 0.6),
        (2,),
        (3,),
        trains=False,
    ),
    "rerec": lambda: built(detect_face.rerec, lambda n: (torch.rand(n, 5),), (4,), (6,), trains=False),
    "MTCNN": lambda: built(
        facenet_pytorch.MTCNN(image_size=32, min_face_size=8, keep_all=True).detect,
        lambda s: (torch.randint(0, 255, (s, s, 3), dtype=torch.uint8),),
        (48,),
        (64,),
        trains=False,
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
