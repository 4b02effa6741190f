"""Arguments that change from call to call. The positive forms are the examples of CL507 to CL511 and CL519."""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around

PRELUDE = """
import math
import torch
from torch import nn

TABLE = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]

def select(x, index):
    return x * TABLE[index]

def label(x, name):
    return x * len(name)

def total(x, items):
    return x + sum(items)

def values(d):
    return sum(d.values())

def decay(x, t):
    return x * math.exp(-t)

def maybe(x, mask):
    return x if mask is None else x * mask

def apart(x, *args, **options):
    (mask,) = args
    return x if mask is None or options["late"] else x * mask

def ignoring(x, *args, **options):
    return x + 1

def collect(x, items):
    items.append(x)

def queue(x, items):
    items.append(x)
    del items[:1]

def keep(x, items):
    if items is x:
        items.append(x)
    return x

collected = torch.compile(collect)
queued = torch.compile(queue)
kept = torch.compile(keep)
compiled = torch.compile(select)
named = torch.compile(label)
summed = torch.compile(total)
valued = torch.compile(values)
decayed = torch.compile(decay)
masked = torch.compile(maybe)
taken_apart = torch.compile(apart)
ignored = torch.compile(ignoring)
x = torch.randn(4)
"""


def constructs(code: str) -> list[str]:
    return constructs_around(PRELUDE + code)


@pytest.mark.parametrize(
    ("code", "construct"),
    [
        ("for i in tqdm(range(9)):\n    compiled(x, i)", "int-argument"),
        ("for i, batch in enumerate(batches):\n    compiled(batch, i)", "int-argument"),
        ("for i, (a, b) in zip(range(9), pairs):\n    compiled(a, i)", "int-argument"),
        ("for i in range(9):\n    j = i + 1\n    compiled(x, j)", "int-argument"),
        ("step = 0\nwhile True:\n    compiled(x, step)\n    step += 1", "int-argument"),
        ("for n in (1, 2, 4, 8):\n    compiled(x, n)", "int-argument"),
        ("SIZES = [1, 2, 4, 8]\nfor n in SIZES:\n    compiled(x, n)", "int-argument"),
        ("for i in range(9):\n    compiled(x, index=i % 5)", "int-argument"),
        ("for i in range(9):\n    compiled(x, index=i // 2)", "int-argument"),
        ("for i in range(9):\n    torch.compile(select, fullgraph=True)(x, i)", "int-argument"),
        ("ys = [compiled(x, i) for i in range(9)]", "int-argument"),
        ("for i in torch.arange(9).tolist():\n    compiled(x, i)", "int-argument"),
        ("for i in list(range(9))[::-1]:\n    compiled(x, i)", "int-argument"),
        ("steps = list(range(9))\nfor i in steps:\n    compiled(x, i)", "int-argument"),
        ("total = sum(compiled(x, i) for i, batch in enumerate(batches))", "int-argument"),
        ("table = {i: compiled(x, i) for i in range(9) if i > 2}", "int-argument"),
        ("rows = [[compiled(x, j) for k in range(2)] for j in range(9)]", "int-argument"),
        ("for name, p in model.named_parameters():\n    named(p, name)", "str-argument"),
        ("for i in range(9):\n    named(x, 'layer' + str(i))", "str-argument"),
        ("for name in ['a', 'b', 'c', 'd']:\n    named(x, name)", "str-argument"),
        ("for i in range(9):\n    summed(x, TABLE[:i])", "length-of-argument"),
        ("for i in range(9):\n    summed(x, [x for _ in range(i)])", "length-of-argument"),
        ("items = []\nfor i in range(9):\n    collected(x, items)", "length-of-argument"),
        ("items = list()\nwhile True:\n    collected(x, items=items)", "length-of-argument"),
        ("for i in range(9):\n    decayed(x, i * 0.1)", "float-argument"),
        ("for i in range(9):\n    masked(x, x if i > 3 else None)", "none-argument"),
        ("for i in range(9):\n    m = x * i\n    if i % 3 == 0: m = None\n    masked(x, m)", "none-argument"),
        ("for i in range(9):\n    m = None\n    if i > 3:\n        m = x * 2\n    masked(x, m)", "none-argument"),
    ],
)
def test_the_loop_changes_the_argument(code: str, construct: str) -> None:
    assert construct in constructs(code)


@pytest.mark.parametrize(
    ("why", "code"),
    [
        (
            "the condition is the same in each round",
            "for i in range(9):\n    m = x\n    if given: m = None\n    masked(x, m)",
        ),
        ("it is one of two values", "for i in range(9):\n    m = x\n    if i > 3: m = x * 2\n    masked(x, m)"),
        ("it is None after the call", "for i in range(9):\n    m = x\n    masked(x, m)\n    if i > 3: m = None"),
    ],
)
def test_a_name_that_is_never_none_or_always(why: str, code: str) -> None:
    assert "none-argument" not in constructs(code), why


@pytest.mark.parametrize(("items", "told"), [("range(i)", True), ("TABLE[:i]", True), ("range(3)", False)])
def test_a_dict_that_is_made_for_each_of_another_number_of_things_has_other_keys(items: str, told: bool) -> None:
    keyed = "def keyed(x, table):\n    return x + sum(table.values())\nkeyed = torch.compile(keyed)\n"
    code = f"{keyed}for i in range(9):\n    keyed(x, {{str(j): x for j in {items}}})"
    assert ("keys-of-argument" in constructs(code)) is told


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("nothing is compiled", "def f(x, n):\n    return TABLE[n]\nfor i in range(9):\n    f(x, i)"),
        ("what is gone through is made once", "ys = [y for y in compiled(x, 3)]"),
        ("items of a tensor", "for i in torch.arange(9):\n    compiled(x, i)"),
        ("few steps", "steps = list(range(3))\nfor i in steps:\n    compiled(x, i)"),
        ("few items", "ys = [compiled(x, i) for i in (1, 2)]"),
        ("the comprehension's number is not passed", "ys = [compiled(x, 2) for i in range(9)]"),
        ("no loop", "compiled(x, 3)\ncompiled(x, 4)"),
        ("few values", "for i in range(3):\n    compiled(x, i)"),
        ("few values of many", "for i in range(9):\n    compiled(x, i // 3)"),
        ("few values of an unknown number", "for i in range(n):\n    compiled(x, i % 2)"),
        ("few texts", "for mode in ('train', 'val'):\n    named(x, mode)"),
        ("the same text twice", "for mode in ('a', 'a', 'a', 'a', 'b'):\n    named(x, mode)"),
        ("the caller selects", "for i in range(9):\n    masked(x, rows[i])"),
        ("the loop's number is not passed", "for i in range(9):\n    compiled(x, 2)"),
        ("the loop ends before", "for i in range(9):\n    pass\ncompiled(x, i)"),
        ("a tensor", "for i in range(9):\n    compiled(x, torch.tensor(i))"),
        ("a tensor is added", "for i in range(9):\n    decayed(x, i * x)"),
        (
            "the list is emptied",
            "items = []\nfor i in range(9):\n    items.append(x)\n    summed(x, items)\n    items.clear()",
        ),
        ("the list is made anew", "for i in range(9):\n    items = []\n    items.append(x)\n    summed(x, items)"),
        (
            "the list is full before",
            "items = []\nfor i in range(9):\n    items.append(x)\nfor i in range(9):\n    summed(x, items)",
        ),
        (
            "what the call fills is emptied",
            "items = []\nfor i in range(9):\n    collected(x, items)\n    items.clear()",
        ),
        ("what the call fills is made anew", "for i in range(9):\n    items = []\n    collected(x, items)"),
        ("the call itself takes one away", "items = []\nfor i in range(9):\n    queued(x, items)"),
        ("the call seldom fills it", "items = []\nfor i in range(9):\n    kept(x, items)"),
        ("the dict keeps its keys", "d = {}\nfor i in range(9):\n    d['a'] = x\n    valued(d)"),
        ("the counter starts again", "i = 0\nwhile True:\n    compiled(x, i)\n    i += 1\n    i = 0"),
        ("the counter seldom moves", "i = 0\nfor x in xs:\n    compiled(x, i)\n    if bad:\n        i += 1"),
        ("a window of one length", "for i in range(9):\n    summed(x, TABLE[i : i + 2])"),
        ("the state is always there", "state = x\nfor i in range(9):\n    state = masked(x, state)"),
        ("None on every call", "state = None\nfor i in range(9):\n    masked(x, state)"),
    ],
)
def test_the_argument_costs_nothing(why: str, code: str) -> None:
    assert constructs(code) == [], why


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("not read", "return x + 1"),
        ("arithmetic", "return x * n + n // 2"),
        ("a size", "return x + torch.zeros(n + 1).sum()"),
        ("a slice bound", "return x[:n]"),
        ("an index into a tensor", "return x[n] + torch.stack([x, x])[n]"),
        ("an index into something unknown", "return make()[n]"),
        ("a comparison", "return x if n > 3 else x + 1"),
        ("another number", "n = 2\n    return x * TABLE[n]"),
        ("only in an error message", "if n < 0:\n        raise ValueError(f'bad {n}')\n    return x"),
        ("passed on to what only computes", "return scale(x, n)"),
        ("few indices", "return x * TABLE[n % 2]"),
    ],
)
def test_the_int_stays_dynamic(why: str, body: str) -> None:
    code = f"def scale(x, k):\n    return x * k\n\ndef f(x, n):\n    {body}\n\ng = torch.compile(f)\n"
    assert constructs(code + "for i in range(9):\n    g(x, i)") == [], why


@pytest.mark.parametrize(
    "body",
    [
        "return sum(x for _ in range(n + 1))",
        "return self.layers[n](x)",
        "return x * self.scales[n]",
        "return self.pick(x, n)",
        "return x.chunk(n)[0]",
        "return x * math.exp(-n)",
        "return x * np.exp(-n)",
        "return x * numpy.minimum(1.0, (n + 1) / 4)",
        "return x if n in {1, 2} else x + 1",
    ],
)
def test_the_int_is_a_constant(body: str) -> None:
    code = f"""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(9))
        self.scales = {{1: 2.0, 2: 3.0}}

    def pick(self, x, which):
        return self.layers[which](x)

    def forward(self, x, n):
        {body}

model = torch.compile(Net())
for i in range(9):
    model(x, i)
"""
    assert constructs(code) == ["int-argument"]


@pytest.mark.parametrize("body", ["return x + np.zeros(n).sum()", "return x * np.exp(x.numpy())", "return x.exp(n)"])
def test_what_numpy_makes_of_another_number_is_no_constant_of_it(body: str) -> None:
    code = f"""
def f(x, n):
    {body}

g = torch.compile(f)
for i in range(9):
    g(x, i)
"""
    assert constructs(code) == []


@pytest.mark.parametrize("options", ["dynamic=True", "dynamic=None", ""])
def test_sizes_are_dynamic_unless_switched_off(options: str) -> None:
    code = f"g = torch.compile(torch.relu, {options})\nfor i in range(9):\n    g(torch.randn(i, 4))"
    assert constructs(code) == []


def test_a_static_compile_takes_sizes_for_constants() -> None:
    code = "g = torch.compile({}, dynamic=False)\nfor i in range(9):\n    g(torch.randn(i, 4).cuda())"
    assert constructs(code.format("torch.relu")) == ["static-argument"]
    assert constructs(code.format("lambda y: y + 1")) == ["static-argument"]


@pytest.mark.parametrize(
    ("call", "construct"),
    [
        ("taken_apart(x, x if i % 2 else None)", "none-argument"),
        ("taken_apart(x, x, late=i % 2 == 0)", "bool-argument"),
    ],
)
def test_an_argument_of_two_forms_that_the_function_takes_apart_itself(call: str, construct: str) -> None:
    assert constructs(f"for i in range(9):\n    {call}") == [construct]
    assert constructs(f"for i in range(9):\n    {call.replace('taken_apart', 'ignored')}") == []


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("name = name or 'a'\n    return x * TABLE[name]", True),
        ("if name is None:\n        name = 'a'\n    return x * TABLE[name]", True),
        ("name = name.lower()\n    return x * TABLE[name]", True),
        ("name = 'a'\n    return x * TABLE[name]", False),
        ("for name in TABLE:\n        x = x * TABLE[name]\n    return x", False),
        ("return x", False),
    ],
)
def test_a_text_is_read_before_its_name_has_another_value(body: str, found: bool) -> None:
    """Dynamo 2.13.0 guards on a text as soon as anything asks for it."""
    code = f"""
import torch
x, TABLE = torch.ones(2), {{"a": 1.0}}

@torch.compile
def step(x, name=None):
    {body}

for name in ["a", "b", "c", "d"]:
    step(x, name)
"""
    assert ("str-argument" in constructs_around(code)) is found


@pytest.mark.parametrize(
    "comparison",
    [
        "torch.arange(4) < i",
        "torch.rand(i) > 0.2",
        "x == i",
        "~(x == i)",
        "model(x) > i",
        "scores > i",
        "batch[0] > i",
        "batch > i",
    ],
)
def test_a_comparison_of_a_tensor_is_no_flag(comparison: str) -> None:
    loop = "scores = model(x)\nfor i, batch in enumerate(batches):\n    masked(x, {})"
    assert "bool-argument" in constructs(loop.format("i > 3"))
    assert "bool-argument" not in constructs(loop.format(comparison))


@pytest.mark.parametrize("flag", ["i > last", "i == x.shape[0]", "i != len(batches) - 1", "i in chosen", "not i % 2"])
def test_a_comparison_of_numbers_is_a_flag(flag: str) -> None:
    assert "bool-argument" in constructs(f"def run(last, chosen):\n    for i in range(9):\n        masked(x, {flag})")


def test_what_is_compared_may_have_another_size() -> None:
    code = "masked = torch.compile(maybe, dynamic=False)\nfor i in range(9):\n    masked(x, torch.rand(i) > 0.2)"
    assert "static-argument" in constructs(code)


@pytest.mark.parametrize(
    "computed",
    [
        "0.1 * i * x",
        "x / (i + 1)",
        "x ** (0.1 * i)",
        "i / 9 * torch.randn(4) + (1 - i / 9) * x",
        "(1.0 - i / 9) * model(x)",
        "-x * 0.5 * i",
        "noise * (i / 9)",
        "batch[0] * (i / 9)",
    ],
)
def test_what_is_computed_of_a_tensor_is_no_number(computed: str) -> None:
    loop = "noise = model(x)\nfor i, batch in enumerate(batches):\n    decayed(x, {})"
    assert constructs(loop.format("0.1 * i")) == ["float-argument"]
    assert constructs(loop.format(computed)) == []


@pytest.mark.parametrize(
    "number",
    ["rate * 0.9 ** i", "i / len(batches)", "i / x.size(0)", "i / (len(batches) - 1)", "group['lr'] * 0.9 ** i"],
)
def test_what_is_computed_of_numbers_is_one(number: str) -> None:
    loop = f"def run(rate, batches, group):\n    for i in range(9):\n        decayed(x, {number})"
    assert constructs(loop) == ["float-argument"]
