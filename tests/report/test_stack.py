from __future__ import annotations

import pytest

from compilelint.report.stack import StackFrame, is_of_torch


@pytest.mark.parametrize(
    "path",
    [
        "/env/lib/python3.11/site-packages/torch/nn/modules/module.py",
        "/usr/lib/python3/dist-packages/torch/_tensor.py",
        "torch/_tensor.py",
    ],
)
def test_a_frame_of_torch(path: str) -> None:
    assert is_of_torch(StackFrame(path, 1, "f"))


@pytest.mark.parametrize(
    ("why", "path"),
    [
        ("a folder of the project", "/home/user/src/torch/model.py"),
        ("another package", "/env/lib/python3.11/site-packages/torch_geometric/nn/conv.py"),
        ("a part of another package", "/env/lib/python3.11/site-packages/lib/torch/model.py"),
        ("of the user", "/home/user/train.py"),
    ],
)
def test_no_frame_of_torch(why: str, path: str) -> None:
    assert not is_of_torch(StackFrame(path, 1, "f"))
