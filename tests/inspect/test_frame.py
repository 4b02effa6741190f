"""Where events are, how their source reads, and what was there before the region."""

from __future__ import annotations

import ast

import pytest

from compilelint.inspect.events import Event, Span
from compilelint.inspect.frame import Route, path_of, source_of, span_of
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Array, Const, Kind, Python, Tensor
from compilelint.inspect.knowledge import Knowledge
from tests.inspect.make import PRELUDE, events, function, run
from tests.source.make import index, tree

LINES_BEFORE = PRELUDE.count("\n") + 1


def at(code: str) -> tuple[Span, str]:
    """Span and source of the last expression of a module."""
    module = index(code)
    node = module.tree.body[-1]
    assert isinstance(node, ast.Expr)
    return span_of(module, node.value), source_of(module, node.value)


@pytest.mark.parametrize(
    ("code", "span", "source"),
    [
        ("f(x)", Span(1, 1, 1, 5), "f(x)"),
        ("a; f(x)", Span(1, 4, 1, 8), "f(x)"),
        ("'ä'; f('ö')", Span(1, 6, 1, 12), "f('ö')"),
        ("'😀' + f(x)", Span(1, 1, 1, 11), "'😀' + f(x)"),
        ("f(\n    x,\n    y,\n)", Span(1, 1, 4, 2), "f( x, y, )"),
        ("f(  x,\ty)", Span(1, 1, 1, 10), "f( x, y)"),
    ],
)
def test_places_are_in_characters(code: str, span: Span, source: str) -> None:
    assert at(code) == (span, source)


def test_long_source_is_cut() -> None:
    _, source = at(f"f({'x' * 100})")
    assert len(source) <= 60
    assert source.endswith("…")


@pytest.mark.parametrize(
    ("code", "span", "source"),
    [
        ("class Net(A):\n    pass", Span(1, 7, 1, 10), "class Net"),
        ("def net(a):\n    pass", Span(1, 5, 1, 8), "def net"),
        ("async def net(a):\n    pass", Span(1, 11, 1, 14), "def net"),
    ],
)
def test_of_a_definition_its_name_is_pointed_at(code: str, span: Span, source: str) -> None:
    module = index(code)
    node = module.tree.body[0]
    assert (span_of(module, node), source_of(module, node)) == (span, source)


@pytest.mark.parametrize(
    ("text", "path"),
    [("x", "x"), ("self.a.b", "self.a.b"), ("f().a", None), ("x[0].a", None), ("3", None), ("(a.b).c", "a.b.c")],
)
def test_paths(text: str, path: str | None) -> None:
    assert path_of(ast.parse(text, mode="eval").body) == path


def test_an_event_says_where_it_is_and_how_it_is_reached() -> None:
    code = "class Net(nn.Module):\n    def forward(self, x):\n        print(x)\n"
    (event,) = events(code, "Net.forward", "call")
    assert event.span == Span(LINES_BEFORE + 2, 9, LINES_BEFORE + 2, 17)
    assert event.place.path == "example.py"
    assert event.place.function == "Net.forward"
    assert event.place.reached_from == ("example.py --root Net.forward", "Net.forward")
    assert event.source == "print(x)"


@pytest.mark.parametrize(
    ("body", "outside"),
    [
        ("next(ROWS)", True),
        ("next(what.rows)", True),
        ("next(what)", False),
        ("rows = iter([1])\nnext(rows)", False),
        ("next(iter([1]))", False),
        ("what.rows = iter([1])\nnext(what.rows)", False),
    ],
)
def test_what_is_there_before_the_region(body: str, outside: bool) -> None:
    found = events("ROWS = iter([1])\n" + function(body), "f", "call")
    assert [event.outside for event in found if event.callee == "builtins.next"] == [outside]


@pytest.mark.parametrize(
    ("expression", "outside"),
    [
        ("[row for row in ROWS]", [True]),
        ("{row: 1 for row in what.rows}", [True]),
        ("[row for row in iter([1])]", [False]),
        ("sum(ROWS)", [True]),
        ("max(ROWS, what.rows)", [True]),
        ("list(zip([1], ROWS))", [True, False]),
        ("list(iter([1]))", [False]),
        ("list([1])", []),
        ("print(ROWS)", []),
        ("max(*ROWS)", []),
    ],
)
def test_what_advances_an_iterator(expression: str, outside: list[bool]) -> None:
    """As a loop over it would."""
    found = events("ROWS = iter([1])\n" + function(expression), "f", "iterate")
    assert [event.outside for event in found] == outside


def test_what_a_property_makes_is_not_there_before_the_region() -> None:
    code = """
    class Net(nn.Module):
        def __init__(self):
            self.made = iter([1])
        @property
        def rows(self):
            return iter([1])
        def forward(self, x):
            return next(self.rows), next(self.made)
    """
    found = events(code, "Net.forward", "call")
    assert [event.outside for event in found if event.callee == "builtins.next"] == [False, True]


def test_nothing_is_reported_that_nobody_wants() -> None:
    asked: list[tuple[str, str]] = []

    def wants(type_: str, callee: str) -> bool:
        asked.append((type_, callee))
        return callee == "builtins.print"

    found = Inspector(
        Knowledge(tree({"example.py": PRELUDE + function("print(x)\nopen('a')\nif x > 0:\n    pass")})), wants
    )
    run(found)
    assert [event.callee for event in found.events] == ["builtins.print"]
    assert ("branch", "") in asked


def test_what_concerns_nobody_is_neither_kept_nor_asked_about_further() -> None:
    asked: list[str] = []

    def splits(event: Event) -> bool:
        asked.append(event.callee)
        return False

    found = Inspector(
        Knowledge(tree({"example.py": PRELUDE + function("print(x)\nprint(1)")})),
        lambda *_: True,
        splits,
        concerns=lambda event: event.args == (Const(1),),
    )
    run(found)
    (event,) = found.events
    assert (event.callee, event.source) == ("builtins.print", "print(1)")
    assert event.span.line == PRELUDE.count("\n") + 3
    assert asked == ["builtins.print"]


def test_what_was_computed_before_a_break_is_an_input_of_what_follows() -> None:
    def is_print(event: Event) -> bool:
        return event.callee == "builtins.print"

    def last_argument(body: str) -> Kind:
        found = Inspector(Knowledge(tree({"example.py": PRELUDE + function(body)})), lambda *_: True, is_print)
        run(found)
        return [event for event in found.events if event.callee == "torch.relu"][-1].args[0]

    assert last_argument("y = x + 1\ntorch.relu(y)") == Tensor()
    assert last_argument("y = x + 1\nprint(1)\ntorch.relu(y)") == Tensor(parameter=True)
    assert last_argument("print(1)\ny = x + 1\ntorch.relu(y)") == Tensor()
    assert last_argument("y = x + 1\nif print(1):\n    n = x\ntorch.relu(y)") == Tensor(parameter=True)
    assert last_argument("y = x + 1\nif flag:\n    print(1)\n    n = x\ntorch.relu(y)") == Tensor()
    assert last_argument("y = x + 1\nfor i in range(print(1)):\n    n = x\ntorch.relu(y)") == Tensor(parameter=True)
    assert last_argument("y = np.minimum(n, 3)\ntorch.relu(y)") == Python("int", numpy=True)
    assert last_argument("y = np.minimum(n, 3)\nprint(1)\ntorch.relu(y)") == Python("int")
    assert last_argument("y = np.prod((2, 3))\nprint(1)\ntorch.relu(y)") == Array(number=True, kept=True)


def test_a_route_starts_with_nothing() -> None:
    assert Route() == Route((), depth=0)


@pytest.mark.parametrize(
    ("region", "outside"),
    [
        ("@counted\ndef g(x):\n    return x\n\ndef f(x):\n    return g(x)", [True]),
        ("def f(x):\n    def wrapper(x):\n        wrapper.calls = 1\n        return x\n    return wrapper(x)", [False]),
    ],
)
def test_what_a_decorator_made_was_there_before_the_region(region: str, outside: list[bool]) -> None:
    around = (
        "def counted(fn):\n    def wrapper(x):\n        wrapper.calls += 1\n        return fn(x)\n"
        "    wrapper.calls = 0\n    return wrapper\n\n"
    )
    written = events(around + region, "f", "attribute-write")
    assert [each.outside for each in written] == outside
