"""Operators in terms of kinds."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    STR,
    UNKNOWN,
    Array,
    Const,
    Kind,
    Python,
    Scalar,
    Sequence,
    Tensor,
    join,
    sequence,
)
from compilelint.report.confidence import Confidence
from tests.inspect.make import callees, function, in_forward, kind_of


@pytest.mark.parametrize(
    "expression",
    ["x + 1", "1 + x", "x @ y", "x ** 2", "2 / x", "x // n", "x - size", "-x", "x + what", "x * maybe"],
)
def test_a_tensor_on_either_side_gives_a_tensor(expression: str) -> None:
    assert isinstance(kind_of(expression), Tensor)


@pytest.mark.parametrize("expression", ["[1] * x", "x * [1]", "[n, *(1, 2)] * x.argmax()"])
def test_a_list_times_a_tensor_is_a_list(expression: str) -> None:
    kind = kind_of(expression)
    assert isinstance(kind, Sequence)
    assert kind.type == "list"


def test_what_is_computed_is_no_input_any_more() -> None:
    kind = kind_of("x + y")
    assert isinstance(kind, Tensor)
    assert not kind.parameter


def test_a_result_is_as_sure_as_its_tensor() -> None:
    kind = kind_of("v + 1", "v = x if flag else 3")
    assert isinstance(kind, Tensor)
    assert kind.confidence == Confidence.MEDIUM


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("n + 1", INT),
        ("n / 2", FLOAT),
        ("n * 0.5", FLOAT),
        ("flag & flag", BOOL),
        ("flag + flag", INT),
        ("2 * 3", Const(6)),
        ("7 // 2", Const(3)),
        ("7 % 4", Const(3)),
        ("1 / 0", UNKNOWN),
        ("2 ** 3", INT),
        ("-3", Const(-3)),
        ("-n", INT),
        ("~n", INT),
        ("-what", UNKNOWN),
        ("'a' + 'b'", STR),
        ("'%d' % n", STR),
        ("f'{n}/' + what", STR),
        ("what + '.weight'", STR),
        ("what + what", UNKNOWN),
        ("name * 2", UNKNOWN),
        ("[1] + ['a']", Sequence("list", UNKNOWN, (Const(1), Const("a")))),
        ("[1] * n", Sequence("list", Const(1))),
        ("x.shape[:1] + (2,)", sequence("tuple", [INT, Const(2)])),
        ("x.item() + 1", Scalar()),
        ("int(x) + 1", Scalar("int")),
        ("int(x) / 2", Scalar("float")),
        ("np.zeros(3) + 1", Array()),
        ("np.zeros(3) > 1", Array("bool")),
        ("x.item() > 0", Scalar("bool")),
        ("random.randint(0, 3) + n", INT),
        ("1 - random.uniform(0, 1)", FLOAT),
        ("random.randint(0, 3) / random.randint(1, 3)", FLOAT),
        ("-random.randint(0, 3)", INT),
        ("random.uniform(0, 1) > size", Scalar("bool", drawn=True)),
        ("(random.randint(0, 3) if flag else n) > 2", join(Scalar("bool", drawn=True), BOOL)),
        ("random.randint(0, 3) * x.item()", Scalar()),
        ("n > 2", BOOL),
        ("3 > 2", Const(True)),
        ("True | flag", Const(True)),
        ("False & flag", Const(False)),
        ("False | flag", BOOL),
        ("True | n", INT),
        ("'a' == 'b'", Const(False)),
        ("3 < 'a'", BOOL),
        ("what + 1", UNKNOWN),
        ("what > 1", BOOL),
    ],
)
def test_operators_of_python(expression: str, kind: Kind) -> None:
    assert kind_of(expression) == kind


VECTOR = """
class Vector:
    def __add__(self, other):
        print(other)
        return 3
"""


def test_what_may_be_none_is_not_where_it_is_computed_with() -> None:
    assert kind_of("t + 1", before="t = n if flag else None") == INT
    assert kind_of("2.0 * t", before="t = n if flag else None") == FLOAT


def test_operators_of_the_project_s_own_classes_are_entered() -> None:
    assert kind_of("Vector() + 1", around=VECTOR) == Const(3)
    assert "builtins.print" in callees(VECTOR + function("v = Vector() + 1"))
    assert "builtins.print" not in callees(VECTOR + function("v = Vector() - 1"))


ROTATION = """
import torch
class Rotation:
    def __init__(self, matrix: torch.Tensor):
        self.matrix = matrix
    def __mul__(self, other):
        return Rotation(self.matrix * other)
    def __rsub__(self, other):
        return 3
    def __imul__(self, other):
        return 4
    def __add__(self, other):
        return what(other)
    def is_rotation(self):
        return "yes"
"""


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("(Rotation(x) * x).is_rotation()", Const("yes")),
        ("x - Rotation(x)", Const(3)),
        ("2 - Rotation(x)", Const(3)),
        ("x * Rotation(x)", Tensor(confidence=Confidence.HIGH)),
        ("Rotation(x) + x", Tensor(confidence=Confidence.HIGH)),
    ],
)
def test_with_a_tensor_an_object_makes_what_its_method_gives(expression: str, kind: Kind) -> None:
    assert kind_of(expression, around=ROTATION) == kind


def test_in_place_an_object_makes_what_its_method_gives() -> None:
    assert kind_of("r", before="r = Rotation(x); r *= x", around=ROTATION) == Const(4)


def test_a_number_or_a_tensor_stays_one_in_arithmetic() -> None:
    assert kind_of("t - what", before="t = n if flag else x") == join(INT, Tensor(confidence=Confidence.MEDIUM))
    assert kind_of("t - y", before="t = n if flag else x") == Tensor(confidence=Confidence.HIGH)


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("np.minimum(n, 3) + 1", Python("int", numpy=True)),
        ("np.minimum(n, 3) / 2", Python("float", numpy=True)),
        ("2 * np.sqrt(n)", Python("float", numpy=True)),
        ("np.sqrt(n) > 1", Python("bool", numpy=True)),
        ("n > 1", BOOL),
        ("int(np.sqrt(n)) + 1", INT),
    ],
)
def test_what_numpy_computed_stays_numpys(expression: str, kind: Kind) -> None:
    assert kind_of(expression) == kind


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("np.prod((2, 3)) * n", Array(number=True)),
        ("n - np.prod((2, 3))", Array(number=True)),
        ("what * np.prod((2, 3))", Array(number=True)),
        ("np.prod((2, 3)) + np.prod((4,))", Array(number=True)),
        ("np.ones(3) * np.prod((2, 3))", Array()),
        ("[1, 2] * np.prod((2, 3))", Array()),
        ("np.ones(3) * n", Array()),
    ],
)
def test_arithmetic_with_a_number_of_numpys_makes_another(expression: str, kind: Kind) -> None:
    assert kind_of(expression) == kind


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("v * n", join(INT, Array(number=True))),
        ("n % v", join(INT, Array(number=True))),
        ("v + what", join(UNKNOWN, Array(number=True))),
        ("v + np.ones(3)", Array()),
    ],
)
def test_a_number_of_python_or_numpy_makes_one_of_either(expression: str, kind: Kind) -> None:
    assert kind_of(expression, "v = 3 if flag else np.prod((2, 3))") == kind


@pytest.mark.parametrize(("expression", "kept"), [("self.a", True), ("+self.a", True), ("-self.a", False)])
def test_a_number_that_was_there_before_is_another_with_the_other_sign(expression: str, kept: bool) -> None:
    assert in_forward(expression, "self.a = np.prod([2, 3])") == Array(number=True, kept=kept)


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("self.a * 2", Array(number=True, held=True)),
        ("1 / self.a", Array(number=True, held=True)),
        ("self.a * 2 + 1", Array(number=True, held=True)),
        ("self.a * 2 > 1", Python("bool", numpy=True)),
        ("self.a", Python("float", numpy=True)),
        ("np.sqrt(2) * 2", Python("float", numpy=True)),
        ("self.b * 2", Array(number=True, held=True)),
        ("self.c * 2", FLOAT),
    ],
)
def test_a_float_of_numpy_that_was_there_before_is_computed_with_as_an_array(expression: str, kind: Kind) -> None:
    init = "self.a = np.sqrt(2)\n        self.b = 1 if width > 2 else np.sqrt(2)\n        self.c = float(np.sqrt(2))"
    assert in_forward(expression, init) == kind


@pytest.mark.parametrize(
    "statements",
    [
        "layers = nn.ModuleList([])\nlayers += [nn.LSTM(2, 2)]",
        "layers = nn.ModuleList() + [nn.LSTM(2, 2)]",
        "layers = nn.ModuleList() + nn.ModuleList([nn.LSTM(2, 2)])",
        "layers = nn.Sequential() + nn.Sequential(nn.LSTM(2, 2))",
    ],
)
def test_layers_that_are_added_to_a_container_are_in_it(statements: str) -> None:
    assert kind_of("layers[0]", statements) == kind_of("nn.LSTM(2, 2)")
