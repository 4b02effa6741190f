"""What is compiled and kept from being compiled.

The positive forms are the examples of the pages CL611, CL801, CL804 and CL810.
Here is what must not be taken for them.
"""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, constructs_around


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


@pytest.mark.parametrize(
    "call",
    [
        "torch.compiler.disable()",
        "torch._dynamo.disable()",
        "torch.compiler.disable(recursive=False)",
        "torch.compiler.disable(reason='slow')",
        "torch.compiler.disable(g)",
        "torch.compiler.disable(Net())",
        "torch.compiler.disable(Net().forward)",
    ],
)
def test_a_statement_that_disables_nothing(call: str) -> None:
    assert constructs_around(f"{NET}def g(x): ...\n{call}") == ["disable-discarded"]


@pytest.mark.parametrize(
    "code",
    [
        "@torch.compiler.disable()\ndef h(x): ...",
        "h = torch.compiler.disable(g)",
        "torch.compiler.disable(Net)",  # changes the class
        "torch.compiler.disable(g, recursive=False)",  # marks the function's code
        "torch.compiler.disable(fn=g, recursive=False)",
        "torch.compiler.disable(**options)",
        "torch.compiler.disable(unknown)",
        "torch.compiler.disable()(g)(3)",
        "import mine\nmine.disable()",
        "torch.compiler.set_stance('force_eager')(g)",
    ],
)
def test_what_disables_or_is_kept(code: str) -> None:
    assert constructs_around(f"{NET}def g(x): ...\n{code}") == []


def test_it_is_no_context_manager() -> None:
    assert constructs_around(NET + "with torch.compiler.disable():\n    Net()(3)") == ["disable-as-context"]
    assert constructs_around(NET + "with torch.no_grad(), torch._dynamo.disable() as d:\n    Net()(3)") == [
        "disable-as-context"
    ]
    expected = "import pytest\nwith pytest.raises(RuntimeError):\n    with torch.compiler.disable():\n        pass"
    assert constructs_around(NET + expected) == []
