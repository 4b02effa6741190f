"""One call of a model that is being made up: how large it is, and what the model's configuration says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from benchmarks.accuracy.recipes.hf_configs import FIRST_SPECIAL


@dataclass(frozen=True)
class Size:
    """How much one call is given."""

    batch: int = 2
    length: int = 12
    image: int = 64
    samples: int = 4000
    """Of a wave."""


@dataclass(frozen=True)
class Call:
    """One call that is being made up: the model, and how much it is given."""

    model: Any
    size: Size

    @property
    def config(self) -> Any:
        return self.model.config

    @property
    def text(self) -> Any:
        return self.config.get_text_config()

    def number(self, *names: str, default: int = 0) -> int:
        """The first of these fields that a configuration has, its sub-configurations last."""
        for config in (self.config, self.text, *sub_configs(self.config)):
            for name in names:
                value = getattr(config, name, None)
                if isinstance(value, (list, tuple)) and value and isinstance(value[0], int):
                    value = value[0]
                if isinstance(value, int) and not isinstance(value, bool):
                    return value
        return default

    def ids(self, *shape: int) -> Tensor:
        limit = min(self.number("vocab_size", default=FIRST_SPECIAL), FIRST_SPECIAL)
        return torch.randint(min(5, limit - 1), limit, shape)


def sub_configs(config: Any) -> Iterator[Any]:
    for name in getattr(config, "sub_configs", {}):
        if (found := getattr(config, name, None)) is not None:
            yield found
            yield from sub_configs(found)


def other(size: Size) -> Size:
    """Another batch and length."""
    return replace(size, batch=size.batch + 1, length=size.length + 5, samples=size.samples + 1000)
