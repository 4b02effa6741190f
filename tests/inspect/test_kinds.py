"""The laws of kinds."""

from __future__ import annotations

import itertools

import pytest
from msgspec.structs import replace

from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    MAX_DEPTH,
    MAX_ITEMS,
    MAX_OPTIONS,
    NONE,
    OBJECT,
    STR,
    TENSOR,
    UNKNOWN,
    Array,
    Const,
    Dictionary,
    External,
    Function,
    Instance,
    Kind,
    Method,
    Partial,
    ProjectClass,
    ProjectModule,
    Python,
    Reference,
    Scalar,
    Sequence,
    Tensor,
    Text,
    Union,
    any_value,
    depth,
    element,
    join,
    of_any_rank,
    options,
    sequence,
    shallow,
    tensor_part,
    type_name,
    widen,
    without,
)
from compilelint.report.confidence import Confidence

NET = ProjectClass(("a.py", 1, 0), "Net")
ASSUMED = Tensor(confidence=Confidence.MEDIUM)
EXAMPLES: list[Kind] = [
    UNKNOWN,
    NONE,
    Const(3),
    Const(True),
    Const("a"),
    INT,
    FLOAT,
    OBJECT,
    Scalar("int"),
    TENSOR,
    Tensor("float", 2),
    Tensor("bool", 2, Confidence.MEDIUM, parameter=True),
    Array("bool"),
    Array("bool", row=True),
    Text(TENSOR),
    Sequence("list", INT),
    sequence("list", [INT, TENSOR]),
    sequence("tuple", [INT, TENSOR]),
    sequence("tuple", [FLOAT]),
    Sequence("list", UNKNOWN, ()),
    Dictionary(TENSOR, (("a", TENSOR),)),
    Dictionary(UNKNOWN, (("a", INT), ("b", FLOAT))),
    Reference("torch.relu"),
    External("torch.nn.Linear"),
    NET,
    Instance(NET, module=True),
    Instance(NET, module=True, fresh=True),
    Function(("a.py", 4, 0), "f"),
    Method(TENSOR, "sum"),
    Partial(Reference("torch.relu"), (INT,)),
    ProjectModule("a.py"),
    join(TENSOR, NONE),
    join(INT, STR),
]


def as_set(kind: Kind) -> frozenset[object]:
    """A kind without the order of its options, at every depth."""
    match kind:
        case Union():
            return frozenset(part for option in kind.options for part in as_set(option))
        case Sequence(items=items) if items is not None:
            return frozenset({(kind.type, tuple(as_set(item) for item in items))})
        case Sequence():
            return frozenset({(kind.type, as_set(kind.item))})
        case Dictionary():
            return frozenset({(as_set(kind.value), frozenset((key, as_set(value)) for key, value in kind.entries))})
        case _:
            return frozenset({kind})


@pytest.mark.parametrize("kind", EXAMPLES, ids=str)
def test_a_value_that_is_this_or_this_is_this(kind: Kind) -> None:
    assert join(kind) == kind
    assert join(kind, kind) == kind


def test_an_array_that_is_a_row_on_one_path_is_an_array() -> None:
    assert join(Array("int", row=True), Array("int")) == Array("int")
    assert isinstance(join(Array(row=True), Array(number=True)), Union)


def test_joining_does_not_depend_on_the_order() -> None:
    for left, right in itertools.combinations(EXAMPLES, 2):
        assert as_set(join(left, right)) == as_set(join(right, left))


def test_what_was_joined_is_stable() -> None:
    for left, right in itertools.combinations(EXAMPLES, 2):
        joined = join(left, right)
        assert join(joined, joined) == joined
        assert join(*options(joined)) == joined


@pytest.mark.parametrize("items", [None, (INT,)])
def test_an_iterator_is_given_if_it_is_on_both_paths(items: tuple[Kind, ...] | None) -> None:
    given, other = (Sequence("iterator", STR, items, given=is_given) for is_given in (True, False))
    assert join(given, replace(given, item=INT)).given
    assert not join(given, replace(other, item=INT)).given


def test_joining_nothing_tells_nothing() -> None:
    assert join() == UNKNOWN


@pytest.mark.parametrize("kind", [INT, NONE, Const(1), Reference("a"), External("a"), Sequence("list", TENSOR)])
def test_what_is_unknown_on_one_path_is_unknown(kind: Kind) -> None:
    assert join(kind, UNKNOWN) == UNKNOWN


def test_a_tensor_on_one_path_is_not_forgotten_where_the_other_is_unknown() -> None:
    joined = join(TENSOR, UNKNOWN)
    assert options(joined) == (TENSOR, OBJECT)
    assert tensor_part(joined) == ASSUMED
    assert join(NONE, UNKNOWN, TENSOR) == joined


@pytest.mark.parametrize(
    ("kinds", "joined"),
    [
        ([Const(1), Const(2)], INT),
        ([Const(1), INT], INT),
        ([Const("a"), Const("b")], STR),
        ([Const(True), Const(False)], BOOL),
        ([Tensor("float", 2), Tensor("float", 3)], Tensor("float")),
        ([Tensor("float", 2), Tensor("bool", 2)], Tensor(None, 2)),
        ([TENSOR, ASSUMED], ASSUMED),
        ([Tensor(parameter=True), TENSOR], TENSOR),
        ([Tensor(parameter=True), Tensor(parameter=True)], Tensor(parameter=True)),
        ([Instance(NET, True, True), Instance(NET, True)], Instance(NET, True)),
        ([Sequence("list", INT), Sequence("list", FLOAT)], Sequence("list", join(INT, FLOAT))),
        ([sequence("tuple", [INT, NONE]), sequence("tuple", [INT, STR])], sequence("tuple", [INT, join(NONE, STR)])),
        ([sequence("tuple", [INT]), sequence("tuple", [INT, INT])], Sequence("tuple", INT)),
        ([sequence("list", []), Sequence("list", INT)], Sequence("list", INT)),
        ([sequence("tuple", []), sequence("tuple", [INT, STR])], Sequence("tuple", join(INT, STR))),
        ([sequence("tuple", [TENSOR, NONE]), sequence("tuple", [TENSOR])], Sequence("tuple", join(TENSOR, NONE))),
        ([sequence("list", [TENSOR, INT]), sequence("list", [TENSOR])], Sequence("list", join(TENSOR, INT))),
        ([External("torch.nn.ModuleList"), External("torch.nn.ModuleList", (INT,))],
         External("torch.nn.ModuleList", (INT,))),
        ([External("torch.nn.ModuleList", (INT,)), External("torch.nn.ModuleList", (STR, INT))],
         External("torch.nn.ModuleList", (INT, STR))),
        ([External("torch.nn.Sequential"), External("torch.nn.Sequential", (INT,))],
         External("torch.nn.Sequential", (INT,))),
        (
            [Dictionary(UNKNOWN, (("a", INT), ("b", INT))), Dictionary(UNKNOWN, (("a", TENSOR),))],
            Dictionary(UNKNOWN, (("a", join(INT, TENSOR)), ("b", join(INT, NONE)))),
        ),
        (
            [Dictionary(TENSOR, (("a", TENSOR),)), Dictionary(TENSOR, (("a", TENSOR), ("b", Sequence("list", INT))))],
            Dictionary(TENSOR, (("a", TENSOR), ("b", join(NONE, Sequence("list", INT))))),
        ),
        (
            [Dictionary(TENSOR, (("a", INT),)), Dictionary(TENSOR, (("a", INT), ("b", INT)))],
            Dictionary(TENSOR, (("a", INT), ("b", join(TENSOR, INT)))),
        ),
        ([Dictionary(UNKNOWN), Dictionary(UNKNOWN, (("a", INT),))], Dictionary(UNKNOWN)),
        (
            [Dictionary(UNKNOWN), Dictionary(UNKNOWN, (("a", TENSOR), ("b", INT)))],
            Dictionary(UNKNOWN, (("a", join(TENSOR, UNKNOWN)), ("b", UNKNOWN))),
        ),
    ],
)  # fmt: skip
def test_kinds_of_a_sort_become_what_they_have_in_common(kinds: list[Kind], joined: Kind) -> None:
    assert join(*kinds) == joined


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (INT, FLOAT),
        (INT, BOOL),
        (NONE, INT),
        (TENSOR, NONE),
        (Array(), TENSOR),
        (sequence("tuple", [INT]), sequence("list", [INT])),
        (sequence("tuple", [TENSOR, INT]), sequence("tuple", [TENSOR])),
        (sequence("tuple", [TENSOR, Sequence("tuple", INT)]), sequence("tuple", [TENSOR, TENSOR, INT])),
        (Dictionary(INT), Dictionary(INT, (), "Counter")),
        (Instance(NET), Instance(ProjectClass(("b.py", 1, 0), "Net"))),
        (Reference("torch.relu"), Reference("torch.sigmoid")),
        (External("torch.nn.Sequential", (INT,)), External("torch.nn.Sequential", (STR,))),
        (External("torch.nn.MaxPool2d"), External("torch.nn.MaxPool2d", (INT,))),
    ],
)
def test_kinds_of_different_sorts_stay_apart(left: Kind, right: Kind) -> None:
    assert join(left, right) == Union((left, right))


def test_unions_are_flat() -> None:
    assert join(join(INT, FLOAT), join(STR, NONE)) == Union((INT, FLOAT, STR, NONE))


def test_too_many_possibilities_tell_nothing() -> None:
    kinds = [Reference(f"name{number}") for number in range(MAX_OPTIONS + 1)]
    assert isinstance(join(*kinds[:-1]), Union)
    assert join(*kinds) == UNKNOWN


# Containers


def test_the_elements_of_a_sequence() -> None:
    assert element(sequence("list", [INT, TENSOR])) == join(INT, TENSOR)
    assert element(Sequence("list", TENSOR)) == TENSOR
    assert element(Sequence("list", UNKNOWN, ())) == UNKNOWN


def test_what_stands_beside_numbers_is_unknown_but_nothing_says_that_it_is_a_tensor() -> None:
    assert element(sequence("list", [NONE, UNKNOWN])) == join(NONE, OBJECT)
    assert element(sequence("list", [INT, UNKNOWN, NONE])) == join(INT, NONE, OBJECT)
    rows = [sequence("tuple", [INT, NONE]), sequence("tuple", [INT, UNKNOWN])]
    assert element(sequence("iterator", rows)) == sequence("tuple", [INT, join(NONE, OBJECT)])


def test_other_items_tell_nothing_of_what_is_unknown() -> None:
    assert element(sequence("list", [UNKNOWN, UNKNOWN])) == UNKNOWN
    assert element(sequence("list", [Reference("torch.nn"), UNKNOWN])) == UNKNOWN
    assert element(replace(sequence("tuple", [INT, UNKNOWN]), record=True)) == UNKNOWN
    rows = [sequence("tuple", [INT, NONE]), sequence("tuple", [UNKNOWN])]
    assert element(sequence("iterator", rows)) == join(*rows)


def test_a_long_sequence_keeps_only_what_its_elements_have_in_common() -> None:
    assert sequence("list", [Const(1)] * MAX_ITEMS).items is not None
    assert sequence("list", [Const(1)] * (MAX_ITEMS + 1)) == Sequence("list", Const(1))


def test_containers_nest_only_so_deep() -> None:
    kind: Kind = TENSOR
    for _ in range(3 * MAX_DEPTH):
        kind = sequence("list", [kind])
    assert depth(kind) <= MAX_DEPTH
    assert shallow(kind) == (kind if depth(kind) < MAX_DEPTH else UNKNOWN)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (TENSOR, 0),
        (Sequence("list", UNKNOWN, ()), 1),
        (Sequence("list", Sequence("list", INT)), 2),
        (sequence("tuple", [INT, sequence("list", [INT])]), 2),
        (Dictionary(INT), 1),
        (Dictionary(UNKNOWN, (("a", Sequence("list", INT)),)), 2),
        (join(INT, Sequence("list", INT)), 1),
        (External("torch.nn.Sequential", (External("torch.nn.ReLU"),)), 1),
        (External("torch.nn.ReLU"), 0),
        (Partial(Reference("f"), (INT,)), 1),
        (Method(Sequence("list", INT), "append"), 2),
        (Function(("a.py", 1, 0), "f", Instance(NET)), 0),
    ],
)
def test_depth(kind: Kind, expected: int) -> None:
    assert depth(kind) == expected


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Dictionary(TENSOR), TENSOR),
        (Dictionary(UNKNOWN), UNKNOWN),
        (Dictionary(UNKNOWN, (("a", INT), ("b", INT))), INT),
        (Dictionary(UNKNOWN, (("a", INT), ("b", TENSOR))), UNKNOWN),
        (Dictionary(TENSOR, (("a", INT),)), join(INT, TENSOR)),
    ],
)
def test_the_value_of_an_unknown_key(kind: Dictionary, value: Kind) -> None:
    assert any_value(kind) == value


# Parts


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        (Tensor("bool"), Tensor("bool")),
        (ASSUMED, ASSUMED),
        (join(TENSOR, NONE), TENSOR),
        (join(TENSOR, FLOAT), ASSUMED),
        (join(ASSUMED, FLOAT), ASSUMED),
        (INT, None),
        (join(INT, FLOAT), None),
        (UNKNOWN, None),
        (sequence("list", [TENSOR]), None),
        (Scalar(), None),
    ],
)
def test_the_tensor_that_a_value_may_be(kind: Kind, part: Tensor | None) -> None:
    assert tensor_part(kind) == part


def test_without() -> None:
    assert without(join(TENSOR, NONE, INT), Tensor) == join(NONE, INT)
    assert without(TENSOR, Tensor) == UNKNOWN
    assert without(TENSOR, Const) == TENSOR


@pytest.mark.parametrize(
    ("kind", "wide"),
    [
        (Const(3), INT),
        (Const("a"), STR),
        (NONE, NONE),
        (join(Const(1), Const("a"), NONE), join(INT, STR, NONE)),
        (sequence("tuple", [Const(1), Const(2.0)]), sequence("tuple", [INT, FLOAT])),
        (TENSOR, TENSOR),
        (Sequence("list", INT), Sequence("list", INT)),
    ],
)
def test_widening_forgets_values(kind: Kind, wide: Kind) -> None:
    assert widen(kind) == wide
    assert widen(wide) == wide


@pytest.mark.parametrize(
    ("kind", "name"), [(Const(True), "bool"), (Const(1), "int"), (NONE, "NoneType"), (Python("range"), "range")]
)
def test_type_names(kind: Const | Python, name: str) -> None:
    assert type_name(kind) == name


def test_equal_values_of_different_types_are_different_constants() -> None:
    every = [Const(True), Const(1), Const(1.0), Const(False), Const(0), Const(0.0), Const("1"), Const(b"1")]
    assert len(set(every)) == len(every)
    assert Const(1, "bool") == Const(1)


def test_functions_are_the_same_whatever_they_close_over() -> None:
    key = ("a.py", 1, 0)
    assert Function(key, "f", closure={"a": INT}) == Function(key, "f")
    assert hash(Function(key, "f", closure={"a": INT})) == hash(Function(key, "f"))


def test_on_one_path_at_least_it_is_a_number_that_was_drawn() -> None:
    """As a tensor is. What `.item()` read is a number for Dynamo where it breaks there."""
    drawn = Scalar("int", drawn=True)
    assert join(drawn, UNKNOWN) == join(UNKNOWN, drawn) == Union((drawn, OBJECT))


def test_on_one_path_at_least_it_is_a_number_that_numpy_computed() -> None:
    computed = Array(number=True)
    assert join(computed, UNKNOWN) == join(UNKNOWN, computed) == Union((computed, OBJECT))
    assert join(Array(number=True, kept=True), UNKNOWN) == UNKNOWN
    assert join(Array(), UNKNOWN) == UNKNOWN, "functions for arrays and tensors are given tensors in a region"
    assert join(Scalar("int"), UNKNOWN) == UNKNOWN


def test_of_any_rank_forgets_how_many_dimensions_tensors_have() -> None:
    assert of_any_rank(join(Tensor("float", 2), NONE)) == join(Tensor("float"), NONE)
    assert of_any_rank(Tensor("float")) == Tensor("float")


@pytest.mark.parametrize(
    ("one", "other", "either"),
    [
        (Confidence.HIGH, Confidence.LOW, Confidence.MEDIUM),
        (Confidence.HIGH, Confidence.MEDIUM, Confidence.MEDIUM),
        (Confidence.MEDIUM, Confidence.LOW, Confidence.LOW),
        (Confidence.LOW, Confidence.LOW, Confidence.LOW),
    ],
)
def test_a_tensor_for_sure_on_one_path_is_one_of_several_possibilities(
    one: Confidence, other: Confidence, either: Confidence
) -> None:
    a, b = Tensor("float", confidence=one), Tensor("int", confidence=other)
    assert join(a, b) == join(b, a) == Tensor(confidence=either)
