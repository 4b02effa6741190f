"""Options that torch.compile takes.

The positive forms are the examples of the pages CL627.
Here is what must not be taken for them.
"""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, constructs_around


@pytest.mark.parametrize(
    ("why", "code"),
    [
        (
            "all of them",
            "f = torch.compile(model=abs, fullgraph=True, dynamic=None, backend='eager', mode='default')\nf(3)",
        ),
        ("another package's backend", "f = torch.compile(abs, backend='tensorrt')\nf(3)"),
        ("source does not show which", "def g(b, o):\n    f = torch.compile(abs, backend=b, **o)\n    f(3)"),
        ("a backend of one's own", "def mine(g, i): ...\nf = torch.compile(abs, backend=mine)\nf(3)"),
        ("another compile", "import re\nre.compile('a', nopython=True)"),
    ],
)
def test_the_option_is_taken(why: str, code: str) -> None:
    assert constructs_around(NET + code) == []
