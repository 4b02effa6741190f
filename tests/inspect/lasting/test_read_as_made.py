"""Cached properties that `__init__` has read before anything is compiled."""

from __future__ import annotations

import pytest

from tests.inspect.make import events


def reads(
    init: str, more: str = "", forward: str = "return x + self.half", base: str = "nn.Module"
) -> list[str | None]:
    code = f"""
class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.start = self.half

class Net({base}):
    def __init__(self, flag=False):
        super().__init__()
        {init}

    @functools.cached_property
    def half(self):
        return 0.5

    @functools.cached_property
    def quarter(self):
        return self.half / 2

    {more or "pass"}

    def forward(self, x):
        return x + self.half
"""
    return [each.callee for each in events(code, "Net.forward", "attribute") if "cached" in (each.callee or "")]


@pytest.mark.parametrize(
    ("init", "more"),
    [
        ("self.weight = nn.Parameter(torch.ones(1) * self.half)", ""),
        ("self.register_buffer('table', self.build())", "def build(self): return torch.zeros(3) + self.half"),
        ("print(self.quarter)", ""),
        ("with torch.no_grad(): self.table = torch.zeros(3) + self.half", ""),
        ("self.parts = [torch.zeros(3) for _ in range(int(self.half))]", ""),
    ],
)
def test_what_init_has_read_takes_no_lock_later(init: str, more: str) -> None:
    assert not reads(init, more)


def test_what_the_init_of_a_base_has_read_takes_no_lock_later() -> None:
    assert not reads("pass", base="Base")


@pytest.mark.parametrize(
    "init",
    [
        "self.size = 3",
        "self.table = torch.zeros(3) + self.half if flag else None",
        "self.make = lambda: self.half",
        "self.on = flag and self.half",
        "self.build = build(self)",
    ],
)
def test_what_init_need_not_have_read_is_told(init: str) -> None:
    assert reads(init)


def test_what_the_region_makes_itself_reads_it_for_the_first_time() -> None:
    code = """
class Config:
    def __init__(self):
        self.start = self.half

    @functools.cached_property
    def half(self):
        return 0.5

def f(x):
    return x + Config().half
"""
    assert [each for each in events(code, "f", "attribute") if "cached" in (each.callee or "")]


def reads_of_forward(body: str) -> int:
    """How many reads of a cached property may take its lock."""
    code = f"""
class Net(nn.Module):
    @functools.cached_property
    def half(self):
        return 0.5

    @functools.cached_property
    def other(self):
        return 0.25

    def forward(self, x, flag=False):
        {body}
"""
    return sum("cached" in (each.callee or "") for each in events(code, "Net.forward", "attribute"))


@pytest.mark.parametrize(
    "body",
    [
        "y = x + self.half; return y * self.half",
        "return x * self.half + self.half",
        "y = x + self.half\n        if flag: y = y * self.half\n        return y",
        "for i in range(int(self.half)): x = x + self.half\n        return x",
    ],
)
def test_only_the_first_read_of_a_function_takes_the_lock(body: str) -> None:
    assert reads_of_forward(body) == 1


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("the first may not happen", "if flag: x = x + self.half\n        return x * self.half"),
        ("another one", "y = x + self.half; return y * self.other"),
    ],
)
def test_a_later_read_may_be_the_first(why: str, body: str) -> None:
    assert reads_of_forward(body) == 2, why
