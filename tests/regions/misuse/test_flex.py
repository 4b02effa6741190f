"""flex_attention in a script.

The positive form is the example of the page CL628. Here is what must not be taken for it.
"""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around

IMPORT = "import torch\nfrom torch.nn.attention.flex_attention import flex_attention\n"


def test_a_script_calls_it() -> None:
    assert "flex-uncompiled" in constructs_around(f"{IMPORT}q = torch.randn(1, 1, 8, 8)\nflex_attention(q, q, q)\n")


@pytest.mark.parametrize(
    ("why", "code"),
    [
        (
            "the name stands for what is compiled",
            "flex_attention = torch.compile(flex_attention)\nflex_attention(q, q, q)\n",
        ),
        (
            "in a function, which may be compiled",
            "def f(q):\n    return flex_attention(q, q, q)\ntorch.compile(f)(q)\n",
        ),
        ("another file has compiled it", "from other import flex\nflex(q, q, q)\n"),
        ("another file has compiled it", "import other\nother.flex_attention(q, q, q)\n"),
        ("another function of that name", "def flex_attention(*a): ...\nflex_attention(q, q, q)\ntorch.compile(abs)\n"),
    ],
)
def test_nothing_is_called_uncompiled(why: str, code: str) -> None:
    code = f"{IMPORT}q = torch.randn(1, 1, 8, 8)\n{code}"
    other = f"{IMPORT}flex = flex_attention = torch.compile(flex_attention)\n"
    assert "flex-uncompiled" not in constructs_around(code, other=other)
