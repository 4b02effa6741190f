"""What containers hold after something was put into them, and which of them grow in each call."""

from __future__ import annotations

import pytest

from compilelint.inspect.frame import Route
from compilelint.inspect.kinds import (
    INT,
    Const,
    Kind,
    Sequence,
    Tensor,
    join,
)
from compilelint.inspect.starting import run_root
from compilelint.regions import compiled_roots
from compilelint.report.confidence import Confidence
from tests.inspect.make import events, inspector, kind_of

INPUT = Tensor(parameter=True)


@pytest.mark.parametrize(
    ("before", "kind"),
    [
        ("v = []\nv.append(3)", Sequence("list", Const(3))),
        ("v = [1]\nv.append('a')", Sequence("list", join(Const(1), Const("a")))),
        ("v = []\nv.extend([3, 4])", Sequence("list", INT)),
        ("v = []\nv.extend(range(n))", Sequence("list", INT)),
        ("v = []\nfor i in range(n):\n    v.append(x)", Sequence("list", INPUT)),
        ("v = set()\nv.add(3)", Sequence("set", Const(3))),
    ],
)
def test_containers_hold_what_was_put_into_them(before: str, kind: Kind) -> None:
    assert kind_of("v", before) == kind


HISTORY = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.history = []
        self.table = {{}}
    def forward(self, x):
        {body}
    {method}
"""


def growths(body: str, method: str = "") -> list[str]:
    code = HISTORY.format(body=body, method=method)
    return [event.callee for event in events(code, "Net.forward", "attribute-write") if event.construct == "append"]


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("self.history.append(x)", "history"),
        ("self.table.setdefault('loss', []).append(x)", "table"),
        (
            "if 'loss' not in self.table:\n            self.table['loss'] = []\n        self.table['loss'].append(x)",
            "table",
        ),
        ("self.table.setdefault('loss', {}).setdefault('all', []).append(x)", "table"),
        ("self.table.update({x.shape: x})", "table"),
        ("self.table.update({'a': x, **x.table})", "table"),
        ("self.table.setdefault(x.shape, x)", "table"),
        ("self.history.extend([x])", "history"),
        ("if self.history is None:\n            self.history = []\n        self.history.append(x)", "history"),
        ("if not hasattr(self, 'history'):\n            self.history = []\n        self.history.append(x)", "history"),
    ],
)
def test_containers_of_a_module_grow(body: str, name: str) -> None:
    assert growths(body) == [f"torch.nn.Module.{name}"]


@pytest.mark.parametrize(
    ("why", "statement"),
    [
        ("another fixed name", "setattr(self, 'other', [])"),
        ("another fixed name", "getattr(self, 'other').clear()"),
        ("another object", "setattr(config, name, [])"),
        ("another object", "getattr(config, name).clear()"),
    ],
)
def test_a_container_grows_where_another_method_empties_something_else(why: str, statement: str) -> None:
    method = f"def reset(self, config, name):\n        {statement}"
    assert growths("self.history.append(x)", method) == ["torch.nn.Module.history"]


@pytest.mark.parametrize(
    ("why", "body", "method"),
    [
        (
            "it starts anew where something else is missing",
            "if self.mode is None:\n            self.history = []\n        self.history.append(x)",
            "",
        ),
        ("it starts anew in each call", "self.table['a'] = []\n        self.table['a'].append(x)", ""),
        (
            "it starts anew in each call",
            "self.table = {}\n        if 'a' not in self.table:\n            self.table['a'] = []\n"
            "        self.table['a'].append(x)",
            "",
        ),
        ("it starts anew in each call", "self.history = []\n        self.history.append(x)", ""),
        ("it is bounded", "if len(self.history) < 3:\n            self.history.append(x)", ""),
        ("another method empties it", "self.history.append(x)", "def reset(self):\n        self.history.clear()"),
        ("another method renews it", "self.history.append(x)", "def reset(self):\n        self.history = []"),
        (
            "another method takes all out of it",
            "self.history.append(x)",
            "def take(self):\n        taken, self.history = self.history, []\n        return taken",
        ),
        (
            "another method empties what a table names",
            "self.history.append(x)",
            "def reset(self):\n        for name in self.names:\n            getattr(self, name).clear()",
        ),
        (
            "another method renews what a table names",
            "self.history.append(x)",
            "def reset(self):\n        for name in self.names:\n            setattr(self, name, [])",
        ),
        ("it has the same keys each time", "self.table.update(a=x)", ""),
        ("it has the same keys each time", "self.table.update({'a': x, 'b': x}, c=x)", ""),
        ("it has the same keys each time", "self.table.update(dict(a=x))", ""),
        ("it has the same keys each time", "self.table.setdefault('a', x)", ""),
        ("it has the same keys each time", "d = {'a': x}\n        d['b'] = x\n        self.table.update(d)", ""),
        ("it is a local", "history = []\n        history.append(x)", ""),
        ("it is only read", "self.history.index(x)", ""),
    ],
)
def test_containers_do_not_grow(why: str, body: str, method: str) -> None:
    assert growths(body, method) == []


@pytest.mark.parametrize(
    ("update", "sure"),
    [
        ("self.table.update({x.shape: x})", Confidence.HIGH),
        ("d = {'a': x}\n        d[x.shape] = x\n        self.table.update(d)", Confidence.LOW),
        ("d = {}\n        d.update(x)\n        self.table.update(d)", Confidence.LOW),
        ("self.table.update(self.head.losses)", Confidence.LOW),
        ("self.table.update(self.head.losses())", Confidence.LOW),
    ],
)
def test_what_is_made_elsewhere_mostly_has_the_same_keys_each_time(update: str, sure: Confidence) -> None:
    code = HISTORY.format(body=update, method="")
    found = [event for event in events(code, "Net.forward", "attribute-write") if event.construct == "append"]
    assert [event.confidence for event in found] == [sure]


HELD = """
class State:
    def __init__(self):
        self.losses = []
        self.other = State()
    {of_state}
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.state = State()
    def forward(self, x):
        {body}
    {method}
"""


def held_growths(body: str, method: str = "", of_state: str = "") -> list[str]:
    code = HELD.format(body=body, method=method, of_state=of_state)
    return [event.callee for event in events(code, "Net.forward", "attribute-write") if event.construct == "append"]


@pytest.mark.parametrize("holder", ["self.state", "self.state.other"])
def test_containers_of_an_object_that_is_held_grow(holder: str) -> None:
    assert held_growths(f"{holder}.losses.append(x)") == ["State.losses"]


@pytest.mark.parametrize(
    ("why", "body", "method", "of_state"),
    [
        ("the object is another one", "self.state = State()\n        self.state.losses.append(x)", "", ""),
        ("another method renews the object", "", "def begin(self):\n        self.state = State()", ""),
        ("another method empties it", "", "def begin(self):\n        self.state.losses.clear()", ""),
        ("the object empties it", "", "", "def clear(self):\n        self.losses = []"),
    ],
)
def test_containers_of_an_object_that_is_held_do_not_grow(why: str, body: str, method: str, of_state: str) -> None:
    assert held_growths(body or "self.state.losses.append(x)", method, of_state) == []


AROUND = """
def main(loader):
    seen = []
    {before}
    @torch.compile
    def step(x):
        local = []
        def inner():
            local.append(x)
        for i in range(3):
            inner()
        {body}
        return x
    for x in loader:
        step(x)
        {after}
"""


def growths_around(body: str, before: str = "pass", after: str = "pass") -> list[str]:
    found = inspector(AROUND.format(body=body, before=before, after=after))
    for root in list(compiled_roots(found, "example.py")):
        run_root(found, root.function, Route((root.label,)))
    return [event.callee for event in found.events if event.construct == "append"]


@pytest.mark.parametrize(
    ("body", "before"),
    [
        ("seen.append(x)", "pass"),
        ("seen.extend([x])", "pass"),
        ("if len(seen) < 100: seen.append(x)", "pass"),
    ],
)
def test_a_container_of_a_function_around_grows(body: str, before: str) -> None:
    assert growths_around(body, before) == ["seen"]


@pytest.mark.parametrize(
    ("why", "body", "before", "after"),
    [
        ("it is emptied", "seen.append(x)", "pass", "seen.clear()"),
        ("it is made anew", "seen.append(x)", "pass", "seen = []"),
        ("it is made in a loop", "other.append(x)", "for i in loader: other = []", "pass"),
        ("it holds a few", "if len(seen) < 4: seen.append(x)", "pass", "pass"),
        ("the call makes another", "seen = []; seen.append(x)", "pass", "pass"),
        ("nobody knows what it is", "loader.append(x)", "pass", "pass"),
        ("the call makes it", "collect(x)(x)", "def collect(x): a = []; return lambda y: a.append(y)", "pass"),
    ],
)
def test_a_container_of_a_function_around_does_not_grow(why: str, body: str, before: str, after: str) -> None:
    assert growths_around(body, before, after) == []


def default_growths(code: str) -> list[tuple[str, Confidence]]:
    found = [event for event in events(code, "f", "global-write") if event.construct == "append"]
    return [(event.callee, event.confidence) for event in found]


@pytest.mark.parametrize(
    "statement",
    [
        "seen.append(x)",
        "for _ in range(3):\n        seen.append(x)",
        "same = seen\n    same.append(x)",
        "seen.extend([x, x])",
    ],
)
def test_what_a_parameter_is_by_default_grows(statement: str) -> None:
    (growth,) = default_growths(f"def f(x, seen=[]):\n    {statement}\n    return x")
    assert growth[1] == Confidence.MEDIUM


def test_what_a_called_function_has_by_default_surely_grows() -> None:
    code = "def note(x, seen=[]):\n    seen.append(x)\n\ndef f(x):\n    note(x)\n    return x"
    assert default_growths(code) == [("seen", Confidence.HIGH)]


def test_what_is_handed_on_by_default_grows_there() -> None:
    code = "def note(x, into):\n    into.append(x)\n\ndef f(x, seen=[]):\n    note(x, seen)\n    return x"
    assert [name for name, _ in default_growths(code)] == ["into"]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("another one is given", "def note(x, seen=[]):\n    seen.append(x)\n\ndef f(x):\n    note(x, [])"),
        ("it is copied", "def f(x, seen=[]):\n    seen = list(seen)\n    seen.append(x)"),
        ("it is copied by its method", "def f(x, seen=[]):\n    mine = seen.copy()\n    mine.append(x)"),
        ("a sum is a new one", "def f(x, seen=[]):\n    seen = seen + [x]\n    seen.append(x)"),
        ("a slice is a new one", "def f(x, seen=[]):\n    mine = seen[:]\n    mine.append(x)"),
        ("it is emptied", "def f(x, seen=[]):\n    seen.clear()\n    seen.append(x)"),
        ("a dict of it is a new one", "def f(x, seen={}):\n    mine = dict(seen)\n    mine.update({x.shape: 1})"),
        ("it is filled when empty only", "def f(x, seen=[]):\n    if not seen:\n        seen.append(x)"),
    ],
)
def test_what_a_parameter_is_by_default_stays_as_long_as_it_is(why: str, code: str) -> None:
    assert not default_growths(code), why


def test_a_memo_that_is_a_default_is_filled_by_the_first_call() -> None:
    code = """
        def f(x, n, memo={}):
            if n not in memo:
                memo[n] = torch.zeros(n)
            return x + memo[n]
    """
    assert [event.construct for event in events(code, "f", "global-write")] == ["fill"]


def test_what_a_class_keeps_grows() -> None:
    code = (
        "class Log:\n    seen = []\n    @classmethod\n    def note(cls, x):\n        cls.seen.append(x)\n"
        "def forward(x: Tensor):\n    Log.note(x.shape)\n    Log.seen.append(1)\n    return x\n"
    )
    assert [event.construct for event in events(code, "forward", "global-write")] == ["append", "append"]


@pytest.mark.parametrize("growing", ["SEEN['all'].append(x)", "SEEN.setdefault('all', []).append(x)"])
def test_a_global_grows_that_was_given_an_item_before(growing: str) -> None:
    code = f"SEEN = {{'all': []}}\n\ndef f(x):\n    SEEN['last'] = x\n    {growing}\n    return x"
    assert [growth[0] for growth in default_growths(code)] == ["SEEN"]


def test_what_is_made_for_a_key_of_a_local_does_not_grow() -> None:
    code = "def f(x):\n    found = {}\n    found.setdefault('all', []).append(x)\n    return found"
    assert default_growths(code) == []
