"""Results of bodies of `torch.cond`, `while_loop` and `scan` that share memory with what was there before."""

from __future__ import annotations

import pytest

from tests.inspect.make import events

AROUND = """\
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop
class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)
    def yes(self, x):
        return self.lin(x)
    def no(self, x):
        return x
    def forward(self, x):
        return torch.cond(x.sum() > 0, self.yes, self.no, (x,))
gate = Gate()
def double(x):
    return x * 2
def changed(x):
    if x.shape[0] == 3:
        x = x + 1
    return x
def twice(x):
    y = x * 2
    return y, y
def made(x):
    y = x * 2
    return y, y + 1
def parts(x):
    return {"a": [x[0], x * 2]}
"""


def handed_on(statement: str) -> list[str]:
    code = (
        f"{AROUND}def f(x: Tensor, n: int, unknown):\n    y = x * 2\n    i = torch.zeros(())\n    return {statement}\n"
    )
    return [event.callee for event in events(code, "f", "body-return")]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("torch.cond(x.sum() > 0, double, lambda x: x, (x,))", ["operand"]),
        ("torch.cond(x.sum() > 0, double, lambda x: x.detach(), (x,))", ["view"]),
        ("torch.cond(x.sum() > 0, double, lambda x: x.view(4, 3).T, (x,))", ["view"]),
        ("torch.cond(x.sum() > 0, double, lambda x: x[:, -1], (x,))", ["view"]),
        ("torch.cond(x.sum() > 0, double, lambda x: x.chunk(3)[0], (x,))", ["view"]),
        ("torch.cond(x.sum() > 0, lambda: double(y), lambda: y)", ["operand"]),
        ("torch.cond(x.sum() > 0, twice, made, (x,))", ["twice"]),
        ("torch.cond(x.sum() > 0, parts, parts, (x,))", ["view"]),
        ("gate(x)", ["operand"]),
        ("while_loop(lambda i, z: i < 5, lambda i, z: (i + 1, z), (i, x))", ["operand"]),
        ("while_loop(lambda i, z: i < 5, lambda i, z: (i + 1, z), (i, unknown))", ["operand"]),
        ("scan(lambda carry, row: (carry + row, carry), i, x)", ["operand"]),
    ],
)
def test_what_a_body_hands_on_is_reported(statement: str, expected: list[str]) -> None:
    assert handed_on(statement) == expected


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("torch.cond(x.sum() > 0, double, lambda x: x.clone(), (x,))", id="a-clone"),
        pytest.param("torch.cond(x.sum() > 0, double, lambda x: (x * 2)[0], (x,))", id="a-view-of-what-is-new"),
        pytest.param("torch.cond(x.sum() > 0, double, lambda x: x[x > 0], (x,))", id="a-copy-by-a-mask"),
        pytest.param("torch.cond(x.sum() > 0, double, lambda x: x[True], (x,))", id="a-copy-by-a-bool"),
        pytest.param("torch.cond(x.sum() > 0, double, changed, (x,))", id="given-another-value-on-a-path"),
        pytest.param("torch.cond(x.shape[0] > 2, double, lambda x: x, (x,))", id="Python-chooses"),
        pytest.param("torch.cond(x.sum() > 0, lambda: unknown, lambda: unknown)", id="taken-from-around-and-not-known"),
        pytest.param("torch.cond(x.sum() > 0, lambda x, n: n, lambda x, n: n, (x, n))", id="a-number"),
        pytest.param("torch.utils.checkpoint.checkpoint(lambda x: x, x)", id="of-a-checkpoint"),
        pytest.param("torch.vmap(lambda x: x)(x)", id="of-a-transform"),
        pytest.param("changed(x)", id="no-body"),
    ],
)
def test_nothing_is_reported(statement: str) -> None:
    assert handed_on(statement) == []
