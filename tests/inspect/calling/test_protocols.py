"""The methods that syntax calls on containers and objects."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import callees, events, function

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


OBJECT = """
class Held:
    def __init__(self, tensor):
        self.tensor = tensor

    def {method}(self, *args):
        return self.tensor.item()

def f(x: Tensor):
    held = Held(x)
    {body}
"""


@pytest.mark.parametrize(
    ("method", "body"),
    [
        ("__bool__", "if held: pass"),
        ("__bool__", "return held and x"),
        ("__bool__", "return x if not held else None"),
        ("__len__", "while held: pass"),
        ("__bool__", "bool(held)"),
        ("__len__", "len(held)"),
        ("__int__", "int(held)"),
        ("__float__", "float(held)"),
        ("__abs__", "abs(held)"),
        ("__hash__", "hash(held)"),
        ("__hash__", "{held: 1}"),
        ("__repr__", "repr(held)"),
        ("__round__", "round(held)"),
        ("__divmod__", "divmod(held, 2)"),
        ("__reversed__", "reversed(held)"),
        ("__iter__", "list(held)"),
        ("__iter__", "sorted(held)"),
        ("__iter__", "sum(held)"),
        ("__iter__", "list(zip(held, held))"),
        ("__contains__", "3 in held"),
        ("__neg__", "-held"),
        ("__pos__", "+held"),
        ("__iter__", "min(held)"),
        ("__iter__", "frozenset(held)"),
        ("__setitem__", "held[0] = 1"),
        ("__setitem__", "held[0, 1] = 1"),
        ("__delitem__", "del held[0]"),
    ],
)
def test_methods_that_syntax_calls_are_walked(method: str, body: str) -> None:
    assert "torch.Tensor.item" in callees(OBJECT.format(method=method, body=body))


@pytest.mark.parametrize(
    ("why", "method", "body"),
    [
        ("nobody asks", "__bool__", "held is None"),
        ("Dynamo gives up where it is called", "__invert__", "~held"),
        ("Dynamo gives up where it is called", "__format__", "format(held)"),
        ("an object is there, whatever its length", "__len__", "return held"),
        ("a class is not its object", "__len__", "len(Held)"),
    ],
)
def test_methods_that_nothing_calls_are_not_walked(why: str, method: str, body: str) -> None:
    assert "torch.Tensor.item" not in callees(OBJECT.format(method=method, body=body)), why


def test_the_truth_of_an_object_is_its_bool_before_its_length() -> None:
    code = OBJECT.format(method="__len__", body="if held: pass")
    both = code.replace("    def __len__", "    def __bool__(self):\n        return True\n\n    def __len__")
    assert "torch.Tensor.item" in callees(code)
    assert "torch.Tensor.item" not in callees(both)


ASKED = """\
import torch.nn as nn
one, several = nn.LSTM(4, 4), nn.ModuleList([nn.LSTM(4, 4), nn.Linear(4, 4)])
maybe = nn.LSTM(4, 4) if flag else None
plain = 3
def f(x):
    {body}
"""


@pytest.mark.parametrize(
    ("body", "callee", "confidences"),
    [
        ("one is not None", "operator.is_", [Confidence.HIGH]),
        ("maybe is None", "operator.is_", [Confidence.MEDIUM]),
        ("isinstance(one, nn.GRU)", "builtins.isinstance", [Confidence.HIGH]),
        ("[isinstance(each, nn.GRU) for each in several]", "builtins.isinstance", [Confidence.MEDIUM] * 2),
        ("plain is None", "operator.is_", []),
        ("isinstance(x, nn.GRU)", "builtins.isinstance", []),
    ],
)
def test_objects_from_outside_that_are_asked_what_they_are(
    body: str, callee: str, confidences: list[Confidence]
) -> None:
    found = [event for event in events(ASKED.format(body=body), "f", "operator") if event.callee == callee]
    assert [event.confidence for event in found] == confidences


ROTATIONS = """\
import torch
from torch import Tensor, nn
class Rotation:
    def __mul__(self, other): ...
    def __rmul__(self, other): ...
class Layer(nn.Module):
    def __mul__(self, other): ...
class Like:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None): ...
    def __mul__(self, other): ...
class Sub(torch.Tensor):
    def __mul__(self, other): ...
rotation = Rotation()
layer = Layer()
like = Like()
"""


@pytest.mark.parametrize(
    ("statement", "callees"),
    [
        ("rotation * x", ["builtins.object.__mul__"]),
        ("x * rotation", ["builtins.object.__rmul__"]),
        ("rotation *= x", ["builtins.object.__imul__"]),
        ("layer * x", ["builtins.object.__mul__"]),
        ("layer * 2", []),
        ("layer + x", []),
        ("x * layer", []),
        ("like * x", []),
        ("2 * rotation", []),
        ("x * 2", []),
    ],
)
def test_objects_meet_tensors(statement: str, callees: list[str]) -> None:
    code = ROTATIONS + f"def f(x: Tensor, rotation: Rotation, layer: Layer):\n    {statement}\n"
    assert [event.callee for event in events(code, "f", "operator")] == callees


@pytest.mark.parametrize(
    ("body", "keys"),
    [
        ("{}[a[0]]", 1),
        ("seen = {}\nseen[a[0]] = 1", 1),
        ("{a[0]: 1, 2: 3}", 1),
        ("{a[0], 2}", 1),
        ("a[0] in {1: 2}", 1),
        ("for i in a:\n    {1: 2}[i]", 1),
        ("a[0] in [1, 2]", 0),
        ("[1, 2][a[0]]", 0),
        ("{1: 2}[n]", 0),
        ("{1: 2}.get(a.tolist()[0])", 0),
    ],
)
def test_an_array_gives_what_is_looked_up(body: str, keys: int) -> None:
    """Dynamo 2.13.0 raises the TypeError that an array as a key raises in Python."""
    code = function(f"a = numpy.asarray(x)\n{body}")
    found = events(f"import numpy\n{code}", "f", "operator")
    assert len([event for event in found if event.callee == "numpy.ndarray.__hash__"]) == keys
