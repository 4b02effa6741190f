"""Comparisons in terms of kinds."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import (
    BOOL,
    Array,
    Const,
    Kind,
    Tensor,
    join,
)
from compilelint.report.confidence import Confidence
from tests.inspect.make import branches, callees, events, function, kind_of, returned


@pytest.mark.parametrize(
    "expression", ["x > 0", "0 <= x", "x == y", "x != 1", "(x > 0) & (y > 0)", "~(x > 0)", "x == what"]
)
def test_comparisons_of_tensors_are_masks(expression: str) -> None:
    kind = kind_of(expression)
    assert isinstance(kind, Tensor)
    assert kind.dtype == "bool"


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("x is None", Const(False)),
        ("x is not None", Const(True)),
        ("None is None", Const(True)),
        ("x == None", Const(False)),
        ("maybe is None", BOOL),
        ("what is None", BOOL),
        ("x is y", BOOL),
        ("name == 'a'", BOOL),
        ("x == 'a'", BOOL),
        ("'a' in ('a', 'b')", Const(True)),
        ("'c' not in ('a', 'b')", Const(True)),
        ("n in (1, 2)", BOOL),
        ("'a' in {'a': 1}", Const(True)),
        ("'b' in {'a': 1}", BOOL),
        ("'b' in {name: 1}", BOOL),
    ],
)
def test_identity_and_membership(expression: str, kind: Kind) -> None:
    assert kind_of(expression) == kind


COMPARED = """
class Version:
    def __eq__(self, other):
        print(other)
        return x_of(other)
    def __lt__(self, other):
        open(other)
        return 3
def x_of(other): return torch.ones(3)
class Plain: pass
"""


@pytest.mark.parametrize(
    ("expression", "called"),
    [
        ("Version() == what", ["builtins.print", "torch.ones"]),
        ("Version() != what", ["builtins.print", "torch.ones"]),
        ("[Version()] == [Version()]", ["builtins.print", "torch.ones"]),
        ("Version() < what", ["builtins.open"]),
        ("Version() > what", []),
        ("Plain() == what", []),
    ],
)
def test_comparisons_of_the_project_s_own_classes_are_entered(expression: str, called: list[str]) -> None:
    assert callees(f"{COMPARED}\n{function(f'return {expression}')}") == called


@pytest.mark.parametrize("given", ["x if flag else what", "x"])
def test_a_text_is_not_looked_for_in_a_tensor(given: str) -> None:
    assert branches(f'given = {given}\nif "key" in given:\n    pass') == []


def test_what_is_in_a_dict_on_one_path_only_may_be_missing() -> None:
    code = """
def f(x: Tensor, on: bool):
    found = {}
    if on:
        found = {"mask": x}
    return "mask" in found
"""
    assert returned(code) == BOOL


ASKED = """
def f(x, hints_of: nn.Module, what):
    hints = hints_of(x)
    for index, part in enumerate(what):
        if {asked} in hints:
            x = x + hints[index]
    return x
"""


@pytest.mark.parametrize(
    ("asked", "sure"),
    [("index", Confidence.LOW), ("what", Confidence.LOW), ("0", Confidence.MEDIUM), ("x[0]", Confidence.MEDIUM)],
)
def test_what_an_unknown_module_gives_and_is_searched_is_as_likely_a_dict(asked: str, sure: Confidence) -> None:
    found = [event for event in events(ASKED.format(asked=asked), "f", "branch") if event.construct == "in-tensor"]
    assert [event.confidence for event in found] == [sure]


@pytest.mark.parametrize(
    "comparison",
    ["None not in [x, x + 1]", "3 in (x, x.sum())", "'a' in [x]", "n in [x]", "x in ('a', None)", "x not in [name]"],
)
def test_a_python_value_is_looked_for_without_a_look_at_tensors(comparison: str) -> None:
    assert branches(f"if {comparison}:\n    y = x + 1") == []


@pytest.mark.parametrize("comparison", ["x in [1, 2]", "x.sum() not in (x, 3)"])
def test_a_tensor_is_looked_for_by_its_value(comparison: str) -> None:
    assert branches(f"if {comparison}:\n    y = x + 1") != []


def test_whether_none_is_among_tensors_is_known() -> None:
    assert kind_of("None in (x, x + 1)") == Const(False)
    assert kind_of("None not in (x, None)") == Const(False)


def test_a_number_of_python_or_numpy_is_compared_as_either() -> None:
    before = "v = 3 if flag else np.prod((2, 3))"
    assert kind_of("v != 0", before) == kind_of("0 < v", before) == join(BOOL, Array("bool", number=True))


@pytest.mark.parametrize(
    ("comparison", "is_number"),
    [("np.prod((2, 3)) > n", True), ("np.ones(3) > np.prod((2, 3))", False), ("np.prod((2, 3)) == [1, 2]", False)],
)
def test_numbers_of_numpy_compare_to_one(comparison: str, is_number: bool) -> None:
    assert kind_of(comparison) == Array("bool", number=is_number)


def compared_items(expression: str) -> list[Confidence]:
    found = events(function(expression), "f", "branch")
    return [event.confidence for event in found if event.construct == "items"]


@pytest.mark.parametrize(
    "expression",
    [
        "x.shape == (y.max(), 3)",
        "x.shape != (y.max(), 3)",
        "[x.sum(), 1] == [2, 1]",
        "(1, y.max()) < (1, n)",
        "(n, 3) == (y.max(), 3)",
    ],
)
def test_a_tensor_in_a_tuple_is_compared_with_a_number(expression: str) -> None:
    assert compared_items(expression) == [Confidence.HIGH]


@pytest.mark.parametrize(
    ("why", "expression"),
    [
        ("a tensor is itself", "[x, y] == [x, y]"),
        ("numbers", "x.shape == (n, 3)"),
        ("none is no number", "[x, None] == [None, None]"),
        ("there are more", "[x, 1] == [2, 1, 3]"),
        ("names", "('a', x) == ('a', 'b')"),
        ("a tensor of its own", "x.sum() == 3"),
        ("whether it is the same object", "(x, 1) is (2, 1)"),
        ("what is unknown", "what == (x.sum(), 1)"),
    ],
)
def test_no_tensor_in_a_tuple_is_compared(why: str, expression: str) -> None:
    assert compared_items(expression) == [], why
