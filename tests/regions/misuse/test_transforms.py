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
