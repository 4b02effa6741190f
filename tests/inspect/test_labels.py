"""The words by which rule pages name kinds."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    NUMPY_FLOAT,
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
    join,
)
from compilelint.inspect.labels import VOCABULARY, labels

NET = ProjectClass(("a.py", 1, 0), "Net")
CASES: list[tuple[Kind, set[str]]] = [
    (UNKNOWN, {"unknown"}),
    (TENSOR, {"tensor", "computed-tensor", "computed-data"}),
    (Tensor("bool", 2), {"tensor", "bool-tensor", "computed-tensor", "computed-data"}),
    (Tensor("bool", 0), {"tensor", "bool-tensor", "0d-tensor", "0d-mask", "computed-tensor", "computed-data"}),
    (Tensor("int", 0), {"tensor", "int-tensor", "0d-tensor", "computed-tensor", "computed-data"}),
    (Tensor("float", parameter=True), {"tensor", "float-tensor", "input-tensor"}),
    (Tensor("complex"), {"tensor", "computed-tensor", "computed-data"}),
    (Scalar("int"), {"scalar"}),
    (Scalar("int", listed=True), {"scalar", "listed-scalar"}),
    (Scalar("int", drawn=True), {"drawn-number"}),
    (NUMPY_FLOAT, {"float", "python", "numpy-number"}),
    (Array(), {"ndarray", "computed-ndarray"}),
    (Array("bool"), {"ndarray", "computed-ndarray", "bool-ndarray"}),
    (Array("int"), {"ndarray", "computed-ndarray"}),
    (Array("int", number=True), {"ndarray", "computed-ndarray", "array-number"}),
    (Array("int", number=True, kept=True), {"ndarray", "kept-array-number"}),
    (Instance(NET, module=True), {"module"}),
    (External("torch.nn.LSTM"), {"module", "recurrent-layer"}),
    (Tensor(parameter=True, sparse=True), {"tensor", "input-tensor", "input-sparse-tensor"}),
    (External("torch.nn.Linear"), {"module"}),
    (Instance(NET), {"object"}),
    (External("logging.Logger"), {"object"}),
    (Function(("a.py", 1, 0), "f"), {"function"}),
    (Method(TENSOR, "sum"), {"function"}),
    (Partial(Reference("f")), {"function"}),
    (NET, {"class"}),
    (Sequence("list", INT), {"list"}),
    (Sequence("tuple", INT), {"tuple"}),
    (Sequence("set", INT), {"set"}),
    (Sequence("iterator", INT), {"iterator"}),
    (Dictionary(INT), {"dict"}),
    (Dictionary(INT, (), "Counter"), {"unknown"}),
    (INT, {"int", "python"}),
    (Python("int", numpy=True), {"int", "python", "numpy-number", "numpy-int"}),
    (FLOAT, {"float", "python"}),
    (BOOL, {"bool", "python"}),
    (STR, {"str", "python"}),
    (OBJECT, {"object", "python"}),
    (Python("range"), {"python"}),
    (NONE, {"none", "python", "constant"}),
    (Const(True), {"bool", "python", "constant", "true"}),
    (Const(False), {"bool", "python", "constant", "false"}),
    (Const(3), {"int", "python", "constant"}),
    (Const("a"), {"str", "python", "constant"}),
    (Const(b"a"), {"python", "constant"}),
    (Reference("torch.relu"), {"python"}),
    (ProjectModule("a.py"), {"python"}),
    (Text(TENSOR), {"unknown"}),
]


@pytest.mark.parametrize(("kind", "words"), CASES, ids=[str(kind)[:60] for kind, _ in CASES])
def test_words_of_a_kind(kind: Kind, words: set[str]) -> None:
    assert labels(kind) == words


def test_a_union_has_the_words_of_each_option() -> None:
    assert labels(join(TENSOR, NONE)) == {"tensor", "computed-tensor", "computed-data", "none", "python", "constant"}


def test_every_word_holds_for_some_kind_and_every_label_is_a_word() -> None:
    assert {word for kind, _ in CASES for word in labels(kind)} == set(VOCABULARY)
