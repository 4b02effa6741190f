"""Transforms of `torch.func` around something compiled. The positive forms are the examples of CL631.

Here is what must not be taken for them.
"""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, constructs_around

BEFORE = NET + "def f(x): ...\ncompiled = torch.compile(f)\nx = torch.ones(3)\n"


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("nothing is compiled", "torch.vmap(f)(x)"),
        ("the transform is compiled", "torch.compile(torch.vmap(f))(x)"),
        ("it is compiled only later", "g = f\ntorch.vmap(g)(x)\ng = torch.compile(g)"),
        ("it is an argument", "torch.func.functional_call(compiled, {}, (x,))"),
        ("the one backend that is let through", 'torch.vmap(torch.compile(f, backend="eager"))(x)'),
        ("no transform", "map(compiled, [x])"),
        ("the lambda calls what is not compiled", "torch.func.grad(lambda t: f(t).sum())(x)"),
        ("autograd's own functions", "torch.autograd.functional.jacobian(compiled, x)"),
    ],
)
def test_what_is_compiled_stays_so(why: str, code: str) -> None:
    assert "under-transform" not in constructs_around(BEFORE + code), why


@pytest.mark.parametrize(
    "code",
    [
        "torch.vmap(compiled)(x)",
        "torch.vmap(torch.func.grad(compiled))(x)",
        "torch.func.grad(lambda t: compiled(t).sum())(x)",
        "class A:\n"
        "    def __init__(self):\n"
        "        self.step = torch.compile(f)\n"
        "    def run(self, x):\n"
        "        return torch.vmap(self.step)(x)",
    ],
)
def test_what_is_compiled_is_not(code: str) -> None:
    assert constructs_around(BEFORE + code).count("under-transform") == 1


HOLDER = """
class A:
    def __init__(self):
        self.each = torch.vmap(self.one)
        self.run: object = self.each

    @torch.compile
    def one(self, x):
        return x.cos()

    {decorator}
    def all(self, x):
        return self.run(x) * 2
"""


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("the transform is compiled around it", "torch.compile(torch.vmap(compiled))(x)"),
        ("it has a name first", "each = torch.vmap(compiled)\neach = torch.compile(each)\n"),
        ("a compiled function runs it", "@torch.compile\ndef g(x):\n    return torch.vmap(compiled)(x)"),
        (
            "a compiled function calls who runs it",
            "def g(x):\n    return torch.vmap(compiled)(x)\n@torch.compile(fullgraph=True)\ndef h(x):\n    return g(x)",
        ),
        ("a compiled method runs what is kept", HOLDER.format(decorator="@torch.compile")),
    ],
)
def test_a_transform_that_is_run_by_compiled_code_is_traced(why: str, code: str) -> None:
    assert "under-transform" not in constructs_around(BEFORE + code), why


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("what is compiled is called with its result", "torch.compile(f)(torch.vmap(compiled)(x))"),
        ("nobody is seen to call who runs it", "def g(x):\n    return torch.vmap(compiled)(x)"),
        ("it calls itself", "def g(x):\n    return g(torch.vmap(compiled)(x))"),
        (
            "who runs it is called otherwise, too",
            "def g(x):\n    return torch.vmap(compiled)(x)\n@torch.compile\ndef h(x):\n    return g(x)\ng(x)",
        ),
        ("no compiled method runs it", HOLDER.format(decorator="@torch.no_grad()")),
    ],
)
def test_a_transform_that_may_be_run_otherwise_is_not(why: str, code: str) -> None:
    assert constructs_around(BEFORE + code).count("under-transform") == 1, why
