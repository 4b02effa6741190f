"""Which tuples are sizes of tensors, and what compares parts of them."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events, function


def of_size(body: str) -> bool:
    """Whether a tensor is made of a size somewhere in a function with this body."""
    return any(event.construct == "of-size" for event in events(function(body), "f", "call"))


@pytest.mark.parametrize(
    "size",
    ["x.size()", "x.shape", "x[..., :2].shape", "x.shape[:2]", "x.size()[1:]", "torch.Size((2, 3))", "x.t().size()"],
)
def test_what_is_spelled_like_one(size: str) -> None:
    assert of_size(f"torch.FloatTensor({size})")
    assert of_size(f"given = {size}\ntorch.LongTensor(given)")


@pytest.mark.parametrize(
    "given", ["x.size(0)", "x.shape[0]", "*x.size()", "(2, 3)", "[1.0]", "x", "n", "what", "what[1]", "x.size(), n"]
)
def test_what_is_none(given: str) -> None:
    assert not of_size(f"torch.FloatTensor({given})")


def test_a_name_that_is_assigned_twice_tells_nothing() -> None:
    assert not of_size("given = x.size()\nif flag:\n    given = (2, 3)\ntorch.FloatTensor(given)")


def test_other_callees_take_sizes_as_they_are() -> None:
    assert not of_size("torch.zeros(x.size())")


def test_a_name_that_is_assigned_from_itself_is_none() -> None:
    code = "def f(x: Tensor, given: Tuple[int, ...]):\n    given = given[1:]\n    torch.FloatTensor(given)\n"
    assert [event.callee for event in events(code, "f", "call")] == ["torch.FloatTensor"]


def causal_by_size(flag: str, before: str = "pass") -> bool:
    """Whether attention is told by a comparison of sizes that it is causal."""
    body = f"{before}\nF.scaled_dot_product_attention(x, x, x, is_causal={flag})"
    return any(event.construct == "causal-by-size" for event in events(function(body), "f", "call"))


@pytest.mark.parametrize(
    "flag",
    [
        "x.shape[-2] > 1",
        "x.size(1) >= n",
        "x.size()[1] == y.size()[1]",
        "1 < x.shape[:3][1]",
        "1 < n < x.size(1)",
        "x.shape[1] // 2 > n",
        "x.numel() > 1",
        "bool(x.shape[1] > 1)",
        "maybe is None and x.shape[1] > 1",
        "flag or x.shape[1] > 1",
        "(long := x.shape[1] > 1)",
    ],
)
def test_sizes_are_compared(flag: str) -> None:
    assert causal_by_size(flag)
    assert causal_by_size("given", f"given = {flag}")


def test_sizes_are_compared_by_their_names() -> None:
    assert causal_by_size("t > 1", "b, t, *rest = x.shape")
    assert causal_by_size("half > 1", "t = x.size(1)\nhalf = t // 2")


@pytest.mark.parametrize(
    "before", ["given = given + 1", "given = bool(given)", "given = flag and given", "given = given > 1"]
)
def test_names_that_are_assigned_from_themselves(before: str) -> None:
    assert not causal_by_size("given", before)
    assert not causal_by_size("given > 1", before)


@pytest.mark.parametrize(
    ("why", "flag"),
    [
        ("it is decided", "True if x.shape[1] > 1 else False"),
        ("not decides", "not x.shape[1] > 1"),
        ("what is last counts", "x.shape[1] > 1 and maybe is None"),
        ("no size", "n > 1"),
        ("an option", "flag"),
        ("a whole size is a tuple", "x.shape is None"),
        ("known", "True"),
    ],
)
def test_no_sizes_are_compared(why: str, flag: str) -> None:
    assert not causal_by_size(flag)


@pytest.mark.parametrize(
    ("flag", "mask", "confidence"),
    [
        ("maybe is None and x.shape[1] > 1", "attn_mask=maybe, ", Confidence.LOW),
        ("bool(maybe is None and x.shape[1] > 1)", "attn_mask=maybe, ", Confidence.LOW),
        ("maybe is None and x.shape[1] > 1", "", Confidence.MEDIUM),
        ("x.shape[1] > 1", "attn_mask=maybe, ", Confidence.MEDIUM),
    ],
)
def test_with_a_mask_sizes_are_hardly_compared(flag: str, mask: str, confidence: Confidence) -> None:
    body = f"flag = {flag}\nF.scaled_dot_product_attention(x, x, x, {mask}is_causal=flag)"
    (event,) = (event for event in events(function(body), "f", "call") if event.construct == "causal-by-size")
    assert event.confidence == confidence


def test_a_flag_by_position_is_one_too() -> None:
    call = "F.scaled_dot_product_attention(x, x, x, None, 0.0, x.shape[1] > 1)"
    assert [event.construct for event in events(function(call), "f", "call")][:1] == ["causal-by-size"]


@pytest.mark.parametrize(
    "call",
    [
        "F.avg_pool2d(x, x.size()[2:])",
        "F.max_pool2d(x, kernel_size=(1, x.shape[3]))",
        "F.avg_pool2d(x, [x.size(2), x.size(3)])",
        "F.avg_pool2d(x, size[2:])",
        "F.max_pool1d(x, w)",
        "torch.linspace(0, 1, h)",
        "torch.linspace(0, 1, steps=x.shape[0])",
        "F.interpolate(x, scale_factor=64 / x.shape[-1])",
        "F.interpolate(x, None, (64 / h, 64 / w))",
        "torch.distributions.Beta(0.4, 0.4).sample((x.shape[0],))",
        "torch.distributions.Dirichlet(x).rsample(sample_shape=[h])",
    ],
)
def test_what_is_held_as_a_constant_is_of_a_size(call: str) -> None:
    assert holds_size(call)


@pytest.mark.parametrize(
    ("why", "call"),
    [
        ("a number", "F.avg_pool2d(x, 2)"),
        ("of an attribute", "F.avg_pool2d(x, self.weight.shape[2:])"),
        ("by an attribute", "torch.linspace(0, 1, self.dim // h)"),
        ("another option", "F.avg_pool2d(x, 2, stride=h)"),
        ("a number of bins", "torch.linspace(0, 1, h - 1)"),
        ("the bounds", "torch.linspace(0, h, 3)"),
        ("the size that comes out", "F.interpolate(x, size=h * 2)"),
        ("any size", "F.adaptive_avg_pool2d(x, h)"),
        ("a size that is made", "torch.distributions.Beta(0.4, 0.4).sample(torch.Size((3,)))"),
    ],
)
def test_what_is_no_size_or_takes_any_is_not_held(why: str, call: str) -> None:
    assert not holds_size(call)


def holds_size(call: str) -> bool:
    code = function(f"size = x.size()\nb, c, h, w = x.shape\n{call}")
    return any(event.construct == "constant-by-size" for event in events(code, "f", "call"))


def held_as_constants(code: str, *, by: str = "call") -> list[tuple[str, Confidence]]:
    """What makes a size a constant in a function with this body, and how sure that is."""
    return [
        (event.source, event.confidence)
        for event in events(function(code), "f", by)
        if event.construct == "constant-by-size"
    ]


@pytest.mark.parametrize(
    ("body", "source"),
    [
        ("for t in range(x.shape[1]):\n    y = x[:, t]", "range(x.shape[1])"),
        ("for i in range(0, num_frames, 4):\n    y = x[i]", "range(0, num_frames, 4)"),
        ("for t in reversed(range(x.shape[0])):\n    y = x[t]", "range(x.shape[0])"),
        ("y = [x[:, i] for i in range(seq_len)]", "range(seq_len)"),
        ("y = F.one_hot(x, seq_len)", "F.one_hot(x, seq_len)"),
        ("y = math.log(seq_len, 512)", "math.log(seq_len, 512)"),
        ("y = math.log(x.shape[1])", "math.log(x.shape[1])"),
        ("y = F.affine_grid(x, x.size())", "F.affine_grid(x, x.size())"),
        ("y = F.adaptive_max_pool2d(x, (seq_len, 3))", "F.adaptive_max_pool2d(x, (seq_len, 3))"),
    ],
)
def test_a_length_is_held_as_a_constant(body: str, source: str) -> None:
    code = f"import math\nseq_len = x.shape[1]\nnum_frames = x.size(0)\n{body}"
    assert held_as_constants(code) == [(source, Confidence.MEDIUM)]


def test_the_length_of_what_surely_is_a_tensor_is_a_size() -> None:
    assert held_as_constants("for t in range(len(x)):\n    y = x[t]") == [("range(len(x))", Confidence.MEDIUM)]
    assert held_as_constants("for i in range(len(x)):\n    y = x[i]") == [("range(len(x))", Confidence.LOW)]
    assert held_as_constants("for t in range(len(what)):\n    y = what[t]") == []
    assert held_as_constants("for t in range(len([x, x])):\n    y = x[t]") == []


@pytest.mark.parametrize(
    ("body", "numbers"),
    [
        ("y = x[range(x.shape[0]), y]", True),
        ("y = x[list(range(len(x)))]", True),
        ("y = torch.tensor(range(x.shape[0]))", True),
        ("y = torch.stack([x[t] for t in range(x.shape[0])])", False),
        ("y = [x[t] for t in range(x.shape[0])]", False),
        ("for t in range(x.shape[0]):\n    y = x[t]", False),
    ],
)
def test_numbers_of_rows_are_told_from_rounds_of_a_loop(body: str, numbers: bool) -> None:
    found = {event.construct for event in events(function(body), "f", "call") if event.callee == "builtins.range"}
    assert found - {""} == {"numbered-by-size" if numbers else "constant-by-size"}


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("a batch", "for b in range(x.shape[0]):\n    y = x[b]"),
        ("features", "for i in range(x.shape[-1]):\n    y = x[..., i]"),
        ("the logarithm of a batch", "y = math.log(x.size(0))"),
        ("computed of features", "y = math.log1p(x.size(-1) * 2)"),
        ("classes", "y = F.one_hot(x, x.shape[1])"),
    ],
)
def test_a_size_is_mostly_the_same(why: str, body: str) -> None:
    code = f"import math\nwidth = x.shape[-1]\n{body}"
    assert [confidence for _, confidence in held_as_constants(code)] == [Confidence.LOW], why


@pytest.mark.parametrize(
    ("call", "confidence"),
    [
        ("np.sqrt(x.shape[2])", Confidence.MEDIUM),
        ("np.sqrt(t)", Confidence.MEDIUM),
        ("np.ceil(h / 8)", Confidence.MEDIUM),
        ("np.ceil(h / what[0])", Confidence.MEDIUM),
        ("np.ceil(h / what[1])", Confidence.MEDIUM),
        ("np.ceil(t / 2)", Confidence.MEDIUM),
        ("np.maximum(3, t)", Confidence.MEDIUM),
        ("np.prod(x.shape[2:])", Confidence.MEDIUM),
        ("np.array([b, t])", Confidence.MEDIUM),
        ("np.sqrt(d)", Confidence.LOW),
        ("np.log(b)", Confidence.LOW),
        ("np.array([b, d])", Confidence.LOW),
        ("np.prod(x.shape)", Confidence.LOW),
        ("np.min([3, x.shape[0] - 1])", Confidence.LOW),
        ("np.prod(x.shape[1:])", Confidence.LOW),
        ("np.sqrt(x.numel())", Confidence.LOW),
        ("np.sqrt(rows)", Confidence.LOW),
        ("np.sqrt(c)", Confidence.LOW),
        ("np.sqrt(x.size(1))", Confidence.LOW),
        ("np.log(x.shape[1] * x.shape[2])", Confidence.LOW),
        ("np.sqrt(length)", Confidence.MEDIUM),
        ("np.sqrt(features)", Confidence.LOW),
        ("np.sqrt(first)", Confidence.LOW),
    ],
)
def test_numpy_makes_constants_of_sizes(call: str, confidence: Confidence) -> None:
    code = "b, t, d = x.shape\nrows, length = y.shape\n_, c, h, w = maybe.shape\n"
    code += f"*_, features = y.shape\nfirst, *_ = y.shape\n{call}"
    assert held_as_constants(code) == [(call, confidence)]


@pytest.mark.parametrize(
    "call", ["np.sqrt(height)", "np.sqrt(n)", "np.arange(x.shape[1])", "np.zeros(x.shape)", "np.sqrt(self.w.shape[1])"]
)
def test_numpy_computes_of_no_size_or_of_any(call: str) -> None:
    assert not held_as_constants(f"height, width = self.image.shape[:2]\n{call}")


@pytest.mark.parametrize(
    ("size", "is_held"),
    [
        ("(b, 1, 12, 12)", False),
        ("[b, c, 12, 12]", False),
        ("(b, c, 4, 12, 12)", False),
        ("(b, 1, h, 12)", True),
        ("(b, c, 4, 12, w)", True),
        ("(b, *x.shape[1:])", True),
        ("x.shape", True),
    ],
)
def test_a_grid_is_made_for_any_batch(size: str, is_held: bool) -> None:
    assert holds_size(f"F.affine_grid(theta, {size})") == is_held


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("traced for any size", "y = math.sqrt(x.shape[1]) + math.log2(x.shape[1])"),
        ("a parameter's", "for t in range(self.weight.shape[1]):\n    y = x[t]"),
        ("nobody knows of what", "for t in range(n):\n    y = x[t]"),
        ("a constant", "for t in range(3):\n    y = x[t]"),
    ],
)
def test_no_size_is_counted_to(why: str, body: str) -> None:
    assert not held_as_constants(f"import math\n{body}"), why


def test_an_item_is_picked_by_a_size() -> None:
    code = "seq_len = x.shape[1]\nreturn x[:, seq_len - 1] + x[x.shape[0] // 2]"
    assert held_as_constants(code, by="index") == [
        ("seq_len - 1", Confidence.MEDIUM),
        ("x.shape[0] // 2", Confidence.LOW),
    ]


@pytest.mark.parametrize("index", [":, -1", ":, n - 1 : n", "n // 2 :", "m - 1", "..., 2"])
def test_an_item_is_picked_otherwise(index: str) -> None:
    assert not held_as_constants(f"n = x.shape[1]\nreturn x[{index}]", by="index")


def untraced(call: str, before: str = "pass") -> list[Confidence]:
    """How sure it is, of each such function, that a size which varies is given to it."""
    body = f"{before}\n{call}"
    return [event.confidence for event in events(function(body), "f", "call") if event.construct == "of-size"]


@pytest.mark.parametrize(
    "call", ["divmod(x.shape[1], 4)", "math.gcd(4, x.size(1))", "str(n)", "hex(n // 2)", "math.comb(n, 2)"]
)
def test_functions_that_are_not_traced_for_a_size_that_varies(call: str) -> None:
    assert untraced(call, before="n = x.shape[1]") == [Confidence.MEDIUM]


@pytest.mark.parametrize(
    ("test", "confidence"),
    [
        ("x.shape[1] in range(2, 5)", [Confidence.MEDIUM]),
        ("m not in range(4)", [Confidence.MEDIUM]),
        ("m in RANGE", [Confidence.MEDIUM]),
        ("x.shape[0] in range(2, 5)", [Confidence.LOW]),
        ("x.dim() in range(2, 5)", []),
        ("n in range(2, 5)", []),
        ("m in [2, 3, 4]", []),
    ],
)
def test_a_range_is_asked_for_a_size(test: str, confidence: list[Confidence]) -> None:
    """Dynamo 2.13.0 raises an InternalTorchDynamoError from the second size on."""
    body = function(f"m = x.shape[1]\nreturn {test}")
    found = [
        event
        for event in events(f"RANGE = range(2, 5)\n{body}", "f", "call")
        if event.callee == "builtins.range.__contains__"
    ]
    assert [event.confidence for event in found] == confidence


def test_batches_and_widths_hardly_vary() -> None:
    assert untraced("divmod(x.shape[0], 4)") == untraced("divmod(x.size(-1), 4)") == [Confidence.LOW]


@pytest.mark.parametrize(
    ("why", "call"),
    [
        ("no size", "divmod(n, 4)"),
        ("of a parameter", "divmod(self.weight.shape[1], 4)"),
        ("the whole size", "str(x.shape)"),
        ("traced for all", "math.ceil(x.shape[1] / 2)"),
    ],
)
def test_what_is_traced_for_any_size(why: str, call: str) -> None:
    assert untraced(call) == []


@pytest.mark.parametrize(
    ("before", "message", "confidence"),
    [
        ("n = x.shape[1]", "f'got {n}'", [Confidence.MEDIUM]),
        ("n = x.size(1) // 2", "'got {}'.format(n)", [Confidence.MEDIUM]),
        ("batch, length, width = x.shape", "f'{length} of {width}'", [Confidence.MEDIUM]),
        ("n = x.shape[0]", "f'got {n}'", [Confidence.LOW]),
        ("n = x.dim()", "f'got {n}'", []),
        ("n = self.weight.shape[1]", "f'got {n}'", []),
        ("n = x.shape[1]", "'too short'", []),
    ],
)
def test_the_message_of_a_check_holds_a_size(before: str, message: str, confidence: list[Confidence]) -> None:
    """Dynamo 2.13.0 takes the message into the graph until the size is another one."""
    body = f"{before}\ntorch._check(x.shape[1] > 1, lambda: {message})"
    found = [event for event in events(function(body), "f", "call") if event.construct == "message-of-size"]
    assert [event.confidence for event in found] == confidence


@pytest.mark.parametrize(
    ("call", "confidence"),
    [
        ("torch.triu_indices(x.shape[1], x.shape[1], 1)", Confidence.MEDIUM),
        ("torch.tril_indices(row=x.size(1), col=4)", Confidence.MEDIUM),
        ("torch.triu_indices(x.shape[-1], x.shape[-1])", Confidence.LOW),
        ("seq_len = x.size(-1)\ntorch.fft.fftfreq(seq_len)", Confidence.MEDIUM),
        ("torch.fft.rfftfreq(x.shape[2], 0.5)", Confidence.MEDIUM),
    ],
)
def test_how_surely_the_size_of_a_triangle_differs(call: str, confidence: Confidence) -> None:
    found = [event for event in events(function(call), "f", "call") if event.construct == "constant-by-size"]
    assert [event.confidence for event in found] == [confidence]


def sorted_by(expression: str) -> list[Confidence]:
    found = events(function(expression), "f", "call")
    return [event.confidence for event in found if (event.callee, event.construct) == ("builtins.sorted", "of-size")]


@pytest.mark.parametrize(
    ("expression", "sure"),
    [
        ("sorted([x.shape[1], y.shape[1]])", Confidence.MEDIUM),
        ("sorted([(x.shape[1], 0), (y.shape[1], 1)])", Confidence.MEDIUM),
        ("sorted(-t.shape[1] for t in (x, y))", Confidence.MEDIUM),
        ("sorted([x.shape[0], y.shape[0]])", Confidence.LOW),
        ("sorted(x.shape)", Confidence.LOW),
        ("sorted([x, y], key=lambda t: t.shape[1])", Confidence.LOW),
    ],
)
def test_what_is_put_in_order_by_sizes(expression: str, sure: Confidence) -> None:
    assert sorted_by(expression) == [sure]


@pytest.mark.parametrize(
    ("why", "expression"),
    [
        ("numbers", "sorted([3, 1, 2])"),
        ("names", "sorted(options)"),
        ("a key of names", "sorted(options, key=lambda name: name.lower())"),
        ("a key that is a function", "sorted([x.shape[1], y.shape[1]], key=str)"),
        ("what a module holds is as large in every call", "sorted([self.weight.shape[1], self.bias.shape[1]])"),
    ],
)
def test_what_is_put_in_order_by_no_size(why: str, expression: str) -> None:
    assert sorted_by(expression) == [], why
