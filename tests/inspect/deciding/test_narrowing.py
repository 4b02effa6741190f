"""What a condition says about the names in it."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    UNKNOWN,
    Array,
    Const,
    Dictionary,
    External,
    Instance,
    Kind,
    Reference,
    Scalar,
    Sequence,
    Tensor,
    join,
)
from tests.inspect.make import events, kind_of, returned

INPUT = Tensor(parameter=True)
MIXED = "value: Union[Tensor, int, None]"


def where(test: str, name: str = "value", parameters: str = MIXED, around: str = "") -> Kind:
    """What a name is where a condition holds."""
    return returned(f"{around}\ndef f(x, {parameters}):\n    if {test}:\n        return {name}\n    raise ValueError\n")


def elsewhere(test: str, name: str = "value", parameters: str = MIXED, around: str = "") -> Kind:
    """What a name is where a condition does not hold."""
    return where(f"not ({test})", name, parameters, around)


@pytest.mark.parametrize("test", ["value is None", "value == None", "not (value is not None)", "not value is not None"])
def test_a_name_is_compared_with_none(test: str) -> None:
    assert where(test) == NONE
    assert elsewhere(test) == join(INPUT, INT)


@pytest.mark.parametrize("test", ["value", "value is not None", "value and x.ndim > 2", "(other := value) is not None"])
def test_a_name_is_true(test: str) -> None:
    assert where(test, "value" if "other" not in test else "other") == join(INPUT, INT)


def test_a_name_that_is_false_may_still_be_none_or_zero() -> None:
    assert elsewhere("value") == join(INPUT, INT, NONE)


SPECS = """
class Spec: ...
class Norm(Spec): ...
class Rope(Spec): ...
"""


@pytest.mark.parametrize(
    ("cls", "given", "told"),
    [
        ("Norm", "Norm", True),
        ("Spec", "Norm", True),
        ("(Rope, Spec)", "Norm", True),
        ("Rope | Spec", "Norm", True),
        ("int | Rope | Spec | None", "Norm", True),
        ("Rope | int", "Norm", None),
        ("Rope", "Norm", False),
        ("(Rope, Norm)", "Spec", None),
    ],
)
def test_an_object_of_the_project_is_of_its_own_classes(cls: str, given: str, told: bool | None) -> None:
    kind = returned(f"{SPECS}\ndef f(x):\n    value = {given}()\n    return isinstance(value, {cls})\n")
    assert kind == (BOOL if told is None else Const(told))


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("class Odd(type):\n    def __instancecheck__(cls, value): ...\nclass Rope(metaclass=Odd): ...", "asks itself"),
        ("from elsewhere import Base\nclass Rope: ...\nclass Norm(Base): ...", "a base that is not known"),
    ],
)
def test_an_object_may_be_of_a_class_that_its_own_does_not_name(code: str, why: str) -> None:
    found = returned(f"{SPECS}\n{code}\ndef f(x):\n    value = Norm()\n    return isinstance(value, Rope)\n")
    assert found == BOOL


PROTOCOLS = """
from typing import Protocol, runtime_checkable
@runtime_checkable
class HasShape(Protocol):
    shape: tuple
class HasMore(HasShape, Protocol):
    size: int
class Batch(HasShape):
    shape = (3,)
class Small(Batch): ...
"""


@pytest.mark.parametrize(
    ("cls", "asked"),
    [("HasShape", ["data-protocol"]), ("HasMore", ["data-protocol"]), ("Batch", []), ("Small", [])],
)
def test_what_derives_from_a_protocol_is_none(cls: str, asked: list[str]) -> None:
    code = f"{PROTOCOLS}\ndef f(x):\n    return isinstance(x, {cls})\n"
    assert [event.construct for event in events(code, "f") if event.callee == "builtins.isinstance"] == asked
    kind = returned(f"{PROTOCOLS}\ndef f(x):\n    value = Small()\n    return isinstance(value, {cls})\n")
    assert kind == (BOOL if asked else Const(True))


def test_a_mixin_asks_of_itself_what_else_it_is() -> None:
    code = "class Other: ...\nclass Mixin:\n    def f(self, x):\n        return isinstance(self, Other)\n"
    assert returned(code, "Mixin.f") == BOOL


LISTED = "value: list[Tensor] | Tensor"


@pytest.mark.parametrize(
    "test",
    [
        "type(value) == list",
        "type(value) is list",
        "not type(value) != list",
        "not type(value) is not list",
        "type(value) in (list, tuple)",
        "type(value) not in (Tensor, int)",
    ],
)
def test_the_type_of_a_name_is_compared(test: str) -> None:
    assert where(test, parameters=LISTED) == Sequence("list", Tensor())
    assert isinstance(elsewhere(test, parameters=LISTED), Tensor)


@pytest.mark.parametrize("test", ["type(value) != what", "type(value) in (list, what)", "type(value) != Net"])
def test_the_type_of_a_name_that_tells_nothing(test: str) -> None:
    """Of a class of the project, what is none of it may be of one below it."""
    assert where(test, around="class Net: ...") == join(INPUT, INT, NONE)


ASKED = "def compiling(value=None):\n    return torch.compiler.is_compiling()\n"


@pytest.mark.parametrize(
    "test",
    [
        "value is not None and compiling(value)",
        "torch.compiler.is_exporting() or (value is not None and compiling())",
        "not (value is None or not compiling())",
    ],
)
def test_of_two_conditions_the_one_fails_that_is_not_known_to_hold(test: str) -> None:
    assert elsewhere(test, around=ASKED) == NONE
    assert where(f"{test} or value.ndim > 3", around=ASKED) == join(INPUT, INT, NONE)


@pytest.mark.parametrize("test", ["value is not None and flag", "value is not None and x is not None and compiling()"])
def test_of_two_conditions_of_which_none_is_known_any_may_fail(test: str) -> None:
    given = f"flag: bool, {MIXED}"
    assert elsewhere(test, parameters=given, around=ASKED) == join(INPUT, INT, NONE)


@pytest.mark.parametrize(
    "test", ["isinstance(value, Tensor)", "isinstance(value, (Tensor,))", "torch.is_tensor(value)"]
)
def test_a_name_is_a_tensor(test: str) -> None:
    assert where(test) == INPUT
    assert elsewhere(test) == join(INT, NONE)


def test_a_name_is_of_a_union_of_classes() -> None:
    assert where("isinstance(value, Tensor | None)") == join(INPUT, NONE)
    assert elsewhere("isinstance(value, Tensor | None)") == INT
    assert returned("def f(x):\n    return isinstance(3, str | int | None)\n") == Const(True)
    assert returned("def f(x):\n    return isinstance(None, str | None)\n") == Const(True)
    assert returned("def f(x):\n    return isinstance([3], str | None)\n") == Const(False)


def test_flags_are_no_union_of_classes() -> None:
    assert returned("import re\ndef f(x):\n    return re.I | re.M\n") == UNKNOWN


def test_an_array_passes_for_a_tensor() -> None:
    assert where("torch.is_tensor(value)", parameters="value: Tensor | np.ndarray | int") == join(INPUT, Array())
    assert elsewhere("torch.is_tensor(value)", parameters="value: Tensor | np.ndarray | int") == INT
    assert where("torch.is_tensor(value)", parameters="value") == Tensor()


@pytest.mark.parametrize(
    ("cls", "kind"),
    [
        ("torch.Tensor", Tensor()),
        ("int", INT),
        ("float", FLOAT),
        ("str", STR),
        ("(int, str)", join(INT, STR)),
        ("int | str", join(INT, STR)),
        ("int | str | None", join(INT, STR, NONE)),
        ("list", Sequence("list", UNKNOWN)),
        ("tuple", Sequence("tuple", UNKNOWN)),
        ("dict", Dictionary(UNKNOWN)),
        ("np.ndarray", Array()),
        ("nn.Linear", External("torch.nn.Linear")),
    ],
)
def test_what_was_unknown_is_what_it_is_an_instance_of(cls: str, kind: Kind) -> None:
    assert where(f"isinstance(value, {cls})", parameters="value") == kind
    assert elsewhere(f"isinstance(value, {cls})", parameters="value") == UNKNOWN


def test_an_instance_of_a_class_of_the_project() -> None:
    kind = where("isinstance(value, Net)", parameters="value", around="class Net: ...")
    assert isinstance(kind, Instance)
    assert kind.cls.name == "Net"


@pytest.mark.parametrize(
    ("asked", "found"), [("Config", "LlamaConfig"), ("LlamaConfig", "LlamaConfig"), ("SmallConfig", "SmallConfig")]
)
def test_an_object_of_a_class_below_stays_what_it_is(asked: str, found: str) -> None:
    around = "class Config: ...\nclass LlamaConfig(Config): ...\nclass SmallConfig(LlamaConfig): ..."
    kind = where(f"isinstance(value, {asked})", parameters="value: LlamaConfig", around=around)
    assert isinstance(kind, Instance)
    assert kind.cls.name == found


def test_what_is_known_of_a_list_is_kept() -> None:
    assert where("isinstance(value, list)", parameters="value: list[Tensor] | int") == Sequence("list", Tensor())
    assert elsewhere("isinstance(value, list)", parameters="value: list[Tensor] | int") == INT


def test_what_lacks_what_every_tensor_has_is_none() -> None:
    """`size = size.size(-1) if hasattr(size, "size") else size`: a tensor or a number is passed."""
    for name in ("size", "shape", "to"):
        assert elsewhere(f"hasattr(value, '{name}')", parameters="value: Tensor | int") == INT
        assert elsewhere(f"hasattr(value, '{name}')", parameters="value: Tensor") == UNKNOWN
    assert where("hasattr(value, 'sample')", parameters="value: Tensor | int") == INT


@pytest.mark.parametrize("name", ["'imag'", "'_version'", "what"])
def test_what_only_some_tensors_tell_says_nothing(name: str) -> None:
    declared = elsewhere("what(value)", parameters="value: Tensor | int")
    assert declared != INT
    assert elsewhere(f"hasattr(value, {name})", parameters="value: Tensor | int") == declared


def test_torchscript_asks_for_annotated_types() -> None:
    """Its own `isinstance` breaks the graph (CL340), but what it says holds."""
    asked = "torch.jit.isinstance(value, List[Tensor])"
    assert where(asked, parameters="value") == Sequence("list", Tensor())
    assert where(asked, parameters="value: list[Tensor] | int") == Sequence("list", Tensor())
    assert elsewhere(asked, parameters="value: list[Tensor] | int") == INT
    assert where("torch.jit.isinstance(value, what)", parameters="value") == UNKNOWN


def test_a_scalar_counts_as_the_number_that_it_is() -> None:
    body = "s = x.item()\nif isinstance(s, float):\n    return s\nraise ValueError"
    code = "def f(x: Tensor):\n    " + body.replace("\n", "\n    ")
    assert returned(code) == Scalar()


@pytest.mark.parametrize(
    ("why", "test"),
    [
        ("a class that source does not show", "isinstance(value, classes)"),
        ("one of the classes is not known", "isinstance(value, (Tensor, classes))"),
        ("another function of that name", "check(value, Tensor)"),
        ("either may hold", "isinstance(value, Tensor) or x.ndim > 2"),
        ("something else is compared", "value == 3"),
        ("a call", "len(value)"),
    ],
)
def test_a_condition_says_nothing(why: str, test: str) -> None:
    assert where(test) == join(INPUT, INT, NONE)


def test_all_parts_of_an_and_hold_and_no_part_of_an_or() -> None:
    parameters = "value: Union[Tensor, None], other: Optional[int]"
    assert where("value is not None and other is not None", "other", parameters) == INT
    assert elsewhere("value is None or other is None", "other", parameters) == INT
    assert elsewhere("value is not None and other is not None", "other", parameters) == join(NONE, INT)


def test_attributes_are_narrowed_by_their_path() -> None:
    code = """
    class Net(nn.Module):
        def __init__(self, scale: Optional[int]):
            super().__init__()
            self.scale = scale
        def forward(self, x):
            if self.scale is None:
                return 0
            return self.scale
    """
    assert returned(code, "Net.forward") == INT


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("3 if maybe is None else maybe", join(Const(3), INPUT)),
        ("maybe if maybe is not None else x", INPUT),
        ("maybe or x", INPUT),
        ("maybe is not None and maybe", join(Const(False), INPUT)),
        ("[maybe for i in y if maybe is not None]", Sequence("list", INPUT)),
    ],
)
def test_expressions_narrow_too(expression: str, kind: Kind) -> None:
    assert kind_of(expression) == kind


def test_a_name_is_a_class_or_a_function() -> None:
    around = "class Own: ...\ndef check(a): ..."
    before = "for value in (Own, check, int):\n    pass"
    own, check = kind_of("Own", around=around), kind_of("check", around=around)
    told = kind_of("(value if isinstance(value, type) else 0, 0 if isinstance(value, type) else value)", before, around)
    assert isinstance(told, Sequence)
    assert told.items == (join(own, Reference("builtins.int"), Const(0)), join(Const(0), check))


def test_an_assert_narrows_what_follows() -> None:
    assert kind_of("maybe", "assert maybe is not None") == INPUT
    assert kind_of("what", "assert isinstance(what, int)") == INT


def test_a_loop_s_condition_holds_inside_and_not_after() -> None:
    assert kind_of("maybe", "while maybe is None:\n    maybe = unknown(maybe)") != NONE


@pytest.mark.parametrize(
    "count", ["value.ndim", "value.dim()", "value.ndimension()", "len(value.shape)", "len(value.size())"]
)
def test_a_tensor_has_so_many_dimensions(count: str) -> None:
    given = "value: Tensor"
    known, unknown = Tensor(ndim=2, parameter=True), INPUT
    assert where(f"{count} == 2", parameters=given) == known
    assert elsewhere(f"{count} != 2", parameters=given) == known
    assert where(f"{count} != 2", parameters=given) == unknown
    assert where(f"{count} > 2", parameters=given) == unknown
    assert where(f"{count} == 2 or x.sum()", parameters=given) == unknown


@pytest.mark.parametrize(
    "count", ["made.ndim", "made.dim()", "made.ndimension()", "len(made.shape)", "len(made.size())"]
)
def test_how_many_dimensions_a_tensor_has_decides(count: str) -> None:
    made = "made = torch.rand(2, 4, 8)\n"
    assert kind_of("y", f"{made}y = 1 if {count} == 3 else None") == Const(1)
    assert kind_of("y", f"{made}y = 1 if {count} > 3 else None") == NONE
    assert kind_of("y", f"{made}made = made.reshape(x.shape)\ny = {count} > 2") == BOOL


@pytest.mark.parametrize(
    "before",
    [
        "for _ in range(n):\n    made = made.unsqueeze(0)",
        "while made.dim() < 4:\n    made = made[None]",
        "if flag:\n    made = made[0]",
        "made = functools.reduce(lambda a, b: a.unsqueeze(0), [made, made, made])",
    ],
)
def test_of_how_many_dimensions_it_is_here_nobody_knows(before: str) -> None:
    assert kind_of("made.ndim", f"made = torch.rand(2, 4)\n{before}") == INT


def test_a_function_that_takes_a_batch_apart_and_calls_itself_is_given_one_dimension_less() -> None:
    code = """
def f(x: Tensor):
    if x.dim() == 3:
        return [f(each) for each in x]
    return x[(x > 0).any(dim=-1)]
"""
    indexes = [arg for event in events(code, "f", "index") for arg in event.args]
    assert {index.ndim for index in indexes if isinstance(index, Tensor)} <= {None, 1}


def test_the_dimensions_of_something_else_are_not_those_of_a_name() -> None:
    assert where("value.T.ndim == 2", parameters="value: Tensor") == INPUT
    assert where("value.ndim == 2", parameters="value: list[int]") == Sequence("list", INT)


@pytest.mark.parametrize(
    ("test", "name", "parameters", "kind"),
    [
        ("isinstance(value[0], dict)", "value[0]", "value", Dictionary(UNKNOWN)),
        ("isinstance(value[-1], int)", "value[-1]", "value", INT),
        ("isinstance(value['image'], Tensor)", "value['image']", "value", Tensor()),
        ("isinstance(self.layers[0], str)", "self.layers[0]", "self", STR),
        ("value['mask'] is None", "value['mask']", "value: dict[str, Optional[Tensor]]", NONE),
        ("value['mask'] is not None", "value['mask']", "value: dict[str, Optional[Tensor]]", Tensor()),
    ],
)
def test_an_item_is_narrowed_by_its_place(test: str, name: str, parameters: str, kind: Kind) -> None:
    assert where(test, name, parameters) == kind


def test_of_one_item_the_others_tell_nothing() -> None:
    assert where("isinstance(value[0], str)", "value[1]", "value") == UNKNOWN
    assert where("isinstance(value[n], str)", "value[n]", "value, n") == UNKNOWN


@pytest.mark.parametrize("change", ["what[0] = x", "what = [x]"])
def test_an_item_that_is_replaced_is_no_longer_what_it_was(change: str) -> None:
    kind = kind_of("what[0]", f"what = [x]\nassert isinstance(what[0], str)\n{change}")
    assert isinstance(kind, Tensor)


NAMED = """
def one(x):
    return 1
def text(x):
    return "text"
def f(x, flag):
    value = one if flag else text
    if {test}:
        return value(x)
    raise ValueError
"""


@pytest.mark.parametrize(
    ("test", "kind"),
    [
        ("value.__name__ == 'one'", Const(1)),
        ("value.__name__ != 'one'", Const("text")),
        ("not value.__name__ == 'text'", Const(1)),
        ("value.__name__ == 'other'", UNKNOWN),
        ("value.__doc__ == 'one'", join(Const(1), Const("text"))),
    ],
)
def test_of_several_functions_it_is_the_one_of_that_name(test: str, kind: Kind) -> None:
    assert returned(NAMED.format(test=test)) == kind


def test_the_name_of_a_function_is_known() -> None:
    code = "def one(x):\n    return x\ndef f(x):\n    return (one.__name__, {inner})\n"
    assert returned(code.format(inner="one.__name__ == 'one'")) == kind_of("v", "v = ('one', True)")
