"""A small training script that works, but torch.compile breaks on it, recompiles and gives up.

Check it: `compilelint check examples/train.py`. See Dynamo say the same:
`compilelint trace examples/train.py --backend eager`.
The same training without the hazards is train_clean.py.
"""

from __future__ import annotations

import argparse
import logging
import random
import time
import warnings
from collections.abc import Iterator

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

logger = logging.getLogger("train")

VOCABULARY, WIDTH, LAYERS, CLASSES, LONGEST, BATCH = 64, 32, 3, 4, 24, 16
Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


class Block(nn.Module):
    """Attention over the tokens that are there, then a perceptron; left out now and then while training."""

    def __init__(self, index: int) -> None:
        super().__init__()
        self.index = index
        self.norm = nn.LayerNorm(WIDTH)
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.expand = nn.Linear(WIDTH, 2 * WIDTH)
        self.shrink = nn.Linear(2 * WIDTH, WIDTH)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        if self.training and random.random() < 0.1 * self.index:
            return x
        query, key, value = self.qkv(self.norm(x)).chunk(3, dim=-1)
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=mask[:, None, :])
        if torch.isnan(mixed).any():
            raise FloatingPointError(f"block {self.index} gave NaN")
        return x + self.shrink(F.gelu(self.expand(mixed))) / (self.index + 1)


class Classifier(nn.Module):
    """The class of each sequence of tokens in a padded batch."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.embed = nn.Embedding(VOCABULARY, WIDTH)
        self.position = nn.Parameter(torch.zeros(LONGEST, WIDTH))
        self.blocks = nn.ModuleList(Block(index) for index in range(LAYERS))
        self.head = nn.Linear(WIDTH, CLASSES)

    def forward(self, tokens: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        longest = lengths.max().item()
        tokens = tokens[:, :longest]
        mask = torch.arange(longest) < lengths[:, None]
        logger.debug("call %d", self.calls)
        x = self.embed(tokens) + self.position[:longest]
        for block in self.blocks:
            x = block(x, mask)
        return self.pool(x, mask)

    def pool(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The head's answer to the mean over each sequence's own tokens."""
        means = [row[kept].mean(dim=0) for row, kept in zip(x, mask, strict=True)]
        return self.head(torch.stack(means))


def mix(loss: torch.Tensor, smoothed: torch.Tensor) -> torch.Tensor:
    """A random share of one loss and the rest of the other."""
    share = np.random.beta(0.4, 0.4)
    return share * loss + (1 - share) * smoothed


def compute_loss(model: nn.Module, batch: Batch) -> torch.Tensor:
    tokens, lengths, labels = batch
    small = f"{len(tokens)} sequences make the loss noisy"
    warnings.warn(small, stacklevel=2)
    logits = model(tokens, lengths)
    right = (logits.argmax(dim=-1) == labels).nonzero()
    logger.info("%d of %d right", len(right), len(labels))
    return mix(F.cross_entropy(logits, labels), F.cross_entropy(logits, labels, label_smoothing=0.1))


def train_step(model: nn.Module, optimizer: torch.optim.Optimizer, batch: Batch) -> torch.Tensor:
    started = time.perf_counter()
    loss = compute_loss(model, batch)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    seconds = time.perf_counter() - started
    print("step took", seconds)
    return loss.detach()


def batches(count: int) -> Iterator[Batch]:
    """Random sequences in which every other token or so hints at the class."""
    generator = torch.Generator().manual_seed(0)
    for _ in range(count):
        lengths = torch.randint(LONGEST // 2, LONGEST + 1, (BATCH,), generator=generator)
        labels = torch.randint(CLASSES, (BATCH,), generator=generator)
        noise = torch.randint(VOCABULARY, (BATCH, LONGEST), generator=generator)
        hints = noise // CLASSES * CLASSES + labels[:, None]
        yield (
            torch.where(torch.rand(BATCH, LONGEST, generator=generator) < 0.5, hints, noise),
            lengths,
            labels,
        )


def train(steps: int, backend: str) -> list[float]:
    """The loss of each step."""
    torch.manual_seed(0)
    random.seed(0)
    np.random.seed(0)
    model = Classifier()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for block in model.blocks:
        block.compile(backend=backend)
    torch.compile(model, backend=backend)
    step = torch.compile(train_step, backend=backend)
    losses = []
    for batch in batches(steps):
        loss = step(model, optimizer, batch)
        losses.append(loss.item())
    return losses


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--backend", default="inductor", help="eager needs no C++ compiler")
    options = parser.parse_args()
    losses = train(options.steps, options.backend)
    print(f"loss {losses[0]:.3f} at first, {losses[-1]:.3f} at last")


if __name__ == "__main__":
    main()
