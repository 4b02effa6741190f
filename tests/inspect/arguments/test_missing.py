"""Parameters that are made where they are missing."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import (
    INT,
    OBJECT,
    UNKNOWN,
    Const,
    External,
    Kind,
    Reference,
    Scalar,
    Tensor,
    join,
    sequence,
)
from compilelint.report.confidence import Confidence
from tests.inspect.make import returned

MADE = Tensor("float", 1, Confidence.MEDIUM)


def after(body: str, parameters: str = "x, k=None") -> Kind:
    return returned(f"def f({parameters}):\n    {body}\n    return k\n")


@pytest.mark.parametrize(
    ("made", "kind"),
    [("torch.ones(3)", MADE), ("random.randint(1, 5)", Scalar("int", drawn=True)), ("x.shape[0]", INT)],
)
def test_a_parameter_that_is_made_where_it_is_missing_is_what_is_made(made: str, kind: Kind) -> None:
    assert after(f"if k is None: k = {made}") == kind
    assert after(f"if k is None: k = {made}", parameters="x, *, k=None") == kind


@pytest.mark.parametrize(
    ("why", "body", "parameters"),
    [
        ("it must be passed", "if k is None: k = x.shape[0]", "x, k"),
        ("it has another default", "if k is None: k = x.shape[0]", "x, k=what"),
        ("something else is asked", "if x is None: k = random.randint(1, 5)", "x, k=None"),
        ("what is made is not known", "if k is None: k = what()", "x, k=None"),
    ],
)
def test_what_is_passed_is_not_known(why: str, body: str, parameters: str) -> None:
    assert after(body, parameters) == UNKNOWN


@pytest.mark.parametrize("parameters", ["x, k", "x, k=what"])
def test_what_is_drawn_where_none_is_passed_is_drawn_on_one_path(parameters: str) -> None:
    assert after("if k is None: k = random.randint(1, 5)", parameters) == join(Scalar("int", drawn=True), OBJECT)


def test_of_what_a_declared_tensor_is_tells_what_is_made_where_it_is_missing() -> None:
    of_bools = Tensor("bool", None, Confidence.MEDIUM)
    assert after("if k is None: k = torch.ones(3, dtype=torch.bool)", "x, k: torch.Tensor = None") == of_bools
    assert after("if k is None: k = torch.ones(3, dtype=torch.bool)", "x, k: torch.Tensor") != of_bools


EXPRESSIONS = ("k or {}", "k if k is not None else {}", "{} if k is None else k", "k if k else {}")


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_object_that_an_expression_makes_for_a_parameter_is_the_parameter(expression: str) -> None:
    assert after(f"k = {expression.format('nn.LSTM(3, 3)')}") == External("torch.nn.LSTM")
    assert after(f"k = {expression.format('nn.GELU')}") == Reference("torch.nn.GELU")
    assert after(f"k = {expression.format('[nn.GELU()]')}") == sequence("list", (External("torch.nn.GELU"),))


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize(
    ("why", "made", "parameters"),
    [
        ("it must be passed", "nn.GELU()", "x, k"),
        ("it has another default", "nn.GELU()", "x, k=what"),
        ("what is made is not known", "what()", "x, k=None"),
        ("what is made may hold other things in the next call", "{}", "x, k=None"),
        ("of a list of tensors the parameter tells more", "[torch.ones(3)]", "x, k=None"),
    ],
)
def test_what_is_passed_to_an_expression_is_not_known(expression: str, why: str, made: str, parameters: str) -> None:
    assert after(f"k = {expression.format(made)}", parameters) == UNKNOWN


@pytest.mark.parametrize("expression", ["x or {}", "k if x is not None else {}", "x if k is None else {}", "k and {}"])
def test_what_asks_for_something_else_says_nothing_of_a_parameter(expression: str) -> None:
    assert after(f"k = {expression.format('nn.GELU()')}", "k=None, x=1") != External("torch.nn.GELU")


HELPERS = (
    "def default(val, d):\n    return val if val is not None else d\n",
    "def exists(v):\n    return v is not None\n\n"
    "def default(val, d):\n    if exists(val):\n        return val\n    return d\n",
    "def default(val, d):\n    if val is not None:\n        return val\n    return d() if isinstance(d, type) else d\n",
    "default = lambda val, d: d if val is None else val\n",
)


def after_helper(helper: str, call: str, parameters: str = "x, k=None") -> Kind:
    return returned(f"{helper}\ndef f({parameters}):\n    k = {call}\n    return k\n")


@pytest.mark.parametrize("helper", HELPERS)
def test_an_object_that_a_helper_gives_for_a_missing_parameter_is_the_parameter(helper: str) -> None:
    assert after_helper(helper, "default(k, nn.GELU())") == External("torch.nn.GELU")


def test_what_a_helper_makes_for_a_missing_parameter_is_the_parameter() -> None:
    helper = "def default(val, make):\n    return val if val is not None else make()\n"
    assert after_helper(helper, "default(k, nn.GELU)") == External("torch.nn.GELU")


@pytest.mark.parametrize(
    ("why", "helper", "call", "parameters"),
    [
        ("it must be passed", HELPERS[0], "default(k, nn.GELU())", "x, k"),
        ("it has another default", HELPERS[0], "default(k, nn.GELU())", "x, k=what"),
        ("something is known of it", HELPERS[0], "default(x, nn.GELU())", "k=None, x=1"),
        ("of a number the next call may have another", HELPERS[0], "default(k, 8)", "x, k=None"),
        (
            "it does not give back",
            "def default(val, d):\n    return what(val, d)\n",
            "default(k, nn.GELU())",
            "x, k=None",
        ),
    ],
)
def test_what_is_passed_to_a_helper_is_not_known(why: str, helper: str, call: str, parameters: str) -> None:
    assert after_helper(helper, call, parameters) not in (External("torch.nn.GELU"), Const(8)), why
