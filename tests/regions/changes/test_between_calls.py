"""What is changed between calls. The positive forms are the examples of CL506, CL512 and CL513."""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around, events_around

PRELUDE = """
import torch
from torch import nn

STEP = 0
SCALE = 0.5
STATE = {"step": 0}

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0
        self.seen = 0
        self.scale = None
        self.drop = nn.Dropout(0.1)

    def set_step(self, step, flag=None):
        self.step = step

    def set_seen(self, seen):
        self.seen = seen

    def next_step(self):
        self.step += 1

    def set_rate(self, rate):
        self.drop.p = rate

    def set_sometimes(self, step):
        if step > 3:
            self.step = step

    def forward(self, x):
        return self.drop(x) * self.step * self.scale

class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.rate = 0.1

    def forward(self, x):
        keep = 1 - self.rate
        return x * torch.empty_like(x).bernoulli_(keep)

def set_step(step, module):
    module.step = step

def set_rate(module, rate=0.1):
    module.drop.p = rate

def set_both(module, rate):
    if rate > 0.5:
        module.drop.p = rate

def f(x):
    return x * STEP * STATE["step"] * SCALE

class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Net()

    def set_step(self, step):
        self.inner.step = step

    def forward(self, x):
        return self.inner(x)

class Options:
    step = 0
    seen = 0

class Told(nn.Module):
    def __init__(self):
        super().__init__()
        self.options = Options()
        self.table = {"step": 0, "seen": 0}

    def forward(self, x):
        return x * self.options.step + self.table["step"]

class Encoding(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0
        self.seen = 0

    def encode(self, x):
        return x * self.step

    def forward(self, x):
        return x * self.seen

told = Told()
of_told = torch.compile(told)
encoding = Encoding()
encode = torch.compile(encoding.encode)
net = Net()
outer = Outer()
whole = torch.compile(outer)
g = torch.compile(f)
model = torch.compile(net)
x = torch.randn(4)
"""


def constructs(code: str) -> list[str]:
    return constructs_around(PRELUDE + code)


@pytest.mark.parametrize(
    ("code", "construct"),
    [
        ("for STEP in range(9):\n    g(x)", "global-set-between-calls"),
        ("def run(x):\n    STATE['step'] += 1\n    return g(x)", "global-set-between-calls"),
        ("def run(x, step: int):\n    net.step = step\n    return model(x)", "attribute-set-in-loop"),
        ("def run(x, step):\n    net.step = step + 1\n    return model(x)", "attribute-set-in-loop"),
        ("def run(x, step):\n    net.step = step\n    return model(x)", "attribute-set-in-loop"),
        ("for x in xs:\n    net.step += 1\n    model(x)", "attribute-set-in-loop"),
        ("for i in range(9):\n    model.step = i\n    model(x)", "attribute-set-in-loop"),
        ("for i in range(9):\n    model._orig_mod.step = i\n    model(x)", "attribute-set-in-loop"),
        ("for i in range(9):\n    whole._orig_mod.inner.step = i\n    whole(x)", "attribute-set-in-loop"),
        ("for i in range(9):\n    setattr(net, 'step', i)\n    model(x)", "attribute-set-in-loop"),
        ("for i in range(9):\n    model(x)\n    net.next_step()", "attribute-set-in-loop"),
        ("for i in range(9):\n    told.options.step = i\n    of_told(x)", "attribute-set-in-loop"),
        ("for i in range(9):\n    told.table['step'] = i\n    of_told(x)", "attribute-set-in-loop"),
        (
            "def run(x, i):\n    net.set_rate(i / 10)\n    return model(x)\nfor i in range(9):\n    run(x, i)",
            "torch-module-set-between-calls",
        ),
        (
            "def run(model, x):\n    return model(x)\nfor i in range(9):\n    net.step = i\n    run(model, x)",
            "attribute-set-in-loop",
        ),
        ("for i in range(9):\n    encoding.step = i\n    encode(x)", "attribute-set-in-loop"),
        ("for i in range(9):\n    model.set_step(i)\n    model(x)", "attribute-set-in-loop"),
        (
            "for i in range(9):\n    net.set_step(flag=None, step=i)\n    for x in xs:\n        model(x)",
            "attribute-set-in-loop",
        ),
        ("for i in range(9):\n    outer.set_step(i)\n    whole(x)", "attribute-set-in-loop"),
        ("def run(x, step: int):\n    net.set_step(step)\n    return model(x)", "attribute-set-in-loop"),
        ("for i in range(9):\n    outer.inner.step = i\n    whole(x)", "attribute-set-in-loop"),
        ("for i in range(9):\n    whole.inner.step = i\n    whole(x)", "attribute-set-in-loop"),
        ("for i in range(9):\n    net.drop.p = i / 10\n    model(x)", "torch-module-set-between-calls"),
        ("for i in range(9):\n    model.drop.p = i / 10\n    model(x)", "torch-module-set-between-calls"),
        (
            "layers = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))\nm = torch.compile(layers)\n"
            "for i in range(9):\n    layers[1].momentum = i / 10\n    m(x)",
            "torch-module-set-between-calls",
        ),
        ("for i in range(9):\n    set_rate(net, i / 10)\n    model(x)", "torch-module-set-between-calls"),
        (
            "masked = Masked()\nm = torch.compile(masked)\nfor i in range(9):\n    masked.rate = i / 10\n    m(x)",
            "torch-module-set-between-calls",
        ),
        ("for i in range(9):\n    set_rate(rate=i / 10, module=model)\n    model(x)", "torch-module-set-between-calls"),
        ("for i in range(9):\n    set_rate(outer.inner, i / 10)\n    whole(x)", "torch-module-set-between-calls"),
        ("for i in range(9):\n    set_step(i, net)\n    model(x)", "attribute-set-in-loop"),
    ],
)
def test_each_call_finds_another_value(code: str, construct: str) -> None:
    assert constructs(code) == [construct]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("nobody reads it", "COUNT = 0\nfor i in range(9):\n    COUNT = i\n    g(x)"),
        ("another attribute inside", "for i in range(9):\n    outer.inner.seen = i\n    whole(x)"),
        ("a float inside", "for i in range(9):\n    outer.inner.scale = i / 10\n    whole(x)"),
        ("another attribute", "for i in range(9):\n    net.seen = i\n    model(x)"),
        ("a local of that name", "def run():\n    for i in range(9):\n        STEP = i\n        g(x)"),
        ("a float becomes dynamic", "for i in range(9):\n    SCALE = i / 10\n    g(x)"),
        ("a constant", "for i in range(9):\n    STEP = 3\n    net.step = 3\n    g(x)\n    model(x)"),
        ("few values", "for i in range(3):\n    STEP = i\n    g(x)"),
        ("the call is elsewhere", "for i in range(9):\n    STEP = i\ng(x)"),
        ("it is called before", "def run(step: int):\n    model(x)\n    net.step = step"),
        ("whatever the caller passes", "def run(scale):\n    net.scale = scale\n    return model(x)"),
        ("a tensor", "for i in range(9):\n    net.step = torch.tensor(i)\n    model(x)"),
        (
            "what is not compiled",
            "other = Net()\nfor i in range(9):\n    other.step = i\n    other.drop.p = i / 10\n    model(x)",
        ),
        ("another attribute by a method", "for i in range(9):\n    net.set_seen(i)\n    model(x)"),
        ("a method that does not always set it", "for i in range(9):\n    net.set_sometimes(i)\n    model(x)"),
        ("a method of what is not compiled", "other = Net()\nfor i in range(9):\n    other.set_step(i)\n    model(x)"),
        ("a method in few steps", "for i in range(3):\n    net.set_step(i)\n    model(x)"),
        ("a function that does not always set it", "for i in range(9):\n    set_both(net, i / 10)\n    model(x)"),
        ("a function with a constant", "for i in range(9):\n    set_rate(net)\n    model(x)"),
        (
            "a function of what is not compiled",
            "other = Net()\nfor i in range(9):\n    set_step(i, other)\n    model(x)",
        ),
        ("another argument", "for i in range(9):\n    net.set_step(3, i)\n    model(x)"),
        ("a list of the loop", "for i in range(9):\n    found = [0]\n    found[0] = i\n    g(x)"),
        ("nobody reads it", "for i in range(9):\n    model._orig_mod.seen = i\n    model(x)"),
        ("nobody reads it", "for i in range(9):\n    setattr(net, 'seen', i)\n    model(x)"),
        ("nobody reads it", "for i in range(9):\n    told.options.seen = i\n    of_told(x)"),
        ("nobody reads it", "for i in range(9):\n    told.table['seen'] = i\n    of_told(x)"),
        ("the method does not read it", "for i in range(9):\n    encoding.seen = i\n    encode(x)"),
        (
            "another model is called",
            "def run(model, x):\n    return model(x)\nfor i in range(9):\n    net.step = i\n    run(whole, x)",
        ),
        ("no caller changes it", "def run(x, i):\n    net.set_rate(i / 10)\n    return model(x)\nrun(x, 3)"),
        ("no layer of torch's reads it", "for i in range(9):\n    net.drop.calls = i\n    model(x)"),
        (
            "nor an item of a container",
            "own = nn.Sequential(nn.ReLU())\nm = torch.compile(own)\nfor i in range(9):\n    own[0].tag = i\n    m(x)",
        ),
        ("few rounds set it", "for i in range(30):\n    if i % 10 == 0:\n        net.step = i\n    model(x)"),
    ],
)
def test_no_call_finds_another_value(why: str, code: str) -> None:
    assert constructs(code) == [], why


def test_a_number_on_a_layer_of_torch_that_the_model_reads() -> None:
    code = PRELUDE.replace("return self.drop(x) * self.step", "return self.drop(x) * self.drop.calls")
    assert constructs_around(code + "for i in range(9):\n    net.drop.calls = i\n    model(x)") == [
        "attribute-set-in-loop"
    ]


def test_a_name_of_the_function_around_is_no_global() -> None:
    code = """
def make(i):
    @torch.compile
    def inner(x):
        return x * TABLE[i]
    return inner

step = make(3)
for i in range(9):
    step(x)
"""
    assert constructs(code) == []


def test_a_closure_becomes_dynamic() -> None:
    code = """
def run():
    k = 0

    def inner(x):
        return x * k

    compiled = torch.compile(inner)
    for i in range(9):
        k = i
        compiled(x)
"""
    assert constructs(code) == []


@pytest.mark.parametrize(("value", "callee"), [("i", ""), ("f'task{i}'", "str")])
def test_a_text_is_told_from_a_number(value: str, callee: str) -> None:
    (event,) = events_around(f"{PRELUDE}for i in range(9):\n    net.set_step({value})\n    model(x)")
    assert (event.construct, event.callee) == ("attribute-set-in-loop", callee)


@pytest.mark.parametrize(
    ("loop", "found"),
    [
        ("for k in range(9):\n    applied(x, lambda t: t * k)", ["global-set-between-calls"]),
        ("for k in range(9):\n    applied(x, f=scaled)", ["global-set-between-calls"]),
        ("for other in range(9):\n    applied(x, scaled)", []),
        ("for k in range(9):\n    applied(x, lambda t, k=2: t * k)", []),
        ("def main():\n    for k in range(9):\n        applied(x, lambda t: t * k)", []),
    ],
)
def test_a_function_that_is_given_reads_the_counter_of_the_loop(loop: str, found: list[str]) -> None:
    """Dynamo 2.13.0 lets the variable of a closure vary, and takes a global for a constant."""
    code = f"""
import torch
x = torch.ones(3)

@torch.compile
def applied(x, f):
    return f(x)

def scaled(t):
    return t * k

{loop}
"""
    assert constructs_around(code) == found


TRAINER = """
class Trainer:
    def __init__(self, net):
        self.net = net
        {made}
        self.count = 0

    def epoch(self, e):
        {change}
        self.once()
        {called}(x)

    def once(self):
        pass

    def fit(self):
        for e in range(9):
            self.epoch(e)

    def fit_at_once(self):
        for e in range(9):
            self.count += 1
            {later}
            self.one_epoch()

    def one_epoch(self):
        {called}(x)

Trainer(Net()).fit()
"""
_COMPILED = "self.model = torch.compile(self.net)"


@pytest.mark.parametrize(
    ("made", "change", "later", "called"),
    [
        (_COMPILED, "self.net.step = e", "pass", "self.model"),
        (_COMPILED, "self.model.step = e", "pass", "self.model"),
        (_COMPILED, "self.model.set_step(e)", "pass", "self.model"),
        ("self.model = torch.compile(net)", "self.model.set_step(e)", "pass", "self.model"),
        ("self.net.compile()", "self.net.step = e", "pass", "self.net"),
        ("self.net.compile()", "pass", "self.net.step = e", "self.net"),
        (_COMPILED, "pass", "self.net.set_step(self.count)", "self.model"),
        (_COMPILED, "pass", "self.net.step = e", "self.model"),
    ],
)
def test_a_trainer_changes_it(made: str, change: str, later: str, called: str) -> None:
    code = TRAINER.format(made=made, change=change, later=later, called=called)
    assert constructs(code) == ["attribute-set-in-loop"]


@pytest.mark.parametrize(
    ("change", "later", "called"),
    [
        ("self.net.seen = e", "self.net.seen = e", "self.model"),
        ("self.net.step = 3", "self.net.step = 3", "self.model"),
        ("self.step = e", "self.step = e", "self.model"),
        ("self.net.step = e", "self.net.step = e", "self.net"),
    ],
)
def test_a_trainer_changes_nothing_that_is_read(change: str, later: str, called: str) -> None:
    assert constructs(TRAINER.format(made=_COMPILED, change=change, later=later, called=called)) == []


SETTERS = """
def tick():
    global STEP
    STEP += 1

def set_step(step):
    global STEP
    STEP = step

def set_local(step):
    STEP = step

def set_maybe(step):
    global STEP
    if step > 3:
        STEP = step
"""


@pytest.mark.parametrize(
    "code",
    [
        "for i in range(9):\n    g(x)\n    tick()",
        "def main():\n    for i in range(9):\n        tick()\n        g(x)",
        "for i in range(9):\n    set_step(i)\n    g(x)",
        "for i in range(9):\n    set_step(step=i + 1)\n    g(x)",
    ],
)
def test_a_function_sets_a_global_that_is_read(code: str) -> None:
    assert constructs(SETTERS + code) == ["global-set-between-calls"]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("it is set once", "set_step(3)\nfor i in range(9):\n    g(x)"),
        ("it is the same each time", "for i in range(9):\n    set_step(3)\n    g(x)"),
        ("it is a name of the function", "for i in range(9):\n    set_local(i)\n    g(x)"),
        ("it may not be set", "for i in range(9):\n    set_maybe(i)\n    g(x)"),
        ("what is called does not read it", "for i in range(9):\n    tick()\n    encode(x)"),
    ],
)
def test_a_function_that_sets_a_global_changes_nothing(why: str, code: str) -> None:
    assert not constructs(SETTERS + code), why


KEPT = """
class Keeping(nn.Module):
    def __init__(self, dim, options):
        super().__init__()
        self.kept = options

    def forward(self, x):
        return x * self.kept.step

options, others = Options(), Options()
keeping = torch.compile(Keeping(4, options))
"""


def test_an_object_that_a_module_was_made_with_is_changed() -> None:
    code = "for i in range(9):\n    options.step = i\n    keeping(x)"
    assert constructs(KEPT + code) == ["attribute-set-in-loop"]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("the module does not read it", "for i in range(9):\n    options.seen = i\n    keeping(x)"),
        ("the module keeps another one", "for i in range(9):\n    others.step = i\n    keeping(x)"),
        ("it is the same each time", "for i in range(9):\n    options.step = 3\n    keeping(x)"),
        ("a float stays open", "for i in range(9):\n    options.step = i / 10\n    keeping(x)"),
    ],
)
def test_an_object_that_a_module_was_made_with_costs_nothing(why: str, code: str) -> None:
    assert not constructs(KEPT + code), why


CLASS = """
def of_class(x):
    return x * Options.step

by_class = torch.compile(of_class)
"""


def test_an_attribute_of_a_class_is_changed() -> None:
    code = "for i in range(9):\n    Options.step = i\n    by_class(x)"
    assert constructs(CLASS + code) == ["global-set-between-calls"]


def test_an_attribute_of_a_class_that_nobody_reads_is_changed() -> None:
    assert not constructs(CLASS + "for i in range(9):\n    Options.seen = i\n    by_class(x)")


RATES = """
class Rates:
    drop = 0.0

def dropped(x):
    x = nn.functional.dropout(x, SCALE) * nn.functional.dropout(x, STATE["rate"])
    return x * nn.functional.dropout(x, Rates.drop)

def set_scale(scale):
    global SCALE
    SCALE = scale

drop = torch.compile(dropped)
"""


@pytest.mark.parametrize(
    "statement",
    ["SCALE = i / 10", "STATE['rate'] = i / 10", "Rates.drop = i / 10", "set_scale(i / 10)"],
)
def test_a_float_of_a_global_that_is_needed_as_a_constant(statement: str) -> None:
    assert constructs(RATES + f"for i in range(9):\n    {statement}\n    drop(x)") == ["global-set-between-calls"]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("it stays open where a tensor is multiplied", "for i in range(9):\n    SCALE = i / 10\n    g(x)"),
        ("nobody reads it", "for i in range(9):\n    STATE['other'] = i / 10\n    drop(x)"),
        ("it is the same each time", "for i in range(9):\n    SCALE = 0.1\n    drop(x)"),
    ],
)
def test_a_float_of_a_global_costs_nothing(why: str, code: str) -> None:
    assert not constructs(RATES + code), why


def test_a_text_that_a_module_gives_back_is_changed() -> None:
    code = """
class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.name = "a"

    def forward(self, x):
        return x * 2, self.name

named = Named()
by_name = torch.compile(named)
for i in range(9):
    named.name = f"h{i}"
    by_name(x)
"""
    assert not constructs(code)
    assert constructs(code.replace("x * 2, self.name", "{self.name: x}")) == ["attribute-set-in-loop"]
