"""What is compiled, or its backend, made for every call.

The positive forms are the examples of the pages CL620 and CL621.
Here is what must not be taken for them.
"""

from __future__ import annotations

from textwrap import indent

import pytest

from tests.regions.constructs import NET, constructs_around


@pytest.mark.parametrize(
    ("why", "code"),
    [
        (
            "in __init__",
            "class A(nn.Module):\n"
            "    def __init__(self):\n"
            "        self.f = torch.compile(g)\n"
            "    def forward(self, x):\n"
            "        return self.f(x)\n"
            "def g(x): ...",
        ),
        (
            "lazily",
            "class A(nn.Module):\n"
            "    def forward(self, x):\n"
            "        if self.f is None:\n"
            "            self.f = torch.compile(g)\n"
            "        return self.f(x)\n"
            "def g(x): ...",
        ),
        (
            "kept",
            "class A(nn.Module):\n"
            "    def forward(self, x):\n"
            "        f = torch.compile(g)\n"
            "        self.keep(f)\n"
            "        return f(x)\n"
            "def g(x): ...",
        ),
        ("another one in each round", "for f in (abs, min):\n    torch.compile(f)(3)"),
        (
            "other options in each round",
            "def g(x): ...\nfor b in ('eager', 'inductor'):\n    torch.compile(g, backend=b)(3)",
        ),
        (
            "a benchmark of compiling",
            "def g(x): ...\nfor _ in range(3):\n    torch._dynamo.reset()\n    torch.compile(g)(3)",
        ),
        (
            "the function is given the model",
            "def run(m):\n    f = torch.compile(m)\n    return f(3)\nfor m in (Net(), Net()):\n    run(m)",
        ),
        (
            "another one in each round, through a function that is made there",
            "for make in (Net, Net):\n"
            "    def run():\n"
            "        f = torch.compile(make())\n"
            "        return f(3)\n"
            "    run()",
        ),
        (
            "the loop calls another function of that name",
            "def g(x): ...\n"
            "def run():\n"
            "    f = torch.compile(g)\n"
            "    return f(3)\n"
            "run()\n"
            "def other():\n"
            "    run = print\n"
            "    for n in range(3):\n"
            "        run(n)",
        ),
        (
            "it has the loop over batches, and is called for a few settings",
            "def g(x): ...\n"
            "def run(name, batches):\n"
            "    f = torch.compile(g)\n"
            "    for x in batches:\n"
            "        f(x)\n"
            "for name in ('l2', 'dot'):\n"
            "    run(name, data)",
        ),
        ("no loop calls the function", "def g(x): ...\ndef run(x):\n    f = torch.compile(g)\n    return f(x)\nrun(3)"),
        (
            "a decorator's wrapper keeps it",
            "def lazily(fn):\n"
            "    compiled = None\n"
            "    def wrapper(*args):\n"
            "        nonlocal compiled\n"
            "        if compiled is None:\n"
            "            compiled = torch.compile(fn)\n"
            "        return compiled(*args)\n"
            "    return wrapper",
        ),
        (
            "a decorator's wrapper keeps it by mode",
            "def lazily(fn):\n"
            "    made = {}\n"
            "    def wrapper(*args, mode=None):\n"
            "        if mode not in made:\n"
            "            made[mode] = torch.compile(fn, mode=mode)\n"
            "        return made[mode](*args)\n"
            "    return wrapper",
        ),
        (
            "a decorator compiles before its wrapper",
            "def compiled(fn):\n"
            "    made = torch.compile(fn)\n"
            "    def wrapper(*args):\n"
            "        return made(*args)\n"
            "    return wrapper",
        ),
        (
            "a function that is no wrapper of what another one is given",
            "def check(fn):\n    def run(x):\n        return torch.compile(fn)(x)\n    return run(3)",
        ),
        (
            "one backend for all",
            "import functools\nb = functools.partial(print, 3)\nfor m in (Net(), Net()):\n    m.compile(backend=b)",
        ),
        ("a backend by name", "for m in (Net(), Net()):\n    m.compile(backend='eager')"),
    ],
)
def test_it_is_made_once(why: str, code: str) -> None:
    assert constructs_around(NET + code) == []


@pytest.mark.parametrize(
    "body",
    [
        "return torch.compile(fn)(*args, **kwargs)",
        "fast = torch.compile(fn, **options)\nreturn fast(*args, **kwargs)",
        "if enabled:\n    return torch.compile(fn)(*args, **kwargs)\nreturn fn(*args, **kwargs)",
        "try:\n    return torch.compile(fn)(*args)\nexcept RuntimeError:\n    return fn(*args)",
    ],
)
def test_a_decorators_wrapper_makes_it_anew(body: str) -> None:
    decorator = f"""
def compiled(**options):
    def decorator(fn):
        def wrapper(*args, enabled=True, **kwargs):
{indent(body, " " * 12)}
        return wrapper
    return decorator
"""
    assert constructs_around(NET + decorator) == ["compiled-per-call"]
