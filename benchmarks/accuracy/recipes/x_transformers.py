"""Recipes for x_transformers: one decoder with the many variants that its options make."""

from __future__ import annotations

from typing import Any

import torch
import x_transformers
from torch import nn
from x_transformers import (
    AutoregressiveWrapper,
    ContinuousTransformerWrapper,
    Decoder,
    Encoder,
    TransformerWrapper,
    ViTransformerWrapper,
    XTransformer,
)

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped, tokens

PACKAGE = "x_transformers"


def _decoder(**options: Any) -> nn.Module:
    return TransformerWrapper(
        num_tokens=50, max_seq_len=32, attn_layers=Decoder(dim=32, depth=2, heads=2, attn_dim_head=16, **options)
    )


def _language(**options: Any) -> Built:
    return tokens(_decoder(**options), (2, 16), (3, 24), 50)


def _generate() -> Built:
    model = AutoregressiveWrapper(_decoder(rotary_pos_emb=True))
    return built(model.generate, lambda b, n: (torch.randint(0, 50, (b, n)), 3), (1, 4), (2, 6), trains=False)


def _pairs() -> Built:
    model = XTransformer(
        dim=32,
        enc_num_tokens=50,
        enc_depth=1,
        enc_heads=2,
        enc_max_seq_len=32,
        dec_num_tokens=50,
        dec_depth=1,
        dec_heads=2,
        dec_max_seq_len=32,
    )
    return built(model, lambda b, n: (torch.randint(0, 50, (b, n)), torch.randint(0, 50, (b, n))), (2, 16), (3, 24))


RECIPES: Recipes = {
    "Decoder": lambda: _language(),
    "Decoder_rotary": lambda: _language(rotary_pos_emb=True, attn_qk_norm=True, ff_glu=True, use_rmsnorm=True),
    "Decoder_alibi": lambda: _language(alibi_pos_bias=True, alibi_num_heads=1, attn_pre_talking_heads=True),
    "Decoder_sparse": lambda: _language(attn_sparse_topk=4, attn_num_mem_kv=2),
    "Decoder_dynamic_bias": lambda: _language(
        dynamic_pos_bias=True, dynamic_pos_bias_log_distance=False, residual_attn=True
    ),
    "Decoder_t5": lambda: _language(rel_pos_bias=True, sandwich_norm=True, macaron=True),
    "Decoder_shift": lambda: _language(shift_tokens=1, layer_dropout=0.2),
    "Decoder_flash": lambda: _language(attn_flash=True, attn_kv_heads=1, ff_swish=True, ff_relu_squared=False),
    "Decoder_hyper": lambda: _language(num_residual_streams=2, attn_value_rmsnorm=True),
    "Encoder_classes": lambda: tokens(
        TransformerWrapper(
            num_tokens=50,
            max_seq_len=32,
            use_cls_token=True,
            num_memory_tokens=2,
            emb_dropout=0.1,
            attn_layers=Encoder(dim=32, depth=2, heads=2),
        ),
        (2, 16),
        (3, 24),
        50,
    ),
    "ViTransformerWrapper": lambda: shaped(
        ViTransformerWrapper(
            image_size=16,
            patch_size=4,
            num_classes=5,
            num_register_tokens=2,
            attn_layers=Encoder(dim=32, depth=2, heads=2),
        ),
        ((2, 3, 16, 16), (3, 3, 16, 16)),
    ),
    "ContinuousTransformerWrapper": lambda: built(
        ContinuousTransformerWrapper(
            dim_in=8, dim_out=4, max_seq_len=32, attn_layers=Encoder(dim=32, depth=1, heads=2)
        ),
        lambda b, n: {"x": torch.randn(b, n, 8), "mask": torch.ones(b, n, dtype=torch.bool)},
        (2, 16),
        (3, 24),
    ),
    "AutoregressiveWrapper": lambda: tokens(
        AutoregressiveWrapper(_decoder(rotary_pos_emb=True), mask_prob=0.15), (2, 17), (3, 25), 50
    ),
    "AutoregressiveWrapper_generate": _generate,
    "NonAutoregressiveWrapper": lambda: tokens(
        x_transformers.NonAutoregressiveWrapper(
            TransformerWrapper(
                num_tokens=51, logits_dim=50, max_seq_len=16, attn_layers=Encoder(dim=32, depth=1, heads=2)
            ),
            steps=2,
            mask_id=50,
        ),
        (2, 16),
        (3, 16),
        50,
    ),
    "XTransformer": _pairs,
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
