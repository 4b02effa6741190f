from __future__ import annotations

import pytest

from compilelint.report.stack import StackFrame, is_of_torch, is_of_torch_or_python


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


@pytest.mark.parametrize(
    ("path", "is_inside"),
    [
        ("/usr/lib/python3.11/inspect.py", True),
        ("/usr/lib64/python3.13t/collections/__init__.py", True),
        ("/env/lib/python3.11/site-packages/torch/_tensor.py", True),
        ("/env/lib/python3.11/site-packages/lib/code.py", False),
        ("/usr/lib/python3/dist-packages/lib/code.py", False),
        ("src/lib/python3/model.py", False),
    ],
)
def test_what_is_of_torch_or_of_python_itself(path: str, is_inside: bool) -> None:
    assert is_of_torch_or_python(StackFrame(path, 1, "f")) is is_inside
