"""What subscripts give, and which of them are read by a tensor."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import INT, STR, UNKNOWN, Array, Const, Instance, Kind, Sequence, Tensor, join
from compilelint.report.confidence import Confidence
from tests.inspect.make import events, function, happenings, kind_of


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("x[0]", Tensor()),
        ("x.shape[0]", INT),
        ("(1, 'a')[1]", Const("a")),
        ("(1, 'a')[-1]", Const("a")),
        ("(1, 'a')[n]", UNKNOWN),
        ("(1, 'a')[5]", UNKNOWN),
        ("(1, 'a', 2.5)[1:]", Sequence("tuple", UNKNOWN, (Const("a"), Const(2.5)))),
        ("(1, 'a', 2.5)[:-1]", Sequence("tuple", UNKNOWN, (Const(1), Const("a")))),
        ("{'a': 1, 'b': 'c'}['b']", Const("c")),
        ("{'a': 1, 'b': 2}[name]", INT),
        ("{'a': 1, 'b': 'c'}[name]", join(Const(1), Const("c"))),
        ("(1, 'a')['a']", UNKNOWN),
        ("name[0]", STR),
        ("range(3)[0]", INT),
        ("what[0]", UNKNOWN),
        ("np.zeros(3)[0]", Array()),
        ("np.linspace(0, 1, n)[0]", Array(number=True)),
        ("np.linspace(0, 1, n)[1:]", Array()),
        ("np.linspace(0, 1, n)[:, None]", Array()),
        ("np.linspace([0, 1], 2, n)[0]", Array()),
    ],
)
def test_what_subscripts_give(expression: str, kind: Kind) -> None:
    assert kind_of(expression) == kind


@pytest.mark.parametrize(
    ("expression", "ndim"),
    [
        ("t[0]", 1),
        ("t[0, 0]", 0),
        ("t[:, 0]", 1),
        ("t[None]", 3),
        ("t[..., 0]", None),
        ("t[t > 0]", 1),
        ("t[0][what() > t[0]]", 1),
        ("t[:, torch.arange(3)]", 2),
        ("t[torch.zeros(3, 2, 2).long()]", 4),
        ("t[torch.arange(3), torch.arange(3)]", None),
        ("t[torch.ones(5, dtype=what())]", None),
        ("t[n]", 1),
        ("t[1:2]", 2),
        ("t[True]", None),
        ("t[0, 0, 0]", None),
    ],
)
def test_the_dimensions_that_are_left(expression: str, ndim: int | None) -> None:
    kind = kind_of(expression, "t = torch.zeros(3, 4)")
    assert isinstance(kind, Tensor)
    assert kind.ndim == ndim


@pytest.mark.parametrize(
    "body", ["v = x[()]", "x[()] = 1", "x[()] += 1", "what[()] = 1", "d = {}\nd[()] = 1", "v = nn.ModuleList()[()]"]
)
def test_an_empty_tuple_indexes_like_any_other_thing(body: str) -> None:
    found = events(function(body + "\nprint(x)"), "f", "call")
    assert "builtins.print" in [event.callee for event in found]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("v = x[y > 0]", [("read", "x[y > 0]")]),
        ("v = [1, 2][y]", [("read", "[1, 2][y]")]),
        ("v = 'ab'[y]", [("read", "'ab'[y]")]),
        ("v = str(n)[y]", [("read", "str(n)[y]")]),
        ("v = 'ab'[0]", []),
        ("v = x[y:]", [("slice-bound", "y"), ("read", "x[y:]")]),
        ("v = x[: int(y)]", [("slice-bound", "int(y)"), ("read", "x[: int(y)]")]),
        ("v = (1, 2)[n]", []),
        ("v = {'a': 1}[name]", []),
    ],
)
def test_subscripts_are_read(body: str, found: list[tuple[str, str]]) -> None:
    assert happenings(body, "index") == found


@pytest.mark.parametrize("index", ["mask", "visual_pos_masks", "self.pad_mask", "mask, :", "old_mask", "given_mask"])
def test_what_is_called_a_mask_and_indexes_is_taken_for_one(index: str) -> None:
    assert indexed_by(index) == [("bool", Confidence.MEDIUM)]


@pytest.mark.parametrize(
    ("why", "index"),
    [
        ("another name", "index"),
        ("the word is a part of another", "unmasked"),
        ("its dtype is known", "mask.long()"),
        ("nobody knows what is compared, nor calls it a mask", "is_old"),
    ],
)
def test_what_indexes_is_not_taken_for_a_mask(why: str, index: str) -> None:
    assert "bool" not in [dtype for dtype, _ in indexed_by(index)]


def indexed_by(index: str) -> list[tuple[str | None, Confidence]]:
    code = f"""
class Net(nn.Module):
    def forward(self, x: Tensor, mask: Tensor, visual_pos_masks: Tensor, index: Tensor, unmasked: Tensor):
        self.pad_mask = index.to(x.device)
        old_mask, given_mask, is_old = self.age > 3, self.given, self.age > 3
        return x[{index}]
"""
    [event] = events(code, "Net.forward", "index")
    return [(arg.dtype, arg.confidence) for arg in event.args if isinstance(arg, Tensor)]


def test_what_is_asked_by_name_is_no_tensor_for_sure_whatever_is_declared() -> None:
    assert kind_of("x['window']") == Tensor(confidence=Confidence.MEDIUM)


def test_what_is_asked_by_name_and_is_a_size_is_no_tensor() -> None:
    assert kind_of("x['n']", before="torch.zeros(x['n'], 1)") == UNKNOWN
    assert kind_of("n", before="n = x['n']; torch.zeros(n, 1)") == UNKNOWN
    assert kind_of("x['m']", before="torch.zeros(x['n'], 1)") == Tensor(confidence=Confidence.MEDIUM)


def test_subscripts_of_the_project_s_own_classes_are_entered() -> None:
    around = "class Vector:\n    def __getitem__(self, index):\n        return index\n"
    assert kind_of("Vector()['a']", around=around) == Const("a")


_DATA_SET = """
class Entry(dict):
    def __getitem__(self, k):
        return 1

class Data({base}):
    def __getitem__(self, index):
        return Entry()
"""


@pytest.mark.parametrize("base", ["torch.utils.data.Dataset", "torch.utils.data.dataset.Dataset"])
def test_what_is_declared_to_be_a_data_set_and_asked_by_name_is_a_batch_of_one(base: str) -> None:
    around = _DATA_SET.format(base=base)
    assert kind_of("Data()['data']", around=around) == UNKNOWN
    assert isinstance(kind_of("Data()[0]", around=around), Instance)


def test_what_is_asked_by_name_and_is_no_data_set_gives_what_it_says() -> None:
    assert isinstance(kind_of("Data()['data']", around=_DATA_SET.format(base="object")), Instance)


@pytest.mark.parametrize(
    ("index", "base"),
    [
        ("x > 0", Tensor(confidence=Confidence.MEDIUM)),
        ("x.sum() > 0", Sequence("list", INT)),
        ("x.argmax()", Sequence("list", INT)),
        ("x.argmax(), n", Tensor(confidence=Confidence.MEDIUM)),
        (":, x.argmax()", Tensor(confidence=Confidence.MEDIUM)),
    ],
)
def test_a_list_is_not_indexed_by_a_mask(index: str, base: Kind) -> None:
    """Nor in several dimensions: what was thought to be one is a tensor then. One truth alone is a number to it."""
    (found,) = events(f"def f(x: Tensor, n: int, many: list[int]):\n    return many[{index}]", "f", "index")
    assert found.receiver == base


@pytest.mark.parametrize(
    ("declared", "confidence"),
    [
        ("list[int]", Confidence.HIGH),
        ("list[int] | None", Confidence.HIGH),
        ("Tensor | list[Tensor]", Confidence.LOW),
        ("Tensor | tuple[Tensor, Tensor]", Confidence.LOW),
    ],
)
def test_a_tensor_is_meant_to_index_a_tensor_where_there_may_be_one(declared: str, confidence: Confidence) -> None:
    found = events(f"def f(x: Tensor, many: {declared}):\n    return many[x.argmax()]", "f", "index")
    assert [event.confidence for event in found if isinstance(event.receiver, Sequence)] == [confidence]


@pytest.mark.parametrize(
    ("made", "item"),
    [
        ("np.array([-1, 0, 2])", Array(number=True)),
        ("np.asarray((1, 2)).astype(np.int32)", Array("int", number=True)),
        ("np.array([n for n in range(4)]).copy()", Array(number=True)),
        ("np.array([[0, 1], [1, 2]]).ravel()", Array(number=True)),
        ("np.array([[0, 1], [1, 2]])", Array()),
        ("np.array(y)", Array()),
        ("np.array([])", Array()),
    ],
)
def test_an_array_of_numbers_has_one_dimension(made: str, item: Array) -> None:
    assert kind_of("a[1]", f"a = {made}") == item


@pytest.mark.parametrize("statement", ["x[:, a[1]]", "x[a[0], None]", "x[a.max()]", "x[:, a[1]] = 0"])
def test_an_item_of_an_array_is_held_as_a_tensor_where_it_indexes_one(statement: str) -> None:
    code = function(f"a = np.array([1, 2])\n{statement}")
    (event,) = [event for event in events(code, "f", "index", "index-write") if isinstance(event.receiver, Tensor)]
    assert any(isinstance(part, Tensor) and part.ndim == 0 for part in event.args)


@pytest.mark.parametrize("index", ["a", "b[0]", "np.int64(1)"])
def test_what_may_be_an_array_of_more_or_is_a_number_is_not_held_so(index: str) -> None:
    code = function(f"a = np.array([1, 2])\nb = np.array([[0, 1]])\nx[{index}]")
    (event,) = [event for event in events(code, "f", "index") if isinstance(event.receiver, Tensor)]
    assert not any(isinstance(part, Tensor) for part in event.args)
