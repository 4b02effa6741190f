"""Recipes for peft: adapters of many kinds over two linear layers."""

from __future__ import annotations

from typing import Any

import peft
import torch
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "peft"


class Base(nn.Module):
    """What is adapted."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(16, 16)
        self.second = nn.Linear(16, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.second(self.first(x).relu())


def _adapted(config: str, **options: Any) -> Built:
    model = peft.get_peft_model(Base(), getattr(peft, config)(target_modules=["first", "second"], **options))
    return shaped(model, ((4, 16), (6, 16)))


def _merged() -> Built:
    model = peft.get_peft_model(Base(), peft.LoraConfig(target_modules=["first"], r=2))
    model.merge_adapter()
    return shaped(model, ((4, 16), (6, 16)))


def _mixed() -> Built:
    model = peft.get_peft_model(Base(), peft.LoraConfig(target_modules=["first"], r=2))
    model.add_adapter("other", peft.LoraConfig(target_modules=["first", "second"], r=4))
    return built(
        model,
        lambda n: {"x": torch.randn(n, 16), "adapter_names": ["default", "other"] * (n // 2)},
        (4,),
        (6,),
        trains=False,
    )


RECIPES: Recipes = {
    "Lora": lambda: _adapted("LoraConfig", r=2, lora_dropout=0.1, use_rslora=True),
    "Lora_dora": lambda: _adapted("LoraConfig", r=2, use_dora=True),
    "Lora_merged": _merged,
    "Lora_mixed_batch": _mixed,
    "AdaLora": lambda: _adapted("AdaLoraConfig", total_step=10, init_r=2),
    "IA3": lambda: _adapted("IA3Config", feedforward_modules=["second"]),
    "LoHa": lambda: _adapted("LoHaConfig", r=2, rank_dropout=0.1),
    "LoKr": lambda: _adapted("LoKrConfig", r=2, rank_dropout=0.1),
    "OFT": lambda: _adapted("OFTConfig", oft_block_size=4, use_cayley_neumann=True),
    "BOFT": lambda: _adapted("BOFTConfig", boft_block_size=4),
    "HRA": lambda: _adapted("HRAConfig", r=2),
    "FourierFT": lambda: _adapted("FourierFTConfig", n_frequency=4),
    "VeRA": lambda: _adapted("VeraConfig", r=2),
    "VBLoRA": lambda: _adapted("VBLoRAConfig", r=2, num_vectors=4, vector_length=2),
    "RandLora": lambda: _adapted("RandLoraConfig", r=2),
    "SHiRA": lambda: _adapted("ShiraConfig", r=2),
    "C3A": lambda: _adapted("C3AConfig", block_size=4),
    "MiSS": lambda: _adapted("MissConfig", r=4),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
