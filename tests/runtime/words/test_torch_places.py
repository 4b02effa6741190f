from __future__ import annotations

import pytest

from compilelint.report.stack import StackFrame
from compilelint.runtime.words.torch_places import advice

BATCH_NORM = "/env/site-packages/torch/nn/modules/batchnorm.py"
ITEM = "Unsupported Tensor.item() call with capture_scalar_outputs=False"


def test_a_batch_norm_that_counts_its_calls_is_to_be_given_a_momentum() -> None:
    assert "give it a momentum" in advice(StackFrame(BATCH_NORM, 192, "forward"), ITEM)
    assert "give it a momentum" in advice(StackFrame(BATCH_NORM.replace("/", "\\"), 192, "forward"), ITEM)


@pytest.mark.parametrize(
    ("path", "title"),
    [(BATCH_NORM, "Data-dependent branching"), ("/home/me/batchnorm.py", ITEM), ("/env/torch/nn/modules/rnn.py", ITEM)],
)
def test_of_all_else_nothing_more_is_known(path: str, title: str) -> None:
    assert advice(StackFrame(path, 192, "forward"), title) == ""
