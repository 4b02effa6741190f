"""What transformers' models are called with: ways to call one, labels to train it with, and its next token."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor

from benchmarks.accuracy.recipes.hf_call import Call, Size
from benchmarks.accuracy.recipes.hf_multimodal import with_images, with_sounds
from benchmarks.accuracy.recipes.hf_tensors import MAKERS, frames, mel

_LABELS = 2
_OPTIONAL = (
    "decoder_input_ids",
    "pixel_values",
    "bbox",
    "past_time_features",
    "past_observed_mask",
    "future_values",
    "future_time_features",
    "visual_embeds",
    "visual_feats",
    "visual_pos",
    "states",
    "actions",
    "rewards",
    "returns_to_go",
    "timesteps",
    "task_inputs",
)
"""Parameters with a default that a model is rarely called without, if it has them."""


def arguments(model: Any, size: Size) -> list[dict[str, Any]]:
    """Ways to call the model, the likelier ones first; every one is for one batch and length.

    Raises LookupError if forward needs something that is not known here.
    """
    call = Call(model, size)
    parameters = inspect.signature(model.forward).parameters
    main = model.main_input_name if isinstance(model.main_input_name, str) else model.main_input_name[0]
    required = [
        name
        for name, each in parameters.items()
        if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD
    ]
    wanted = [main] if main in parameters else []
    wanted += [name for name in required if name not in wanted]
    wanted += [name for name in _OPTIONAL if name in parameters and name not in wanted]
    if "input_ids" in parameters and "input_ids" not in wanted and (not wanted or _has_text(model)):
        wanted.append("input_ids")
    if unknown := [name for name in wanted if name not in MAKERS and name in required]:
        raise LookupError(f"forward of {type(model).__name__} needs {', '.join(unknown)}")
    made = {name: MAKERS[name](call) for name in wanted if name in MAKERS}
    if "input_ids" in made and "attention_mask" in parameters:
        made["attention_mask"] = torch.ones_like(made["input_ids"])
    return [way for way in _ways(call, made, parameters) if way]


def _has_text(model: Any) -> bool:
    return model.config.get_text_config() is not model.config or hasattr(model.config, "vocab_size")


def _ways(call: Call, made: dict[str, Any], parameters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Variants: tokens in place of images, other layouts of sound and video, and finally the text alone."""
    if "input_ids" in made:
        text = {name: value for name, value in made.items() if name not in ("pixel_values", "input_features")}
        yield from with_images(call, text, parameters)
        yield from with_sounds(call, text, parameters)
    yield made
    if "input_values" in made:
        yield {**made, "input_values": made["input_values"][:, None]}
        bins_first = mel(call)
        yield {**made, "input_values": bins_first.transpose(1, 2)}
        yield {**made, "input_values": bins_first}
    if "input_features" in made:
        yield {**made, "input_features": made["input_features"].transpose(1, 2).contiguous()}
        yield {**made, "input_features": made["input_features"].transpose(1, 2)[:, None].contiguous()}
    if "pixel_values" in made:
        yield {**made, "pixel_values": frames(call)}
        yield {**made, "pixel_values": made["pixel_values"][:, None]}
        yield {**made, "pixel_values": made["pixel_values"][:, None].repeat(1, 2, 1, 1, 1)}
    for dropped in (("pixel_values",), ("decoder_input_ids",), ("future_values", "future_time_features"), ("bbox",)):
        if any(name in made for name in dropped):
            yield {name: value for name, value in made.items() if name not in dropped}
    if "input_ids" in made:
        text = {name: made[name] for name in ("input_ids", "attention_mask") if name in made}
        yield text
        yield {name: value[:, None].repeat(1, 2, 1) for name, value in text.items()}


@torch.no_grad()
def next_token(model: Any, size: Size) -> dict[str, Any]:
    """The arguments that decode one token behind a prompt, whose keys and values are in a cache."""
    call = Call(model, size)
    prompt = call.ids(size.batch, size.length)
    token = call.ids(size.batch, 1)
    if model.config.is_encoder_decoder:
        begun = model(input_ids=prompt, decoder_input_ids=call.ids(size.batch, 3), use_cache=True)
        encoded = type(model.get_encoder()(input_ids=prompt))(last_hidden_state=begun.encoder_last_hidden_state)
        return {"encoder_outputs": encoded, "decoder_input_ids": token, "past_key_values": begun.past_key_values}
    begun = model(input_ids=prompt, use_cache=True)
    if (cache := getattr(begun, "past_key_values", None)) is None:
        return {"input_ids": token, "cache_params": begun.cache_params}
    mask = torch.ones(size.batch, size.length + 1, dtype=torch.long)
    return {"input_ids": token, "attention_mask": mask, "past_key_values": cache}


def labels(model: Any, given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What a training loop adds to the arguments: candidates, the likelier ones first."""
    parameters = inspect.signature(model.forward).parameters
    ids = given.get("decoder_input_ids", given.get("input_ids"))
    batch = next(value.shape[0] for value in given.values() if isinstance(value, Tensor))
    classes = torch.arange(batch) % _LABELS
    if "labels" in parameters:
        name = type(model).__name__
        pixels = given.get("pixel_values")
        if "ObjectDetection" in name or ("Segmentation" in name and "Semantic" not in name):
            yield {"labels": [_objects(pixels) for _ in range(batch)]}
        if "Semantic" in name and pixels is not None:
            yield {"labels": torch.randint(0, _LABELS, (batch, *pixels.shape[-2:]))}
        if ("Classification" in name and "Token" not in name) or "Choice" in name or "Prediction" in name:
            yield {"labels": classes}
        if "TokenClassification" in name and ids is not None:
            yield {"labels": torch.randint(0, _LABELS, ids.shape)}
        if ids is not None:
            yield {"labels": ids.clone()}
        yield {"labels": torch.randint(5, 20, (batch, 5))}
        yield {"labels": classes}
    if "start_positions" in parameters and ids is not None:
        yield {"start_positions": torch.ones(batch, dtype=torch.long), "end_positions": torch.full((batch,), 3)}
    if "mask_labels" in parameters and "class_labels" in parameters:
        side = given["pixel_values"].shape[-1]
        yield {
            "mask_labels": [(torch.rand(2, side, side) > 0.5).float() for _ in range(batch)],
            "class_labels": [torch.tensor([0, 1]) for _ in range(batch)],
        }
    if "return_loss" in parameters:
        yield {"return_loss": True}


def _objects(pixels: Tensor | None) -> dict[str, Tensor]:
    side = 64 if pixels is None else pixels.shape[-1]
    return {
        "class_labels": torch.tensor([0, 1]),
        "boxes": torch.tensor([[0.5, 0.5, 0.4, 0.4], [0.3, 0.3, 0.2, 0.2]]),
        "masks": (torch.rand(2, side, side) > 0.5).float(),
        "orig_size": torch.tensor([side, side]),
        "size": torch.tensor([side, side]),
    }
