"""What Python's own functions give."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    KEYS,
    NONE,
    STR,
    UNKNOWN,
    Const,
    Kind,
    Sequence,
)
from compilelint.inspect.labels import labels
from compilelint.report.confidence import Confidence
from tests.inspect.make import callees, events, function, happenings, kind_of, returned


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("isinstance(x, Tensor)", Const(True)),
        ("isinstance(n, int)", Const(True)),
        ("isinstance(n, str)", Const(False)),
        ("isinstance(n, (str, int))", Const(True)),
        ("isinstance(flag, int)", Const(True)),
        ("isinstance([], list)", Const(True)),
        ("callable(None)", Const(False)),
        ("callable([n])", Const(False)),
        ("callable(lambda: n)", Const(True)),
        ("callable(unknown)", BOOL),
        ("isinstance([], tuple)", Const(False)),
        ("isinstance([], (str, dict))", Const(False)),
        ("isinstance(iter([]), list)", Const(False)),
        ("isinstance({}, dict)", Const(True)),
        ("isinstance({}, (list, str, Tensor))", Const(False)),
        ("isinstance(None, list)", Const(False)),
        ("isinstance({}, Mapping)", Const(True)),
        ("isinstance([], Mapping)", Const(False)),
        ("isinstance([], List)", Const(True)),
        ("isinstance([], collections.abc.Sequence)", Const(True)),
        ("isinstance((), collections.abc.MutableSequence)", Const(False)),
        ("isinstance('', collections.abc.Sequence)", Const(True)),
        ("isinstance(n, (Mapping, collections.abc.Iterable))", Const(False)),
        ("isinstance(None, collections.abc.Iterable)", Const(False)),
        ("isinstance(x, collections.abc.Iterable)", Const(True)),
        ("isinstance(x, (Mapping, collections.abc.Sequence))", Const(False)),
        ("isinstance(iter([]), collections.abc.Sequence)", BOOL),
        ("isinstance(n, collections.abc.Hashable)", BOOL),
        ("isinstance(what, Mapping)", BOOL),
        ("isinstance(None, Own)", Const(False)),
        ("isinstance(n, (tuple, list, dict))", Const(False)),
        ("isinstance(n, Own)", BOOL),
        ("isinstance(n, Tensor)", Const(False)),
        ("isinstance(nn.Linear, type)", Const(True)),
        ("isinstance(np.ndarray, type)", Const(True)),
        ("isinstance(object, type)", Const(True)),
        ("isinstance(len, type)", Const(False)),
        ("isinstance(x, type)", Const(False)),
        ("isinstance(torch.relu, type)", BOOL),
        ("isinstance(maybe, Tensor)", BOOL),
        ("isinstance(what, int)", BOOL),
        ("isinstance(x if flag else [], (Tensor, list))", Const(True)),
        ("isinstance(x if flag else [], Tensor)", BOOL),
        ("isinstance(what if flag else [], list)", BOOL),
        ("getattr(x, 'ndim')", INT),
        ("getattr(x, name)", UNKNOWN),
        ("getattr(what, 'a', 3)", UNKNOWN),
        ("len(x)", INT),
        ("str(n)", STR),
        ("float('inf')", FLOAT),
        ("print(n)", NONE),
    ],
)
def test_what_a_function_gives(expression: str, kind: Kind) -> None:
    around = "import collections.abc\nfrom typing import List, Mapping\nclass Own: ..."
    assert kind_of(expression, around=around) == kind


@pytest.mark.parametrize(
    ("attribute", "kind"), [("jax", Const(False)), ("shape", BOOL), ("item", BOOL), ("_is_initialised", BOOL)]
)
def test_a_plain_tensor_has_only_what_torch_gives_it(attribute: str, kind: Kind) -> None:
    assert kind_of(f'hasattr(x, "{attribute}")') == kind


def test_of_what_is_no_tensor_for_sure_hasattr_tells_nothing() -> None:
    assert kind_of('hasattr(what, "jax")') == BOOL


@pytest.mark.parametrize(
    ("body", "event", "callee"),
    [
        ("setattr(lstm, 'scale', 2)", "attribute-write", "torch.nn.LSTM.scale"),
        ("setattr(lstm, name, x)", "attribute-write", "torch.nn.LSTM."),
        ("w = getattr(lstm, 'weight_hh_l0')", "attribute", "torch.nn.LSTM.weight_hh_l0"),
        ("w = getattr(lstm, name)", "attribute", "torch.nn.LSTM."),
    ],
)
def test_what_is_done_by_name_to_a_recurrent_layer_is_told(body: str, event: str, callee: str) -> None:
    assert (callee, body.removeprefix("w = ")) in happenings(body, event, around="lstm = nn.LSTM(4, 4)")
    assert happenings(body, event, around="lstm = nn.Linear(4, 4)") == []


@pytest.mark.parametrize("of", ["{'a': 1}", "dict(a=1)", "nn.ModuleDict({'a': nn.ReLU()})"])
def test_keys_are_an_iterator_to_pages_and_of_their_own_to_the_walk(of: str) -> None:
    keys = kind_of(f"{of}.keys()")
    assert isinstance(keys, Sequence)
    assert keys.type == KEYS
    assert "iterator" in labels(keys)


@pytest.mark.parametrize(("declared", "known"), [("Iterable", BOOL), ("list", Const(True)), ("Iterator", Const(False))])
def test_an_iterable_may_be_a_list(declared: str, known: Kind) -> None:
    code = f"""
    from collections.abc import Iterable, Iterator
    def f(x, given: {declared}[int]):
        return isinstance(given, list)
    """
    assert returned(code, "f") == known


def test_an_iterable_is_a_list_to_pages() -> None:
    code = "from collections.abc import Iterable\ndef f(x, given: Iterable[int]):\n    return given"
    assert labels(returned(code)) == {"list"}


@pytest.mark.parametrize(
    ("value", "types", "confidence"),
    [
        ("items", "(float, (list, tuple))", [Confidence.HIGH]),
        ("n", "(str, (list, tuple))", [Confidence.HIGH]),
        ("items", "(NUMBERS, list)", [Confidence.HIGH]),
        ("unknown", "(float, (list, tuple))", [Confidence.LOW]),
        ("x if n else None", "(float, (list, tuple))", [Confidence.MEDIUM]),
        ("x", "(Tensor, (list, tuple))", []),
        ("items", "(float, list, tuple)", []),
        ("items", "NUMBERS", []),
    ],
)
def test_a_tuple_of_types_with_another_in_it(value: str, types: str, confidence: list[Confidence]) -> None:
    """Dynamo 2.13.0 raises a TypeError that Python does not, but for a tensor."""
    code = f"NUMBERS = (int, float)\n{function(f'items = [0.5]; isinstance({value}, {types})')}"
    found = [event for event in events(code, "f", "call") if event.construct == "nested-types"]
    assert [event.confidence for event in found] == confidence


def test_the_types_of_a_nested_tuple_count() -> None:
    assert kind_of("isinstance(n, (str, (list, int)))") == Const(True)
    assert kind_of("isinstance([], (str, (int, float)))") == Const(False)


@pytest.mark.parametrize("cls", ["type(self)", "self.__class__", "Net"])
def test_methods_of_the_class_of_an_object_are_known(cls: str) -> None:
    net = "class Net(nn.Module):\n    @staticmethod\n    def half(x):\n        return x.tolist()\n"
    net += f"    def forward(self, x):\n        return {cls}.half(x)\n"
    assert callees(net, "Net.forward")[-1] == "torch.Tensor.tolist"


def test_what_is_asked_of_the_class_is_not_decided() -> None:
    net = "class Net(nn.Module):\n    def forward(self, x):\n        return type(self) == Net\n"
    assert returned(net, "Net.forward") == BOOL
