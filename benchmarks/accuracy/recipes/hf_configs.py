"""Small configurations of transformers: the defaults of a config class, with sizes that a test machine can bear.

Sizes are recognised by the names of fields, which the package spells in some dozen ways, in sub-configurations, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any

VOCABULARY = 256
FIRST_SPECIAL = 160
"""Token ids from here on are special ones: texts are made of smaller ids."""


@dataclass(frozen=True)
class Sizes:
    """How small. What is None stays as it is by default."""

    layers: int = 2
    width: int | None = 64
    inner: int | None = 128
    heads: int | None = 4
    key_heads: int | None = 2
    head: int | None = 16
    experts: int = 4
    image: int | None = 64
    """Something is left of it after five halvings."""
    positions: int = 0
    """A text may at least be so long."""


_LAYERS = re.compile(
    r"(^|_)(num_hidden_layers|num_layers|n_layers?|layers|depth|n_blocks|num_blocks|block_depth)$"
    r"|^num_(hidden|encoder|decoder)_layers$|^num_blocks_per_|^num_hidden_groups$"
)
_WIDTH = re.compile(
    r"(^|_)(hidden_size|hidden_dim|d_model|n_embd|embed_dim|embedding_size|embedding_dim|emb_dim|dim|projection_dim|"
    r"proj_dim|hidden_channels|width|embed_size|bottleneck_size|d_embed|dim_model|output_dim|hidden_dims)$"
)
_INNER = re.compile(
    r"intermediate|ffn_dim|ffn_hidden|mlp_dim|(^|_)d_ff$|d_inner|n_inner|feedforward|fc_hidden|mlp_hidden"
)
_HEADS = re.compile(r"(^|_)(num_attention_heads|attention_heads|num_heads|n_heads?|heads|num_value_heads|num_v_heads)$")
_KEY_HEADS = re.compile(r"(num_key_value_heads|num_kv_heads|n_kv_heads?|num_key_heads|kv_heads|num_k_heads)$")
_HEAD = re.compile(r"(head_dim|d_kv|head_size|kv_channels|d_head|dim_head)$|^(qk|v)_.*_dim$")
_EXPERTS = re.compile(r"(^|_)(num_experts|n_routed_experts|num_local_experts|n_experts|num_routed_experts)$")
_CHOSEN = re.compile(
    r"(num_experts_per_tok|topk|top_k|moe_k|num_selected_experts|experts_per_token|num_experts_per_token)$"
)
_TOKEN = re.compile(r"(token_id|token_index|_idx|_start|_end|_bos_id|_eos_id|token_ids)$")
_CAPS = {
    "first_k_dense_replace": 1,
    "n_group": 2,
    "topk_group": 1,
    "train_num_points": 64,
    "num_query_tokens": 8,
    "resampler_n_latents": 8,
    "insert_layer_id": 1,
    "num_kv_shared_layers": 1,
    "image_seq_length": 16,
    "mm_tokens_per_image": 4,
    "index_head_dim": 32,
    "rotary_dim": 8,
    "num_parallel_samples": 4,
    "mamba_n_heads": 8,
    "max_window_layers": 1,
    "num_queries": 12,
    "attn_layer_period": 2,
    "attn_layer_offset": 1,
    "full_attention_interval": 2,
    "layer_group_size": 2,
    "attn_layer_idx": 1,
}
_ASKED_FOR = {
    "attn_layer_indices": [1],
    "prediction_length": 8,
    "context_length": 16,
    "num_experts_per_tok": 2,
    "vocab_size": VOCABULARY,
}
"""Fields without a default that models cannot do without."""
_STAGES = re.compile(r"(hidden_sizes|channels|dims|embed_dim|num_filters)$")
_ALL_KINDS_OF_LAYERS = 4
"""Layers of a model whose layers are not all alike."""


def small_config(config_class: type[Any], sizes: Sizes) -> Any:
    """An instance with small sizes. Raises what the class raises, if they do not fit together."""
    return config_class(**_small(config_class, {}, sizes))


def defaults(config_class: type[Any]) -> dict[str, Any]:
    """What the fields of the class itself are by default; what is common to all configurations is left out."""
    from transformers import PreTrainedConfig

    common = {field.name for field in fields(PreTrainedConfig)}
    return {
        field.name: field.default_factory() if field.default_factory is not MISSING else field.default
        for field in fields(config_class)
        if field.name not in common and not (field.default is MISSING and field.default_factory is MISSING)
    }


def _small(config_class: type[Any], given: Mapping[str, Any], sizes: Sizes) -> dict[str, Any]:
    """Arguments for the class: what was given, and what must be smaller than the default."""
    values = {**defaults(config_class), **given}
    if any(_is_of_stages(name, value) for name, value in values.items()):
        sizes = replace(sizes, width=None)  # what stages hand on must fit
    layers = _layers(values, sizes)
    changed = {name: _value(name, value, values, layers, sizes) for name, value in values.items()}
    changed = {name: value for name, value in changed.items() if value != values[name] or name in given}
    changed |= {name: value for name, value in _ASKED_FOR.items() if name in values and values[name] is None}
    changed |= _images(values, sizes)
    for name, spec in getattr(config_class, "sub_configs_defaults", {}).items():
        if name == "backbone_config":
            changed[name] = _backbone(spec, sizes)
            continue
        if not spec.optional or values.get(name) is not None:
            own = _class_of(spec)
            begun = {**spec.init_kwargs, **(values.get(name) or {})}
            changed[name] = {**_small(own, begun, sizes), **({"model_type": own.model_type} if own.model_type else {})}
    return changed


def _is_of_stages(name: str, value: Any) -> bool:
    several = isinstance(value, (list, tuple)) and len(value) > 1
    return several and bool(_STAGES.search(name) or _HEADS.search(name))


def _class_of(spec: Any) -> type[Any]:
    from transformers import CONFIG_MAPPING, PreTrainedConfig

    found: type[Any] = spec.config_class
    return found if issubclass(found, PreTrainedConfig) else CONFIG_MAPPING[spec.model_type]


def _layers(values: Mapping[str, Any], sizes: Sizes) -> int:
    """How many layers: enough for what refers to layers by their numbers, and for each kind of them."""
    numbered = [
        len(value) for name, value in values.items() if _is_numbers_of_layers(name) and isinstance(value, (list, tuple))
    ]
    mixed = _ALL_KINDS_OF_LAYERS if "layer_types" in values or "layers_block_type" in values else 0
    return max(sizes.layers, mixed, *numbered, 0)


def _is_numbers_of_layers(name: str) -> bool:
    return bool(re.search(r"(_indices|_indexes|_ids_of_layers|feature_layer|_layers_indices)$", name))


def _value(name: str, value: Any, values: Mapping[str, Any], layers: int, sizes: Sizes) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return _number(name, value, layers, sizes)
    if isinstance(value, (list, tuple)) and value:
        of_layers = [each for key, each in values.items() if _LAYERS.search(key) and isinstance(each, int)]
        if len(value) in of_layers and len(value) > layers:
            return type(value)(value[:layers])
        if all(isinstance(each, int) and not isinstance(each, bool) for each in value):
            if re.search(r"depths?$|num_block_repeats|layers_repeats?$|(^|_)layers$|num_blocks$|layer_repeats", name):
                return type(value)([1] * len(value))
            if _is_numbers_of_layers(name) and max(value) >= layers:
                return type(value)(range(layers - len(value), layers))
            if _TOKEN.search(name):
                return type(value)([_special(name, each) for each in value])
    return value


def _number(name: str, value: int, layers: int, sizes: Sizes) -> int:
    if name in _CAPS:
        return min(value, _CAPS[name])
    if _TOKEN.search(name):
        return _special(name, value)
    if "vocab_size" in name:
        return min(value, VOCABULARY)
    if name.endswith("position_embeddings"):
        return max(value, sizes.positions)
    for pattern, cap in (
        (_LAYERS, layers),
        (_EXPERTS, sizes.experts),
        (_CHOSEN, 2),
        (_INNER, sizes.inner),
        (_KEY_HEADS, sizes.key_heads),
        (_HEADS, sizes.heads),
        (_HEAD, sizes.head),
        (_WIDTH, sizes.width),
    ):
        if pattern.search(name):
            return value if cap is None else min(value, cap)
    if name.endswith("lora_rank"):
        return min(value, 32)
    if name == "max_source_positions" and value == 1500:
        return 40
    return value


def _special(name: str, value: int) -> int:
    """A small id for a large one, the same wherever the same is said."""
    if value < FIRST_SPECIAL:
        return value
    stem = re.sub(r"_(id|index|ids)$", "", name)
    return FIRST_SPECIAL + sum(map(ord, stem)) * 7 % (VOCABULARY - FIRST_SPECIAL)


def _images(values: Mapping[str, Any], sizes: Sizes) -> dict[str, Any]:
    """A picture of four by four patches, or one of a given side where patches are small or none."""
    image, patch = values.get("image_size"), values.get("patch_size")
    if image is None or sizes.image is None:
        return {}
    side = patch[0] if isinstance(patch, (list, tuple)) and isinstance(patch[0], int) else patch
    size = 4 * side if isinstance(side, int) and side >= 8 else sizes.image
    if isinstance(image, (list, tuple)):
        return {"image_size": type(image)([size] * len(image))}
    changed: dict[str, Any] = {"image_size": size}
    if values.get("image_embedding_size") and isinstance(side, int):
        changed["image_embedding_size"] = size // side
    return changed


def _backbone(spec: Any, sizes: Sizes) -> dict[str, Any]:
    """A backbone that needs no other package; ResNet stands for those of timm."""
    model_type = spec.model_type if not str(spec.model_type).startswith("timm") else "resnet"
    begun = (
        dict(spec.init_kwargs) if model_type == spec.model_type else {"out_features": ["stage2", "stage3", "stage4"]}
    )
    from transformers import CONFIG_MAPPING

    return {**_small(CONFIG_MAPPING[model_type], begun, sizes), "model_type": model_type}
