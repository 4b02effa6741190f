"""What is compiled and kept from being compiled.

The positive forms are the examples of the pages CL801 and CL804.
Here is what must not be taken for them.
"""

from __future__ import annotations

import pytest

from tests.regions.around import NET, constructs_around


@pytest.mark.parametrize(
    ("why", "code"),
    [
        (
            "another method is disabled",
            "class A(Net):\n    @torch.compiler.disable\n    def log(self): ...\nm = torch.compile(A())\nm(3)",
        ),
        (
            "only the outermost frame",
            "class A(nn.Module):\n"
            "    @torch.compiler.disable(recursive=False)\n"
            "    def forward(self, x): ...\n"
            "m = torch.compile(A())\n"
            "m(3)",
        ),
        (
            "another decorator",
            "class A(nn.Module):\n    @torch.no_grad()\n    def forward(self, x): ...\nm = torch.compile(A())\nm(3)",
        ),
        (
            "breaks are allowed without fullgraph",
            "@torch.compile\ndef g(x):\n    with torch._dynamo.error_on_graph_break(False):\n        return x",
        ),
        (
            "errors are asked for",
            "@torch.compile(fullgraph=True)\n"
            "def g(x):\n"
            "    with torch._dynamo.error_on_graph_break(True):\n"
            "        return x",
        ),
    ],
)
def test_it_is_compiled(why: str, code: str) -> None:
    assert constructs_around(NET + code) == []
