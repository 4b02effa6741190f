"""The training of train.py with the same losses, of which torch.compile makes one graph, once.

What draws, logs, times, warns or decides on values stands outside the compiled function; what the
graph needs of it comes in as a tensor. Shapes stay the same from step to step: the padding is
masked, not cut off.
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
    """Attention over the tokens that are there, then a perceptron; left out where `keep` is zero."""

    def __init__(self, index: int) -> None:
        super().__init__()
        self.index = index
        self.norm = nn.LayerNorm(WIDTH)
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.expand = nn.Linear(WIDTH, 2 * WIDTH)
        self.shrink = nn.Linear(2 * WIDTH, WIDTH)

    def forward(self, x: torch.Tensor, mask: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        query, key, value = self.qkv(self.norm(x)).chunk(3, dim=-1)
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=mask[:, None, :])
        return x + keep * self.shrink(F.gelu(self.expand(mixed))) / (self.index + 1)


class Classifier(nn.Module):
    """The class of each sequence of tokens in a padded batch."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(VOCABULARY, WIDTH)
        self.position = nn.Parameter(torch.zeros(LONGEST, WIDTH))
        self.blocks = nn.ModuleList(Block(index) for index in range(LAYERS))
        self.head = nn.Linear(WIDTH, CLASSES)

    def forward(self, tokens: torch.Tensor, lengths: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        mask = torch.arange(tokens.shape[1]) < lengths[:, None]
        x = self.embed(tokens) + self.position[: tokens.shape[1]]
        for index, block in enumerate(self.blocks):
            x = block(x, mask, keep[index])
        return self.pool(x, mask)

    def pool(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The head's answer to the mean over each sequence's own tokens."""
        sums = (x * mask[:, :, None]).sum(dim=1)
        return self.head(sums / mask.sum(dim=1, keepdim=True))


def mix(loss: torch.Tensor, smoothed: torch.Tensor, share: torch.Tensor) -> torch.Tensor:
    """A share of one loss and the rest of the other."""
    return share * loss + (1 - share) * smoothed


def compute_loss(
    model: nn.Module, batch: Batch, keep: torch.Tensor, share: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """The loss, and how many sequences are classified rightly."""
    tokens, lengths, labels = batch
    logits = model(tokens, lengths, keep)
    right = (logits.argmax(dim=-1) == labels).sum()
    smoothed = F.cross_entropy(logits, labels, label_smoothing=0.1)
    return mix(F.cross_entropy(logits, labels), smoothed, share), right


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
    if BATCH < 32:
        warnings.warn("a batch this small makes the loss noisy", stacklevel=2)
    model = Classifier()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    compiled_loss = torch.compile(compute_loss, backend=backend)
    losses = []
    for batch in batches(steps):
        started = time.perf_counter()
        keep = torch.tensor([float(random.random() >= 0.1 * index) for index in range(LAYERS)])
        share = torch.tensor(np.random.beta(0.4, 0.4), dtype=torch.float32)
        loss, right = compiled_loss(model, batch, keep, share)
        if torch.isnan(loss):
            raise FloatingPointError("the loss is NaN")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        logger.info("%d of %d right in %.3f s", right, BATCH, time.perf_counter() - started)
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
