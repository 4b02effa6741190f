"""Writes that reach out of the body of a higher-order operator."""

from __future__ import annotations

import pytest

from tests.inspect.make import events

AROUND = """\
from torch.utils.checkpoint import checkpoint
seen, latest = [], {}
class Block(nn.Module):
    def forward(self, x):
        self.last = x
        return x
    def named(self, x):
        self.names.append("a")
        return x
class Box:
    rows = 0
block, box = Block(), Box()
def appends(x):
    seen.append(1)
    return x
def item(x):
    latest["x"] = x
    return x
def rebinds(x):
    global total
    total = x
    return x
total = 0
def calls_another(x):
    return appends(x)
def local(x):
    parts, table, made = [], {}, Box()
    parts.append(x); table["x"] = x; made.rows = 3
    def inner():
        parts.append(x)
    inner()
    x[0] = 1
    return x
def writes_box(x):
    box.rows = 3
    return x
"""


def written(statement: str) -> list[tuple[str, str]]:
    closure = "    found = []\n    def closes(y):\n        found.append(y)\n"
    code = f"{AROUND}def f(x: Tensor):\n{closure}    {statement}\n    return x\n"
    return [(event.construct, event.callee) for event in events(code, "f", "body-write")]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("checkpoint(block, x)", [("checkpoint", "self.last")]),
        ("checkpoint(block.forward, x, use_reentrant=False)", [("checkpoint", "self.last")]),
        ("checkpoint(appends, x)", [("checkpoint", "seen")]),
        ("checkpoint(item, x)", [("checkpoint", "latest")]),
        ("checkpoint(rebinds, x)", [("checkpoint", "total")]),
        ("checkpoint(calls_another, x)", [("checkpoint", "seen")]),
        ("checkpoint(writes_box, x)", [("checkpoint", "box.rows")]),
        ("checkpoint(closes, x)", [("checkpoint", "found")]),
        ("x.register_hook(appends)", [("hook", "seen")]),
        ("x.register_hook(lambda grad: seen.append(grad))", [("hook", "seen")]),
        ("x.register_hook(lambda grad: latest.__setitem__('grad', grad))", [("hook", "latest")]),
        ("x.register_hook(lambda grad: found.__setitem__(0, grad))", [("hook", "found")]),
        ("checkpoint(lambda y: seen.pop(), x)", [("checkpoint", "seen")]),
        ("checkpoint(lambda y: latest.clear(), x)", [("checkpoint", "latest")]),
        ("torch.cond(x.sum() > 0, appends, item, (x,))", [("branch", "seen"), ("branch", "latest")]),
    ],
)
def test_a_write_to_what_is_around_a_body_is_reported(statement: str, expected: list[tuple[str, str]]) -> None:
    assert written(statement) == expected


@pytest.mark.parametrize(
    "statement",
    [
        "block(x)",
        "appends(x)",
        "item(x)",
        "closes(x)",
        "torch.vmap(block)(x)",
        "seen.pop()",
        "latest.__setitem__(1, x)",
    ],
)
def test_no_body_no_report(statement: str) -> None:
    assert written(statement) == []


@pytest.mark.parametrize("statement", ["checkpoint(local, x)", "x.register_hook(local)"])
def test_what_the_body_itself_has_made_is_not_outside(statement: str) -> None:
    assert written(statement) == []


def test_a_function_is_walked_for_each_way_in_which_it_is_called() -> None:
    assert written("block(x); checkpoint(block, x); block(x)") == [("checkpoint", "self.last")]


def test_a_container_that_grows_in_a_body_is_no_growth_from_call_to_call() -> None:
    code = f"{AROUND}def f(x: Tensor):\n    return checkpoint(appends, x)\n"
    assert not events(code, "f", "global-write")
