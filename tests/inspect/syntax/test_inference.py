"""What runs under an `inference_mode` that the compiled code enters itself."""

from __future__ import annotations

import pytest

from tests.inspect.make import events

HELPERS = """
@torch.inference_mode()
def under(t):
    return t.view(2, 8)

def plain(t):
    return t.view(2, 8)
"""


def modes(body: str, decorators: str = "") -> list[bool]:
    """Of each `view`, in order, whether it is under such a mode."""
    code = (
        HELPERS
        + decorators
        + "def f(x: Tensor, flag: bool):\n"
        + "".join(f"    {line}\n" for line in body.splitlines())
    )
    return [event.place.mode.inference for event in events(code, "f", "call") if event.callee == "torch.Tensor.view"]


@pytest.mark.parametrize(
    "body",
    [
        "with torch.inference_mode():\n    return x.view(2, 8)",
        "with torch.inference_mode(True):\n    return x.view(2, 8)",
        "with torch.inference_mode(mode=True), torch.autocast('cpu'):\n    return x.view(2, 8)",
        "with torch.inference_mode():\n    if flag:\n        return plain(x)",
        "return under(x)",
    ],
)
def test_what_it_enters_itself(body: str) -> None:
    assert modes(body) == [True]


def test_what_its_decorator_enters() -> None:
    assert modes("return x.view(2, 8)", "@torch.inference_mode()\n") == [True]
    assert modes("return plain(x)", "@torch.compile\n@torch.inference_mode\n") == [True]


@pytest.mark.parametrize(
    "body",
    [
        "with torch.no_grad():\n    return x.view(2, 8)",
        "with torch.inference_mode(False):\n    return x.view(2, 8)",
        "with torch.inference_mode(flag):\n    return x.view(2, 8)",
        "with torch.inference_mode():\n    y = x * 2\nreturn x.view(2, 8)",
        "under_ = under\nreturn plain(x)",
    ],
)
def test_other_modes_and_what_is_outside(body: str) -> None:
    assert modes(body) == [False]


def test_one_function_is_told_apart_by_where_it_is_called() -> None:
    assert modes("plain(x)\nwith torch.inference_mode():\n    plain(x)") == [False, True]


@pytest.mark.parametrize(
    "decorators",
    ["@torch.inference_mode()\n@torch.compile\n", "@torch.inference_mode(False)\n", "@torch.no_grad()\n"],
)
def test_decorators_that_enter_nothing_in_the_compiled_code(decorators: str) -> None:
    assert modes("return x.view(2, 8)", decorators) == [False]
