"""What is written, what it means for what is read afterwards, and which writes outlive the call."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import (
    FLOAT,
    INT,
    SIZE,
    UNKNOWN,
    Const,
    Dictionary,
    Kind,
    Sequence,
    Tensor,
    join,
    sequence,
)
from compilelint.report.confidence import Confidence
from tests.inspect.make import events, function, kind_of

INPUT = Tensor(parameter=True)
NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0
        self.stats = {{"calls": 0}}
        self.history = []
        self.register_buffer("total", torch.zeros(3))

    def forward(self, x, i: int):
        {body}
"""


def writes(body: str, *types: str) -> list[tuple[str, str]]:
    """(callee, construct) of the writes in the `forward` of a module."""
    code = NET.format(body=body.replace("\n", "\n        "))
    found = events(code, "Net.forward", *(types or ("attribute-write", "index-write", "global-write")))
    return [(event.callee, event.construct) for event in found]


# Names


@pytest.mark.parametrize(
    ("before", "expression", "kind"),
    [
        ("a = b = 1", "a, b", sequence("tuple", [Const(1), Const(1)])),
        ("a, b = 1, 'a'", "b, a", sequence("tuple", [Const("a"), Const(1)])),
        ("(a, [b, c]) = 1, (2, 3)", "c", Const(3)),
        ("a, *b = 1, 2, 3", "b", sequence("list", [Const(2), Const(3)])),
        ("*a, b = 1, 2, 3", "a", sequence("list", [Const(1), Const(2)])),
        ("a, b, c = x.shape", "b", SIZE),
        ("values, where = x.max(dim=1)", "where", Tensor("int")),
        # Nobody knows whether the second is a dimension or a tensor: what is computed with it tells.
        ("scale = 1 + torch.max(x, what)", "scale", Tensor(confidence=Confidence.MEDIUM)),
        ("best = torch.max(x, what).values", "best", Tensor()),
        ("a: int = what", "a", INT),
        ("(a := 3)", "a", Const(3)),
        ("a = 1\na += 1", "a", Const(2)),
        ("a = x\na -= 1", "a", Tensor()),
    ],
)
def test_names_are_what_they_are_assigned(before: str, expression: str, kind: Kind) -> None:
    assert kind_of(expression, before) == kind


def test_a_name_that_is_bound_anew_forgets_its_attributes() -> None:
    assert kind_of("what.size", "what.size = 3") == Const(3)
    assert kind_of("what.size", "what.size = 3\nwhat = unknown()") != Const(3)


# Attributes


@pytest.mark.parametrize(
    ("body", "construct"),
    [
        ("self.step = i", "assign"),
        ("self.step += 1", "augmented"),
        ("self.step -= i", "augmented"),
        ("self.step *= 2", "augmented"),
        ("self.step = self.step + 1", "augmented"),
        ("self.step = 1 + self.step", "augmented"),
        ("self.step, y = 1, 2", "assign"),
        ("self.step: int = 1", "assign"),
        ("self.step %= 2", "assign"),
        ("self.step ^= 1", "assign"),
        ("self.step = (self.step + 1) % 5", "assign"),
        ("self.step = (self.step + 1) % 8", "assign"),
        ("self.step = (self.step + 8) % 64", "assign"),
        ("self.step = (self.step + 1) % i", "assign"),
        ("self.step = (self.step + 1) % 9", "augmented"),
        ("self.step = (self.step + x.shape[0]) % 64", "augmented"),
        ("self.step = (self.step + i) % x.shape[0]", "augmented"),
        ("self.step = (self.step + i) % x.size(0)", "augmented"),
        ("self.step = (self.step + 1) % len(x)", "augmented"),
        ("self.step = (self.step + 1) % len(self.history)", "assign"),
        ("self.step = (self.step + 0) % 0", "assign"),
        ("self.step = (i + 1) % 64", "assign"),
        ("self.step = i + 1", "assign"),
        ("self.total = torch.cat([self.total, x])", "resized"),
    ],
)
def test_attributes_of_modules_are_written(body: str, construct: str) -> None:
    callee = "torch.nn.Module.total" if construct == "resized" else "torch.nn.Module.step"
    assert writes(body) == [(callee, construct)]


@pytest.mark.parametrize(
    ("before", "construct"),
    [
        ("if self.step + 4 > 100: self.step = 0", "augmented"),
        ("if self.step == 0: self.step = 100", "augmented"),
        ("if i > 3 and self.step > 100: self.step = 0", "augmented"),
        ("if self.step >= 3: self.step = 0", "assign"),
        ("if self.training: self.step = 0", "assign"),
        ("self.step = 0", "assign"),
    ],
    ids=["far", "backwards", "far, as something else is small", "soon", "whenever something else is so", "always"],
)
def test_a_counter_that_starts_again_counts_if_it_comes_far_before(before: str, construct: str) -> None:
    """Dynamo 2.13 compiles 8 times, then no more, in the first three; 4 times and once in those after them."""
    assert writes(before + "\nself.step += 4")[-1] == ("torch.nn.Module.step", construct)


@pytest.mark.parametrize(
    ("body", "confidence"),
    [
        ("while x.shape[0] >= self.step: self.step *= 2", Confidence.LOW),
        ("n = x.size(1)\nif what or n > self.step: self.step += 16", Confidence.LOW),
        ("if self.step < i: self.step += 1", Confidence.HIGH),
        ("if self.step < 100: self.step += 1", Confidence.HIGH),
        ("if x.shape[0] > self.other: self.step += 1", Confidence.HIGH),
        ("if x.shape[0] != self.step: self.step += 1", Confidence.HIGH),
        ("if x.shape[0] > self.step: x = x + 1\nself.step += 1", Confidence.HIGH),
    ],
)
def test_a_value_that_catches_up_with_a_size_is_mostly_as_it_was(body: str, confidence: Confidence) -> None:
    """Dynamo 2.13 compiles the first two 3 and 4 times for nine sizes, and once for one size; those after them in each
    call."""
    code = NET.format(body=body.replace("\n", "\n        "))
    (event,) = events(code, "Net.forward", "attribute-write")
    assert event.confidence == confidence


@pytest.mark.parametrize(
    ("after", "construct"),
    [
        ("self.step %= 2", "assign"),
        ("self.step = self.step % 2", "assign"),
        ("self.step %= i", "assign"),
        ("self.step %= 64", "augmented"),
        ("self.step %= len(x)", "augmented"),
        ("self.other %= 2", "augmented"),
    ],
)
def test_a_counter_that_goes_round_counts_if_it_is_a_long_way(after: str, construct: str) -> None:
    assert writes(f"self.step += 1\n{after}")[0] == ("torch.nn.Module.step", construct)


@pytest.mark.parametrize(
    ("after", "construct"),
    [
        ("if self.step >= 3: self.step = 0", "assign"),
        ("if self.step == 6 and self.training:\n    i = 1\n    self.step = 0", "assign"),
        ("if self.step >= 100: self.step = 0", "augmented"),
        ("if self.step >= 3: self.total = 0", "augmented"),
        ("if self.total >= 3: self.step = 0", "augmented"),
        ("if self.step >= 3: self.step = self.step + i", "augmented"),
    ],
)
def test_a_counter_that_begins_anew_after_a_few_calls_counts_up_to_the_same(after: str, construct: str) -> None:
    """Dynamo 2.13 compiles 3 and 6 times in the first two, in 12 calls."""
    assert writes("self.step += 1\n" + after)[0] == ("torch.nn.Module.step", construct)


def test_a_counter_that_starts_anew_in_each_call_counts_up_to_the_same() -> None:
    assert writes("self.step = 0\nself.step += 1") == [("torch.nn.Module.step", "assign")] * 2


def test_what_is_written_is_read_back() -> None:
    code = NET.format(body="self.step = x\n        if self.step > 0:\n            return 1")
    assert [event.source for event in events(code, "Net.forward", "branch")] == ["self.step > 0"]


@pytest.mark.parametrize(
    ("target", "callee"),
    [("x.data", "torch.Tensor.data"), ("x.grad", "torch.Tensor.grad"), ("what.y", "")],
)
def test_attributes_of_other_things_are_written(target: str, callee: str) -> None:
    (event,) = events(function(f"{target} = 3"), "f", "attribute-write")
    assert event.callee == callee


def test_what_the_region_itself_has_made_is_gone_with_the_call() -> None:
    code = """
    class State:
        def __init__(self):
            self.count = 0
        def step(self):
            self.count += 1

    def f(x):
        state = State()
        state.step()
        state.count += 1
        return state.count
    """
    assert events(code, "f", "attribute-write") == []


# Items


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("x[0] = 1", [("torch.Tensor", "assign")]),
        ("x[0] += 1", [("torch.Tensor", "augmented")]),
        ("x[0] %= 2", [("torch.Tensor", "augmented")]),
        ("d = {}\nd['a'] = 1", [("builtins.dict", "assign")]),
        ("self.stats['calls'] = 1", [("builtins.dict", "assign")]),
        ("self.stats['calls'] += 1", [("builtins.dict", "augmented"), ("torch.nn.Module.stats", "item-augmented")]),
        ("self.stats['calls'] %= 2", [("builtins.dict", "assign")]),
        (
            "self.stats = {'calls': 0}\nself.stats['calls'] += 1",
            [("torch.nn.Module.stats", "assign"), ("builtins.dict", "augmented")],
        ),
    ],
)
def test_items_are_written(body: str, found: list[tuple[str, str]]) -> None:
    assert writes(body) == found


@pytest.mark.parametrize(
    "made",
    [
        "x",
        "{'a': None}",
        "x if flag else {'a': None}",
        "x if flag else what",
        "x if flag else None",
    ],
)
def test_what_is_given_an_item_by_name_is_a_dict_that_holds_it(made: str) -> None:
    code = f"def taken(d):\n    return d['n']\nd = {made}\nd['n'] = 3"
    assert kind_of("taken(d)", code) == Const(3)


def test_what_is_given_an_item_by_name_holds_the_others_as_before() -> None:
    assert kind_of("d['a']", "d = x\nd['n'] = 3") == Tensor()
    assert kind_of("d['a']", "d = x if flag else {'a': y}\nd['n'] = 3") == join(Tensor(), Tensor())


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("COUNTS['a'] += 1", "item-augmented"),
        ("TABLE[0][1] += 1", "item-augmented"),
        ("NAMES.append(1)", "append"),
        ("SEEN.add(n)", "append"),
        ("for name in names:\n    SEEN.add(name)", "append"),
        ("for name in ('f', 'g'):\n    SEEN.add(n)", "append"),
        ("for name in ('f', 'g'):\n    name = name + str(n)\n    SEEN.add(name)", "append"),
        ("if n in COUNTS:\n    return x\nNAMES.append(n)", "append"),
        ("if n in NAMES:\n    x = x + 1\nNAMES.append(n)", "append"),
        ("global TOTAL\nTOTAL += 1", "augmented"),
        ("global TOTAL\nTOTAL = 1", "assign"),
    ],
)
def test_globals_outlive_the_call(body: str, found: str) -> None:
    around = "COUNTS = {'a': 0}\nTABLE = [[0, 1]]\nNAMES = []\nSEEN = set()\nTOTAL = 0\n"
    assert [event.construct for event in events(around + function(body), "f", "global-write")] == [found]


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("a local of that name", "COUNTS = {'a': 0}\nCOUNTS['a'] += 1"),
        ("it is only read", "y = COUNTS['a'] + 1"),
        ("it was not declared", "TOTAL = 1"),
        ("a local list", "names = []\nnames.append(1)"),
        ("what is in it already is not added", "if n in NAMES:\n    return x\nNAMES.append(n)"),
        ("a set holds a constant once", "SEEN.add('f')"),
        ("so it does with each of some constants", "for name in ('f', 'g'):\n    SEEN.add(name)"),
        ("a set holds a class once", "SEEN.add(Tensor)"),
        ("it is full some day", "if n in NAMES or not flag:\n    return x\nNAMES.append(n)"),
    ],
)
def test_no_global_is_written(why: str, body: str) -> None:
    around = "COUNTS = {'a': 0}\nNAMES = []\nSEEN = set()\nTOTAL = 0\n"
    assert events(around + function(body), "f", "global-write") == []


def test_an_augmented_item_is_one_write_and_no_read() -> None:
    assert [event.type for event in events(function("x[y > 0] += 1"), "f", "index", "index-write")] == ["index-write"]


@pytest.mark.parametrize(
    ("index", "dtype"), [("y > 0", "bool"), ("0, y > 0", "bool"), ("y.long(), y > 0", "bool"), ("y.long(), 0", "int")]
)
def test_a_mask_decides_about_what_is_written(index: str, dtype: str) -> None:
    (event,) = events(function(f"x[{index}] = 0"), "f", "index-write")
    assert isinstance(event.args[0], Tensor)
    assert event.args[0].dtype == dtype


@pytest.mark.parametrize(
    ("statement", "ndim"),
    [
        ("x[y.argmax(), y > 0] = 0", 0),
        ("x[y > 0, y.argmax()] = 0", 0),
        ("x[y.nonzero(), :, y.argmax()] = 0", 0),
        ("x[y.argmax(), y.reshape(-1) > 0] += 1", 1),
    ],
)
def test_what_is_read_back_decides_about_what_is_written_and_a_mask_of_what_is_read_too(
    statement: str, ndim: int
) -> None:
    (event,) = events(function(statement), "f", "index-write")
    assert isinstance(event.args[0], Tensor)
    assert event.args[0].ndim == ndim


@pytest.mark.parametrize(
    ("before", "expression", "kind"),
    [
        ("d = {}\nd['a'] = 1", "d['a']", Const(1)),
        ("d = {'a': 1}\nd['a'] = 'b'", "d['a']", Const("b")),
        ("d = {}\nd[name] = x", "d", Dictionary(INPUT)),
        ("d = {}\nd[name] = x\nd[name] = 1", "d", Dictionary(join(INPUT, Const(1)))),
        ("v = [1, 2]\nv[0] = 'a'", "v", Sequence("list", join(INT, Const("a")))),
        ("v = []\nv[0] = 'a'", "v", Sequence("list", Const("a"))),
    ],
)
def test_containers_are_what_was_put_into_them(before: str, expression: str, kind: Kind) -> None:
    assert kind_of(expression, before) == kind


# What is added to something unknown


def told_of(statement: str) -> list[tuple[tuple[Kind, ...], Confidence]]:
    code = f"""
class Scheduler:
    def __init__(self, begin, items):
        self.index = begin()
        self.items = items()

    def step(self, x):
        {statement}
        return x
"""
    found = events(code, "Scheduler.step", "attribute-write")
    return [(event.args, event.confidence) for event in found if event.construct == "augmented"]


@pytest.mark.parametrize(
    ("statement", "kind"), [("self.index += 1", INT), ("self.index -= 1", INT), ("self.index += 0.5", FLOAT)]
)
def test_what_takes_a_number_is_taken_for_one(statement: str, kind: Kind) -> None:
    assert told_of(statement) == [((kind,), Confidence.LOW)]


@pytest.mark.parametrize(
    ("why", "statement"),
    [("a list may be added", "self.items += unknown()"), ("a list may be repeated", "self.items *= 2")],
)
def test_what_may_be_a_container_stays_unknown(why: str, statement: str) -> None:
    assert [args for args, _ in told_of(statement)] == [(UNKNOWN,)], why
