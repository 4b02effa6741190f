"""Small transformers of diffusers: the denoisers of image pipelines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import diffusers
import torch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import built

Arguments = Mapping[str, Any]


def small(name: str, **config: Any) -> torch.nn.Module:
    """A model of diffusers with this configuration."""
    return getattr(diffusers, name)(**config)


def _image(batch: int, side: int, length: int, channels: int = 4, width: int = 32) -> dict[str, Any]:
    return {
        "hidden_states": torch.randn(batch, channels, side, side),
        "encoder_hidden_states": torch.randn(batch, length, width),
        "timestep": torch.randint(0, 1000, (batch,)),
    }


def _packed(batch: int, side: int, length: int, channels: int = 4, axes: int = 3) -> dict[str, Any]:
    return {
        "hidden_states": torch.randn(batch, side * side, channels),
        "encoder_hidden_states": torch.randn(batch, length, 32),
        "timestep": torch.rand(batch),
        "img_ids": torch.randn(side * side, axes),
        "txt_ids": torch.zeros(length, axes),
    }


FEW, MORE = (2, 8, 6), (3, 16, 9)


def dit() -> Built:
    model = small(
        "DiTTransformer2DModel", num_attention_heads=2, attention_head_dim=8, in_channels=4, num_layers=2, sample_size=8
    )

    def arguments(batch: int, side: int) -> Arguments:
        return {
            "hidden_states": torch.randn(batch, 4, side, side),
            "timestep": torch.randint(0, 1000, (batch,)),
            "class_labels": torch.randint(0, 1000, (batch,)),
        }

    return built(model, arguments, (2, 8), (3, 8))


def pixart() -> Built:
    model = small(
        "PixArtTransformer2DModel", num_attention_heads=2, attention_head_dim=8, num_layers=2, cross_attention_dim=16,
        sample_size=8, caption_channels=32, use_additional_conditions=False,
    )  # fmt: skip
    conditions = {"added_cond_kwargs": {"aspect_ratio": None, "resolution": None}}
    return built(model, lambda *sizes: _image(*sizes) | conditions, FEW, MORE)


def sd3() -> Built:
    model = small(
        "SD3Transformer2DModel", sample_size=16, patch_size=1, in_channels=4, num_layers=3, attention_head_dim=8,
        num_attention_heads=4, joint_attention_dim=32, caption_projection_dim=32, pooled_projection_dim=64,
        out_channels=4, pos_embed_max_size=96, dual_attention_layers=(0,), qk_norm="rms_norm",
    )  # fmt: skip
    return built(model, lambda *s: _image(*s) | {"pooled_projections": torch.randn(s[0], 64)}, FEW, MORE)


def sd3_control() -> Built:
    model = small(
        "SD3ControlNetModel", sample_size=16, patch_size=1, in_channels=4, num_layers=2, attention_head_dim=8,
        num_attention_heads=4, joint_attention_dim=32, caption_projection_dim=32, pooled_projection_dim=64,
        out_channels=4,
    )  # fmt: skip

    def arguments(batch: int, side: int, length: int) -> Arguments:
        control = {"controlnet_cond": torch.randn(batch, 4, side, side), "pooled_projections": torch.randn(batch, 64)}
        return _image(batch, side, length) | control

    return built(model, arguments, FEW, MORE)


def flux(**more: Any) -> Built:
    model = small(
        "FluxTransformer2DModel", in_channels=4, num_layers=1, num_single_layers=1, attention_head_dim=16,
        num_attention_heads=2, joint_attention_dim=32, pooled_projection_dim=32, axes_dims_rope=(4, 4, 8), **more,
    )  # fmt: skip

    def arguments(batch: int, side: int, length: int) -> dict[str, Any]:
        guidance = {"guidance": torch.rand(batch)} if more.get("guidance_embeds") else {}
        return _packed(batch, side, length) | {"pooled_projections": torch.randn(batch, 32)} | guidance

    return built(model, arguments, FEW, MORE)


def flux_control() -> Built:
    model = small(
        "FluxControlNetModel", in_channels=4, num_layers=1, num_single_layers=1, attention_head_dim=16,
        num_attention_heads=2, joint_attention_dim=32, pooled_projection_dim=32, axes_dims_rope=[4, 4, 8], num_mode=4,
    )  # fmt: skip

    def arguments(batch: int, side: int, length: int) -> Arguments:
        return _packed(batch, side, length) | {
            "pooled_projections": torch.randn(batch, 32),
            "controlnet_cond": torch.randn(batch, side * side, 4),
            "controlnet_mode": torch.randint(0, 4, (batch, 1)),
        }

    return built(model, arguments, FEW, MORE)


def flux2() -> Built:
    model = small(
        "Flux2Transformer2DModel", in_channels=4, num_layers=1, num_single_layers=1, attention_head_dim=16,
        num_attention_heads=2, joint_attention_dim=32, timestep_guidance_channels=256, axes_dims_rope=(4, 4, 4, 4),
    )  # fmt: skip
    return built(model, lambda *s: _packed(*s, axes=4) | {"guidance": torch.rand(s[0])}, FEW, MORE)


def chroma() -> Built:
    model = small(
        "ChromaTransformer2DModel", in_channels=4, num_layers=1, num_single_layers=1, attention_head_dim=16,
        num_attention_heads=2, joint_attention_dim=32, axes_dims_rope=(4, 4, 8), approximator_num_channels=8,
        approximator_hidden_dim=16, approximator_layers=1,
    )  # fmt: skip
    return built(model, _packed, FEW, MORE)


def bria() -> Built:
    model = small(
        "BriaTransformer2DModel", in_channels=4, num_layers=1, num_single_layers=1, attention_head_dim=8,
        num_attention_heads=2, joint_attention_dim=32, axes_dims_rope=[0, 4, 4],
    )  # fmt: skip
    return built(model, _packed, FEW, MORE)


def qwen_image() -> Built:
    model = small(
        "QwenImageTransformer2DModel", in_channels=4, out_channels=4, num_layers=2, attention_head_dim=16,
        num_attention_heads=2, joint_attention_dim=32, axes_dims_rope=(8, 4, 4),
    )  # fmt: skip

    def arguments(batch: int, side: int, length: int) -> Arguments:
        return {
            "hidden_states": torch.randn(batch, side * side, 4),
            "encoder_hidden_states": torch.randn(batch, length, 32),
            "encoder_hidden_states_mask": torch.ones(batch, length, dtype=torch.bool),
            "timestep": torch.rand(batch),
            "img_shapes": [[(1, side, side)]] * batch,
        }

    return built(model, arguments, FEW, MORE)


def aura_flow() -> Built:
    model = small(
        "AuraFlowTransformer2DModel", sample_size=32, in_channels=4, num_mmdit_layers=1, num_single_dit_layers=1,
        attention_head_dim=8, num_attention_heads=4, joint_attention_dim=32, caption_projection_dim=32, out_channels=4,
    )  # fmt: skip
    return built(model, _image, FEW, MORE)


def sana() -> Built:
    model = small(
        "SanaTransformer2DModel", in_channels=4, out_channels=4, num_layers=1, attention_head_dim=4,
        num_attention_heads=2, num_cross_attention_heads=2, cross_attention_head_dim=4, cross_attention_dim=8,
        caption_channels=32, sample_size=32,
    )  # fmt: skip
    return built(model, _image, FEW, MORE)


def hunyuan_dit() -> Built:
    model = small(
        "HunyuanDiT2DModel", sample_size=16, num_layers=2, patch_size=2, attention_head_dim=8, num_attention_heads=3,
        in_channels=4, cross_attention_dim=32, cross_attention_dim_t5=32, pooled_projection_dim=4, hidden_size=24,
        text_len=4, text_len_t5=4, activation_fn="gelu-approximate",
    )  # fmt: skip

    def arguments(batch: int) -> Arguments:
        rotary = diffusers.models.embeddings.get_2d_rotary_pos_embed(8, ((0, 0), (8, 8)), (8, 8), output_type="pt")
        return _image(batch, 16, 4) | {
            "text_embedding_mask": torch.ones(batch, 4),
            "encoder_hidden_states_t5": torch.randn(batch, 4, 32),
            "text_embedding_mask_t5": torch.ones(batch, 4),
            "image_meta_size": torch.randint(0, 1000, (batch, 6)),
            "style": torch.zeros(batch, dtype=torch.long),
            "image_rotary_emb": rotary,
            "timestep": torch.rand(batch),
        }

    return built(model, arguments, (2,), (3,))


def lumina2() -> Built:
    model = small(
        "Lumina2Transformer2DModel", sample_size=16, in_channels=4, hidden_size=24, num_layers=2, num_refiner_layers=1,
        num_attention_heads=3, num_kv_heads=1, multiple_of=2, axes_dim_rope=(4, 2, 2), axes_lens=(128, 128, 128),
        cap_feat_dim=32,
    )  # fmt: skip

    def arguments(batch: int, side: int, length: int) -> Arguments:
        mask = torch.ones(batch, length, dtype=torch.bool)
        return _image(batch, side, length) | {"encoder_attention_mask": mask, "timestep": torch.rand(batch)}

    return built(model, arguments, FEW, MORE)


def cogview4() -> Built:
    model = small(
        "CogView4Transformer2DModel", in_channels=4, out_channels=4, num_layers=2, attention_head_dim=4,
        num_attention_heads=4, text_embed_dim=32, time_embed_dim=8, condition_dim=4, rope_axes_dim=(64, 64),
    )  # fmt: skip
    return built(model, lambda *s: _image(*s) | _crop(s[0], s[1]), FEW, MORE)


def cogview3() -> Built:
    model = small(
        "CogView3PlusTransformer2DModel", in_channels=4, out_channels=4, num_layers=2, attention_head_dim=4,
        num_attention_heads=2, text_embed_dim=32, time_embed_dim=8, condition_dim=2, pos_embed_max_size=16,
        sample_size=16,
    )  # fmt: skip
    return built(model, lambda *s: _image(*s) | _crop(s[0], s[1]), FEW, MORE)


def _crop(batch: int, side: int) -> dict[str, Any]:
    size = torch.tensor([[side * 8, side * 8]]).repeat(batch, 1)
    return {"original_size": size, "target_size": size, "crop_coords": torch.zeros(batch, 2, dtype=torch.long)}


def hidream() -> Built:
    model = small(
        "HiDreamImageTransformer2DModel", patch_size=2, in_channels=4, out_channels=4, num_layers=1,
        num_single_layers=1, attention_head_dim=8, num_attention_heads=4, caption_channels=[32, 16], text_emb_dim=64,
        axes_dims_rope=(4, 2, 2), max_resolution=(32, 32), llama_layers=(0, 1), force_inference_output=True,
    )  # fmt: skip

    def arguments(batch: int, side: int, length: int) -> Arguments:
        return {
            "hidden_states": torch.randn(batch, 4, side, side),
            "encoder_hidden_states_t5": torch.randn(batch, length, 32),
            "encoder_hidden_states_llama3": torch.randn(2, batch, length, 16),
            "pooled_embeds": torch.randn(batch, 64),
            "timesteps": torch.randint(0, 1000, (batch,)),
        }

    return built(model, arguments, FEW, MORE)


def prior() -> Built:
    model = small(
        "PriorTransformer", num_attention_heads=2, attention_head_dim=4, num_layers=2, embedding_dim=8,
        num_embeddings=7, additional_embeddings=4,
    )  # fmt: skip

    def arguments(batch: int) -> Arguments:
        return {
            "hidden_states": torch.randn(batch, 8),
            "timestep": 2,
            "proj_embedding": torch.randn(batch, 8),
            "encoder_hidden_states": torch.randn(batch, 7, 8),
        }

    return built(model, arguments, (2,), (3,))


def prx() -> Built:
    model = small(
        "PRXTransformer2DModel", in_channels=4, hidden_size=32, num_heads=2, depth=2, axes_dim=[8, 8], context_in_dim=32
    )
    return built(model, lambda *s: _image(*s) | {"timestep": torch.rand(s[0])}, FEW, MORE)


def z_image() -> Built:
    model = small(
        "ZImageTransformer2DModel", in_channels=4, dim=32, n_layers=1, n_refiner_layers=1, n_heads=2, n_kv_heads=2,
        cap_feat_dim=16, axes_dims=[8, 4, 4], axes_lens=[256, 32, 32],
    )  # fmt: skip

    def arguments(batch: int, side: int, length: int) -> Arguments:
        return {
            "x": [torch.randn(4, 1, side, side) for _ in range(batch)],
            "t": torch.rand(batch),
            "cap_feats": [torch.randn(length + each, 16) for each in range(batch)],
        }

    return built(model, arguments, (1, 8, 6), (2, 16, 9))


IMAGE: Mapping[str, Callable[[], Built]] = {
    "DiTTransformer2DModel": dit,
    "PixArtTransformer2DModel": pixart,
    "SD3Transformer2DModel": sd3,
    "SD3ControlNetModel": sd3_control,
    "FluxTransformer2DModel": flux,
    "FluxTransformer2DModel_guided": lambda: flux(guidance_embeds=True),
    "FluxControlNetModel": flux_control,
    "Flux2Transformer2DModel": flux2,
    "ChromaTransformer2DModel": chroma,
    "BriaTransformer2DModel": bria,
    "QwenImageTransformer2DModel": qwen_image,
    "AuraFlowTransformer2DModel": aura_flow,
    "SanaTransformer2DModel": sana,
    "HunyuanDiT2DModel": hunyuan_dit,
    "Lumina2Transformer2DModel": lumina2,
    "CogView4Transformer2DModel": cogview4,
    "CogView3PlusTransformer2DModel": cogview3,
    "HiDreamImageTransformer2DModel": hidream,
    "PriorTransformer": prior,
    "PRXTransformer2DModel": prx,
    "ZImageTransformer2DModel": z_image,
}
