"""Where something is compiled, there is a torch."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import Const, Kind, join
from tests.inspect.make import returned


@pytest.mark.parametrize(
    "call",
    [
        "is_torch_available()",
        "utils.is_torch_available()",
        "_is_package_available('torch')",
        "is_installed('torch')",
        "pytorch_available()",
    ],
)
def test_torch_is_there(call: str) -> None:
    assert answer(call) == Const(1)


@pytest.mark.parametrize(
    "call",
    [
        "is_torch_xla_available()",
        "_is_package_available('apex')",
        "_is_package_available(name)",
        "torch.cuda.is_available()",
        "is_available()",
        "uses_torch()",
    ],
)
def test_of_anything_else_source_does_not_tell(call: str) -> None:
    assert answer(call) == join(Const(None), Const(1))


def test_what_else_such_a_function_tells_is_as_it_is() -> None:
    code = "def is_available(name, version):\n    return 1, 2\ndef f():\n    return is_available('torch', True)[1]"
    assert returned(code) == Const(2)


def answer(call: str) -> Kind:
    """What a function gives that returns 1 where the call says that torch is there."""
    return returned(f"import torch\ndef f(utils, name):\n    if not {call}:\n        return None\n    return 1")
