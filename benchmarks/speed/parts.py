"""What is measured together: on timm, on transformers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from benchmarks.speed import check_works as check
from benchmarks.speed.measuring import Work
from benchmarks.speed.peers import PEERS, Peer, floors, peer_work
from benchmarks.speed.trees import doubled, project, size


@dataclass(frozen=True, slots=True)
class Tree:
    """A package that is checked."""

    package: str
    functions: tuple[str, ...]
    """`FILE::NAME` of those that are changed, one in each round: of models, and of what many models use."""
    rounds: int
    """How often a first run is timed."""
    twice: bool
    """Whether it is also checked with a copy beside it."""


TREES = {
    tree.package: tree
    for tree in (
        Tree(
            "timm",
            (
                "timm/models/vision_transformer.py::VisionTransformer.forward_features",
                "timm/models/resnet.py::Bottleneck.forward",
                "timm/layers/mlp.py::Mlp.forward",
                "timm/models/convnext.py::ConvNeXtBlock.forward",
                "timm/layers/norm.py::LayerNorm2d.forward",
            ),
            rounds=5,
            twice=True,
        ),
        Tree(
            "transformers",
            (
                "transformers/models/llama/modeling_llama.py::LlamaAttention.forward",
                "transformers/models/bert/modeling_bert.py::BertSelfAttention.forward",
                "transformers/models/vit/modeling_vit.py::ViTAttention.forward",
                "transformers/models/whisper/modeling_whisper.py::WhisperAttention.forward",
                "transformers/masking_utils.py::create_causal_mask",
            ),
            rounds=3,
            twice=False,
        ),
    )
}
_OFTEN = 5
"""Rounds of what is quick."""


def peers_of(lines: int, skipped: Collection[str]) -> tuple[Peer, ...]:
    """Those that a tree of so many lines is given to."""
    return tuple(peer for peer in PEERS if peer.name not in skipped and lines <= peer.largest)


def works(tree: Tree, source: Path, environments: Path, folder: Path, skipped: Collection[str]) -> tuple[Work, ...]:
    """All that is timed on a tree. `source` is the package as it is installed, `folder` an empty one to work in."""
    made = project(source, folder / "project")
    package, cache = source.name, folder / "cache"
    _, lines = size(made)
    twice: tuple[Work, ...] = ()
    if tree.twice:
        larger, names = doubled(source, folder / "twice")
        other = folder / "cache of twice"
        twice = (
            check.first(check.TWICE, larger, names, other, tree.rounds),
            check.first(check.TWICE_ONE_PROCESS, larger, names, other, 1, "--jobs", "1"),
        )
    return (
        *floors(made, package, _OFTEN),
        check.first(check.FIRST, made, [package], cache, tree.rounds),
        check.again(made, package, cache, _OFTEN),
        check.changed(made, package, cache, tree.functions, _OFTEN),
        check.hook(made, package, cache, tree.functions, _OFTEN),
        check.first(check.ONE_PROCESS, made, [package], folder / "cache of one", 1, "--jobs", "1"),
        *twice,
        *(peer_work(peer, environments, made, package) for peer in peers_of(lines, skipped)),
    )
