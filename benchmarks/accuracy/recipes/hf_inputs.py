"""What transformers' models are called with: tensors by the names of forward's parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from benchmarks.accuracy.recipes.hf_configs import FIRST_SPECIAL

_LABELS = 2


@dataclass(frozen=True)
class Size:
    """How much one call is given."""

    batch: int = 2
    length: int = 12
    image: int = 64
    samples: int = 4000
    """Of a wave."""


@dataclass(frozen=True)
class Call:
    """One call that is being made up: the model, and how much it is given."""

    model: Any
    size: Size

    @property
    def config(self) -> Any:
        return self.model.config

    @property
    def text(self) -> Any:
        return self.config.get_text_config()

    def number(self, *names: str, default: int = 0) -> int:
        """The first of these fields that a configuration has, its sub-configurations last."""
        for config in (self.config, self.text, *_sub_configs(self.config)):
            for name in names:
                value = getattr(config, name, None)
                if isinstance(value, (list, tuple)) and value and isinstance(value[0], int):
                    value = value[0]
                if isinstance(value, int) and not isinstance(value, bool):
                    return value
        return default

    def ids(self, *shape: int) -> Tensor:
        limit = min(self.number("vocab_size", default=FIRST_SPECIAL), FIRST_SPECIAL)
        return torch.randint(min(5, limit - 1), limit, shape)


def _sub_configs(config: Any) -> Iterator[Any]:
    for name in getattr(config, "sub_configs", {}):
        if (found := getattr(config, name, None)) is not None:
            yield found
            yield from _sub_configs(found)


def _input_ids(call: Call) -> Tensor:
    ids = call.ids(call.size.batch, call.size.length)
    separator = call.number("eos_token_id", default=-1)
    if 0 <= separator < call.number("vocab_size"):
        ids[:, -1] = separator
    return ids


def _image(call: Call) -> tuple[int, int, int, int]:
    side = call.number("image_size", default=call.size.image)
    return call.size.batch, call.number("num_channels", "in_channels", "in_chans", default=3), side, side


def _frames(call: Call) -> Tensor:
    batch, channels, height, width = _image(call)
    return torch.randn(batch, call.number("num_frames", "frames_per_clip", default=4), channels, height, width)


def _mel(call: Call) -> Tensor:
    bins = call.number("num_mel_bins", "input_feat_per_channel", "mel_bins", "feature_size", "input_dim", default=80)
    positions = call.number("max_source_positions", "n_audio_ctx", default=0)
    steps = 2 * positions if 0 < positions <= 200 else call.number("max_length", default=8 * call.size.length)
    return torch.randn(call.size.batch, bins, steps)


def _boxes(call: Call) -> Tensor:
    corner = torch.randint(0, 400, (call.size.batch, call.size.length, 2))
    return torch.cat([corner, corner + torch.randint(1, 400, corner.shape)], dim=-1)


def _patches(call: Call) -> Tensor:
    """Flattened patches of pix2struct: row, column, values."""
    values = torch.randn(call.size.batch, 16, call.number("patch_embed_hidden_size", default=768) + 2)
    values[..., :2] = torch.arange(16).float()[None, :, None] // 4 + 1
    return values


Maker = Callable[[Call], Any]

_MAKERS: Mapping[str, Maker] = {
    "input_ids": _input_ids,
    "decoder_input_ids": lambda call: call.ids(call.size.batch, call.size.length - 3),
    "pixel_values": lambda call: torch.randn(_image(call)),
    "pixel_values_videos": _frames,
    "input_values": lambda call: torch.randn(call.size.batch, call.size.samples),
    "input_features": _mel,
    "audio_values": lambda call: torch.randn(call.size.batch, 1, call.size.samples),
    "bbox": _boxes,
    "flattened_patches": _patches,
    "inputs_embeds": lambda call: torch.randn(
        call.size.batch, call.size.length, call.number("hidden_size", "d_model", default=64)
    ),
    "hidden_states": lambda call: torch.randn(
        call.size.batch, call.size.length, call.number("hidden_size", "d_model", default=64)
    ),
    "spectrogram": lambda call: torch.randn(
        call.size.batch, call.size.length, call.number("model_in_dim", "num_mel_bins", default=80)
    ),
    "visual_feats": lambda call: torch.randn(call.size.batch, 5, call.number("visual_feat_dim", default=2048)),
    "visual_pos": lambda call: torch.rand(call.size.batch, 5, call.number("visual_pos_dim", default=4)),
    "visual_embeds": lambda call: torch.randn(call.size.batch, 5, call.number("visual_embedding_dim", default=512)),
    "input_points": lambda call: torch.rand(call.size.batch, 1, 2, 2) * 60,
    "input_boxes": lambda call: torch.tensor([[[5.0, 5.0, 40.0, 50.0]]]).repeat(call.size.batch, 1, 1),
    "past_values": lambda call: torch.randn(_series(call, "past")),
    "past_time_features": lambda call: torch.randn(
        call.size.batch, _past(call), call.number("num_time_features", default=0)
    ),
    "past_observed_mask": lambda call: torch.ones(_series(call, "past")),
    "future_values": lambda call: torch.randn(_series(call, "future")),
    "future_time_features": lambda call: torch.randn(
        call.size.batch, call.number("prediction_length", default=8), call.number("num_time_features", default=0)
    ),
    "states": lambda call: torch.randn(call.size.batch, call.size.length, call.number("state_dim", default=17)),
    "actions": lambda call: torch.randn(call.size.batch, call.size.length, call.number("act_dim", default=4)),
    "rewards": lambda call: torch.randn(call.size.batch, call.size.length, 1),
    "returns_to_go": lambda call: torch.randn(call.size.batch, call.size.length, 1),
    "timesteps": lambda call: torch.arange(call.size.length).repeat(call.size.batch, 1),
    "tgt_mask": lambda call: None,
    "latents": lambda call: torch.randn(call.size.batch, 16, call.number("hidden_size", default=64)),
}


def _past(call: Call) -> int:
    lags = getattr(call.config, "lags_sequence", None) or [0]
    return call.number("context_length", "prediction_length", default=16) + max(lags)


def _series(call: Call, which: str) -> tuple[int, ...]:
    length = _past(call) if which == "past" else call.number("prediction_length", default=8)
    channels = call.number("num_input_channels", "input_size", default=1)
    return (
        (call.size.batch, length, channels)
        if channels > 1 or hasattr(call.config, "num_input_channels")
        else (
            call.size.batch,
            length,
        )
    )


_OPTIONAL = (
    "decoder_input_ids",
    "pixel_values",
    "bbox",
    "past_time_features",
    "past_observed_mask",
    "future_values",
    "future_time_features",
    "visual_embeds",
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
    if unknown := [name for name in wanted if name not in _MAKERS and name in required]:
        raise LookupError(f"forward of {type(model).__name__} needs {', '.join(unknown)}")
    made = {name: _MAKERS[name](call) for name in wanted if name in _MAKERS}
    if "input_ids" in made and "attention_mask" in parameters:
        made["attention_mask"] = torch.ones_like(made["input_ids"])
    return [way for way in _ways(call, made) if way]


def _has_text(model: Any) -> bool:
    return model.config.get_text_config() is not model.config or hasattr(model.config, "vocab_size")


def _ways(call: Call, made: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Variants: tokens in place of images, other layouts of sound and video, and finally the text alone."""
    if "input_ids" in made and "pixel_values" in made:
        yield from _with_image_tokens(call, made)
    yield made
    if "input_values" in made:
        yield {**made, "input_values": made["input_values"][:, None]}
        mel = _mel(call)
        yield {**made, "input_values": mel.transpose(1, 2)}
        yield {**made, "input_values": mel}
    if "input_features" in made:
        yield {**made, "input_features": made["input_features"].transpose(1, 2).contiguous()}
    if "pixel_values" in made:
        yield {**made, "pixel_values": _frames(call)}
        yield {**made, "pixel_values": made["pixel_values"][:, None]}
    for dropped in (("pixel_values",), ("decoder_input_ids",), ("future_values", "future_time_features"), ("bbox",)):
        if any(name in made for name in dropped):
            yield {name: value for name, value in made.items() if name not in dropped}
    if "input_ids" in made:
        text = {name: made[name] for name in ("input_ids", "attention_mask") if name in made}
        yield text
        yield {name: value[:, None].repeat(1, 2, 1) for name, value in text.items()}


def _with_image_tokens(call: Call, made: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """With as many image tokens in the text as the model makes of the image."""
    token = call.number("image_token_id", "image_token_index", default=-1)
    count = _image_tokens(call, made)
    if token < 0 or not count:
        return
    ids = made["input_ids"]
    images = torch.full((ids.shape[0], count), token)
    joined = torch.cat([ids[:, :1], images, ids[:, 1:]], dim=1)
    changed = {**made, "input_ids": joined}
    if "attention_mask" in made:
        changed["attention_mask"] = torch.ones_like(joined)
    yield changed


@torch.no_grad()
def _image_tokens(call: Call, made: Mapping[str, Any]) -> int:
    """How many vectors one image becomes; 0 if the model does not tell."""
    owner = next(
        (each for each in (call.model, getattr(call.model, "model", None)) if hasattr(each, "get_image_features")), None
    )
    if owner is None:
        return 0
    known = inspect.signature(owner.get_image_features).parameters
    try:
        found = owner.get_image_features(**{name: value for name, value in made.items() if name in known})
    except Exception:
        return 0
    vectors = getattr(found, "pooler_output", None) if not isinstance(found, (Tensor, list, tuple)) else found
    if vectors is None:
        vectors = getattr(found, "last_hidden_state", None)
    if isinstance(vectors, (list, tuple)):
        vectors = torch.cat([each.reshape(-1, each.shape[-1]) for each in vectors])
    if not isinstance(vectors, Tensor) or vectors.dim() < 2:
        return 0
    return vectors.reshape(-1, vectors.shape[-1]).shape[0] // call.size.batch


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


def other(size: Size) -> Size:
    """Another batch and length."""
    return replace(size, batch=size.batch + 1, length=size.length + 5, samples=size.samples + 1000)
