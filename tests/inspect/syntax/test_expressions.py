"""What expressions are, and which of them let a tensor's data decide."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    OBJECT,
    SIZE,
    STR,
    UNKNOWN,
    Const,
    Dictionary,
    Kind,
    Python,
    Reference,
    Scalar,
    Sequence,
    Tensor,
    Text,
    join,
    sequence,
)
from tests.inspect.make import branches, events, happenings, kind_of, returned

INPUT = Tensor(parameter=True)


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("3", Const(3)),
        ("'a'", Const("a")),
        ("None", NONE),
        ("...", OBJECT),
        ("2j", OBJECT),
        ("x", INPUT),
        ("n", INT),
        ("missing", UNKNOWN),
        ("torch.relu", Reference("torch.relu")),
        ("np", Reference("numpy")),
        ("F.relu", Reference("torch.nn.functional.relu")),
        ("print", Reference("builtins.print")),
        ("math.pi", FLOAT),
        ("(1, 'a')", sequence("tuple", [Const(1), Const("a")])),
        ("[1, *(2, 3)]", sequence("list", [Const(1), Const(2), Const(3)])),
        ("[1, *what]", Sequence("list", UNKNOWN)),
        ("[]", Sequence("list", UNKNOWN, ())),
        ("{1, 2}", sequence("set", [Const(1), Const(2)])),
        ("{'a': 1}", Dictionary(Const(1), (("a", Const(1)),))),
        ("{name: 1, 'b': 'c'}", Dictionary(join(Const(1), Const("c")), (("b", Const("c")),))),
        ("{**{'a': 1}, 'b': 2}", Dictionary(Const(2), (("a", Const(1)), ("b", Const(2))))),
        ("{}", Dictionary(UNKNOWN)),
        ("[i for i in range(n)]", Sequence("list", INT)),
        ("[i for i in (1, 'a')]", sequence("list", [Const(1), Const("a")])),
        ("{i for i in range(n)}", Sequence("set", INT)),
        ("(i for i in range(n))", Sequence("iterator", INT)),
        ("{i: x for i in range(n)}", Dictionary(INPUT)),
        ("[j for i in range(n) for j in x.shape]", Sequence("list", SIZE)),
        ("x if flag else 3", join(INPUT, Const(3))),
        ("x if True else 3", INPUT),
        ("f'{n}'", STR),
        ("f'a'", Const("")),
        ("f'{x}'", Text(INPUT)),
        ("(lambda: 3)()", Const(3)),
        ("(a := 3) + a", Const(6)),
        ("x.shape", Sequence("tuple", SIZE)),
        ("x.ndim", INT),
        ("x.dtype", Python("dtype")),
        ("await what", UNKNOWN),
    ],
)
def test_kinds(expression: str, kind: Kind) -> None:
    if expression.startswith("await"):
        assert returned(f"async def f(x, what):\n    return {expression}\n") == kind
    else:
        assert kind_of(expression) == kind


def test_a_comprehension_s_names_end_with_it() -> None:
    assert kind_of("i", "i = 'a'\n[i for i in range(n)]") == Const("a")


# Conditions


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("v = 1 if x.any() else 2", [("ternary", "x.any()")]),
        ("v = not x.any()", [("not", "x.any()")]),
        ("v = x.any() and n", [("and", "x.any()")]),
        ("v = x.any() or n", [("or", "x.any()")]),
        ("v = n or x.any()", []),
        ("v = n and x.any() and y.any()", [("and", "x.any()")]),
        ("v = 0 < x.sum() < 3", [("compare", "0 < x.sum() < 3")]),
        ("v = 0 < x.sum()", []),
        ("v = [i for i in x if i > 0]", [("comprehension", "i > 0")]),
        ("v = x in [y]", [("in", "x in [y]")]),
        ("v = n in x", [("in-tensor", "n in x")]),
        ("if x.any() and y.any():\n    pass", [("if", "x.any()"), ("if", "y.any()")]),
        ("if flag or not x.any():\n    pass", [("if", "x.any()")]),
        ("if (m := x.any()):\n    pass", [("if", "m := x.any()")]),
        ("if x.item() > 0:\n    pass", [("if", "x.item() > 0")]),
        ("v = sorted([x, y])", []),
        ("v = max(n, 3)", []),
        ("v = list(filter(lambda i: i > 0, x))", [("filter", "filter(lambda i: i > 0, x)")]),
    ],
)
def test_the_truth_of_a_tensor_decides(body: str, found: list[tuple[str, str]]) -> None:
    assert branches(body) == found


@pytest.mark.parametrize(
    ("why", "expression"),
    [
        ("one of two that are never tensors", "n and flag"),
        ("a shape decides", "x.shape[0] and x"),
        ("None decides", "maybe is None or maybe.ndim"),
        ("the second is never asked", "False and x.any() and n"),
        ("the first decides", "True or x.any() or n"),
        ("a constant", "1 if True else x.any()"),
        ("a chain of numbers", "0 < n < x.shape[0]"),
        ("a key", "n in {1: x}"),
        ("a text", "name in ('a', 'b')"),
        ("a set of tensors is asked by identity", "x in {x, y}"),
        ("the identity of tensors", "x is y"),
        ("a filter of numbers", "[i for i in range(n) if i > 2]"),
    ],
)
def test_no_tensor_s_truth_decides(why: str, expression: str) -> None:
    assert branches(f"v = {expression}") == []


def test_what_may_be_a_tensor_or_a_number_is_less_surely_one() -> None:
    (event,) = events("def f(x, v: Union[Tensor, float]):\n    if v > 0:\n        pass\n", "f", "branch")
    assert event.confidence.label == "medium"


def test_a_parameter_that_is_only_assumed_to_be_a_tensor_is_less_surely_one() -> None:
    (event,) = events("def f(x):\n    if x.sum() > 0:\n        pass\n", "f", "branch")
    assert event.confidence.label == "medium"


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("n and x", join(INT, INPUT)),
        ("n > 1 or torch.compiler.is_compiling()", Const(True)),
        ("n > 1 or what or True", UNKNOWN),
        ("n > 1 and False", Const(False)),
        ("n > 1 and True", BOOL),
        ("n > 1 and x", join(Const(False), INPUT)),
        ("0 and x", Const(0)),
        ("'' or 3", Const(3)),
        ("None or x", INPUT),
        ("maybe or x", INPUT),
        ("not n", BOOL),
        ("not 0", Const(True)),
        ("not None", Const(True)),
        ("not [1]", Const(False)),
        ("not f", Const(False)),
        ("x > 0 and 1", join(Tensor("bool"), Const(1))),
    ],
)
def test_what_boolean_operators_give(expression: str, kind: Kind) -> None:
    assert kind_of(expression) == kind


# Text


@pytest.mark.parametrize(
    ("body", "constructs"),
    [
        ("v = f'{x}'", ["f-string"]),
        ("v = f'{n} {x.sum():.2f}'", ["f-string", "f-string"]),
        ("v = f'{x!r}'", ["conversion"]),
        ("v = '%s' % x", ["percent"]),
        ("v = '%s %d' % (x, n)", ["percent", "percent"]),
        ("v = f'{x}' + 'a'", ["f-string", "concat"]),
        ("v = f'{x}' == 'a'", ["f-string", "used"]),
        ("v = f'{x}'[0]", ["f-string", "used"]),
        ("v = len(f'{x}')", ["f-string", "used"]),
        ("v = f'{x}'.upper()", ["f-string", "used"]),
        ("v = 'a' in f'{x}'", ["f-string", "used"]),
        ("v = 'a'", []),
        ("v = n % 2", []),
    ],
)
def test_values_become_text(body: str, constructs: list[str]) -> None:
    assert [construct for construct, _ in happenings(body, "format")] == constructs


def test_an_item_is_a_scalar_read_from_a_tensor() -> None:
    assert kind_of("x.item()") == Scalar()
    assert kind_of("x.sum().item() + 1") == Scalar()


@pytest.mark.parametrize("fallback", ["{}", "[]"])
def test_what_a_container_stands_in_for_is_no_tensor(fallback: str) -> None:
    assert branches(f"cache = maybe or {fallback}") == []


def test_what_a_number_stands_in_for_may_be_a_tensor() -> None:
    assert branches("cache = maybe or 1") == [("or", "maybe")]
