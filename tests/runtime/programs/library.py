"""Real model code with small random weights: `library.py NAME`; needs the packages that NAME names."""

import sys
from collections.abc import Callable

import torch
from torch import nn


def transformers_mixtral() -> tuple[nn.Module, list[dict[str, torch.Tensor]]]:
    from transformers import MixtralConfig, MixtralForCausalLM

    config = MixtralConfig(
        vocab_size=64,
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        num_local_experts=4,
        experts_implementation="eager",
    )
    return MixtralForCausalLM(config), [{"input_ids": torch.randint(64, (2, length))} for length in (6, 6, 9)]


def transformers_bert() -> tuple[nn.Module, list[dict[str, torch.Tensor]]]:
    from transformers import BertConfig, BertForSequenceClassification

    config = BertConfig(vocab_size=64, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=32)
    ids = torch.randint(64, (2, 8))
    return BertForSequenceClassification(config), [
        {"input_ids": ids, "attention_mask": torch.ones_like(ids), "labels": torch.tensor([0, 1])},
        {"input_ids": ids},
        {"input_ids": ids[:, :5]},
    ]


def transformers_led() -> tuple[nn.Module, list[dict[str, torch.Tensor]]]:
    from transformers import LEDConfig, LEDModel

    config = LEDConfig(
        vocab_size=64,
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        attention_window=4,
        max_encoder_position_embeddings=64,
        max_decoder_position_embeddings=64,
    )
    return LEDModel(config), [{"input_ids": torch.randint(2, 64, (1, length))} for length in (8, 10)]


def diffusers_unet() -> tuple[nn.Module, list[dict[str, object]]]:
    from diffusers import UNet2DModel

    model = UNet2DModel(
        sample_size=8,
        in_channels=3,
        out_channels=3,
        block_out_channels=(8, 16),
        norm_num_groups=4,
        layers_per_block=1,
        down_block_types=("DownBlock2D", "AttnDownBlock2D"),
        up_block_types=("AttnUpBlock2D", "UpBlock2D"),
        attention_head_dim=4,
    )
    return model, [{"sample": torch.randn(1, 3, 8, 8), "timestep": step} for step in (10, 20, 30)]


def torch_geometric_gcn() -> tuple[nn.Module, list[dict[str, torch.Tensor]]]:
    from torch_geometric.nn.models import GCN

    return GCN(8, 8, num_layers=2, out_channels=4), [
        {"x": torch.randn(6, 8), "edge_index": torch.randint(6, (2, edges))} for edges in (10, 12)
    ]


def torch_geometric_pool() -> tuple[nn.Module, list[dict[str, torch.Tensor]]]:
    from torch_geometric.nn import TopKPooling

    return TopKPooling(8), [
        {
            "x": torch.randn(6, 8),
            "edge_index": torch.randint(6, (2, 10)),
            "batch": torch.zeros(6, dtype=torch.long),
        }
    ] * 2


MAKERS: dict[str, Callable[[], tuple[nn.Module, list]]] = {
    maker.__name__: maker
    for maker in (
        transformers_mixtral,
        transformers_bert,
        transformers_led,
        diffusers_unet,
        torch_geometric_gcn,
        torch_geometric_pool,
    )
}

if __name__ == "__main__":
    torch.manual_seed(0)
    model, calls = MAKERS[sys.argv[1]]()
    compiled = torch.compile(model, backend="eager")
    for keywords in calls:
        compiled(**keywords)
