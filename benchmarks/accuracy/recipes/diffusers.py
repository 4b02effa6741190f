"""Recipes for diffusers: UNets, autoencoders, transformers, and the `step` of every scheduler that has one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import diffusers
import torch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.diffusers_image import IMAGE
from benchmarks.accuracy.recipes.diffusers_video import VIDEO
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "diffusers"
UNETS = {
    "block_out_channels": (8, 16),
    "layers_per_block": 1,
    "norm_num_groups": 4,
    "cross_attention_dim": 32,
    "attention_head_dim": 2,
}
DOWN, UP = ("DownBlock2D", "CrossAttnDownBlock2D"), ("CrossAttnUpBlock2D", "UpBlock2D")


def _conditioned(batch: int, side: int, length: int, **more: Any) -> Mapping[str, Any]:
    return {
        "sample": torch.randn(batch, 4, side, side),
        "timestep": torch.tensor(10),
        "encoder_hidden_states": torch.randn(batch, length, 32),
    } | more


def _unet(**more: Any) -> Built:
    config = UNETS | {"sample_size": 16, "down_block_types": DOWN, "up_block_types": UP} | more
    model = diffusers.UNet2DConditionModel(**config)
    return built(model, _conditioned, (2, 16, 6), (3, 32, 9))


def _unet_sdxl() -> Built:
    model = diffusers.UNet2DConditionModel(
        **UNETS,
        sample_size=16,
        down_block_types=DOWN,
        up_block_types=UP,
        use_linear_projection=True,
        addition_embed_type="text_time",
        addition_time_embed_dim=8,
        transformer_layers_per_block=(1, 2),
        projection_class_embeddings_input_dim=80,
    )

    def arguments(batch: int, side: int, length: int) -> Mapping[str, Any]:
        conditions = {"text_embeds": torch.randn(batch, 32), "time_ids": torch.rand(batch, 6)}
        return _conditioned(batch, side, length, added_cond_kwargs=conditions)

    return built(model, arguments, (2, 16, 6), (3, 32, 9))


def _control() -> Built:
    model = diffusers.ControlNetModel(
        **UNETS, down_block_types=DOWN, conditioning_embedding_out_channels=(8, 16), in_channels=4
    )

    def arguments(batch: int, side: int, length: int) -> Mapping[str, Any]:
        return _conditioned(batch, side, length, controlnet_cond=torch.randn(batch, 3, side * 2, side * 2))

    return built(model, arguments, (2, 16, 6), (3, 32, 9))


def _motion() -> Built:
    model = diffusers.UNetMotionModel(
        block_out_channels=(16, 32),
        norm_num_groups=16,
        down_block_types=("CrossAttnDownBlockMotion", "DownBlockMotion"),
        up_block_types=("UpBlockMotion", "CrossAttnUpBlockMotion"),
        cross_attention_dim=32,
        num_attention_heads=2,
        layers_per_block=1,
        sample_size=16,
    )

    def arguments(batch: int, frames: int, side: int) -> Mapping[str, Any]:
        return _conditioned(batch * frames, side, 6, sample=torch.randn(batch, 4, frames, side, side))

    return built(model, arguments, (1, 3, 16), (2, 4, 16))


def _kandinsky3() -> Built:
    model = diffusers.Kandinsky3UNet(
        in_channels=4,
        time_embedding_dim=4,
        groups=2,
        attention_head_dim=4,
        layers_per_block=3,
        block_out_channels=(32, 64),
        cross_attention_dim=4,
        encoder_hid_dim=32,
    )

    def arguments(batch: int, side: int, length: int) -> Mapping[str, Any]:
        return _conditioned(batch, side, length, encoder_attention_mask=torch.ones(batch, length))

    return built(model, arguments, (2, 16, 6), (3, 32, 9))


def _i2vgen() -> Built:
    model = diffusers.I2VGenXLUNet(
        block_out_channels=(4, 8),
        norm_num_groups=2,
        down_block_types=("CrossAttnDownBlock3D", "DownBlock3D"),
        up_block_types=("UpBlock3D", "CrossAttnUpBlock3D"),
        cross_attention_dim=4,
        attention_head_dim=4,
        num_attention_heads=None,
        layers_per_block=1,
        sample_size=32,
    )

    def arguments(batch: int, frames: int, side: int) -> Mapping[str, Any]:
        return {
            "sample": torch.randn(batch, 4, frames, side, side),
            "timestep": torch.tensor([10]),
            "fps": torch.tensor([4] * batch),
            "image_latents": torch.randn(batch, 4, frames, side, side),
            "image_embeddings": torch.randn(batch, 4),
            "encoder_hidden_states": torch.randn(batch, 7, 4),
        }

    return built(model, arguments, (1, 3, 32), (2, 4, 32))


def _uvit() -> Built:
    model = diffusers.UVit2DModel(
        hidden_size=32,
        cond_embed_dim=32,
        micro_cond_encode_dim=4,
        micro_cond_embed_dim=20,
        encoder_hidden_size=32,
        vocab_size=64,
        codebook_size=48,
        in_channels=32,
        block_out_channels=32,
        num_res_blocks=1,
        block_num_heads=4,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=48,
        sample_size=8,
    )

    def arguments(batch: int, side: int, length: int) -> Mapping[str, Any]:
        return {
            "input_ids": torch.randint(0, 48, (batch, side, side)),
            "encoder_hidden_states": torch.randn(batch, length, 32),
            "pooled_text_emb": torch.randn(batch, 32),
            "micro_conds": torch.rand(batch, 5),
        }

    return built(model, arguments, (2, 8, 6), (3, 8, 9))


def _vision(name: str, first: tuple[int, ...], second: tuple[int, ...], **config: Any) -> Built:
    return shaped(getattr(diffusers, name)(**config), (first, second))


def _autoencoder_dc() -> Built:
    return _vision(
        "AutoencoderDC",
        (2, 3, 32, 32),
        (3, 3, 48, 48),
        in_channels=3,
        latent_channels=4,
        attention_head_dim=2,
        encoder_block_types=("ResBlock", "EfficientViTBlock"),
        decoder_block_types=("ResBlock", "EfficientViTBlock"),
        encoder_block_out_channels=(8, 8),
        decoder_block_out_channels=(8, 8),
        encoder_qkv_multiscales=((), (5,)),
        decoder_qkv_multiscales=((), (5,)),
        encoder_layers_per_block=(1, 1),
        decoder_layers_per_block=(1, 1),
        downsample_block_type="conv",
        upsample_block_type="interpolate",
        decoder_norm_types="rms_norm",
        decoder_act_fns="silu",
    )


AUTOENCODERS: Recipes = {
    "AutoencoderKL": lambda: _vision(
        "AutoencoderKL",
        (2, 3, 16, 16),
        (3, 3, 24, 24),
        block_out_channels=(4, 8),
        down_block_types=("DownEncoderBlock2D",) * 2,
        up_block_types=("UpDecoderBlock2D",) * 2,
        norm_num_groups=2,
    ),
    "AutoencoderDC": _autoencoder_dc,
    "AutoencoderOobleck": lambda: _vision(
        "AutoencoderOobleck",
        (1, 2, 64),
        (2, 2, 96),
        encoder_hidden_size=12,
        decoder_channels=12,
        decoder_input_channels=6,
        audio_channels=2,
        downsampling_ratios=[2, 4],
        channel_multiples=[1, 2],
        sampling_rate=4 * 16000,
    ),
    "AutoencoderKLWan": lambda: _vision(
        "AutoencoderKLWan",
        (1, 3, 5, 16, 16),
        (2, 3, 9, 16, 16),
        base_dim=3,
        z_dim=16,
        dim_mult=[1, 1, 1, 1],
        num_res_blocks=1,
        temperal_downsample=[False, True, True],
    ),
    "AutoencoderKLQwenImage": lambda: _vision(
        "AutoencoderKLQwenImage",
        (1, 3, 1, 16, 16),
        (2, 3, 1, 24, 24),
        base_dim=24,
        z_dim=16,
        dim_mult=[1, 2, 4],
        num_res_blocks=1,
        temperal_downsample=[False, True],
    ),
    "AutoencoderKLCogVideoX": lambda: _vision(
        "AutoencoderKLCogVideoX",
        (1, 3, 8, 16, 16),
        (2, 3, 8, 24, 24),
        block_out_channels=(8, 8, 8, 8),
        layers_per_block=1,
        latent_channels=4,
        norm_num_groups=2,
    ),
    "AutoencoderKLMochi": lambda: _vision(
        "AutoencoderKLMochi",
        (1, 3, 7, 16, 16),
        (2, 3, 13, 16, 16),
        latent_channels=4,
        encoder_block_out_channels=(32, 32, 32, 32),
        decoder_block_out_channels=(32, 32, 32, 32),
        layers_per_block=(1, 1, 1, 1, 1),
    ),
    "AutoencoderKLHunyuanVideo": lambda: _vision(
        "AutoencoderKLHunyuanVideo",
        (1, 3, 9, 16, 16),
        (2, 3, 9, 16, 16),
        latent_channels=4,
        block_out_channels=(8, 8, 8, 8),
        layers_per_block=1,
        norm_num_groups=4,
    ),
    "AutoencoderKLMagvit": lambda: _vision(
        "AutoencoderKLMagvit",
        (1, 3, 5, 16, 16),
        (2, 3, 9, 16, 16),
        latent_channels=4,
        block_out_channels=[8, 8, 8, 8],
        layers_per_block=1,
        norm_num_groups=4,
        spatial_group_norm=True,
    ),
    "VQModel": lambda: _vision(
        "VQModel", (2, 3, 16, 16), (3, 3, 24, 24), block_out_channels=(8,), norm_num_groups=4, num_vq_embeddings=16
    ),
    "AutoencoderTiny": lambda: _vision(
        "AutoencoderTiny",
        (2, 3, 32, 32),
        (3, 3, 48, 48),
        encoder_block_out_channels=(8, 8),
        decoder_block_out_channels=(8, 8),
        num_encoder_blocks=(1, 2),
        num_decoder_blocks=(2, 1),
    ),
}


def _step(name: str) -> Built:
    scheduler = getattr(diffusers, name)()
    scheduler.set_timesteps(2 if name == "SCMScheduler" else 6)  # it knows no other way than two steps
    successive = iter(scheduler.timesteps)

    def arguments(batch: int, side: int) -> Mapping[str, Any]:
        sample = torch.randn(batch, 4, side, side)
        timestep = next(successive)
        if name == "DDPMWuerstchenScheduler":
            timestep = timestep.expand(batch)
        if hasattr(scheduler, "is_scale_input_called"):  # as pipelines do, else it warns
            sample = scheduler.scale_model_input(sample, timestep)
        return {"model_output": torch.randn_like(sample), "timestep": timestep, "sample": sample}

    return built(scheduler.step, arguments, (2, 8), (2, 8) if name in REMEMBERING else (3, 12), trains=False)


REMEMBERING = (
    "DEISMultistepScheduler",
    "DPMSolverMultistepInverseScheduler",
    "DPMSolverMultistepScheduler",
    "DPMSolverSDEScheduler",
    "DPMSolverSinglestepScheduler",
    "EDMDPMSolverMultistepScheduler",
    "HeunDiscreteScheduler",
    "IPNDMScheduler",
    "KDPM2AncestralDiscreteScheduler",
    "KDPM2DiscreteScheduler",
    "LMSDiscreteScheduler",
    "PNDMScheduler",
    "SASolverScheduler",
    "UniPCMultistepScheduler",
)
"""What they keep from step to step has the shape of the sample: it cannot change."""

SCHEDULERS = (
    "CMStochasticIterativeScheduler",
    "CogVideoXDDIMScheduler",
    "DDIMInverseScheduler",
    "DDIMParallelScheduler",
    "DDIMScheduler",
    "DDPMParallelScheduler",
    "DDPMScheduler",
    "DDPMWuerstchenScheduler",
    "DEISMultistepScheduler",
    "DPMSolverMultistepInverseScheduler",
    "DPMSolverMultistepScheduler",
    "DPMSolverSDEScheduler",
    "DPMSolverSinglestepScheduler",
    "EDMDPMSolverMultistepScheduler",
    "EDMEulerScheduler",
    "EulerAncestralDiscreteScheduler",
    "EulerDiscreteScheduler",
    "FlowMatchEulerDiscreteScheduler",
    "FlowMatchLCMScheduler",
    "HeunDiscreteScheduler",
    "IPNDMScheduler",
    "KDPM2AncestralDiscreteScheduler",
    "KDPM2DiscreteScheduler",
    "LCMScheduler",
    "LMSDiscreteScheduler",
    "PNDMScheduler",
    "SASolverScheduler",
    "SCMScheduler",
    "TCDScheduler",
    "UnCLIPScheduler",
    "UniPCMultistepScheduler",
)


RECIPES: Recipes = {
    "UNet2DConditionModel": _unet,
    "UNet2DConditionModel_scale_shift": lambda: _unet(resnet_time_scale_shift="scale_shift"),
    "UNet2DConditionModel_sdxl": _unet_sdxl,
    "ControlNetModel": _control,
    "UNetMotionModel": _motion,
    "Kandinsky3UNet": _kandinsky3,
    "I2VGenXLUNet": _i2vgen,
    "UVit2DModel": _uvit,
    **AUTOENCODERS,
    **IMAGE,
    **VIDEO,
}


def names() -> list[str]:
    """Models by class name, schedulers as `step_NAME`."""
    return [*RECIPES, *(f"step_{name}" for name in SCHEDULERS)]


def build(name: str) -> Built:
    """The model or the scheduler's `step` of that name."""
    if name in RECIPES:
        return make(RECIPES, name)
    torch.manual_seed(0)
    return _step(name.removeprefix("step_"))
