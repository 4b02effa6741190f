"""What a failed guard compared is found without running any code of the program's."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from compilelint.runtime.events import GuardValue
from compilelint.runtime.words.guard_values import guard_value, reasons_in, shown, split_reason


class _Module:
    """Keeps things where torch.nn.Module keeps them."""

    gain = 3

    def __init__(self) -> None:
        self.step = 4
        self._modules = {"inner": _Options()}
        self._buffers = {"scale": None}

    @property
    def loud(self) -> int:
        raise AssertionError("a property of the program was run")

    def __getattr__(self, name: str) -> Any:
        raise AssertionError("__getattr__ of the program was run")


class _Options:
    def __init__(self) -> None:
        self.sizes = [8, 16]
        self.names = {"a": "first"}


class _LoudDict(dict[str, int]):
    def __getitem__(self, key: str) -> int:
        raise AssertionError("__getitem__ of the program was run")


class Tensor:
    """Looks like torch's to who only reads the names of types."""

    __module__ = "torch"

    def __init__(self, device: str = "cpu", value: int | None = None) -> None:
        self.device = SimpleNamespace(type=device)
        self.value = value

    def item(self) -> int:
        if self.value is None:
            raise RuntimeError("a Tensor with 21 elements cannot be converted to Scalar")
        return self.value

    def size(self) -> tuple[int, ...]:
        return (3, 7)

    def stride(self) -> tuple[int, ...]:
        return (7, 1)


VARIABLES = {
    "L": {
        "self": _Module(),
        "n": 5,
        "mode": "fast",
        "loud": _LoudDict(k=1),
        "xs": [1, 2, 3],
        "x": Tensor(),
        "t": Tensor(value=50),
        "___stack0": [7, 8],
        "away": Tensor("cuda", 50),
    },
    "G": {"SCALE": 2.5},
}


@pytest.mark.parametrize(
    ("guard", "source", "expected", "actual"),
    [
        ("L['n'] == 3", "L['n']", "3", "5"),
        ("n == 3  # x = x * n  # model.py:3 in f", "n", "3", "5"),
        ("3 == n", "n", "3", "5"),
        ("self.step == 3", "self.step", "3", "4"),
        ("L['self'].gain == 2", "L['self'].gain", "2", "3"),
        ("L['self']._modules['inner'].sizes[1] == 8", "L['self']._modules['inner'].sizes[1]", "8", "16"),
        ("self.inner.names['a'] == 'b'", "self.inner.names['a']", "'b'", "'first'"),
        ("self.scale is True", "self.scale", "True", "None"),
        ("G['SCALE'] == 1.0", "G['SCALE']", "1.0", "2.5"),
        ("len(L['xs']) == 2", "len(L['xs'])", "2", "3"),
        ("not n", "n", "False", "5"),
        ("2 <= n", "n", None, "5"),
        ("___check_obj_id(self, 140), type=<class 'model.Net'>", "self", None, "a _Module"),
        ("loud['k'] == 2", "loud['k']", "2", "1"),
        ("self.loud == 2", "self.loud", "2", None),
        ("self.absent == 2", "self.absent", "2", None),
        ("nobody == 2", "nobody", "2", None),
        ("xs[9] == 2", "xs[9]", "2", None),
        ("2 <= x.size()[1]", "x.size()[1]", None, "7"),
        ("x.stride()[0] == 1", "x.stride()[0]", "1", "7"),
        ("n.size()[0] == 1", "n.size()[0]", "1", None),
        ("(((-2) + self.step) % 4) == 1", "self.step", None, "4"),
        ("2*x.size()[1] <= 8", "x.size()[1]", None, "7"),
        ("t.item() == 75", "t.item()", "75", "50"),
        ("___from_numpy(t).item() == 75", "___from_numpy(t).item()", "75", "50"),
        ("away.item() == 75", "away.item()", "75", None),
        ("x.item() == 75", "x.item()", "75", None),
        ("n.item() == 75", "n.item()", "75", None),
        ("len(___stack0) == 3", "len(___stack0)", "3", "2"),
        ("___stack0[1] == 3", "___stack0[1]", "3", "8"),
    ],
)
def test_a_comparison_of_one_variable(guard: str, source: str, expected: str | None, actual: str | None) -> None:
    assert guard_value(guard, VARIABLES) == GuardValue(source=source, expected=expected, actual=actual)


@pytest.mark.parametrize(
    ("guard", "actual"),
    [
        ("L == 3", "24"),
        ("L['L'] == 3", "24"),
        ("L['n'] == 3", "5"),
        ("2*L <= 8", "24"),
        ("G[1] == 3", "9"),
        ("len(G) == 3", "2"),
        ("G['SCALE'] == 1.0", "2.5"),
    ],
)
def test_variables_that_have_the_names_of_dynamos_scopes(guard: str, actual: str) -> None:
    """`B, L, D = x.shape` is as research code has it: `L` was shown as "a dict", which is what Dynamo calls so."""
    value = guard_value(guard, {"L": {"L": 24, "n": 5, "G": [8, 9]}, "G": {"SCALE": 2.5}})
    assert value is not None
    assert value.actual == actual


@pytest.mark.parametrize(
    "guard",
    [
        "tensor 'x' size mismatch at index 0. expected 3, actual 4",
        "GLOBAL_STATE changed: grad_mode",
        "",
        "f(",
        "x.size()[0] + n == 3",
        "(1 + 2) == 3",
    ],
)
def test_what_compares_no_variable(guard: str) -> None:
    assert guard_value(guard, VARIABLES) is None


def test_a_reason_is_split_into_version_guard_and_user_stack() -> None:
    text = '3/1: n == 3  # x\nUser stack trace:\n  File "a.py", line 3, in f\n    x = x * n\n'
    version, guard, stack = split_reason(text)
    assert (version, guard) == ("3/1", "n == 3  # x")
    assert "line 3, in f" in stack
    assert split_reason("n == 3") == ("", "n == 3", "")


def test_reasons_are_found_in_what_is_raised_where_recompiling_is_forbidden() -> None:
    message = (
        "Recompiling function f in f.py:2\n"
        "    triggered by the following guard failure(s):\n"
        "    - 0/1: tensor 'x' size mismatch at index 0. expected 4, actual 5\n"
        "    - User stack trace:\n"
        "    - 0/0: G['n'] == 1"
    )
    assert reasons_in(message) == [
        "0/1: tensor 'x' size mismatch at index 0. expected 4, actual 5\nUser stack trace:",
        "0/0: G['n'] == 1",
    ]


def test_values_are_shown_short() -> None:
    assert shown("x" * 200) == "'" + "x" * 78 + "…"
    assert shown((1, 2)) == "(1, 2)"
    assert shown({1}) == "{1}"
    assert shown(frozenset({"a"})) == "frozenset({'a'})"
    assert shown(set(range(17))) == "a set"
    assert shown({_Options()}) == "a set"
    assert shown(_Options()) == "a _Options"


class _Items(list[Any]):
    def __getitem__(self, key: Any) -> Any:
        raise AssertionError("__getitem__ of the program was run")


def test_what_a_class_derived_from_a_list_holds_is_read_as_dynamo_reads_it() -> None:
    """Of `StoppingCriteriaList([…])`: its first item's attribute was 12, and not the list itself."""
    variables = {"L": {"self": _Items([_Module()]), "d": _LoudDict(a=3)}, "G": {}}
    assert guard_value("list.__getitem__(self, 0).step == 12", variables) == GuardValue(
        source="self[0].step", expected="12", actual="4"
    )
    assert guard_value("dict.__getitem__(d, 'a') == 1", variables) == GuardValue(
        source="d['a']", expected="1", actual="3"
    )
    assert guard_value("list.__getitem__(self, 7).step == 12", variables) == GuardValue(
        source="self[7].step", expected="12", actual=None
    )
