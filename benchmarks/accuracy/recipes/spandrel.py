"""Recipes for spandrel: the networks of many papers on restoring and enlarging images."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from spandrel import architectures

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "spandrel"


def _network(architecture: str, name: str, side: int = 16, second: int = 24, channels: int = 3, **config: Any) -> Built:
    model = getattr(import_module(f"{architectures.__name__}.{architecture}"), name)(**config)
    return shaped(model, ((1, channels, side, side), (2, channels, second, second)))


SHORT = {"depths": [1, 1], "num_heads": [2, 2], "embed_dim": 12}

RECIPES: Recipes = {
    "ATD": partial(
        _network,
        "ATD",
        "ATD",
        img_size=16,
        window_size=4,
        category_size=16,
        num_tokens=8,
        upscale=2,
        upsampler="pixelshuffledirect",
        **SHORT,
    ),
    "CRAFT": partial(
        _network,
        "CRAFT",
        "CRAFT",
        window_size=4,
        embed_dim=12,
        depths=[1],
        num_heads=[6],
        split_size_0=2,
        split_size_1=4,
        upscale=2,
    ),
    "Compact": partial(_network, "Compact", "Compact", num_feat=8, num_conv=2, upscale=2),
    "DAT": partial(_network, "DAT", "DAT", img_size=16, embed_dim=32, split_size=[2, 4], depth=[2], num_heads=[2]),
    "DCTLSA": partial(_network, "DCTLSA", "DCTLSA", nf=10, num_modules=6, upscale=2, num_head=5),
    "DITN": partial(_network, "DITN", "DITN", dim=12, ITL_blocks=1, SAL_blocks=1, upscale=2),
    "DRCT": partial(
        _network, "DRCT", "DRCT", img_size=16, window_size=4, upscale=2, upsampler="pixelshuffle", gc=4, **SHORT
    ),
    "DRUNet": partial(_network, "DRUNet", "DRUNet", nc=[4, 4, 8, 8], nb=1, channels=2, in_nc=2),
    "DnCNN": partial(_network, "DnCNN", "DnCNN", nc=8, nb=3, channels=1),
    "ESRGAN": partial(_network, "ESRGAN", "ESRGAN", num_filters=8, num_blocks=1, scale=2, plus=True),
    "FFTformer": partial(
        _network, "FFTformer", "FFTformer", side=32, second=64, dim=8, num_blocks=[1, 1, 1], num_refinement_blocks=1
    ),
    "HAT": partial(
        _network,
        "HAT",
        "HAT",
        img_size=16,
        window_size=4,
        upscale=2,
        upsampler="pixelshuffle",
        num_feat=8,
        compress_ratio=2,
        squeeze_factor=4,
        **SHORT,
    ),
    "KBNet_s": partial(
        _network, "KBNet", "KBNet_s", width=8, middle_blk_num=1, enc_blk_nums=[1, 1], dec_blk_nums=[1, 1]
    ),
    "MixDehazeNet": partial(_network, "MixDehazeNet", "MixDehazeNet", side=64, second=96, embed_dims=[8, 8, 8, 8, 8]),
    "MoSR": partial(_network, "MoSR", "MoSR", n_block=2, dim=16, upscale=2, upsampler="dys", drop_path=0.1),
    "NAFNet": partial(_network, "NAFNet", "NAFNet", width=8, enc_blk_nums=[1, 1], dec_blk_nums=[1, 1]),
    "OmniSR": partial(_network, "OmniSR", "OmniSR", num_feat=16, window_size=4, up_scale=2),
    "PLKSR": partial(
        _network, "PLKSR", "PLKSR", dim=16, n_blocks=2, upscaling_factor=2, kernel_size=5, lk_type="SparsePLK"
    ),
    "RealPLKSR": partial(
        _network, "PLKSR", "RealPLKSR", dim=16, n_blocks=2, upscaling_factor=2, kernel_size=5, dysample=True
    ),
    "RCAN": partial(_network, "RCAN", "RCAN", scale=2, n_resgroups=1, n_resblocks=1, n_feats=16, unshuffle_mod=True),
    "RGT": partial(_network, "RGT", "RGT", img_size=16, embed_dim=12, depth=[2], num_heads=[2], split_size=[4, 4]),
    "UpCunet2x": partial(_network, "RealCUGAN", "UpCunet2x", side=64, second=72, pro=True),
    "UpCunet3x": partial(_network, "RealCUGAN", "UpCunet3x", side=64, second=72),
    "RestoreFormer": partial(
        _network,
        "RestoreFormer",
        "RestoreFormer",
        side=64,
        second=64,
        n_embed=8,
        embed_dim=32,
        ch=32,
        ch_mult=(1, 2, 2, 2, 2, 2),
        num_res_blocks=1,
        resolution=64,
        z_channels=32,
        head_size=2,
        attn_resolutions=(2,),
    ),
    "RetinexFormer": partial(_network, "RetinexFormer", "RetinexFormer", n_feat=8, stage=1),
    "SAFMN": partial(_network, "SAFMN", "SAFMN", dim=8, n_blocks=1, upscaling_factor=2),
    "SCUNet": partial(_network, "SCUNet", "SCUNet", side=64, second=96, config=[1] * 7, dim=64, input_resolution=64),
    "SPAN": partial(_network, "SPAN", "SPAN", num_in_ch=3, num_out_ch=3, feature_channels=8, upscale=2),
    "Swin2SR": partial(
        _network, "Swin2SR", "Swin2SR", img_size=16, window_size=4, upscale=2, upsampler="pixelshuffle_aux", **SHORT
    ),
    "SwinIR": partial(
        _network, "SwinIR", "SwinIR", img_size=16, window_size=4, upscale=4, upsampler="nearest+conv", **SHORT
    ),
    "Uformer": partial(
        _network,
        "Uformer",
        "Uformer",
        side=64,
        second=128,
        img_size=64,
        embed_dim=4,
        depths=[1] * 9,
        num_heads=[1] * 9,
        win_size=4,
        modulator=True,
        dd_in=3,
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
