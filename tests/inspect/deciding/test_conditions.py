"""How likely, and how often, the code under a condition runs."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events, function


def confidence_under(test: str) -> Confidence:
    """How sure a break is that stands under this condition."""
    (event,) = events(function(f"if {test}:\n    x.item()"), "f", "call")
    return event.confidence


@pytest.mark.parametrize(
    "test",
    [
        "x.dtype == torch.float16",
        "x.dtype is torch.half",
        "flag and x.dtype == torch.float16",
    ],
)
def test_a_path_for_half_precision_is_seldom_taken(test: str) -> None:
    assert confidence_under(test) == Confidence.LOW


@pytest.mark.parametrize(
    ("why", "test"),
    [
        ("another dtype", "x.dtype == torch.bfloat16"),
        ("all other dtypes", "x.dtype != torch.float16"),
        ("half precision or something else", "flag or x.dtype == torch.float16"),
        ("one of several dtypes", "x.dtype in (torch.float16, torch.bfloat16)"),
        ("something else called half", "x.dtype == what.half"),
    ],
)
def test_a_path_may_well_be_taken(why: str, test: str) -> None:
    assert confidence_under(test) == Confidence.HIGH


@pytest.mark.parametrize("test", ["x.is_sparse", "n and x.is_sparse"])
def test_a_path_for_sparse_tensors_is_seldom_taken(test: str) -> None:
    assert confidence_under(test) == Confidence.LOW
    (event,) = events(function(f"return x.item() if {test} else 0"), "f", "call")
    assert event.confidence == Confidence.LOW


@pytest.mark.parametrize(
    "test", ["not x.is_sparse", "x.is_cuda", "n or x.is_sparse", "x.layout == torch.sparse_csr", "what.is_sparse"]
)
def test_a_path_for_dense_tensors_is_taken(test: str) -> None:
    assert confidence_under(test) == Confidence.HIGH


def test_a_path_for_sparse_tensors_is_taken_with_one_that_is_known_to_be() -> None:
    code = "graph = torch.eye(4).to_sparse()\n" + function("return x.item() if graph.is_sparse else 0")
    (event,) = events(code, "f", "call")
    assert event.confidence == Confidence.HIGH


def test_what_an_and_asks_after_half_precision_is_asked_seldom() -> None:
    (event,) = events(function("if x.dtype == torch.float16 and x.isinf().any():\n    pass"), "f", "branch")
    assert event.confidence == Confidence.LOW
    (event,) = events(function("if x.isinf().any() and x.dtype == torch.float16:\n    pass"), "f", "branch")
    assert event.confidence == Confidence.HIGH


@pytest.mark.parametrize(
    "test",
    [
        "isinstance(what, np.ndarray)",
        "isinstance(what, (str, bytes))",
        "isinstance(what, str | bytes)",
        "isinstance(what, str) and n",
    ],
)
def test_what_is_done_to_arrays_and_paths_is_seldom_compiled(test: str) -> None:
    assert confidence_under(test) == Confidence.LOW


@pytest.mark.parametrize(
    ("why", "test"),
    [
        ("the tensor of several inputs", "isinstance(what, (np.ndarray, Tensor))"),
        ("neither one nor the other", "isinstance(what, str) or n"),
        ("a list of tensors", "isinstance(what, list)"),
        ("known to be text", "isinstance(name, str)"),
        ("everything but text", "not isinstance(what, str)"),
    ],
)
def test_a_path_for_what_models_are_given_may_well_be_taken(why: str, test: str) -> None:
    assert confidence_under(test) == Confidence.HIGH


@pytest.mark.parametrize(
    ("kind", "confidence"),
    [("np.ndarray | Tensor", Confidence.LOW), ("Tensor | None", Confidence.HIGH)],
)
def test_what_is_no_tensor_is_an_array_in_programs_that_are_not_compiled(kind: str, confidence: Confidence) -> None:
    code = f"def f(a: {kind}):\n    if not isinstance(a, Tensor):\n        print(a)\n"
    (event,) = (event for event in events(code, "f", "call") if event.callee == "builtins.print")
    assert event.confidence == confidence


@pytest.mark.parametrize("asked", ["isinstance(a, Tensor)", "torch.is_tensor(a)"])
def test_what_is_a_tensor_is_no_other_thing(asked: str) -> None:
    code = f"def f(a):\n    a = a.relu()\n    if not {asked}:\n        print(1)\n"
    found = {event.callee: event.confidence for event in events(code, "f", "call")}
    assert found["builtins.print"] == Confidence.LOW


@pytest.mark.parametrize(
    ("body", "confidence"),
    [
        ("if not isinstance(what, Tensor):\n        print(1)", Confidence.LOW),
        ("if isinstance(what, (list, Tensor)):\n        pass\n    else:\n        print(1)", Confidence.LOW),
        ("if isinstance(what, Tensor):\n        return what\n    print(1)", Confidence.LOW),
        ("if torch.is_tensor(what):\n        return what\n    print(1)", Confidence.LOW),
        ("if not torch.is_tensor(what):\n        print(1)", Confidence.LOW),
        ("if isinstance(what, nn.Parameter):\n        return what\n    print(1)", Confidence.HIGH),
        ("if isinstance(what, list):\n        return what\n    print(1)", Confidence.HIGH),
        ("if isinstance(what, Tensor):\n        what = what + 1\n    print(1)", Confidence.HIGH),
        ("if isinstance(either, Tensor):\n        return either\n    print(1)", Confidence.HIGH),
    ],
)
def test_of_what_may_be_anything_most_helpers_are_given_tensors(body: str, confidence: Confidence) -> None:
    code = f"def f(x, either: Tensor | list, box: dict):\n    g(box['it'], either)\ndef g(what, either):\n    {body}\n"
    (event,) = (event for event in events(code, "f", "call") if event.callee == "builtins.print")
    assert event.confidence == confidence


MAYBE = "def f(x: Tensor, m: Union[float, Tensor], u, s: Union[float, Tensor] = 1.0, t: Optional[Tensor] = None):\n"


@pytest.mark.parametrize(
    ("body", "confidence"),
    [
        ("s = s.item() if isinstance(s, Tensor) else s", Confidence.LOW),
        ("if isinstance(s, torch.Tensor):\n        s.item()", Confidence.LOW),
        ("if torch.is_tensor(s) and s.ndim == 0:\n        s.item()", Confidence.LOW),
        ("if not isinstance(s, Tensor):\n        pass\n    else:\n        s.item()", Confidence.LOW),
        ("s = s if isinstance(s, (int, float)) else s.item()", Confidence.LOW),
        ("s = s if isinstance(s, int | float) else s.item()", Confidence.LOW),
        (
            "if isinstance(s, float):\n        pass\n    elif isinstance(s, Tensor) and s.ndim == 0:\n        s.item()",
            Confidence.LOW,
        ),
        ("if not isinstance(s, float):\n        s.item()", Confidence.LOW),
        ("if not isinstance(m, float):\n        m.item()", Confidence.HIGH),
        ("if not isinstance(x, float):\n        x.item()", Confidence.HIGH),
        ("s = u.item() if isinstance(u, Tensor) else u", Confidence.LOW),
        ("s = u.item() if isinstance(u, Tensor) else 0", Confidence.MEDIUM),
        ("if isinstance(m, Tensor):\n        m.item()", Confidence.HIGH),
        ("if isinstance(t, Tensor):\n        t.item()", Confidence.HIGH),
        ("if isinstance(x, Tensor):\n        x.item()", Confidence.HIGH),
    ],
)
def test_what_may_be_a_number_is_mostly_no_tensor(body: str, confidence: Confidence) -> None:
    (event,) = (event for event in events(MAYBE + "    " + body, "f", "call") if event.callee.endswith(".item"))
    assert event.confidence == confidence


SHAPE = """
def check(x, shape):
    for size, expected in zip(x.shape, shape):
        if expected is None:
            pass
        elif isinstance(expected, Tensor):
            torch.equal(torch.as_tensor(size), expected)

def f(x: Tensor, options):
    check(x{size}, {shape})
"""


@pytest.mark.parametrize(
    ("shape", "confidence"),
    [
        ("[None, options.width, options.height]", Confidence.LOW),
        ("[x.shape[0], options.width]", Confidence.LOW),
        ("[options.width, options.height]", Confidence.HIGH),
        ("[None, x]", Confidence.HIGH),
    ],
)
@pytest.mark.parametrize("size", ["", ".reshape(2, 3, 4)"])
def test_what_stands_beside_numbers_is_mostly_no_tensor(shape: str, size: str, confidence: Confidence) -> None:
    found = events(SHAPE.format(shape=shape, size=size), "f", "call")
    (event,) = (event for event in found if event.callee == "torch.equal")
    assert event.confidence == confidence


def test_a_number_read_where_a_tensor_is_given_is_not_what_comes_out() -> None:
    body = "    s = bool(s.item()) if isinstance(s, Tensor) else s\n    if s:\n        pass"
    assert events(MAYBE + body, "f", "branch") == []


def test_what_is_done_to_everything_but_the_expected_tensor_is_seldom_compiled() -> None:
    code = "def f(x):\n    if not isinstance(x, Tensor):\n        print(x)\n    return x.sum()"
    assert confidence_of_print(code) == Confidence.LOW


@pytest.mark.parametrize(("cls", "confidence"), [("Variable", Confidence.LOW), ("Own", Confidence.HIGH)])
def test_every_tensor_is_a_variable_but_not_of_a_class_of_the_project(cls: str, confidence: Confidence) -> None:
    code = "from torch.autograd import Variable\nclass Own(Tensor): ...\n"
    code += f"def f(x):\n    if not isinstance(x, {cls}):\n        print(x)\n    return x.sum()"
    assert confidence_of_print(code) == confidence


def test_what_may_be_a_tensor_is_not_taken_for_a_path() -> None:
    code = "def f(x: Union[Tensor, Any]):\n    if isinstance(x, str):\n        print(x)\n    return x"
    assert confidence_of_print(code) == Confidence.LOW


def confidence_of_print(code: str) -> Confidence:
    (found,) = [event.confidence for event in events(code, "f", "call") if event.callee == "builtins.print"]
    return found


NET = """
class Net(nn.Module):
    def __init__(self, config, frozen=False, begun=False):
        super().__init__()
        self.count = 0
        self.ready = False
        self.frozen = frozen
        self.quiet = config.quiet
        self.begun = begun

    def begin(self):
        self.begun = True

    def forward(self, x, flag: bool, other: Optional[int]):
        {test}
            self.count = self.count + 1
        return x
"""


def confidence_of_write(test: str) -> Confidence:
    (event,) = events(NET.format(test=test), "Net.forward", "attribute-write")
    return event.confidence


@pytest.mark.parametrize(
    "test",
    [
        "if self.cache is None:",
        "if not hasattr(self, 'cache'):",
        "if not self.ready:",
        "if not self.begun:",
        "if flag and self.cache is None:",
        "while self.cache is None:",
    ],
)
def test_what_is_missing_is_made_in_the_first_call_only(test: str) -> None:
    assert confidence_of_write(test) == Confidence.LOW


@pytest.mark.parametrize(
    ("why", "test"),
    [
        ("it is there in later calls", "if self.cache is not None:"),
        ("so it is here", "if hasattr(self, 'ready'):"),
        ("a local is new in each call", "if other is None:"),
        ("an option", "if not flag:"),
        ("what the module was made with", "if not self.frozen:"),
        ("what its configuration says", "if flag and not self.quiet:"),
        ("the mode of the module", "if not self.training:"),
        ("one of two reasons", "if flag or self.cache is None:"),
        ("no condition", "with what:"),
    ],
)
def test_the_write_happens_in_each_call(why: str, test: str) -> None:
    assert confidence_of_write(test) == Confidence.HIGH


@pytest.mark.parametrize(
    ("test", "confidence"),
    [
        ("group", Confidence.LOW),
        ("group['caution']", Confidence.LOW),
        ("not group['caution']", Confidence.LOW),
        ("group['step'] > 0", Confidence.MEDIUM),
        ("group[0]", Confidence.MEDIUM),
        ("group['mask'].any()", Confidence.MEDIUM),
    ],
)
def test_an_item_of_which_the_truth_is_asked_is_mostly_a_flag(test: str, confidence: Confidence) -> None:
    """Where it was only assumed that what has the item is a tensor."""
    step = f"def step(group, y):\n    if {test}:\n        return y\n\n"
    code = step + "def f(group):\n    y = group.softmax(-1)\n    return step(group, y)"
    assert {event.confidence for event in events(code, "f", "branch")} == {confidence}


@pytest.mark.parametrize(
    ("test", "confidence"),
    [
        ("outputs.get('aux')", Confidence.LOW),
        ("not outputs.get('aux', False)", Confidence.LOW),
        ("outputs.get('aux').any()", Confidence.MEDIUM),
        ("outputs.get('count') > 0", Confidence.MEDIUM),
    ],
)
def test_so_is_what_a_dictionary_of_tensors_may_lack(test: str, confidence: Confidence) -> None:
    """Of a detector's `outputs.get("aux_outputs")` the truth is asked because it is a list, declared as the rest is."""
    code = f"def f(y, outputs: dict[str, torch.Tensor]):\n    if {test}:\n        return y"
    assert {event.confidence for event in events(code, "f", "branch")} == {confidence}
