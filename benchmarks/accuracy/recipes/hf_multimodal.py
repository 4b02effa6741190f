"""Images and sounds of language models: their tensors, and the tokens that stand for them in the text."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor

from benchmarks.accuracy.recipes.hf_call import Call
from benchmarks.accuracy.recipes.hf_tensors import MAKERS

_SIDE = 4
"""Patches of an image on each side, where a model takes them flattened."""
_MASKS = ("feature_attention_mask", "input_features_mask", "audio_attention_mask", "padding_mask")


def with_images(call: Call, text: Mapping[str, Any], parameters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Ways to give the model of `text` one image for each row, with as many image tokens as it makes of it."""
    token = call.number("image_token_id", "image_token_index", default=-1)
    if "pixel_values" not in parameters or token < 0:
        return
    flat = "image_grid_thw" in parameters
    given = _flat_patches(call) if flat else {"pixel_values": MAKERS["pixel_values"](call)}
    count = _tokens(call, "get_image_features", given)
    if not count:
        return
    start = call.number("vision_start_token_id", default=-1) if flat else -1
    yield {**given, **_with_tokens(text, token, count, start, parameters)}


def with_sounds(call: Call, text: Mapping[str, Any], parameters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Likewise with one sound for each row."""
    token = call.number("audio_token_id", "audio_token_index", default=-1)
    if "input_features" not in parameters or token < 0:
        return
    features = MAKERS["input_features"](call)
    for laid_out in (features, features.transpose(1, 2).contiguous()):
        longest = max(laid_out.shape[1:]) if laid_out.shape[1] == laid_out.shape[2] else laid_out.shape[-1]
        for steps in dict.fromkeys((longest, *laid_out.shape[1:])):
            masks = {
                name: torch.ones(call.size.batch, steps, dtype=torch.long) for name in _MASKS if name in parameters
            }
            given = {"input_features": laid_out, **masks}
            if count := _tokens(call, "get_audio_features", given):
                yield {**given, **_with_tokens(text, token, count, -1, parameters)}


def _flat_patches(call: Call) -> dict[str, Tensor]:
    """Images as rows of patches and the numbers of patches in time, height and width."""
    vision = call.config.vision_config
    channels = next(
        (value for name in ("in_channels", "in_chans", "num_channels") if (value := getattr(vision, name, None))), 3
    )
    values = channels * getattr(vision, "temporal_patch_size", 1) * vision.patch_size**2
    return {
        "pixel_values": torch.randn(call.size.batch * _SIDE * _SIDE, values),
        "image_grid_thw": torch.tensor([[1, _SIDE, _SIDE]] * call.size.batch),
    }


def _with_tokens(
    text: Mapping[str, Any], token: int, count: int, start: int, parameters: Mapping[str, Any]
) -> dict[str, Any]:
    """The text with `count` such tokens behind its first, begun by the token `start` unless that is negative."""
    ids = text["input_ids"]
    inserted = torch.full((ids.shape[0], count), token)
    if start >= 0:
        inserted = torch.cat([torch.full((ids.shape[0], 1), start), inserted], dim=1)
    joined = torch.cat([ids[:, :1], inserted, ids[:, 1:]], dim=1)
    changed = {**text, "input_ids": joined}
    if "attention_mask" in text:
        changed["attention_mask"] = torch.ones_like(joined)
    if "mm_token_type_ids" in parameters:
        changed["mm_token_type_ids"] = (joined == token).long()
    return changed


@torch.no_grad()
def _tokens(call: Call, method: str, given: Mapping[str, Any]) -> int:
    """How many vectors the model makes of one image or sound; 0 if it does not tell."""
    models = (call.model, getattr(call.model, "model", None))
    owner = next((each for each in models if hasattr(each, method)), None)
    if owner is None:
        return 0
    get = getattr(owner, method)
    known = inspect.signature(get).parameters
    try:
        found = get(**{name: value for name, value in given.items() if name in known})
    except Exception:
        return 0
    vectors = found if isinstance(found, (Tensor, list, tuple)) else getattr(found, "pooler_output", None)
    if vectors is None:
        vectors = getattr(found, "last_hidden_state", None)
    if isinstance(vectors, (list, tuple)):
        vectors = torch.cat([each.reshape(-1, each.shape[-1]) for each in vectors])
    if not isinstance(vectors, Tensor) or vectors.dim() < 2:
        return 0
    return int(vectors.numel() // vectors.shape[-1] // call.size.batch)
