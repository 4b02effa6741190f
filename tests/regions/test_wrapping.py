"""What a file does with what it compiles.

The positive forms are the examples of the pages CL505, CL506 and CL601 to CL613; here is what must not be
taken for them.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.regions.wrapping import wrapping_events
from compilelint.source.text import SourceText
from compilelint.source.tree import SourceTree

PRELUDE = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, index=0):
        super().__init__()
        self.index = index
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        return self.linear(x)

    def encode(self, x):
        return self.linear(x)

    def describe(self):
        return self.index

    def new(self):
        return Net(self.index)

    @staticmethod
    def step(net, x):
        return net(x).sum()
"""


def constructs(code: str, prelude: str = PRELUDE, **others: str) -> list[str]:
    texts = {
        "example.py": prelude + dedent(code),
        **{f"{name}.py": dedent(text) for name, text in others.items()},
    }
    folder = Path("project")
    sources = [SourceText(name, folder / name, text) for name, text in texts.items()]
    tree = SourceTree.load(folder, sources, [])
    module = tree.module("example.py")
    assert module is not None
    return [
        event.construct for event in wrapping_events(Inspector(Knowledge(tree), lambda type_, callee: False), module)
    ]


def test_every_event_stands_where_its_code_stands() -> None:
    text = "import torch\n\n\ndef f(x):\n    return x\n\n\ntorch.compile(f)\n"
    tree = SourceTree.load(Path("p"), [SourceText("a.py", Path("p/a.py"), text)], [])
    module = tree.module("a.py")
    assert module is not None
    (event,) = wrapping_events(Inspector(Knowledge(tree), lambda type_, callee: False), module)
    assert (event.span.line, event.span.column, event.span.end_column) == (8, 1, 17)
    assert (event.type, event.callee, event.source) == ("compile", "torch.compile", "torch.compile(f)")
    assert event.place.function == "<module>"


@pytest.mark.parametrize(
    "code",
    [
        "from torch import compile as fast\nfast(Net())",
        "import torch as t\nt.compile(Net())",
        "def main():\n    import torch\n    torch.compile(model=Net())",
    ],
)
def test_torch_compile_is_known_by_its_binding(code: str) -> None:
    assert constructs(code) == ["discarded"]


@pytest.mark.parametrize("ending", ["except RuntimeError:\n    print('no')", "finally:\n    print('done')"])
@pytest.mark.parametrize("made", ["net", "Net()"])
def test_what_is_discarded_in_a_try_is_still_lost(made: str, ending: str) -> None:
    code = f"net = Net()\ntry:\n    torch.compile({made})\n{ending}"
    only_asks = made == "Net()" and ending.startswith("except")
    assert constructs(code) == ([] if only_asks else ["discarded"])


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("another compile", "import re\nre.compile('a')\ncompile('1', 'f', 'eval')"),
        ("a local function of that name", "def compile(x): ...\ncompile(Net())"),
        ("a parameter called torch", "def g(torch):\n    torch.compile(3)"),
        ("a decorator factory", "torch.compile(fullgraph=True)"),
        (
            "it asks whether this torch compiles at all",
            "def supported():\n    try:\n        torch.compile(lambda x: x)\n    except RuntimeError:\n"
            "        return False\n    return True",
        ),
        (
            "it asks with a module that it makes",
            "has_compile = True\ntry:\n    torch.compile(Net(), disable=True)\nexcept:\n    has_compile = False",
        ),
        (
            "an error is expected",
            "import pytest\nwith pytest.raises(RuntimeError):\n    torch.compile(Net())",
        ),
        ("called at once", "torch.compile(Net())(torch.ones(4))"),
        ("returned", "def g():\n    return torch.compile(Net())"),
    ],
)
def test_nothing_is_discarded(why: str, code: str) -> None:
    assert constructs(code) == []


@pytest.mark.parametrize(
    ("why", "code"),
    [
        (
            "the layer is collected",
            "out = []\nfor l in [Net()]:\n    l = torch.compile(l)\n    out.append(l)",
        ),
        ("the layer is called", "for l in [Net()]:\n    l = torch.compile(l)\n    l(torch.ones(4))"),
        ("the name goes on after the loop", "for l in [Net()]:\n    l = torch.compile(l)\nl(torch.ones(4))"),
        ("not the loop's variable", "for l in [Net()]:\n    net = torch.compile(l)\n    net(torch.ones(4))"),
    ],
)
def test_the_loop_variable_is_used(why: str, code: str) -> None:
    assert constructs(code) == []


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("both are read", "def g(x):\n    n = Net()\n    c = torch.compile(n)\n    n(x)\n    return c(x)"),
        (
            "read by an inner function",
            "def g(x):\n    n = Net()\n    c = torch.compile(n)\n    n(x)\n    return lambda: c(x)",
        ),
        (
            "the original is only called before",
            "def g(x):\n    n = Net()\n    n(x)\n    c = torch.compile(n)",
        ),
        ("a global", "def g(x):\n    global c\n    n = Net()\n    c = torch.compile(n)\n    n(x)"),
        ("others may import it", "n = Net()\nc = torch.compile(n)\ndef g(x):\n    return n(x)"),
    ],
)
def test_the_original_may_be_called(why: str, code: str) -> None:
    assert constructs(code) == []


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("the method runs nothing", "c = torch.compile(Net())\nc.describe()"),
        ("the method runs what it is given", "c = torch.compile(Net())\nc.step(c, torch.ones(4))"),
        ("not compiled yet", "n = Net()\nn.encode(torch.ones(4))\nn = torch.compile(n)\nn(torch.ones(4))"),
        ("bound anew", "n = torch.compile(Net())\nn(torch.ones(4))\nn = Net()\nn.encode(torch.ones(4))"),
        ("compiled by itself, too", "c = torch.compile(Net())\nc.encode = torch.compile(c.encode)\nc.encode(3)"),
        (
            "compiled by itself where it is made",
            "n = Net()\nn.encode = torch.compile(n.encode) if FAST else n.encode\nc = torch.compile(n)\nc.encode(3)",
        ),
        ("a function has no methods", "c = torch.compile(lambda x: x)\nc.generate"),
        ("an unknown method of an unknown class", "def g(m):\n    m = torch.compile(m)\n    m.encode(3)"),
    ],
)
def test_the_method_goes_past_nothing(why: str, code: str) -> None:
    assert constructs(code) == []


@pytest.mark.parametrize("kept", ["fast = torch.compile(c.encode)", "c.step = torch.compile(c.encode)"])
def test_what_is_compiled_and_not_put_back_leaves_the_method_as_it_is(kept: str) -> None:
    assert constructs(f"c = torch.compile(Net())\n{kept}\nc.encode(3)") == ["method-of-compiled"]


def test_a_model_may_be_made_by_a_class_method_of_its_library() -> None:
    code = """
from transformers import PreTrainedModel
class Own(PreTrainedModel):
    def forward(self, x): ...
    def encode(self, x):
        return self(x)
c = torch.compile(Own.from_pretrained("a"))
c.encode(torch.ones(4))
"""
    assert constructs(code) == ["method-of-compiled"]


def test_generate_runs_whatever_model() -> None:
    assert constructs("def g(m, x):\n    m = torch.compile(m)\n    m.generate(x)") == ["method-of-compiled"]


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("self.net.encode(x)", ["method-of-compiled"]),
        ("self.net.forward(x)", ["method-of-compiled"]),
        ("self.net.width(x)", []),
        ("self.other.encode(x)", []),
        ("self.limits.encode(x)", []),
    ],
)
def test_a_method_runs_the_module_that_runs_a_part_by_a_method(call: str, found: list[str]) -> None:
    code = f"""
class Limits:
    def encode(self, x):
        return self.net(x)
class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 4)
    def forward(self, x):
        return self.layer(x)
    def encode(self, x):
        return self.layer(x)
    def width(self, x):
        return self.layer.weight.shape[0]
class Planner(nn.Module):
    def __init__(self, other):
        super().__init__()
        self.net, self.limits, self.other = Part(), Limits(), other
    def forward(self, x):
        return self.net(x)
    def plan(self, x):
        return {call}
c = torch.compile(Planner(None))
c.plan(torch.ones(3))
c(torch.ones(3))
"""
    assert constructs(code) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return decode(self, x)", ["method-of-compiled"]),
        ("return sample[x](self, x)", ["method-of-compiled"]),
        ("return getattr(self, x)", []),
        ("return isinstance(self, Net)", []),
        ("return decode(x)", []),
    ],
)
def test_generate_of_a_known_class_runs_what_it_hands_itself_to(body: str, found: list[str]) -> None:
    own = f"\nclass Text(Net):\n    def generate(self, x):\n        {body}\n"
    assert constructs("compiled = torch.compile(Text())\ncompiled.generate(x)", prelude=PRELUDE + own) == found


@pytest.mark.parametrize(
    ("why", "code"),
    [
        (
            "the file knows of the prefix",
            "# strips _orig_mod.\nc = torch.compile(Net())\ntorch.save(c.state_dict(), 'f')",
        ),
        ("the original is saved", "n = Net()\nc = torch.compile(n)\nc(3)\ntorch.save(n.state_dict(), 'f')"),
        ("it is not saved", "c = torch.compile(Net())\nc.load_state_dict(c.state_dict())"),
        ("it was unwrapped", "n = torch.compile(Net())\nn(3)\nn = Net()\ntorch.save(n.state_dict(), 'f')"),
    ],
)
def test_the_keys_are_right(why: str, code: str) -> None:
    assert constructs(code) == []


TRAINER = """
class Trainer:
    def __init__(self, fast):
        self.net = Net()
        {before}
        if fast:
            self.net = torch.compile(self.net)

    def run(self, x):
        {body}
"""


@pytest.mark.parametrize(
    ("body", "construct"),
    [
        ("self.net.encode(x)", "method-of-compiled"),
        ("torch.save(self.net.state_dict(), 'f')", "state-dict-of-compiled"),
        ("pass\n\n    def state_dict(self):\n        return {'net': self.net.state_dict()}", "state-dict-of-compiled"),
        (
            "pass\n\n    def state_dict(self):\n        found = {'net': self.net.state_dict()}\n        return found",
            "state-dict-of-compiled",
        ),
    ],
)
def test_what_may_be_the_compiled_one_goes_past_it_where_it_is(body: str, construct: str) -> None:
    assert constructs(TRAINER.format(before="pass", body=body)) == [construct]


@pytest.mark.parametrize(
    ("why", "before", "body"),
    [
        ("it is called", "pass", "self.net(x)"),
        (
            "it is told apart from the original",
            "pass",
            "net = getattr(self.net, '_orig_mod', self.net)\n        self.net.encode(x)",
        ),
        ("nobody knows why", "pass", "pass\n\n    def snapshot(self):\n        return {'net': self.net.state_dict()}"),
        ("it is not compiled yet", "self.net.encode(3)\n        torch.save(self.net.state_dict(), 'f')", "self.net(x)"),
    ],
)
def test_what_may_be_the_compiled_one_is_used_as_it_should_be(why: str, before: str, body: str) -> None:
    assert constructs(TRAINER.format(before=before, body=body)) == [], why


def test_what_another_method_copies_of_the_original_does_not_tell_it_apart_here() -> None:
    copies = (
        "self.net.encode(x)\n\n    def freeze(self):\n        return copy(getattr(self.net, '_orig_mod', self.net))"
    )
    assert constructs(TRAINER.format(before="pass", body=copies)) == ["method-of-compiled"]


@pytest.mark.parametrize(
    ("loads", "found"),
    [
        ("Net().load_state_dict(c.state_dict())", ["state-dict-of-compiled"]),
        ("t = copy.deepcopy(net)\nt.load_state_dict(c.state_dict(), strict=False)", ["state-dict-of-compiled"]),
        (
            "t = copy.deepcopy(net) if len(__name__) > 3 else None\nt.load_state_dict(c.state_dict())",
            ["state-dict-of-compiled"],
        ),
        ("s = c.state_dict()\ns.update(other)\nc.new().load_state_dict(s)", ["state-dict-of-compiled"]),
        ("s = c.state_dict()\nfor k in list(s):\n    s[k[10:]] = s.pop(k)\nNet().load_state_dict(s)", []),
        ("s = c.state_dict()\ns = {k[10:]: v for k, v in s.items()}\nNet().load_state_dict(s)", []),
        ("copy.deepcopy(c).load_state_dict(c.state_dict())", []),
        ("torch.compile(Net()).load_state_dict(c.state_dict())", []),
        ("Net().load_state_dict(net.state_dict())", []),
        ("Net().load_state_dict({k[10:]: v for k, v in c.state_dict().items()})", []),
        ("what().load_state_dict(c.state_dict())", []),
        ("class P(Net):\n    def load_state_dict(self, state): ...\nP().load_state_dict(c.state_dict())", []),
    ],
)
def test_what_a_plain_module_is_to_load(loads: str, found: list[str]) -> None:
    assert constructs("import copy\nnet = Net()\nc = torch.compile(net)\n" + loads) == found


@pytest.mark.parametrize("made", ["Net()", "nn.Linear(4, 4)"])
@pytest.mark.parametrize(("copied", "found"), [("net", ["state-dict-of-compiled"]), ("self.net", [])])
def test_what_an_attribute_is_to_load_is_of_the_copy(made: str, copied: str, found: list[str]) -> None:
    code = f"""
    import copy

    class Agent:
        def __init__(self):
            net = {made}
            self.net = torch.compile(net)
            self.target = copy.deepcopy({copied})

        def update(self):
            self.target.load_state_dict(self.net.state_dict())
    """
    assert constructs(code) == found


def test_what_is_only_declared_to_be_a_module_may_be_a_copy_of_the_wrapper() -> None:
    code = """
    import copy

    class Agent:
        def __init__(self, net: nn.Module):
            self.net = torch.compile(net)
            self.target = copy.deepcopy(self.net)

        def update(self):
            self.target.load_state_dict(self.net.state_dict())
    """
    assert constructs(code) == []


def test_a_state_dict_is_followed_through_a_variable() -> None:
    code = """
    c = torch.compile(Net())
    checkpoint = {"model": c.state_dict()}
    torch.save(checkpoint, "f")
    """
    assert constructs(code) == ["state-dict-of-compiled"]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("a class of one's own", "Net().compile()"),
        ("one's own blocks in a container", "nn.Sequential(Net(), nn.ReLU()).compile()"),
        ("layers that source does not show", "def g(ls):\n    nn.Sequential(*ls).compile()"),
        (
            "a Keras-like model",
            "from keras import Model\nclass K(Model):\n    pass\nK().compile(optimizer='adam')",
        ),
        (
            "a compile of its own",
            "class P(nn.Linear):\n    def compile(self):\n        return 3\nP(4, 4).compile()",
        ),
        (
            "a method of its own",
            "class P(nn.Linear):\n    def forward(self, x):\n        return x\nP(4, 4).compile()",
        ),
    ],
)
def test_in_place_compilation_works(why: str, code: str) -> None:
    assert constructs(code) == []


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("a mode that exists", "f = torch.compile(Net(), mode='max-autotune-no-cudagraphs')"),
        ("a mode of another backend", "f = torch.compile(Net(), mode='mine', backend='tensorrt')"),
        ("a mode that source does not show", "def g(m):\n    return torch.compile(Net(), mode=m)"),
        ("options that may be None", "def g(o):\n    return torch.compile(Net(), mode='default', options=o)"),
        ("a switch that source does not show", "def g(d):\n    return torch.compile(Net(), disable=d)"),
        (
            "a switch under a flag",
            "import sys\nif sys.argv:\n    torch._dynamo.config.suppress_errors = True",
        ),
        ("another config", "class C: ...\nconfig = C()\nconfig.disable = True"),
    ],
)
def test_the_call_is_valid(why: str, code: str) -> None:
    assert constructs(code) == []


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("forward does not read it", "for n in [Net(i) for i in range(9)]:\n    n.compile()"),
        ("the same for all", "class B(Net):\n    def forward(self, x):\n        return x * self.index\n"
         "for n in [B(3) for i in range(9)]:\n    n.compile()"),
        ("a float", "class B(Net):\n    def forward(self, x):\n        return x * self.index\n"
         "for n in [B(i / 9) for i in range(9)]:\n    n.compile()"),
        ("compiled as a whole", "class B(Net):\n    def forward(self, x):\n        return x * self.index\n"
         "m = nn.Sequential(*[B(i) for i in range(9)])\nm = torch.compile(m)\nm(3)"),
    ],
)  # fmt: skip
def test_layers_share_one_compilation(why: str, code: str) -> None:
    assert constructs(code) == []


def test_layers_are_followed_into_the_file_that_makes_them() -> None:
    layers = """
    from torch import nn

    class Block(nn.Module):
        def __init__(self, index):
            super().__init__()
            self.index = index

        def forward(self, x):
            return x * self.index

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.blocks = nn.ModuleList([Block(index=i + 1) for i in range(9)])
    """
    code = """
    import torch
    from layers import Net

    net = Net()
    for i, block in enumerate(net.blocks):
        net.blocks[i] = torch.compile(block)
    """
    assert "differs-per-instance" in constructs(code, prelude="", layers=layers)


def test_a_hook_is_seen_where_the_shape_is_compiled_once_only_after_the_call() -> None:
    code = """
    def g(x):
        net = Net()
        c = torch.compile(net)
        {before}
        net.linear.register_forward_hook(print)
        {after}
    """
    assert constructs(code.format(before="c(x)", after="c(x)")) == ["hook-after-call"]
    assert constructs(code.format(before="pass", after="c(x)")) == []
    assert constructs(code.format(before="c(x)", after="pass")) == []
    assert constructs(code.format(before="c(x)", after="torch._dynamo.reset(); c(x)")) == []


@pytest.mark.parametrize(
    ("asks", "found"),
    [
        ("type(c).__name__ == 'Net'", ["isinstance-of-compiled"]),
        ("c.__class__.__name__ in ('Net', 'Other')", ["isinstance-of-compiled"]),
        ("type(l).__name__ == 'Linear'", ["isinstance-of-compiled"]),
        ("type(c).__name__ == 'Other'", []),
        ("type(c).__name__ == name", []),
        ("type(n).__name__ == 'Net'", []),
    ],
)
def test_the_name_of_the_class_is_the_wrapper_s(asks: str, found: list[str]) -> None:
    made = "n, c, l = Net(), torch.compile(Net()), torch.compile(nn.Linear(4, 4))"
    code = f"{made}\nif {asks}:\n    c(3)\n    n(3)\n    l(3)"
    assert constructs(code) == found
