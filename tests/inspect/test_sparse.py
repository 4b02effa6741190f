"""Tensors of a sparse layout: which are known to be, and what reads those that were there before the region."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import Tensor, tensor_part
from tests.inspect.make import events, function, kind_of

CODE = """
graph = torch.eye(4).to_sparse()
dense = torch.eye(4)

class Net(nn.Module):
    def __init__(self, given=None):
        super().__init__()
        self.register_buffer("graph", torch.sparse_coo_tensor(given, given, (4, 4)).coalesce())
        self.kept = torch.sparse.FloatTensor(given, given, torch.Size([4, 4]))

net = Net()
"""


@pytest.mark.parametrize(
    "expression",
    [
        "x.to_sparse()",
        "x.to_sparse_csr().to(x.device)",
        "x.float().to_sparse().coalesce().cuda()",
        "torch.sparse_coo_tensor(y, x, (4, 4))",
        "torch.sparse.FloatTensor(y, x, torch.Size([4, 4])).t()",
        "what.to_sparse()",
    ],
)
def test_a_sparse_layout_is_known(expression: str) -> None:
    tensor = tensor_part(kind_of(expression))
    assert tensor is not None
    assert tensor.sparse


@pytest.mark.parametrize(
    "expression",
    [
        "x",
        "x.to_sparse().to_dense()",
        "x.to_sparse() @ y",
        "x.to_sparse().coalesce().values()",
        "x.to_sparse() if flag else x",
    ],
)
def test_what_is_dense_or_may_be_is_not_taken_for_sparse(expression: str) -> None:
    kind = kind_of(expression)
    assert isinstance(kind, Tensor)
    assert not kind.sparse


@pytest.mark.parametrize(
    ("expression", "callee"),
    [
        ("graph @ x", "torch.Tensor.__matmul__"),
        ("x + graph", "torch.Tensor.__radd__"),
        ("-graph", "torch.Tensor.__neg__"),
        ("net.graph @ x", "torch.Tensor.__matmul__"),
        ("net.kept * 2", "torch.Tensor.__mul__"),
    ],
)
def test_an_operator_that_reads_a_sparse_tensor_from_before_is_told(expression: str, callee: str) -> None:
    assert [event.callee for event in events(CODE + function(f"return {expression}"), "f", "operator")] == [callee]


@pytest.mark.parametrize("expression", ["dense @ x", "x + dense", "-dense", "x.to_sparse() @ y"])
def test_operators_of_dense_tensors_and_of_what_the_region_makes_are_not(expression: str) -> None:
    assert not events(CODE + function(f"return {expression}"), "f", "operator")
