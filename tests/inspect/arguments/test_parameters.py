"""What functions are called with, and what is assumed of roots that nobody is seen calling."""

from __future__ import annotations

import ast

import pytest
from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.arguments.annotations import annotation_kind
from compilelint.inspect.arguments.parameters import (
    Arguments,
    as_arguments,
    bind,
    first_parameter,
    without_unknown_rest,
)
from compilelint.inspect.arguments.usage import usage
from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    TENSOR,
    UNKNOWN,
    Const,
    Dictionary,
    External,
    Kind,
    Python,
    Reference,
    Sequence,
    Tensor,
    join,
    sequence,
)
from compilelint.report.confidence import Confidence
from compilelint.source.model import FunctionNode
from tests.inspect.make import returned

ASSUMED = Tensor(confidence=Confidence.MEDIUM, parameter=True)


def node(signature: str) -> ast.FunctionDef:
    found = ast.parse(f"def f({signature}): ...").body[0]
    assert isinstance(found, ast.FunctionDef)
    return found


def constant(expression: ast.expr) -> Kind:
    return Const(ast.literal_eval(expression))


_MODULES = {"Tensor": "torch", "Unknown": "typing"}


def annotation(expression: ast.expr) -> Kind:
    return annotation_kind(
        expression, lambda name: Reference(f"{_MODULES.get(ast.unparse(name), 'builtins')}.{ast.unparse(name)}")
    )


UNDECLARED = Tensor(confidence=Confidence.MEDIUM, undeclared=True)


def bound_in(function: FunctionNode, arguments: Arguments, sureness: Confidence = Confidence.HIGH) -> dict[str, Kind]:
    return bind(function, arguments, annotation, constant, lambda: usage(function).uses, sureness)


def bound(signature: str, *args: Kind, open_ended: bool = False, **keywords: Kind) -> dict[str, Kind]:
    return bound_in(node(signature), Arguments(args, tuple(keywords.items()), open_ended))


# Binding


@pytest.mark.parametrize(
    ("body", "given", "kind"),
    [
        ("x.expand(n, -1)", UNKNOWN, UNKNOWN),
        ("x.expand(n, -1) + n.sum()", UNKNOWN, Tensor(parameter=True)),
        ("x + n", UNKNOWN, Tensor(parameter=True)),
        ("x.expand(n, -1)", TENSOR, TENSOR),
    ],
)
def test_what_is_only_a_size_is_no_tensor_because_it_is_declared_as_one(body: str, given: Kind, kind: Kind) -> None:
    function = ast.parse(f"def f(x, n: Tensor):\n    return {body}").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert bound_in(function, Arguments((TENSOR, given)))["n"] == kind


def test_what_is_declared_as_a_number_or_a_tensor_is_either_though_it_is_only_a_size() -> None:
    function = ast.parse("def f(x, n: int | Tensor):\n    return x.expand(n, -1)").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert bound_in(function, Arguments((TENSOR, UNKNOWN)))["n"] == join(
        INT, Tensor(confidence=Confidence.LOW, parameter=True)
    )


def test_arguments_are_bound_by_position_and_name() -> None:
    assert bound("a, b, /, c, *, d", INT, TENSOR, d=STR, c=FLOAT) == {"a": INT, "b": TENSOR, "c": FLOAT, "d": STR}


def test_defaults_fill_what_is_not_given() -> None:
    assert bound("a, b=1, *, c=2, d", INT) == {"a": INT, "b": Const(1), "c": Const(2), "d": UNKNOWN}


def test_defaults_do_not_fill_what_a_starred_argument_may_give() -> None:
    assert bound("a, b=1", INT, open_ended=True) == {"a": INT, "b": UNKNOWN}


def test_the_rest_is_collected() -> None:
    assert bound("a, *rest, **more", INT, FLOAT, STR, b=TENSOR) == {
        "a": INT,
        "rest": replace(sequence("tuple", [FLOAT, STR]), record=True),
        "more": Dictionary(UNKNOWN, (("b", TENSOR),), record=True),
    }
    assert bound("*rest", open_ended=True) == {"rest": Sequence("tuple", UNKNOWN)}


@pytest.mark.parametrize(
    ("signature", "kept"),
    [("a, **more", ("a", "c")), ("a, *, b, **more", ("a", "b", "c")), ("a", ("a", "b", "c"))],
)
def test_of_the_rest_only_what_is_known_tells_calls_apart(signature: str, kept: tuple[str, ...]) -> None:
    node = ast.parse(f"def f({signature}): ...").body[0]
    assert isinstance(node, ast.FunctionDef)
    arguments = Arguments(keywords=(("a", UNKNOWN), ("b", UNKNOWN), ("c", INT)))
    assert tuple(name for name, _ in without_unknown_rest(node, arguments).keywords) == kept


def test_too_many_arguments_are_left_out() -> None:
    assert bound("a", INT, FLOAT, b=STR) == {"a": INT}


@pytest.mark.parametrize(
    ("given", "declared", "kind"),
    [
        (UNKNOWN, "Tensor", Tensor(parameter=True)),
        (TENSOR, "Tensor", TENSOR),
        (FLOAT, "Tensor", FLOAT),
        (TENSOR, "int", UNDECLARED),
        (Tensor(confidence=Confidence.MEDIUM), "int", INT),
        (UNDECLARED, "float", UNDECLARED),
        (UNDECLARED, "bool", BOOL),
        (TENSOR, "bool", BOOL),
        (join(TENSOR, NONE), "int", INT),
        (join(TENSOR, NONE), "Optional[List[str]]", join(NONE, Sequence("list", STR))),
        (join(TENSOR, STR), "Optional[str]", join(TENSOR, STR)),
        (TENSOR, "dict[str, Tensor] | None", join(Dictionary(TENSOR), NONE)),
        (TENSOR, "str | tuple[str, ...]", join(STR, Sequence("tuple", STR))),
        (TENSOR, "list[int]", TENSOR),
        (TENSOR, "list[list[int]]", TENSOR),
        (UNKNOWN, "dict[str, Tensor]", Dictionary(Tensor(confidence=Confidence.MEDIUM))),
        (UNKNOWN, "Tensor | list[int]", join(Tensor(confidence=Confidence.LOW, parameter=True), Sequence("list", INT))),
        (TENSOR, "int | Tensor", TENSOR),
        (TENSOR, "Unknown", TENSOR),
        (UNKNOWN, "Unknown", UNKNOWN),
    ],
)
def test_an_annotation_tells_where_the_caller_does_not(given: Kind, declared: str, kind: Kind) -> None:
    assert bound(f"a: {declared}", given) == {"a": kind}


def test_a_lambda_binds_its_parameters() -> None:
    found = ast.parse("lambda a, b=1: a", mode="eval").body
    assert isinstance(found, ast.Lambda)
    assert bound_in(found, Arguments((TENSOR,))) == {"a": TENSOR, "b": Const(1)}


def test_arguments_give_parameters_back() -> None:
    signature = "a, b=None, *, c=3"
    arguments = as_arguments(node(signature), {"a": TENSOR, "b": NONE, "c": INT})
    assert arguments == Arguments((TENSOR, UNKNOWN), (("c", INT),), open_ended=True)


@pytest.mark.parametrize(("signature", "more"), [("a, **rest", (("b", NONE),)), ("a", ())])
def test_what_is_known_and_no_parameter_is_for_the_rest(signature: str, more: tuple[tuple[str, Kind], ...]) -> None:
    assert as_arguments(node(signature), {"a": TENSOR, "b": NONE}, ["b"]).keywords == more


@pytest.mark.parametrize(("signature", "name"), [("self, x", "self"), ("x, /, y", "x"), ("*xs", None), ("*, x", None)])
def test_first_parameter(signature: str, name: str | None) -> None:
    assert first_parameter(node(signature)) == name


# Roots


def parameter(signature: str, body: str = "pass", name: str = "a") -> Kind:
    """What the parameter of a root is taken for."""
    return returned(f"def f({signature}):\n    {body}\n    return {name}\n")


@pytest.mark.parametrize(
    ("signature", "kind"),
    [
        ("x, a: Tensor", Tensor(parameter=True)),
        ("x, a: int", INT),
        ("x, a: Optional[Tensor] = None", join(NONE, Tensor(parameter=True))),
        ("x, a=3", INT),
        ("x, a=0.5", FLOAT),
        ("x, a=True", BOOL),
        ("x, a='mean'", STR),
        ("x, *, a=3", INT),
    ],
)
def test_declarations_of_a_root(signature: str, kind: Kind) -> None:
    assert parameter(signature) == kind


@pytest.mark.parametrize(
    ("signature", "body"),
    [
        ("a", "pass"),
        ("a, b", "pass"),
        ("x, a", "a.view(-1)"),
        ("x, a", "a.shape"),
        ("x, a", "b = a.softmax(-1)"),
        ("x, a", "F.relu(a)"),
        ("x, a", "torch.relu(a)"),
        ("x, a", "x @ a"),
        ("x, a", "a @ x"),
        ("x, a", "a[:, 0]"),
        ("x, *, a", "a.unsqueeze(0)"),
    ],
)
def test_a_root_is_assumed_to_be_given_a_tensor(signature: str, body: str) -> None:
    assert parameter(signature, body) == ASSUMED


@pytest.mark.parametrize(
    ("signature", "body", "result"),
    [
        ("x, batch", "batch['a'].softmax(-1)", "batch['a']"),
        ("x, batch: dict", "batch['a'].softmax(-1)", "batch['a']"),
        ("batch: dict", "x[batch['a'] == 1]", "batch['a']"),
        ("x, batch: Any", "y = batch['a']; y.softmax(-1)", "y"),
        ("x, batch", "y, z = batch['a'], batch['b']; z.softmax(-1)", "z"),
        ("*inputs", "inputs[1].softmax(-1)", "inputs[1]"),
        ("x, *inputs", "y, z = inputs; z.softmax(-1)", "z"),
        ("x, batch", "y, z = batch; z.softmax(-1)", "z"),
        ("x, data", "y = data.pos; y = y.softmax(-1)", "data.pos"),
        ("data", "(data.pos > 3).any()", "data.pos"),
        ("inputs", "y, n = inputs; g(y).view(n, -1)", "y"),
    ],
)
def test_what_a_root_is_given_is_assumed_to_hold_tensors(signature: str, body: str, result: str) -> None:
    assert parameter(signature, body, result) == ASSUMED


@pytest.mark.parametrize(
    ("signature", "body", "result"),
    [
        ("x, batch", "batch['a'].softmax(-1)", "batch['b']"),
        ("*inputs", "inputs[1].softmax(-1)", "inputs[0]"),
        ("x, batch", "y, z = batch; z.softmax(-1)", "y"),
        ("x, batch", "batch['a'].softmax(-1); batch['a'].items()", "batch['a']"),
        ("x, batch", "batch['a'].softmax(-1); batch = g(batch)", "batch['a']"),
        ("x, batch", "y = batch['a']\n    y = g(y)\n    y.softmax(-1)", "batch['a']"),
        ("x, config", "config.size; config.name == 'a'", "config.size"),
        ("inputs", "y, n = inputs; g(y).view(n, -1)", "n"),
        ("inputs", "y, n = inputs; torch.zeros(n, 3)", "inputs"),
    ],
)
def test_no_tensor_is_assumed_in_what_a_root_is_given(signature: str, body: str, result: str) -> None:
    assert parameter(signature, body, result) == UNKNOWN


def test_what_is_declared_is_surer_than_how_items_are_used() -> None:
    assert parameter("batch: dict[str, int]", "batch['a'].softmax(-1)", "batch['a']") == INT


def test_an_optional_parameter_that_is_used_as_a_tensor_may_be_one() -> None:
    assert parameter("x, a=None", "a.unsqueeze(0)") == join(ASSUMED, NONE)


def test_the_first_parameter_of_a_method_stands_after_self() -> None:
    code = "class Net(nn.Module):\n    def forward(self, a, b):\n        return a, b\n"
    assert returned(code, "Net.forward") == sequence("tuple", [ASSUMED, UNKNOWN])


@pytest.mark.parametrize(
    ("why", "signature", "body"),
    [
        ("it is not the first", "x, a", "pass"),
        ("it is optional", "a=None", "pass"),
        ("its name says that it is a number", "num_heads", "a = num_heads"),
        ("its name says that it is a shape", "input_shape", "a = input_shape"),
        ("its name says that it is a setting", "cfg", "a = cfg"),
        ("its name says that it is an index", "layer_idx", "a = layer_idx"),
        ("its name says that it counts", "iters", "a = (iters + 1) % 2"),
        ("it is a list", "a", "a.append(1)"),
        ("it is a dict", "a", "a.items()"),
        ("it is read by a name", "a", "a['key']"),
        ("it is text", "a", "a.startswith('b')"),
        ("it is compared with text", "a", "a == 'mean'"),
        ("it is one of some texts", "a", "a in ('mean',) or a != 'b'"),
        ("it is called", "a", "a(3)"),
        ("it is a count", "a", "range(a)"),
        ("it has what tensors have not", "a", "a.features"),
        ("it is a path", "a", "open(a)"),
        ("it is a bound", "a", "x[..., -a:]"),
        ("it is a number of positions", "a", "torch.arange(a - 1, 4)"),
        ("it is compared with a size", "a", "x.shape[0] >= a and x.size(1) > a"),
        ("it is compared with a choice", "a", "a == Stage.TRAIN"),
        ("it is unpacked", "a", "b, n = a"),
        ("it is used as both", "a", "a.view(-1) if a.get('b') else 3"),
        ("only its methods that lists have too are called", "x, a", "a.index(3)"),
        ("it is an argument of something else", "x, a", "g(a)"),
        ("arithmetic may be one of numbers", "x, a", "x * a"),
        ("an item of a list is read", "x, a", "a[0]"),
    ],
)
def test_no_tensor_is_assumed(why: str, signature: str, body: str) -> None:
    kind = parameter(signature, body)
    assert kind in (UNKNOWN, Python("NoneType"))


def test_a_declared_number_is_not_taken_for_a_tensor_by_its_use() -> None:
    assert parameter("a: int", "a.view(-1)") == INT


def test_what_is_a_flag_by_default_is_no_tensor() -> None:
    assert bound("a=False", ASSUMED) == {"a": BOOL}
    assert bound("a=1", ASSUMED) == {"a": ASSUMED}
    assert bound("a: Tensor | None = False", UNKNOWN) == {"a": BOOL}
    assert parameter("x, a: Tensor | None = False", "a") == BOOL
    assert parameter("x, a: int | str = False", "a") == join(INT, STR)


def test_what_surely_is_a_tensor_is_one_whatever_the_default() -> None:
    drop = Tensor("bool", 1)
    assert bound("drop=False", drop) == {"drop": drop}
    assert bound("drop=False", join(drop, BOOL)) == {"drop": join(drop, BOOL)}
    assert bound("drop: bool = False", drop) == {"drop": BOOL}


def test_what_is_missing_by_default_may_be_missing() -> None:
    optional = join(Tensor(parameter=True), NONE)
    assert bound("a: Tensor = None", UNKNOWN) == {"a": optional}
    assert parameter("x, a: Tensor = None", name="a") == optional
    assert bound("a: Tensor = None", TENSOR) == {"a": TENSOR}


def test_where_a_key_is_looked_for_is_no_tensor() -> None:
    assert parameter("x", "for key in KEYS: key in x", name="x") == UNKNOWN
    assert parameter("x", "3 in x", name="x") == ASSUMED
    assert parameter("x", "key in x; x.softmax(-1)", name="x") == ASSUMED


def test_what_is_called_a_list_is_no_tensor() -> None:
    assert bound("shape_list: Tensor", UNKNOWN) == {"shape_list": UNKNOWN}
    assert parameter("x, shape_list: Tensor", name="shape_list") == UNKNOWN
    assert bound("shape_list: Tensor", TENSOR) == {"shape_list": TENSOR}


def test_a_size_that_is_declared_holds_numbers() -> None:
    given = sequence("tuple", [Tensor(confidence=Confidence.MEDIUM), INT])
    assert bound("a: tuple[int, int]", given) == {"a": sequence("tuple", [INT, INT])}
    assert bound("a: tuple[Tensor, int]", given) == {"a": given}


@pytest.mark.parametrize("declared", ["tuple[Tensor, Tensor]", "tuple[Tensor] | None", "tuple[tuple[Tensor]] | None"])
def test_what_may_only_be_declared_a_tensor_is_the_tuple_that_is_declared(declared: str) -> None:
    """`caches: list[Tensor]` holds the keys and values of each layer, which takes `cache: tuple[Tensor, Tensor]`."""
    as_declared = annotation(ast.parse(declared, mode="eval").body)
    assert bound(f"a: {declared}", Tensor(parameter=True)) == {"a": as_declared}
    assert bound(f"a: {declared}", kinds.join(Tensor("float"), kinds.NONE)) == {"a": as_declared}


def test_what_was_computed_is_no_tuple_whatever_is_declared() -> None:
    assert bound("a: tuple[Tensor, Tensor]", Tensor(ndim=3)) == {"a": Tensor(ndim=3)}


@pytest.mark.parametrize("declared", ["list[Tensor]", "Tensor | tuple[Tensor]"])
def test_an_input_may_be_a_tensor_where_that_or_a_list_is_declared(declared: str) -> None:
    """Who declares a list may be given one tensor, in which they are stacked."""
    assert bound(f"a: {declared}", Tensor(parameter=True)) == {"a": Tensor(parameter=True)}


def test_what_surely_is_a_tensor_is_one_where_a_number_is_declared() -> None:
    given, seen = (sequence("tuple", [tensor, INT]) for tensor in (TENSOR, UNDECLARED))
    assert bound("a: tuple[int, int]", given) == {"a": seen}


def test_who_hands_it_on_where_a_number_is_declared_again_hands_on_the_tensor() -> None:
    inner = "def g(n: float):\n    return h(n)\ndef h(n: float):\n    return n\n"
    code = f"def f(x: Tensor):\n    return g(x.sum())\n{inner}"
    assert returned(code) == Tensor(ndim=0, confidence=Confidence.MEDIUM, undeclared=True)


def test_a_number_is_what_is_declared_where_another_function_may_be_called() -> None:
    # Of a table of functions each declares what all of them may be given: `seq_len: int | None = None`.
    arguments = Arguments((TENSOR,))
    assert bound_in(node("a: int"), arguments, Confidence.MEDIUM) == {"a": INT}


def test_of_what_was_passed_by_name_or_place_one_tells_nothing_of_another() -> None:
    assert returned("def f(x: Tensor):\n    return g(x, x)\ndef g(*rest):\n    return rest[len(rest)]\n") == UNKNOWN
    assert returned("def f(x: Tensor):\n    return g(a=x)\ndef g(**rest):\n    return rest[str(1)]\n") == UNKNOWN


def test_what_is_zeroed_and_stepped_is_an_optimizer() -> None:
    optimizer = External("torch.optim.Optimizer")
    assert parameter("x, a", "a.zero_grad(); a.step()") == optimizer
    assert parameter("x, a", "a.step()") == UNKNOWN, "a scheduler, or anything else"
    assert parameter("x, a", "a.zero_grad()") == UNKNOWN, "a module"


def test_what_is_drawn_from_is_a_generator_where_it_has_to_be_given() -> None:
    generator = External("torch.Generator")
    assert generator in kinds.options(parameter("x, a", "torch.rand(3, generator=a)"))
    assert generator in kinds.options(parameter("a, x", "torch.rand(3, generator=a)")), "the first is no tensor then"
    assert generator not in kinds.options(parameter("x, a=None", "torch.rand(3, generator=a)"))
    assert generator not in kinds.options(parameter("x, a: int", "torch.rand(3, generator=a)"))


@pytest.mark.parametrize(
    "declared",
    ["Callable", "typing.Callable[[Tensor], Tensor]", "Optional[Callable]", "Callable | None", "type[Module]"],
)
def test_a_function_that_is_passed_first_is_no_tensor(declared: str) -> None:
    assert returned(f"def f(a: {declared}, x: Tensor):\n    return a\n") == UNKNOWN
    assert returned("def f(a: Whatever, x: Tensor):\n    return a\n") == ASSUMED


@pytest.mark.parametrize(
    ("given", "is_tensor"), [("a=x, b=x + 1", True), ("a=x, b='b'", False), ("a=x, **more", False)]
)
def test_what_was_passed_by_name_is_all_there_for_who_goes_through_it(given: str, is_tensor: bool) -> None:
    body = "def g(**rest):\n    for name, value in rest.items():\n        return value\n"
    found = returned(f"def f(x: Tensor, more):\n    return g({given})\n{body}")
    assert (kinds.tensor_part(found) is not None) is is_tensor
