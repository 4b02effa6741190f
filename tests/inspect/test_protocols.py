"""The methods that syntax calls on containers and objects."""

from __future__ import annotations

import pytest

from tests.inspect.make import events, function

AROUND = """\
import enum, sys
from collections import Counter, UserDict, deque
class Color(enum.Enum):
    RED = 1
class Plain:
    pass
plain = Plain()
class Settings(UserDict):
    pass
class Own(UserDict):
    def __getitem__(self, key):
        return 3
    def __neg__(self):
        return self
    def __iter__(self):
        return iter([1])
settings = Settings()
own = Own()
"""


def operators(body: str) -> list[str]:
    return [event.callee for event in events(AROUND + function(body), "f", "operator")]


@pytest.mark.parametrize(
    ("statement", "callee"),
    [
        ("{1} | {2}", "builtins.set.__or__"),
        ("a = [1]; a *= 2", "builtins.list.__imul__"),
        ("a = [1]; del a[0]", "builtins.list.__delitem__"),
        ("a = [1]; a[0] = 2", "builtins.list.__setitem__"),
        ("(1, 2) == (1, 3)", "builtins.tuple.__eq__"),
        ("1 in {'a': 1}.values()", "builtins.iterator.__contains__"),
        ("len(Counter('a'))", "collections.Counter.__len__"),
        ("list(deque([1]))", "builtins.deque.__iter__"),
        ("UserDict(a=1)['a']", "collections.UserDict.__getitem__"),
        ("settings['a']", "collections.UserDict.__getitem__"),
        ("'a' in settings", "collections.UserDict.__contains__"),
        ("x == None", "torch.Tensor.__eq__"),
        ("maybe != None", "torch.Tensor.__ne__"),
    ],
)
def test_syntax_stands_for_a_method(statement: str, callee: str) -> None:
    assert callee in operators(statement)


@pytest.mark.parametrize(
    "statement",
    ["n + 1", "n < 3", "name + 'a'", "x + y", "x[0]", "del x", "x is None", "x == 3", "what[0]", "n == None", "len(x)"],
    ids=lambda statement: statement,
)
def test_numbers_text_tensors_and_the_unknown_have_operators_of_their_own(statement: str) -> None:
    assert operators(statement) == []


def test_what_the_project_defines_goes_by_the_name_of_the_method() -> None:
    assert operators("own['a']") == ["builtins.object.__getitem__"]


@pytest.mark.parametrize(
    ("statement", "callee"),
    [
        ("list(Color)", "builtins.type.__iter__"),
        ("Color.RED in Color", "builtins.type.__contains__"),
        ("-own", "builtins.object.__neg__"),
        ("{plain: 1}", "builtins.object.__hash__"),
        ("{plain}", "builtins.object.__hash__"),
        ("sys.version_info >= (3, 8)", "sys.version_info.__ge__"),
        ("list(map(str, own))", "builtins.object.__iter__"),
    ],
)
def test_classes_and_objects_of_the_project_count_too(statement: str, callee: str) -> None:
    assert callee in operators(statement)


def test_numbers_as_keys_are_no_objects() -> None:
    assert operators("{1: n, name: 2}") == []


def test_a_value_that_is_added_to_is_not_added() -> None:
    assert operators("a = [1]; a += [2]") == ["builtins.list.__iadd__"]
