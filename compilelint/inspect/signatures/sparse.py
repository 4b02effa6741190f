"""Tensors of a sparse layout: what makes them, and what gives one for one. Dynamo takes none into a graph."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from compilelint.inspect.kinds import Kind, Tensor
from compilelint.inspect.signatures.conversions import CASTS

_LAYOUTS = ("coo", "csr", "csc", "bsr", "bsc")
_MAKERS = frozenset(
    {
        *(f"torch.sparse_{layout}_tensor" for layout in (*_LAYOUTS, "compressed")),
        *(f"torch.Tensor.to_sparse_{layout}" for layout in _LAYOUTS),
        *(f"torch.sparse.{dtype}Tensor" for dtype in ("Float", "Double", "Half", "BFloat16", "Int", "Long")),
        *("torch.Tensor.to_sparse", "torch.Tensor.sparse_mask", "torch.sparse.spdiags"),
    }
)
_KEEP = frozenset(
    {
        *("coalesce", "t", "transpose", "clone", "detach", "requires_grad_", "to", "type", "cpu", "cuda", *CASTS),
        *("softmax", "log_softmax"),
    }
)
"""What gives a tensor of the layout that the first one has."""


def mark(name: str, result: Kind, given: Sequence[Kind]) -> Kind:
    """The result of a function or method of torch, with a note if it is a sparse tensor."""
    if name in _MAKERS:
        return replace(result, sparse=True) if isinstance(result, Tensor) else Tensor(sparse=True)
    if not isinstance(result, Tensor) or not given or not isinstance(given[0], Tensor) or not given[0].sparse:
        return result
    return replace(result, sparse=name.rpartition(".")[2] in _KEEP)
