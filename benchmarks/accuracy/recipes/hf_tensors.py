"""A tensor for each of forward's parameters that transformers' models share by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from benchmarks.accuracy.recipes.hf_call import Call


def _input_ids(call: Call) -> Tensor:
    ids = call.ids(call.size.batch, call.size.length)
    separator = call.number("eos_token_id", default=-1)
    if 0 <= separator < call.number("vocab_size"):
        ids[:, -1] = separator
    return ids


def _image(call: Call) -> tuple[int, int, int, int]:
    side = call.number("image_size", default=call.size.image)
    return call.size.batch, call.number("num_channels", "in_channels", "in_chans", default=3), side, side


def frames(call: Call) -> Tensor:
    batch, channels, height, width = _image(call)
    return torch.randn(batch, call.number("num_frames", "frames_per_clip", default=4), channels, height, width)


def mel(call: Call) -> Tensor:
    bins = call.number(
        "feature_projection_input_dim",
        "num_mel_bins",
        "input_feat_per_channel",
        "mel_bins",
        "feature_size",
        "input_dim",
        default=80,
    )
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

MAKERS: Mapping[str, Maker] = {
    "input_ids": _input_ids,
    "qformer_input_ids": _input_ids,
    "decoder_input_ids": lambda call: call.ids(call.size.batch, call.size.length - 3),
    "pixel_values": lambda call: torch.randn(_image(call)),
    "pixel_values_videos": frames,
    "input_values": lambda call: torch.randn(call.size.batch, call.size.samples),
    "input_features": mel,
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
    "task_inputs": lambda call: call.ids(call.size.batch, call.number("task_seq_len", default=77)),
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
