"""Recipes for sentence_transformers: pooling, heads and losses over a tiny encoder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import sentence_transformers
import torch
from sentence_transformers import losses
from sentence_transformers.models import CNN, LSTM, Dense, LayerNorm, Normalize, Pooling, WeightedLayerPooling
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "sentence_transformers"


def _features(batch: int, length: int) -> tuple[Any, ...]:
    mask = torch.ones(batch, length, dtype=torch.long)
    mask[0, -2:] = 0
    return (
        {
            "token_embeddings": torch.randn(batch, length, 16),
            "sentence_embedding": torch.randn(batch, 16),
            "cls_token_embeddings": torch.randn(batch, 16),
            "attention_mask": mask,
            "sentence_lengths": mask.sum(1),
        },
    )


def _module(module: nn.Module) -> Built:
    return built(module, _features, (2, 8), (3, 12))


def _layers(batch: int, length: int) -> tuple[Any, ...]:
    (given,) = _features(batch, length)
    return (given | {"all_layer_embeddings": [torch.randn(batch, length, 16) for _ in range(3)]},)


def _loss(loss: Callable[..., Any]) -> Built:
    return built(loss, lambda b: (torch.randn(b, 8), torch.randn(b, 8)), (4,), (6,), trains=False)


RECIPES: Recipes = {
    **{
        f"Pooling_{mode}": partial(lambda mode: _module(Pooling(16, pooling_mode=mode)), mode)
        for mode in ("mean", "max", "cls", "lasttoken", "weightedmean", "mean_sqrt_len_tokens")
    },
    "Dense": lambda: _module(Dense(16, 8)),
    "Normalize": lambda: _module(Normalize()),
    "LayerNorm": lambda: _module(LayerNorm(16)),
    "CNN": lambda: _module(CNN(16, 8, [1, 3])),
    "LSTM": lambda: built(
        LSTM(16, 8), lambda b, n: (dict(_features(b, n)[0], sentence_lengths=torch.full((b,), n)),), (2, 8), (3, 12)
    ),
    "WeightedLayerPooling": lambda: built(
        WeightedLayerPooling(16, num_hidden_layers=2, layer_start=0), _layers, (2, 8), (3, 12)
    ),
    "SentenceTransformer": lambda: _module(
        sentence_transformers.SentenceTransformer(modules=[Pooling(16), Dense(16, 8), Normalize()], device="cpu")
    ),
    "util.cos_sim": lambda: _loss(sentence_transformers.util.cos_sim),
    "util.pairwise_angle_sim": lambda: _loss(sentence_transformers.util.pairwise_angle_sim),
    "util.semantic_search": lambda: _loss(sentence_transformers.util.semantic_search),
    "util.community_detection": lambda: built(
        sentence_transformers.util.community_detection,
        lambda n: (torch.randn(n, 8), 0.1, 2),
        (12,),
        (16,),
        trains=False,
    ),
    "losses.BatchHardTripletLoss_mask": lambda: built(
        losses.BatchHardTripletLoss.get_triplet_mask, lambda n: (torch.randint(0, 3, (n,)),), (6,), (8,), trains=False
    ),
    "losses.BatchHardTripletLoss": lambda: built(
        losses.BatchHardTripletLoss(nn.Identity()).batch_hard_triplet_loss,
        lambda n: (torch.randint(0, 3, (n,)), torch.randn(n, 8)),
        (6,),
        (8,),
        trains=False,
    ),
    "losses.CoSENTLoss": lambda: built(
        losses.CoSENTLoss(nn.Identity()).compute_loss_from_embeddings,
        lambda n: ([torch.randn(n, 8), torch.randn(n, 8)], torch.rand(n)),
        (6,),
        (8,),
    ),
    "losses.MultipleNegativesRankingLoss": lambda: built(
        losses.MultipleNegativesRankingLoss(nn.Identity()).compute_loss_from_embeddings,
        lambda n: ([torch.randn(n, 8), torch.randn(n, 8)], None),
        (6,),
        (8,),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
