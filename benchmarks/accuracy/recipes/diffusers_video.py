"""Small transformers of diffusers: the denoisers of video and audio pipelines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import diffusers
import torch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.diffusers_image import Arguments, small
from benchmarks.accuracy.recipes.making import built


def _video(batch: int, frames: int, side: int, length: int, channels: int = 4, width: int = 32) -> dict[str, Any]:
    return {
        "hidden_states": torch.randn(batch, channels, frames, side, side),
        "encoder_hidden_states": torch.randn(batch, length, width),
        "timestep": torch.randint(0, 1000, (batch,)),
    }


CLIP, LONGER_CLIP = (1, 3, 8, 6), (2, 5, 16, 9)


def wan(**more: Any) -> Built:
    model = small(
        "WanTransformer3DModel", num_attention_heads=2, attention_head_dim=12, in_channels=4, out_channels=4,
        text_dim=32, freq_dim=256, ffn_dim=32, num_layers=2, rope_max_seq_len=32, **more,
    )  # fmt: skip
    return built(model, _video, CLIP, LONGER_CLIP)


def sky_reels() -> Built:
    model = small(
        "SkyReelsV2Transformer3DModel", num_attention_heads=2, attention_head_dim=12, in_channels=4, out_channels=4,
        text_dim=32, ffn_dim=32, num_layers=2, rope_max_seq_len=32,
    )  # fmt: skip
    return built(model, _video, CLIP, LONGER_CLIP)


def cosmos() -> Built:
    model = small(
        "CosmosTransformer3DModel", in_channels=4, out_channels=4, num_attention_heads=2, attention_head_dim=12,
        num_layers=2, mlp_ratio=2, text_embed_dim=32, adaln_lora_dim=4, max_size=(8, 32, 32),
    )  # fmt: skip

    def arguments(batch: int, frames: int, side: int, length: int) -> Arguments:
        extra = {"fps": 16, "padding_mask": torch.zeros(1, 1, side, side), "timestep": torch.rand(batch)}
        return _video(batch, frames, side, length) | extra

    return built(model, arguments, CLIP, LONGER_CLIP)


def hunyuan_video() -> Built:
    model = small(
        "HunyuanVideoTransformer3DModel", in_channels=4, out_channels=4, num_attention_heads=2, attention_head_dim=10,
        num_layers=1, num_single_layers=1, num_refiner_layers=1, patch_size=1, text_embed_dim=32,
        pooled_projection_dim=8, rope_axes_dim=(2, 4, 4),
    )  # fmt: skip

    def arguments(batch: int, frames: int, side: int, length: int) -> Arguments:
        return _video(batch, frames, side, length) | {
            "pooled_projections": torch.randn(batch, 8),
            "encoder_attention_mask": torch.ones(batch, length),
            "guidance": torch.randint(0, 1000, (batch,)),
        }

    return built(model, arguments, CLIP, (2, 4, 8, 9))


def mochi() -> Built:
    model = small(
        "MochiTransformer3DModel", num_attention_heads=2, attention_head_dim=8, num_layers=2, pooled_projection_dim=16,
        in_channels=4, text_embed_dim=32, time_embed_dim=4, max_sequence_length=16,
    )  # fmt: skip

    def arguments(batch: int, frames: int, side: int) -> Arguments:
        return _video(batch, frames, side, 16) | {"encoder_attention_mask": torch.ones(batch, 16, dtype=torch.bool)}

    return built(model, arguments, CLIP[:3], LONGER_CLIP[:3])


def ltx() -> Built:
    model = small(
        "LTXVideoTransformer3DModel", in_channels=4, out_channels=4, num_attention_heads=4, attention_head_dim=8,
        cross_attention_dim=32, num_layers=2, caption_channels=32,
    )  # fmt: skip

    def arguments(batch: int, frames: int, side: int, length: int) -> Arguments:
        return {
            "hidden_states": torch.randn(batch, frames * side * side, 4),
            "encoder_hidden_states": torch.randn(batch, length, 32),
            "timestep": torch.randint(0, 1000, (batch,)),
            "encoder_attention_mask": torch.ones(batch, length, dtype=torch.bool),
            "num_frames": frames,
            "height": side,
            "width": side,
        }

    return built(model, arguments, CLIP, LONGER_CLIP)


def latte() -> Built:
    model = small(
        "LatteTransformer3DModel", sample_size=8, num_layers=1, patch_size=2, attention_head_dim=8,
        num_attention_heads=3, caption_channels=32, in_channels=4, cross_attention_dim=24, out_channels=8,
        attention_bias=True, activation_fn="gelu-approximate", num_embeds_ada_norm=1000, norm_type="ada_norm_single",
        norm_elementwise_affine=False, norm_eps=1e-6, video_length=3,
    )  # fmt: skip
    return built(model, _video, CLIP, (2, 3, 8, 9))


def cogvideox() -> Built:
    model = small(
        "CogVideoXTransformer3DModel", num_attention_heads=2, attention_head_dim=8, in_channels=4, out_channels=4,
        time_embed_dim=2, text_embed_dim=32, num_layers=2, sample_width=8, sample_height=8, sample_frames=8,
        max_text_seq_length=8,
    )  # fmt: skip

    def arguments(batch: int) -> Arguments:
        return _video(batch, 4, 8, 8) | {"hidden_states": torch.randn(batch, 2, 4, 8, 8)}

    return built(model, arguments, (1,), (2,))


def stable_audio() -> Built:
    model = small(
        "StableAudioDiTModel", sample_size=4, in_channels=4, num_layers=2, attention_head_dim=4,
        num_attention_heads=4, num_key_value_attention_heads=2, out_channels=4, cross_attention_dim=4,
        time_proj_dim=8, global_states_input_dim=8, cross_attention_input_dim=4,
    )  # fmt: skip

    def arguments(batch: int, length: int) -> Arguments:
        rotary = diffusers.models.embeddings.get_1d_rotary_pos_embed(
            2, length + 1, use_real=True, repeat_interleave_real=False
        )
        return {
            "hidden_states": torch.randn(batch, 4, length),
            "timestep": torch.rand(batch),
            "encoder_hidden_states": torch.randn(batch, 5, 4),
            "global_hidden_states": torch.randn(batch, 1, 8),
            "rotary_embedding": rotary,
        }

    return built(model, arguments, (2, 8), (3, 12))


VIDEO: Mapping[str, Callable[[], Built]] = {
    "WanTransformer3DModel": wan,
    "SkyReelsV2Transformer3DModel": sky_reels,
    "CosmosTransformer3DModel": cosmos,
    "HunyuanVideoTransformer3DModel": hunyuan_video,
    "MochiTransformer3DModel": mochi,
    "LTXVideoTransformer3DModel": ltx,
    "LatteTransformer3DModel": latte,
    "CogVideoXTransformer3DModel": cogvideox,
    "StableAudioDiTModel": stable_audio,
}
