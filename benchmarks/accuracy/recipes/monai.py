"""Recipes for monai: networks of medical imaging, losses, metrics, and inference in windows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from monai import inferers, losses, metrics
from monai.networks import blocks, layers, nets

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "monai"

SMALL = {"spatial_dims": 2, "in_channels": 1, "out_channels": 2}


def _net(name: str, *, side: int = 32, second: int = 48, **config: Any) -> Built:
    return shaped(getattr(nets, name)(**config), ((2, 1, side, side), (3, 1, second, second)))


def _loss(loss: Callable[..., Any]) -> Built:
    def arguments(batch: int, side: int) -> tuple[Any, ...]:
        return torch.randn(batch, 3, side, side), torch.randint(0, 3, (batch, 1, side, side))

    return built(loss, arguments, (2, 8), (3, 12))


def _metric(metric: Callable[..., Any]) -> Built:
    def arguments(batch: int, side: int) -> tuple[Any, ...]:
        picks = torch.randint(0, 3, (2, batch, side, side))
        return tuple(torch.nn.functional.one_hot(each, 3).movedim(-1, 1).float() for each in picks)

    return built(metric, arguments, (2, 8), (3, 12), trains=False)


def _windows() -> Built:
    network = nets.UNet(**SMALL, channels=(4, 8), strides=(2,))
    return built(
        inferers.SlidingWindowInferer((16, 16), sw_batch_size=2, overlap=0.25).__call__,
        lambda side: {"inputs": torch.rand(1, 1, side, side), "network": network},
        (24,),
        (40,),
        trains=False,
    )


def _diffusion() -> Built:
    model = nets.DiffusionModelUNet(
        **SMALL | {"out_channels": 1},
        channels=(8, 8),
        attention_levels=(False, True),
        num_res_blocks=1,
        num_head_channels=8,
        norm_num_groups=4,
        with_conditioning=True,
        cross_attention_dim=4,
    )
    return built(
        model,
        lambda b, s: {
            "x": torch.rand(b, 1, s, s),
            "timesteps": torch.randint(0, 10, (b,)),
            "context": torch.rand(b, 2, 4),
        },
        (2, 16),
        (3, 24),
    )


NETS: Recipes = {
    "UNet": partial(_net, "UNet", **SMALL, channels=(4, 8, 16), strides=(2, 2), num_res_units=1),
    "BasicUNet": partial(_net, "BasicUNet", **SMALL, features=(4, 4, 8, 8, 8, 4)),
    "BasicUNetPlusPlus": partial(
        _net, "BasicUNetPlusPlus", **SMALL, features=(4, 4, 8, 8, 8, 4), deep_supervision=True
    ),
    "AttentionUnet": partial(_net, "AttentionUnet", **SMALL, channels=(4, 8, 16), strides=(2, 2)),
    "DynUNet": partial(
        _net,
        "DynUNet",
        **SMALL,
        kernel_size=[3, 3, 3],
        strides=[1, 2, 2],
        upsample_kernel_size=[2, 2],
        filters=[4, 8, 8],
        deep_supervision=True,
        deep_supr_num=1,
        res_block=True,
    ),
    "SegResNet": partial(_net, "SegResNet", **SMALL, init_filters=8, blocks_down=(1, 1), blocks_up=(1,)),
    "SegResNetVAE": partial(
        _net,
        "SegResNetVAE",
        second=32,
        input_image_size=(32, 32),
        vae_nz=4,
        init_filters=8,
        blocks_down=(1, 1),
        blocks_up=(1,),
        **SMALL,
    ),
    "SegResNetDS": partial(_net, "SegResNetDS", **SMALL, init_filters=8, blocks_down=(1, 1), dsdepth=2),
    "VNet": lambda: shaped(
        nets.VNet(spatial_dims=2, in_channels=1, out_channels=2, dropout_dim=2), ((1, 1, 32, 32), (2, 1, 32, 32))
    ),
    "UNETR": partial(
        _net, "UNETR", second=32, **SMALL, img_size=32, feature_size=4, hidden_size=16, mlp_dim=16, num_heads=2
    ),
    "SwinUNETR": partial(
        _net, "SwinUNETR", side=64, second=96, **SMALL, feature_size=12, depths=(1, 1, 1, 1), num_heads=(1, 1, 2, 2)
    ),
    "ViT": partial(
        _net,
        "ViT",
        second=32,
        in_channels=1,
        img_size=32,
        patch_size=8,
        hidden_size=16,
        mlp_dim=16,
        num_layers=1,
        num_heads=2,
        classification=True,
        spatial_dims=2,
    ),
    "ViTAutoEnc": partial(
        _net,
        "ViTAutoEnc",
        second=32,
        in_channels=1,
        img_size=32,
        patch_size=4,
        hidden_size=16,
        mlp_dim=16,
        num_layers=1,
        num_heads=2,
        spatial_dims=2,
    ),
    "DenseNet": partial(_net, "DenseNet", **SMALL, init_features=8, growth_rate=4, block_config=(1, 2)),
    "ResNet": lambda: shaped(
        nets.ResNet("basic", [1, 1, 1, 1], [4, 4, 8, 8], spatial_dims=2, n_input_channels=1, num_classes=3),
        ((2, 1, 32, 32), (3, 1, 48, 48)),
    ),
    "SENet": lambda: shaped(
        nets.SENet(
            spatial_dims=2,
            in_channels=1,
            block="se_bottleneck",
            layers=[1, 1, 1, 1],
            groups=4,
            reduction=4,
            num_classes=3,
        ),
        ((2, 1, 32, 32), (3, 1, 48, 48)),
    ),
    "EfficientNetBN": partial(
        _net,
        "EfficientNetBN",
        model_name="efficientnet-b0",
        pretrained=False,
        spatial_dims=2,
        in_channels=1,
        num_classes=3,
    ),
    "HighResNet": partial(_net, "HighResNet", **SMALL),
    "FlexibleUNet": partial(
        _net,
        "FlexibleUNet",
        side=64,
        second=96,
        in_channels=1,
        out_channels=2,
        backbone="efficientnet-b0",
        pretrained=False,
    ),
    "AutoEncoder": partial(_net, "AutoEncoder", **SMALL, channels=(4, 8), strides=(2, 2)),
    "VarAutoEncoder": lambda: shaped(
        nets.VarAutoEncoder(
            spatial_dims=2, in_shape=(1, 16, 16), out_channels=1, latent_size=4, channels=(4, 8), strides=(2, 2)
        ),
        ((2, 1, 16, 16), (3, 1, 16, 16)),
    ),
    "AutoencoderKL": partial(
        _net,
        "AutoencoderKL",
        **SMALL,
        channels=(8, 8),
        latent_channels=3,
        num_res_blocks=(1, 1),
        attention_levels=(False, True),
        norm_num_groups=4,
    ),
    "VQVAE": partial(
        _net,
        "VQVAE",
        **SMALL,
        channels=(8, 8),
        num_res_channels=(8, 8),
        num_res_layers=1,
        num_embeddings=8,
        embedding_dim=4,
        downsample_parameters=((2, 4, 1, 1),) * 2,
        upsample_parameters=((2, 4, 1, 1, 0),) * 2,
    ),
    "DiffusionModelUNet": _diffusion,
    "PatchDiscriminator": partial(
        _net, "PatchDiscriminator", spatial_dims=2, in_channels=1, channels=4, num_layers_d=2
    ),
    "LocalNet": lambda: shaped(
        nets.LocalNet(spatial_dims=2, in_channels=1, out_channels=2, num_channel_initial=4, extract_levels=(0, 1)),
        ((2, 1, 32, 32), (3, 1, 48, 48)),
    ),
    "RegUNet": lambda: shaped(
        nets.RegUNet(spatial_dims=2, in_channels=1, num_channel_initial=4, depth=2), ((2, 1, 32, 32), (3, 1, 48, 48))
    ),
    "MILModel": lambda: shaped(
        nets.MILModel(num_classes=2, mil_mode="att", pretrained=False, backbone=None),
        ((1, 2, 3, 64, 64), (2, 2, 3, 64, 64)),
    ),
    "Quicknat": partial(_net, "Quicknat", num_classes=2, num_channels=1, num_filters=8),
    "MedNeXt": partial(
        _net,
        "MedNeXt",
        **SMALL,
        init_filters=4,
        encoder_expansion_ratio=2,
        decoder_expansion_ratio=2,
        bottleneck_expansion_ratio=2,
        blocks_down=(1, 1, 1, 1),
        blocks_bottleneck=1,
        blocks_up=(1, 1, 1, 1),
    ),
}

OTHERS: Recipes = {
    "DiceLoss": lambda: _loss(losses.DiceLoss(to_onehot_y=True, softmax=True)),
    "DiceCELoss": lambda: _loss(losses.DiceCELoss(to_onehot_y=True, softmax=True)),
    "GeneralizedDiceLoss": lambda: _loss(losses.GeneralizedDiceLoss(to_onehot_y=True, softmax=True)),
    "GeneralizedWassersteinDiceLoss": lambda: _loss(
        losses.GeneralizedWassersteinDiceLoss(torch.tensor([[0.0, 1.0, 1.0], [1.0, 0.0, 0.5], [1.0, 0.5, 0.0]]))
    ),
    "FocalLoss": lambda: _loss(losses.FocalLoss(to_onehot_y=True, use_softmax=True)),
    "TverskyLoss": lambda: _loss(losses.TverskyLoss(to_onehot_y=True, softmax=True)),
    "HausdorffDTLoss": lambda: _loss(losses.HausdorffDTLoss(to_onehot_y=True, softmax=True)),
    "SoftclDiceLoss": lambda: _metric(losses.SoftclDiceLoss(iter_=2)),
    "SSIMLoss": lambda: shaped(
        losses.SSIMLoss(2, win_size=5), ((2, 1, 16, 16), (3, 1, 24, 24)), ((2, 1, 16, 16), (3, 1, 24, 24))
    ),
    "LocalNormalizedCrossCorrelationLoss": lambda: shaped(
        losses.LocalNormalizedCrossCorrelationLoss(spatial_dims=2),
        ((2, 1, 16, 16), (3, 1, 24, 24)),
        ((2, 1, 16, 16), (3, 1, 24, 24)),
    ),
    "GlobalMutualInformationLoss": lambda: shaped(
        losses.GlobalMutualInformationLoss(num_bins=8),
        ((2, 1, 16, 16), (3, 1, 24, 24)),
        ((2, 1, 16, 16), (3, 1, 24, 24)),
    ),
    "BendingEnergyLoss": lambda: shaped(losses.BendingEnergyLoss(), ((2, 2, 16, 16), (3, 2, 24, 24))),
    "ContrastiveLoss": lambda: shaped(losses.ContrastiveLoss(), ((4, 8), (6, 8)), ((4, 8), (6, 8))),
    "DiceMetric": lambda: _metric(metrics.DiceMetric(include_background=True).__call__),
    "HausdorffDistanceMetric": lambda: _metric(metrics.HausdorffDistanceMetric().__call__),
    "MeanIoU": lambda: _metric(metrics.MeanIoU().__call__),
    "compute_roc_auc": lambda: built(
        metrics.compute_roc_auc, lambda n: (torch.rand(n), (torch.arange(n) % 2)), (8,), (12,), trains=False
    ),
    "SlidingWindowInferer": _windows,
    "Warp": lambda: shaped(blocks.Warp(), ((2, 1, 16, 16), (3, 1, 24, 24)), ((2, 2, 16, 16), (3, 2, 24, 24))),
    "GaussianFilter": lambda: shaped(layers.GaussianFilter(2, 1.5), ((2, 1, 16, 16), (3, 1, 24, 24))),
    "SavitzkyGolayFilter": lambda: shaped(layers.SavitzkyGolayFilter(5, 2), ((2, 1, 16), (3, 1, 24))),
    "HilbertTransform": lambda: shaped(layers.HilbertTransform(), ((2, 1, 16), (3, 1, 24))),
    "MedianFilter": lambda: shaped(layers.MedianFilter(1, 2), ((2, 1, 16, 16), (3, 1, 24, 24))),
}

RECIPES: Recipes = {**NETS, **OTHERS}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
