"""What annotations say of values."""

from __future__ import annotations

import ast

import pytest

from compilelint.inspect.arguments.annotations import spelling
from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    OBJECT,
    STR,
    UNKNOWN,
    Array,
    Dictionary,
    External,
    Instance,
    Kind,
    Sequence,
    Tensor,
    join,
    sequence,
    tensor_part,
)
from compilelint.report.confidence import Confidence
from tests.inspect.make import events, returned

INPUT = Tensor(parameter=True)


def annotated(text: str, around: str = "") -> Kind:
    """The kind of a parameter `value`, in second place, that is annotated so."""
    return returned(f"{around}\ndef f(x, value: {text}):\n    return value\n")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Tensor", INPUT),
        ("torch.Tensor", INPUT),
        ("'Tensor'", INPUT),
        ("torch.LongTensor", Tensor("int", parameter=True)),
        ("torch.BoolTensor", Tensor("bool", parameter=True)),
        ("int", INT),
        ("float", FLOAT),
        ("bool", BOOL),
        ("str", STR),
        ("Optional[Tensor]", join(NONE, INPUT)),
        ("Tensor | None", join(INPUT, NONE)),
        ("Union[int, Tensor]", join(INT, INPUT)),
        ("typing.Optional[int]", join(NONE, INT)),
        ("'Optional[\"Tensor\"]'", join(NONE, INPUT)),
        ("list[int]", Sequence("list", INT)),
        ("List[Tensor]", Sequence("list", Tensor())),
        ("Sequence[int]", Sequence("list", INT)),
        ("Iterator[int]", Sequence("iterator", INT)),
        ("set[int]", Sequence("set", INT)),
        ("tuple[int, float]", sequence("tuple", [INT, FLOAT])),
        ("Tuple[Tensor, ...]", Sequence("tuple", Tensor())),
        ("dict[str, Tensor]", Dictionary(Tensor(confidence=Confidence.MEDIUM))),
        ("Literal['a', 'b']", STR),
        ("Literal[1]", INT),
        ("Annotated[Tensor, 'b c']", INPUT),
        ("float['b n d']", Tensor("float", parameter=True)),
        ("int['b'] | None", join(Tensor("int", parameter=True), NONE)),
        ("np.ndarray", Array()),
        ("nn.Linear", External("torch.nn.Linear")),
    ],
)
def test_annotations_tell(text: str, kind: Kind) -> None:
    assert annotated(text) == kind


@pytest.mark.parametrize(
    ("why", "text"),
    [
        ("anything", "Any"),
        ("a type variable", "T"),
        ("a callable", "Callable[[Tensor], Tensor]"),
        ("a protocol of Python", "collections.abc.Hashable"),
        ("a name that nobody defines", "Missing"),
        ("text that is no annotation", "'not an annotation'"),
        ("a call", "make()"),
        ("an object", "object"),
        ("another package's function", "numpy.typing.ArrayLike"),
        ("one of two of which one is unknown", "int | Missing"),
    ],
)
def test_annotations_do_not_tell(why: str, text: str) -> None:
    assert annotated(text) == UNKNOWN


@pytest.mark.parametrize("text", ["Union[Tensor, Missing]", "Tensor | Missing"])
def test_a_tensor_or_something_unknown_is_known_less_surely(text: str) -> None:
    kind = annotated(text)
    assert OBJECT in getattr(kind, "options", ())
    tensor = tensor_part(kind)
    assert tensor is not None
    assert tensor.confidence == Confidence.MEDIUM


def test_a_class_of_the_project_means_an_instance() -> None:
    kind = annotated("Net", around="class Net(nn.Module): ...")
    assert isinstance(kind, Instance)
    assert (kind.cls.name, kind.module) == ("Net", True)


@pytest.mark.parametrize(
    "text", ["Tensor", "torch.Tensor", "'Tensor'", "None", "Tensor | None", "Optional[Tensor]", "list[int | str]"]
)
def test_annotations_that_are_spelled_alike_are_the_same_question(text: str) -> None:
    one, other = (ast.parse(f"{blank}x: {text}", mode="exec").body[0] for blank in ("", "\n\n"))
    assert isinstance(one, ast.AnnAssign)
    assert isinstance(other, ast.AnnAssign)
    assert spelling(one.annotation) == spelling(other.annotation) is not None


def test_annotations_that_mean_something_else_are_spelled_differently() -> None:
    texts = ["a", "'a'", "a.b", "b.a", "a | b", "b | a", "a[b]", "b[a]", "a[b.c]", "None", "'None'", "a[b | c]"]
    assert len({spelling(ast.parse(text, mode="eval").body) for text in texts}) == len(texts)


@pytest.mark.parametrize("text", ["Callable[[int], int]", "make()", "a.b.c", "tuple[int, ...]", "a | make()"])
def test_what_is_not_short_is_asked_for_each_place(text: str) -> None:
    assert spelling(ast.parse(text, mode="eval").body) is None


def test_an_alias_is_followed() -> None:
    assert annotated("Adj", around="Adj = Union[Tensor, None]") == join(INPUT, NONE)
    assert annotated("Adj", around="Adj = Tensor | None") == join(INPUT, NONE)
    assert annotated("Adj | int", around="Adj = Tensor | None") == join(INPUT, NONE, INT)


def test_deep_text_tells_nothing() -> None:
    assert annotated(repr("(" * 300 + "int" + ")" * 300)) == UNKNOWN


def test_the_annotation_of_a_variable_tells_what_its_value_does_not() -> None:
    assert returned("def f(x):\n    y: Tensor = unknown()\n    return y\n") == Tensor()
    assert returned("def f(x):\n    y: Tensor = 3\n    return y\n") == returned("def f(x):\n    return 3\n")
    assert events("def f(x):\n    y: Tensor\n", "f") == []
