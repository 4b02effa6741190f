"""What iterating and unpacking values gives."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    SIZE,
    STR,
    UNKNOWN,
    Const,
    Kind,
    Sequence,
    Tensor,
    join,
    sequence,
)
from compilelint.report.confidence import Confidence
from tests.inspect.make import events, function, in_forward, kind_of

INPUT = Tensor(parameter=True)


@pytest.mark.parametrize(
    ("iterable", "kind"),
    [
        ("x", Tensor()),
        ("range(n)", INT),
        ("torch.cartesian_prod(torch.arange(n), torch.arange(n))", Tensor("int", 1)),
        ("[1, 'a']", join(Const(1), Const("a"))),
        ("enumerate([x])", sequence("tuple", [INT, INPUT])),
        ("zip([1], ['a'])", sequence("tuple", [Const(1), Const("a")])),
        ("{'a': x}", Const("a")),
        ("{'a': x}.items()", sequence("tuple", [Const("a"), INPUT])),
        ("maybe", Tensor()),
        ("name", STR),
        ("what", UNKNOWN),
        ("Numbers()", FLOAT),
        ("Items()", STR),
        ("Steps()", INT),
    ],
)
def test_what_loops_give(iterable: str, kind: Kind) -> None:
    around = """
    class Numbers:
        def __iter__(self):
            yield float("inf")
    class Items:
        def __getitem__(self, index):
            return str(index)
    class Steps:
        def __iter__(self):
            return self
        def __next__(self):
            return len(str(self))
    """
    assert kind_of("v", f"for v in {iterable}:\n    pass", around) == kind


def test_a_loop_over_a_tensor_is_reported() -> None:
    (event,) = events(function("for row in x:\n    pass"), "f", "iterate")
    assert (event.callee, event.source) == ("torch.Tensor", "x")


@pytest.mark.parametrize(
    ("before", "expression", "kind"),
    [
        ("a, b = what", "a", UNKNOWN),
        ("a, b = x", "a", Tensor()),
        ("a, b = (1, 2, 3)", "a", INT),
        ("a, b = (1, 'a') if flag else (2.5, None)", "a", join(Const(1), Const(2.5))),
        ("a, b = (1, 'a') if flag else None", "b", Const("a")),
        ("a, b, c = (x, 1, 2) if flag else (x, x)", "b", Const(1)),
        ("a, b = (x, 1, 2) if flag else (x, x)", "b", INPUT),
        ("a, b = (x, x.shape) if flag else (x, n, x, x.shape)", "b", Sequence("tuple", SIZE)),
        ("a, b = (x, 1) if flag else x", "b", Const(1)),
        ("a, b = (what, what) if flag else x", "b", kind_of("b", "b = what if flag else x[0]")),
        ("a, b = (n, n) if flag else x", "b", join(INT, Tensor())),
        ("a, b = (x, x, x) if flag else (x, x, x, x)", "b", INPUT),
        ("v = (x, n)\nif len(v) == 2:\n    a, b = v\nelse:\n    _, a, _, b = v", "b", INT),
        ("v = x.shape\nif len(v) == 2:\n    b = n\nelse:\n    b = name", "b", join(INT, STR)),
        ("a, *b = x.shape", "b", Sequence("list", SIZE)),
        ("a, b, c, d = *x.shape, flag, x", "a", INT),
        ("a, b, c, d = *x.shape, flag, x", "c", BOOL),
        ("a, b, c, d = name, *x.shape, x", "a", STR),
        ("a, b, c, d = name, *x.shape, x", "c", INT),
        ("a, b, c, d = name, *x.shape, x", "d", INPUT),
        ("a, b = name, x, *x.shape", "b", INPUT),
        ("a, *b = *x.shape, x", "a", join(SIZE, INPUT)),
        ("a, b, c = *x.shape, *x.shape, x", "a", join(SIZE, INPUT)),
        ("a, *b, c = 1, 2, 3, 4", "b", sequence("list", [Const(2), Const(3)])),
        ("a, *b, c = 1, 2", "b", sequence("list", [])),
        ("for i, (a, b) in enumerate([(1, 'a')]):\n    pass", "b", Const("a")),
        ("v = [(a, b) for a, b in [(1, 'a')]]", "v", Sequence("list", sequence("tuple", [Const(1), Const("a")]))),
    ],
)
def test_what_the_targets_of_an_unpacking_get(before: str, expression: str, kind: Kind) -> None:
    assert kind_of(expression, before) == kind


@pytest.mark.parametrize(
    ("statement", "ndim"),
    [
        ("b, n = x.shape", 2),
        ("b, c, h, w = x.size()", 4),
        ("[b, n] = x.shape", 2),
        ("b, *rest = x.shape", None),
        ("b, n = x.shape[:2]", None),
        ("b, n = x.size(0), 3", None),
        ("shape = x.shape", None),
    ],
)
def test_what_is_unpacked_of_a_shape_counts_the_dimensions(statement: str, ndim: int | None) -> None:
    assert kind_of("x", statement) == Tensor(ndim=ndim, parameter=True)


@pytest.mark.parametrize(
    ("targets", "confidences"),
    [
        ("y", [Confidence.MEDIUM]),
        ("y, height, width", [Confidence.MEDIUM, Confidence.LOW, Confidence.LOW]),
        ("y, x", [Confidence.MEDIUM, Confidence.HIGH]),
    ],
)
def test_what_an_unknown_submodule_gives_is_several_things_where_it_is_unpacked(
    targets: str, confidences: list[Confidence]
) -> None:
    unpacked = f"def unpacked(self, x: Tensor):\n        {targets} = self.layer(x)\n        return {targets}"
    found = in_forward("self.unpacked(x)", "self.layer = config.layer", unpacked)
    items = found.items if isinstance(found, Sequence) else (found,)
    assert [item.confidence for item in items or () if isinstance(item, Tensor)] == confidences


@pytest.mark.parametrize(
    ("body", "advanced"),
    [
        ("a, b = ROWS", ["ROWS"]),
        ("[a, *b] = ROWS", ["ROWS"]),
        ("a = [1, *ROWS]", ["ROWS"]),
        ("rows = ROWS", []),
        ("a, b = x", []),
        ("a, b = LISTED", []),
    ],
)
def test_an_iterator_is_advanced_without_a_loop(body: str, advanced: list[str]) -> None:
    """Dynamo 2.13.0 gives the function up where that was made before it."""
    found = events(f"ROWS = iter([1, 2])\nLISTED = [1, 2]\n{function(body)}", "f", "iterate")
    assert [event.source for event in found if event.outside] == advanced
