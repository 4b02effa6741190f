"""PyTorch Geometric: its layers, as they are made, and what its functions give.

Source: torch_geometric 2.8.1, `nn/conv`, `nn/pool/glob.py`, `utils`.
"""

from __future__ import annotations

from collections.abc import Mapping

from compilelint.inspect.kinds import UNKNOWN, Const, External, Kind, Tensor

_LAYERS = "torch_geometric.nn."
_ABOUT_EDGES = ("add_self_loops", "normalize")
"""Options of convolutions: whether they add edges to what they are given, or weigh them."""
_TENSOR_FUNCTIONS = frozenset(
    {
        "torch_geometric.nn.global_add_pool",
        "torch_geometric.nn.global_max_pool",
        "torch_geometric.nn.global_mean_pool",
        "torch_geometric.utils.degree",
        "torch_geometric.utils.scatter",
        "torch_geometric.utils.softmax",
    }
)


def layer(cls: str, keywords: Mapping[str, Kind]) -> External:
    """An instance of a module class from outside torch; a convolution that may be told to leave the edges as they are
    is any module: of its class only what it does by default is known.
    """
    asked = (keywords[name] for name in _ABOUT_EDGES if name in keywords)
    leaves = cls.startswith(_LAYERS) and any(kind != Const(True) for kind in asked)
    return External("torch.nn.Module" if leaves else cls)


def function(name: str) -> Kind:
    """What a function gives: of most it is not known."""
    return Tensor() if name in _TENSOR_FUNCTIONS else UNKNOWN
