"""Sizes marked on tensors.

The positive forms are the examples of the pages CL624.
Here is what must not be taken for them.
"""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, constructs_around


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("marked after", "x = torch.ones(3).to('cuda')\ntorch._dynamo.mark_dynamic(x, 0)\nf(x)"),
        ("used before it is copied", "x = torch.ones(3)\ntorch._dynamo.mark_dynamic(x, 0)\nf(x)\nx = x.clone()"),
        ("another name", "x = torch.ones(3)\ntorch._dynamo.mark_dynamic(x, 0)\ny = x.clone()\nf(x)"),
        (
            "another mark_dynamic",
            "def mark_dynamic(x, d): ...\nx = torch.ones(3)\nmark_dynamic(x, 0)\nx = x.clone()\nf(x)",
        ),
        (
            "requires_grad_ gives the tensor itself",
            "x = torch.ones(3)\ntorch._dynamo.mark_dynamic(x, 0)\nx = x.requires_grad_()\nf(x)",
        ),
    ],
)
def test_the_mark_is_kept(why: str, code: str) -> None:
    assert constructs_around(NET + code) == []
