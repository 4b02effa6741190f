"""Real model code with small random weights: `library.py NAME…`; needs the packages that the names begin with.

Of each model: some calls with inputs of other sizes or kinds, in training with a backward pass and a step
of an optimizer. Several models in one process are independent: what was compiled is forgotten in between.
"""

import random
import sys
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import torch
from torch import nn

Calls = Iterable[dict[str, Any]]
TEXT = {"vocab_size": 64, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 32}
SIZES = ((12, 30), (12, 33), (15, 40))
"""Nodes and edges of graphs."""


def ids(batch: int, length: int) -> torch.Tensor:
    return torch.randint(4, 64, (batch, length))


def edges(nodes: int, count: int) -> torch.Tensor:
    return torch.randint(nodes, (2, count))


def transformers_mixtral() -> tuple[Callable[..., Any], Calls]:
    from transformers import MixtralConfig, MixtralForCausalLM

    config = MixtralConfig(**TEXT, num_key_value_heads=2, num_local_experts=4, experts_implementation="eager")
    return MixtralForCausalLM(config), [{"input_ids": ids(2, length)} for length in (6, 6, 9)]


def transformers_bert() -> tuple[Callable[..., Any], Calls]:
    from transformers import BertConfig, BertForSequenceClassification

    inputs = ids(2, 8)
    return BertForSequenceClassification(BertConfig(**TEXT)), [
        {"input_ids": inputs, "attention_mask": torch.ones_like(inputs), "labels": torch.tensor([0, 1])},
        {"input_ids": inputs},
        {"input_ids": inputs[:, :5]},
    ]


def transformers_led() -> tuple[Callable[..., Any], Calls]:
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
    return LEDModel(config), [{"input_ids": ids(1, length)} for length in (8, 10)]


def transformers_xlm() -> tuple[Callable[..., Any], Calls]:
    from transformers import XLMConfig, XLMWithLMHeadModel

    model = XLMWithLMHeadModel(XLMConfig(vocab_size=64, emb_dim=32, n_layers=2, n_heads=4))
    return model, [{"input_ids": ids(batch, 8), "labels": ids(batch, 8)} for batch in (2, 2, 3)]


def transformers_wav2vec2() -> tuple[Callable[..., Any], Calls]:
    from transformers import Wav2Vec2Config, Wav2Vec2ForCTC

    config = Wav2Vec2Config(
        **{**TEXT, "num_hidden_layers": 1},
        conv_dim=(16, 16),
        conv_stride=(4, 4),
        conv_kernel=(8, 8),
        num_conv_pos_embeddings=8,
        num_conv_pos_embedding_groups=2,
    )
    return Wav2Vec2ForCTC(config), [
        {"input_values": torch.randn(batch, 1600), "attention_mask": torch.ones(batch, 1600, dtype=torch.long)}
        for batch in (2, 2, 3)
    ]


def transformers_vit() -> tuple[Callable[..., Any], Calls]:
    from transformers import ViTConfig, ViTForImageClassification

    config = ViTConfig(**{**TEXT, "num_hidden_layers": 1}, image_size=16, patch_size=4)
    return ViTForImageClassification(config), [{"pixel_values": torch.randn(batch, 3, 16, 16)} for batch in (2, 1, 3)]


def diffusers_unet() -> tuple[Callable[..., Any], Calls]:
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


def scheduler(name: str) -> tuple[Callable[..., Any], Calls]:
    import diffusers

    made = getattr(diffusers, name)(num_train_timesteps=100)
    made.set_timesteps(4)
    x = torch.randn(1, 3, 4, 4)
    return made.step, [{"model_output": x, "timestep": step, "sample": x} for step in made.timesteps]


def diffusers_ddpm() -> tuple[Callable[..., Any], Calls]:
    return scheduler("DDPMScheduler")


def diffusers_pndm() -> tuple[Callable[..., Any], Calls]:
    return scheduler("PNDMScheduler")


def torch_geometric_gcn() -> tuple[Callable[..., Any], Calls]:
    from torch_geometric.nn.models import GCN

    return GCN(8, 8, num_layers=2, out_channels=4), [
        {"x": torch.randn(6, 8), "edge_index": edges(6, count)} for count in (10, 12)
    ]


def torch_geometric_pool() -> tuple[Callable[..., Any], Calls]:
    from torch_geometric.nn import TopKPooling

    return TopKPooling(8), [
        {"x": torch.randn(nodes, 8), "edge_index": edges(nodes, count), "batch": torch.zeros(nodes, dtype=torch.long)}
        for nodes, count in SIZES
    ]


def torch_geometric_supergat() -> tuple[Callable[..., Any], Calls]:
    from torch_geometric.nn import SuperGATConv

    return SuperGATConv(8, 8), [
        {"x": torch.randn(nodes, 8), "edge_index": edges(nodes, count)} for nodes, count in SIZES
    ]


def torch_geometric_set2set() -> tuple[Callable[..., Any], Calls]:
    from torch_geometric.nn import Set2Set

    return Set2Set(8, processing_steps=2), [
        {"x": torch.randn(nodes, 8), "index": torch.arange(nodes) // 5} for nodes in (12, 12, 15)
    ]


def torch_geometric_negative() -> tuple[Callable[..., Any], Calls]:
    from torch_geometric.utils import negative_sampling

    return negative_sampling, [{"edge_index": edges(nodes, count)} for nodes, count in SIZES]


MAKERS: dict[str, Callable[[], tuple[Callable[..., Any], Calls]]] = {
    maker.__name__: maker
    for maker in (
        transformers_mixtral,
        transformers_bert,
        transformers_led,
        transformers_xlm,
        transformers_wav2vec2,
        transformers_vit,
        diffusers_unet,
        diffusers_ddpm,
        diffusers_pndm,
        torch_geometric_gcn,
        torch_geometric_pool,
        torch_geometric_supergat,
        torch_geometric_set2set,
        torch_geometric_negative,
    )
}
TRAINED = ("transformers_xlm", "transformers_wav2vec2", "transformers_vit", "torch_geometric_supergat")


def loss(output: Any) -> torch.Tensor:
    """Something to differentiate, of what a model returns."""
    first = output if isinstance(output, torch.Tensor) else next(iter(output.values()))
    return first.float().pow(2).mean()


def train(model: nn.Module, calls: Calls) -> None:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for keywords in calls:
        loss(model(**keywords)).backward()
        optimizer.step()
        optimizer.zero_grad()
    model.eval()
    with torch.no_grad():
        model(**next(iter(calls)))


def main(names: Iterable[str]) -> None:
    for name in names:
        torch._dynamo.reset()
        random.seed(0)
        np.random.seed(0)
        torch.manual_seed(0)
        made, calls = MAKERS[name]()
        compiled = torch.compile(made, backend="aot_eager" if name in TRAINED else "eager")
        if name in TRAINED:
            train(compiled, calls)
        else:
            for keywords in calls:
                compiled(**keywords)


if __name__ == "__main__":
    main(sys.argv[1:])
