"""Calls of what is compiled in whatever form, each as Dynamo 2.13 was seen to compile again for it."""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around

PRELUDE = """
import functools
import torch

def f(x, name):
    return x * len(name)

def other(x, name):
    return x + 1

def bench(fn, *args, repeats=3, **options):
    for _ in range(repeats):
        fn(*args, **options)

def report(title, *args):
    print(title, *args)

def timed(fn):
    @functools.wraps(fn)
    def inner(*args, **kwargs):
        return fn(*args, **kwargs)
    return inner

def named(title):
    def decorate(fn):
        def inner(*args):
            return fn(*args)
        return inner
    return decorate

def turned(fn):
    def inner(name, x):
        return fn(x, name)
    return inner

def mute(fn):
    def inner(*args):
        return None
    return inner

class Retry:
    def __init__(self, fn, times=3):
        self.fn = fn

    def __call__(self, *args):
        return self.fn(*args)

g = torch.compile(f)
"""


def loop(*lines: str) -> str:
    return "\n".join(("for i in range(9):", *(f"    {line}" for line in lines)))


@pytest.mark.parametrize(
    "code",
    [
        loop("args = (x, f'step{i}')", "g(*args)"),
        loop("args = [x, f'step{i}']", "g(*args)"),
        loop("args = (f'step{i}',)", "g(x, *args)"),
        loop("g(*(x, f'step{i}'))"),
        loop("options = {'name': f'step{i}'}", "g(x, **options)"),
        loop("options = dict(x=x, name=f'step{i}')", "g(**options)"),
        loop("g(x, **{'name': f'step{i}'})"),
        loop("bench(g, x, f'step{i}')"),
        loop("bench(g, x, name=f'step{i}', repeats=2)"),
        loop("bench(torch.compile(f), x, f'step{i}')"),
        loop("bench(lambda: g(x, f'step{i}'))"),
        loop("t = timer(fn=lambda: g(x, f'step{i}'))"),
        loop("timed(g)(x, f'step{i}')"),
        "h = timed(g)\n" + loop("h(x, f'step{i}')"),
        "g = timed(torch.compile(f))\n" + loop("g(x, f'step{i}')"),
        "h = named('step')(g)\n" + loop("h(x, f'step{i}')"),
        "h = Retry(g)\n" + loop("h(x, f'step{i}')"),
        "h = functools.partial(g, x)\n" + loop("h(f'step{i}')"),
        "h = functools.partial(torch.compile(f), x)\n" + loop("h(name=f'step{i}')"),
    ],
)
def test_what_is_called_gets_another_text_each_time(code: str) -> None:
    assert constructs_around(PRELUDE + code) == ["str-argument"]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("the tuple is made once", "i = 3\nargs = (x, f'step{i}')\n" + loop("g(*args)")),
        ("the text is not among them", loop("args = (x, 'step')", "g(*args)")),
        ("what is not compiled is called", loop("bench(f, x, f'step{i}')")),
        ("the option is the caller's own", loop("bench(g, x, 'step', repeats=i)")),
        ("it is not called with them", loop("report(g, x, f'step{i}')")),
        ("a lambda that takes it", loop("bench(lambda i: g(x, f'step{i}'))")),
        ("the wrapper calls nothing", "h = mute(g)\n" + loop("h(x, f'step{i}')")),
        ("what is wrapped is not compiled", "h = timed(f)\n" + loop("h(x, f'step{i}')")),
        ("the function does not read it", "h = timed(torch.compile(other))\n" + loop("h(x, f'step{i}')")),
        ("the bound one stays", "h = functools.partial(g, name='step')\n" + loop("h(x)")),
    ],
)
def test_no_call_gets_another_text(why: str, code: str) -> None:
    assert "str-argument" not in constructs_around(PRELUDE + code), why


def test_what_is_not_written_down_stays_as_it_is() -> None:
    assert constructs_around(PRELUDE + "rest = what()\n" + loop("g(*rest, f'step{i}')")) == []
