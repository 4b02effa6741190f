"""A walk that is told again shows what walking again would."""

from __future__ import annotations

from itertools import permutations

import pytest

from compilelint.inspect import results
from compilelint.inspect.knowledge import Knowledge
from compilelint.match.analysis import AnalysisSettings, plan
from compilelint.match.matcher import Matcher
from compilelint.match.units import Unit, UnitResult, inspect_unit
from tests.match.make import TARGET, match, rule
from tests.source.make import tree

RULES = (
    rule(match(event="call", callee=("builtins.print",)), code="CL101"),
    rule(match(event="call", callee=("torch.Tensor.item",)), code="CL102"),
    rule(match(event="branch"), code="CL103"),
)
USER = """\
import torch
from shared import *
class Net{number}(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        {body}
"""


def units_of(shared: str, bodies: tuple[str, ...]) -> tuple[dict[str, str], list[str]]:
    """A project of a shared file and one for each body."""
    users = {
        f"user{number}.py": USER.format(number=number, body=body.replace("\n", "\n        "))
        for number, body in enumerate(bodies)
    }
    return {"shared.py": shared, **users}, sorted(users)


def walk(knowledge: Knowledge, name: str) -> tuple[UnitResult, set[str]]:
    program, _ = plan(knowledge.tree, AnalysisSettings(target_torch=TARGET))
    return inspect_unit(knowledge, Matcher(RULES, TARGET), Unit(name), program), knowledge.asked().files


def test_a_shared_function_is_walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    files, users = units_of("def f(x):\n    print(x)\n    return g(x)\ndef g(x):\n    return x.item()\n", ("f(x)",) * 3)
    knowledge = Knowledge(tree(files))
    walked: list[str] = []
    run = results.run
    monkeypatch.setattr(results, "run", lambda frame: walked.append(frame.qualname) or run(frame))
    found = [walk(knowledge, name)[0] for name in users]
    assert [len(each.sightings) for each in found] == [2, 2, 2]
    assert [name for name in walked if name in "fg"] == ["f", "g"]


@pytest.mark.parametrize(
    ("why", "shared"),
    [
        ("it calls itself", "def f(x):\n    print(x)\n    return f(x)"),
        (
            "what it calls calls it",
            "def f(x):\n    print(x)\n    g(x)\ndef g(x):\n    x.item()\n    h(x)\ndef h(x):\n    f(x)",
        ),
        ("it calls twice what breaks the graph", "def f(x):\n    g(x)\n    return g(x)\ndef g(x):\n    print(x)"),
        (
            "it calls what breaks the graph, and what calls that",
            "def f(x):\n    g(x)\n    return h(x)\ndef g(x):\n    print(x)\ndef h(x):\n    g(x)\n    return x.item()",
        ),
    ],
)
def test_a_function_that_meets_again_what_it_met_is_walked_once(
    why: str, shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, users = units_of(shared, ("f(x)",) * 3)
    knowledge = Knowledge(tree(files))
    first = walk(knowledge, users[0])[0]
    walked: list[str] = []
    run = results.run
    monkeypatch.setattr(results, "run", lambda frame: walked.append(frame.qualname) or run(frame))
    for name in users[1:]:
        assert len(walk(knowledge, name)[0].sightings) == len(first.sightings) > 0, why
    assert [name for name in walked if name in "fgh"] == []


def test_a_function_that_calls_what_broke_before_is_walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = "def f(x):\n    g(x)\n    return x + 1\ndef g(x):\n    print(x)"
    files, users = units_of(shared, ("g(x)\nf(x)", "f(x)"))
    knowledge = Knowledge(tree(files))
    walk(knowledge, users[0])
    walked: list[str] = []
    run = results.run
    monkeypatch.setattr(results, "run", lambda frame: walked.append(frame.qualname) or run(frame))
    assert walk(knowledge, users[1])[0].sightings
    assert [name for name in walked if name in "fg"] == []


@pytest.mark.parametrize(
    ("why", "shared", "bodies"),
    [
        ("it is the same", "def f(x):\n    print(x)\n    return x", ("f(x)", "f(x)\nif f(x): print(1)")),
        ("other arguments", "def f(x, n=0):\n    if x: print(n)", ("f(x)", "f(x, 1)", "f(3)", "f(x.shape)")),
        (
            "it calls back",
            "def f(x, back):\n    print(x)\n    return back(x)",
            ("f(x, lambda y: y.item())", "f(x, lambda y: y)", "f(x, self.forward)"),
        ),
        (
            "it comes back to itself",
            "def f(x, n):\n    print(n)\n    return g(x, n)\ndef g(x, n):\n    return f(x, n) if n else x.item()",
            ("f(x, 2)", "g(x, 2)", "g(x, 1)\nf(x, 2)"),
        ),
        (
            "it comes back to what began it",
            "def f(x):\n    print(1)\n    return g(x)\ndef g(x):\n    print(x)\n    return h(x)\n"
            "def h(x):\n    y = x.item()\n    g(x)\n    return f(x)",
            ("f(x)", "g(x)\nf(x)", "h(x)\nf(x)", "f(x)\nh(x)", "if h(x): print(x)\ng(x)"),
        ),
        (
            "it calls twice what breaks the graph",
            "def f(x):\n    y = x + 1\n    g(x)\n    h(x)\n    g(x)\n    print(y)\n    return y\n"
            "def g(x):\n    print(x)\n    return x.sum().item()\ndef h(x):\n    z = x * 2\n    g(x)\n    print(z)",
            ("f(x)", "g(x)\nf(x)", "h(x)\nf(x)", "f(x)\nh(x)", "y = x + 1\nf(y)\nif y: print(y)\nh(y)"),
        ),
        (
            "what it calls broke the graph before",
            "def f(x):\n    y = x + 1\n    g(x)\n    print(y)\n    return y\n"
            "def g(x):\n    print(x)\n    return x.sum().item()",
            ("f(x)", "g(x)\nf(x)", "y = x + 1\nf(y)\nif y: print(y)", "f(x)\ng(x)\nf(x)"),
        ),
        (
            "what it calls was walked before",
            "def f(x):\n    return g(x) + h(x)\ndef g(x):\n    return x + 1\ndef h(x):\n    print(x)\n    return g(x)",
            ("f(x)", "g(x)\nf(x)", "h(x)\ng(x)\nf(x)", "y = g(x)\nf(y)"),
        ),
        (
            "there are too many ways to call it",
            "def f(x, n):\n    g(x, n)\ndef g(x, n):\n    if x.sum(n): print(n)",
            (
                "f(x, 1)",
                *("\n".join(f"g(x, {number})" for number in range(count)) + "\nf(x, 99)" for count in (9, 12, 60)),
            ),
        ),
        (
            "something is made on the way",
            "import torch\nclass Inner(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
            "        print(1)\n"
            "def f(x):\n    Inner()\n    return x.item()",
            ("f(x)", "with open('a'):\n    f(x)", "f(x)\nf(x)"),
        ),
    ],
)
def test_what_is_told_is_what_would_be_walked(why: str, shared: str, bodies: tuple[str, ...]) -> None:
    files, users = units_of(shared, bodies)
    alone = {name: walk(Knowledge(tree(files)), name) for name in users}
    assert any(result.sightings for result, _ in alone.values()), why
    for order in permutations(users):
        knowledge = Knowledge(tree(files))
        for name in order:
            assert walk(knowledge, name) == alone[name], f"{name} in {order}"


def test_who_is_told_rests_on_what_had_been_walked_before_in_the_unit_that_walked() -> None:
    files, users = units_of("from deeper import *\ndef f(x):\n    return g(x)\n", ("g(x)\nf(x)", "f(x)"))
    files["deeper.py"] = "from deepest import h\ndef g(x):\n    return h(x)\n"
    files["deepest.py"] = "def h(x):\n    return x + 1\n"
    knowledge = Knowledge(tree(files))
    asked = [walk(knowledge, name)[1] for name in users]
    assert "deepest.py" in asked[0]
    assert "deepest.py" in asked[1]
