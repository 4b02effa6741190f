"""Where compilation starts, as code and nn.Module say."""

from __future__ import annotations

from textwrap import dedent

import pytest

from compilelint.inspect import kinds
from compilelint.inspect.events import Mode
from compilelint.inspect.kinds import Instance
from compilelint.regions import Root, compiled_roots, offered_roots, roots
from compilelint.report.confidence import Confidence
from tests.regions.project import PRELUDE, inspector, names


def compiled(code: str, prelude: str = PRELUDE, **others: str) -> list[Root]:
    """The roots of what the code itself compiles."""
    found = inspector(code, prelude, **others)
    return [root for name in sorted(found.tree.texts) for root in compiled_roots(found, name)]


def but_numbers(root: Root) -> tuple[tuple[str, kinds.Kind], ...]:
    """What the calls of a root give it, but for numbers."""
    return tuple((name, kind) for name, kind in root.accepts if kind not in (kinds.INT, kinds.FLOAT))


# What the code compiles


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("torch.compile(f)", "f"),
        ("torch.compile(nn.parallel.DistributedDataParallel(Net(), device_ids=[0]))", "Net.forward"),
        ("net = nn.DataParallel(module=Net())\nnet.module = torch.compile(net.module)", "Net.forward"),
        ("import tensordict\nf = tensordict.nn.TensorDictModule(f, in_keys=['x'])\nf = torch.compile(f)", "f"),
        ("from tensordict.nn import TensorDictModule as M\ntorch.compile(M(Net(), ['x'], ['y']))", "Net.forward"),
        ("import tensordict\ntorch.compile(tensordict.nn.TensorDictModule(module=f, in_keys=['x']))", "f"),
        ("g = torch.compile(f)", "f"),
        ("def build(compile):\n    return torch.compile(f) if compile else f", "f"),
        ("def build(compile=torch.compile):\n    return compile(f)", "f"),
        ("g = torch.compile(model=f)", "f"),
        ("g = torch.compile(mode='reduce-overhead')(f)", "f"),
        ("from torch import compile as fast\nfast(f)", "f"),
        ("import torch as t\nt.compile(f)", "f"),
        ("@torch.compile\ndef g(x): ...", "g"),
        ("@torch.compile()\ndef g(x): ...", "g"),
        ("maybe = torch.compile if f(1) else lambda g: g\n@maybe\ndef g(x): ...", "g"),
        ("@torch.compile(dynamic=True)\ndef g(x): ...", "g"),
        ("@functools.partial(torch.compile, dynamic=True)\ndef g(x): ...", "g"),
        ("fast = functools.partial(torch.compile, dynamic=True)\nfast(f)", "f"),
        ("fast = torch.compile(dynamic=True)\n@fast\ndef g(x): ...", "g"),
        ("g = torch._dynamo.optimize('inductor')(f)", "f"),
        ("@torch._dynamo.optimize(backend='eager', dynamic=True)\ndef g(x): ...", "g"),
        ("import torch._dynamo as dynamo\nnet = dynamo.optimize()(Net())", "Net.forward"),
        ("torch.compile(lambda x: x)", "<lambda>"),
        ("torch.compile(functools.partial(f, 3))", "f"),
        ("torch.compile(Net())", "Net.forward"),
        ("net = Net()\nnet = torch.compile(net)", "Net.forward"),
        ("net = Net().to('cuda').eval()\ntorch.compile(net)", "Net.forward"),
        ("Net().compile()", "Net.forward"),
        ("net = Net()\nnet.compile(dynamic=True)", "Net.forward"),
        ("torch.compile(nn.Sequential(Net(), nn.ReLU()))", "Net.forward"),
        ("for layer in nn.ModuleList([Net(), Net()]):\n    layer.compile()", "Net.forward"),
        ("net = nn.ModuleList([Net()])\nfor i in range(1):\n    net[i] = torch.compile(net[i])", "Net.forward"),
        ("for layer in nn.ModuleList([Net(), Net()]).children():\n    layer.compile()", "Net.forward"),
        ("for _, layer in nn.Sequential(Net(), nn.ReLU()).named_children():\n    torch.compile(layer)", "Net.forward"),
        ("for name, layer in nn.ModuleDict({'a': Net()}).named_children():\n    layer.compile()", "Net.forward"),
        ("def main(net):\n    for part in net.modules():\n        if isinstance(part, Net):\n"
         "            part.compile()", "Net.forward"),
        ("def main(net: nn.Module):\n    for part in net.children():\n        if type(part) is Net:\n"
         "            part.compile()", "Net.forward"),
        ("class A:\n    def __call__(self, x): ...\ntorch.compile(A())", "A.__call__"),
        ("if __name__ == '__main__':\n    torch.compile(f)", "f"),
        ("def main():\n    torch.compile(f)", "f"),
        ("def main(net: Net):\n    return torch.compile(net)", "Net.forward"),
        ("def main():\n    def step(x): ...\n    return torch.compile(step)", "step"),
        ("def main():\n    @torch.compile\n    def step(x): ...\n    step(3)", "main.<locals>.step"),
        ("class T:\n    def __init__(self):\n        self.net = torch.compile(Net())", "Net.forward"),
        ("class T:\n    def __init__(self):\n        self.net = Net()\n"
         "        self.net = torch.compile(self.net)", "Net.forward"),
        ("class T:\n    def __init__(self):\n        self.step = torch.compile(self.step)\n"
         "    def step(self, x): ...",
         "T.step"),
        ("class T:\n    def __init__(self):\n        self.net = Net()\n    def fit(self):\n"
         "        self.net = torch.compile(self.net)", "Net.forward"),
        ("class T:\n    @torch.compile\n    def step(self, x): ...", "T.step"),
        ("class T(nn.Module):\n    @torch.compile(fullgraph=True)\n    def forward(self, x): ...", "T.forward"),
        ("net = Net()\nnet.forward = torch.compile(net.forward)", "Net.forward"),
    ],
)  # fmt: skip
def test_what_is_compiled_is_a_root(code: str, name: str) -> None:
    roots = compiled(code)
    assert set(names(roots)) == {name}
    assert all(root.explicit for root in roots)


WORLD = """
class World:
    def encode(self, x): ...
    def decode(self, x): ...
    def sample(self, x): ...

"""


@pytest.mark.parametrize(
    "code",
    [
        "world = World()\nfor name in ('encode', 'decode'):\n"
        "    setattr(world, name, torch.compile(getattr(world, name)))",
        "class T:\n    def __init__(self):\n        self.world, self.other = World(), World()\n"
        "        for owner, name in ((self.world, 'encode'), (self.other, 'decode')):\n"
        "            setattr(owner, name, torch.compile(getattr(owner, name)))",
        "def fast(world: World):\n    for name in ['encode', 'decode', 'sample']:\n        if name == 'sample':\n"
        "            continue\n        torch.compile(getattr(world, name))",
        "world = World()\nfast = {name: torch.compile(getattr(world, name)) for name in ('encode', 'decode')}",
        "world = World()\nNAMES = ('encode', 'decode')\n"
        "fast = [torch.compile(getattr(world, name)) for name in NAMES if name]",
    ],
)
def test_methods_that_a_loop_compiles_by_their_names(code: str) -> None:
    assert names(compiled(WORLD + code)) == ["World.encode", "World.decode"]


@pytest.mark.parametrize(
    "code",
    [
        "for name in self.COMPILED:\n            setattr(self, name, torch.compile(getattr(self, name)))",
        "for name in self.inherited:\n            setattr(self, name, torch.compile(getattr(self, name)))",
        "self.fast = {name: torch.compile(getattr(self, name)) for name in self.COMPILED}",
        "self.fast = [torch.compile(getattr(self, name)) for name in self.inherited]",
    ],
)
def test_methods_that_a_class_names(code: str) -> None:
    base = "class Base:\n    inherited = ['encode', 'decode']\n"
    cls = f"""class T(Base):
    COMPILED = ('encode', 'decode')
    def __init__(self):
        {code}
    def encode(self, x): ...
    def decode(self, x): ...
    def sample(self, x): ...
"""
    assert names(compiled(base + cls)) == ["T.encode", "T.decode"]


@pytest.mark.parametrize(
    ("decorator", "first", "called"),
    [
        ("", "self, ", "self.fast"),
        ("@staticmethod", "", "self.fast"),
        ("@staticmethod", "", "T.fast"),
        ("@classmethod", "cls, ", "self.fast"),
        ("@classmethod", "cls, ", "T.fast"),
    ],
)
def test_a_method_that_compiles_what_it_is_given(decorator: str, first: str, called: str) -> None:
    code = f"""
        class T:
            def __init__(self):
                self.step = {called}(self.raw, True)

            {decorator}
            def fast({first}g, on):
                return torch.compile(g) if on else g

            def raw(self, x): ...
    """
    assert names(compiled(code)) == ["T.raw"]


@pytest.mark.parametrize("decorator", ["@jit", "@jit()", "@jit(dynamic=True)"])
@pytest.mark.parametrize("later", ["functools.partial(jit, **options)", "lambda g: jit(g, **options)"])
def test_a_decorator_that_takes_options_or_none(decorator: str, later: str) -> None:
    code = f"""
        def jit(g=None, **options):
            if g is None:
                return {later}
            return torch.compile(g, **options)

        {decorator}
        def step(x): ...
    """
    assert names(compiled(code)) == ["step"]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("another compile", "import re\nre.compile('a')\ncompile('1', 'f', 'eval')"),
        ("a local function of that name", "def compile(g): ...\ncompile(f)"),
        ("a Keras-like model", "class K:\n    def compile(self): ...\nK().compile()"),
        ("it is disabled", "torch.compile(f, disable=True)"),
        ("its decorator is disabled", "@torch.compile(disable=True)\ndef g(x): ..."),
        ("source does not show what", "def main(model):\n    torch.compile(model)"),
        ("only a decorator is made", "torch.compile(dynamic=True)"),
        ("a layer of torch has no code of the project", "torch.compile(nn.Linear(3, 4))"),
        ("nothing is compiled", "f(3)\nNet()(3)"),
    ],
)
def test_nothing_is_compiled(why: str, code: str) -> None:
    assert names(compiled(code)) == []


@pytest.mark.parametrize(
    ("code", "fullgraph"),
    [
        ("torch.compile(f)", False),
        ("torch.compile(f, fullgraph=True)", True),
        ("torch.compile(f, fullgraph=False)", False),
        ("def main(option):\n    torch.compile(f, fullgraph=option)", False),
        ("torch.compile(fullgraph=True)(f)", True),
        ("@torch.compile(fullgraph=True)\ndef g(x): ...", True),
        ("fast = functools.partial(torch.compile, fullgraph=True)\nfast(f)", True),
        ("@functools.partial(torch.compile, fullgraph=True)\ndef g(x): ...", True),
        ("Net().compile(fullgraph=True)", True),
        ("options = {'fullgraph': True}\ntorch.compile(f, **options)", True),
    ],
)
def test_fullgraph_is_a_mode_of_the_root(code: str, fullgraph: bool) -> None:
    assert [root.mode for root in compiled(code)] == [Mode(fullgraph=fullgraph)]


def test_an_old_way_to_compile_says_fullgraph_by_another_name() -> None:
    (root,) = compiled("torch._dynamo.optimize('eager', nopython=True)(f)")
    assert root.mode.fullgraph
    assert not compiled("torch._dynamo.optimize('eager', disable=True)(f)")


def test_a_root_says_where_it_is_compiled() -> None:
    prelude = "import torch\ndef f(x): ...\n"
    (root,) = compiled("g = torch.compile(f, dynamic=True)", prelude)
    assert root.label == "train.py:3 torch.compile(f, dynamic=True)"
    (root,) = compiled("@torch.compile\ndef g(x): ...", prelude)
    assert root.label == "train.py:4 @torch.compile"


@pytest.mark.parametrize(
    ("given", "sure"),
    [
        ("net = Net() if fast else Other()", Confidence.HIGH),
        ("net: nn.Module = Net()", Confidence.HIGH),
        ("net = model if fast else wrapped(model)", Confidence.LOW),
        ("net = wrapped(model)", Confidence.HIGH),
    ],
)
def test_of_a_module_that_may_be_any_nothing_is_sure(given: str, sure: Confidence) -> None:
    code = f"""
    class Other(Net):
        pass

    def wrapped(model: nn.Module):
        if not isinstance(model, Other):
            raise TypeError("not wrapped yet")
        return Other()

    def main(model: nn.Module, fast: bool):
        {given}
        torch.compile(net)
    """
    assert {root.ceiling for root in compiled(code)} == {sure}


def test_a_function_that_is_compiled_where_it_is_defined_knows_what_is_around_it() -> None:
    (root,) = compiled("""
        def main():
            net = Net()

            @torch.compile
            def step(x):
                return net(x)
    """)
    assert isinstance((root.function.closure or {}).get("net"), Instance)
    assert root.label == "train.py:17 @torch.compile"


@pytest.mark.parametrize(
    "code",
    [
        "def step(net, x): ...\ndef main():\n    net, fast = Net(), torch.compile(step)\n    fast(net, 3)",
        "@torch.compile\ndef step(net, x): ...\nstep(3, net=torch.compile(Net()))",
    ],
)
def test_a_function_that_is_compiled_is_given_the_models_of_its_calls(code: str) -> None:
    (root,) = [each for each in compiled(code) if each.function.name == "step"]
    ((name, kind),) = but_numbers(root)
    assert name == "net"
    assert isinstance(kind, Instance)


AGENT = """
import torch
from torch import nn

class Euler:
    def step(self, x): ...

class Agent:
    def __init__(self, net, scheduler=None):
        self.net = net
        self.scheduler = scheduler

    @torch.compile
    def act(self, x): ...

"""


@pytest.mark.parametrize(
    "code",
    [
        "@torch.compile\ndef step(agent, x): ...\nstep(Agent(nn.Linear(2, 2), Euler()), 3)",
        "@torch.compile\ndef step(agent, x): ...\nagent = Agent(scheduler=Euler(), net=None)\nstep(x=3, agent=agent)",
        "def step(x, agent): ...\nfast = torch.compile(step)\nscheduler = Euler()\nfast(3, Agent(None, scheduler))",
        "def build(n, options):\n    return Agent(nn.Linear(n, n), Euler())\n@torch.compile\ndef step(agent, x): ...\n"
        "def main(options):\n    agent = build(3, options)\n    step(agent, 3)",
    ],
)
def test_a_function_that_is_compiled_is_given_objects_with_what_they_are_made_with(code: str) -> None:
    (root,) = [each for each in compiled(code, AGENT) if each.function.name == "step"]
    ((name, kind),) = but_numbers(root)
    assert name == "agent"
    assert isinstance(kind, Instance)
    assert isinstance(dict(kind.given)["scheduler"], Instance)


@pytest.mark.parametrize(
    ("others", "made_with"),
    [
        ("agent = Agent(None, Euler())", ["scheduler"]),
        ("def main():\n    agent = build(Agent(nn.Linear(2, 2), scheduler=Euler()))", ["net", "scheduler"]),
        ("Agent(nn.Linear(2, 2)), Agent(None, scheduler=Euler())", ["net", "scheduler"]),
        ("Agent(what, *others)", []),
        ("from elsewhere import Agent\nAgent(None, Euler())", []),
        ("Euler(), Agent", []),
        ("\n".join(f"class E{n}:\n    pass\nAgent(E{n}())" for n in range(5)), []),
    ],
)
def test_a_method_that_is_compiled_is_one_of_the_objects_that_the_project_makes(
    others: str, made_with: list[str]
) -> None:
    for code in (
        compiled(others, AGENT),
        compiled("", AGENT, main=f"from torch import nn\nfrom train import Agent, Euler\n{others}"),
    ):
        (root,) = code
        assert isinstance(root.function.receiver, Instance)
        assert [name for name, _ in root.function.receiver.given] == made_with


@pytest.mark.parametrize(
    "made",
    [
        "from train import *\nstep(Agent(None, Euler()), 3)",
        "import train\ndef main():\n    a = train.Agent(scheduler=train.Euler(), net=None)\n    train.step(a, 3)",
    ],
)
def test_a_function_that_is_compiled_is_given_what_other_files_give_it(made: str) -> None:
    code = "@torch.compile\ndef step(agent, x): ..."
    (root,) = [each for each in compiled(code, AGENT, main=made) if each.function.name == "step"]
    ((_, kind),) = but_numbers(root)
    assert isinstance(kind, Instance)
    assert [name for name, _ in kind.given] == ["scheduler"]


@pytest.mark.parametrize(
    ("given", "sort"),
    [
        ("lambda y: y", kinds.Function),
        ("loss", kinds.Function),
        ("Euler().step", kinds.Function),
        ("Euler", kinds.ProjectClass),
        ("torch.randn_like", kinds.Reference),
        ("functools.partial(loss, 3)", kinds.Partial),
        ("nn.MSELoss()", kinds.External),
        ("torch.optim.AdamW(what, lr=3)", kinds.External),
        ("torch.amp.GradScaler()", kinds.External),
        ("[Euler().step, loss]", kinds.Sequence),
        ("(('l1', loss), ('l2', loss))", kinds.Sequence),
        ("{'l1': loss, 'weight': 3}", kinds.Dictionary),
    ],
)
def test_a_function_that_is_compiled_is_given_functions_and_objects(given: str, sort: type) -> None:
    code = f"""
    import functools
    def loss(x): ...
    def step(x, fn=torch.rand_like): ...
    fast = torch.compile(step)
    fast(3, fn={given})
    """
    (root,) = [each for each in compiled(dedent(code), AGENT) if each.function.name == "step"]
    assert [(name, type(kind)) for name, kind in but_numbers(root)] == [("fn", sort)]


@pytest.mark.parametrize("several", ["(Euler(), loss)", "[Euler(), loss]", "{'a': Euler(), 'b': loss}.values()"])
def test_a_function_that_is_compiled_is_given_each_of_a_loop(several: str) -> None:
    code = (
        f"def loss(x): ...\ndef step(x, fn): ...\nfast = torch.compile(step)\nfor each in {several}:\n    fast(3, each)"
    )
    (root,) = [each for each in compiled(code, AGENT) if each.function.name == "step"]
    ((name, kind),) = but_numbers(root)
    assert name == "fn"
    assert {type(option) for option in kinds.options(kind)} == {kinds.Instance, kinds.Function}


def test_a_function_that_is_compiled_is_given_each_of_a_table() -> None:
    code = """
    def loss(x): ...
    def step(x, fn): ...
    fast = torch.compile(step)
    table = {'a': Euler(), 'b': loss}
    for name, each in table.items():
        fast(3, each)
    """
    (root,) = [each for each in compiled(dedent(code), AGENT) if each.function.name == "step"]
    ((name, kind),) = but_numbers(root)
    assert name == "fn"
    assert {type(option) for option in kinds.options(kind)} == {kinds.Instance, kinds.Function}


@pytest.mark.parametrize("several", ["(Euler(), what())", "[Euler(), 3]", "{'a': Euler(), 'b': what()}.values()"])
def test_of_a_loop_that_may_give_anything_its_body_tells(several: str) -> None:
    code = f"def step(x, fn): ...\nfast = torch.compile(step)\nfor each in {several}:\n    fast(3, each)"
    (root,) = [each for each in compiled(code, AGENT) if each.function.name == "step"]
    assert but_numbers(root) == ()


@pytest.mark.parametrize(
    "given",
    [
        "3",
        "torch.cuda.is_available()",
        "what()",
        "[]",
        "[Euler(), what()]",
        "{what(): Euler()}",
        "(Euler(), torch.ones(3))",
    ],
)
def test_of_what_else_a_function_is_given_its_body_tells(given: str) -> None:
    code = f"def step(x, fn): ...\nfast = torch.compile(step)\nfast(what(), {given})"
    (root,) = [each for each in compiled(code, AGENT) if each.function.name == "step"]
    assert but_numbers(root) == ()


@pytest.mark.parametrize(
    ("call", "dtype", "ndim"),
    [
        ("fast(3, torch.ones(3))", "float", 1),
        ("n = torch.tensor(5)\nfast(3, fn=n.to('cpu'))", "int", 0),
        ("x = torch.ones(3)\ny = x[0] > 2\nfast(3, y)", "bool", 0),
        ("def main(n):\n    fast(3, n)\nmain(torch.ones(2, 2))", "float", 2),
        ("fast(3, 4)\nfast(3, what())\nfast(3, torch.ones(3))", "float", None),
        ("fast(3, torch.ones(3))\nfast(3, torch.ones(3, 3))", "float", None),
        ("net = torch.compile(Net())\nnet(3, torch.ones(3))", "float", 1),
        ("for x, n in [(3, torch.ones(3)), (4, torch.ones(2))]:\n    fast(x, n)", "float", 1),
        ("def batch():\n    return 3, torch.ones(3)\nx, n = batch()\nfast(x, n)", "float", 1),
        ("inputs = (3, torch.ones(3))\nfast(*inputs)", "float", 1),
        ("class A:\n    def run(self, n):\n        fast(3, n)\nA().run(torch.ones(3))", "float", 1),
        ("inputs = {'fn': torch.ones(3)}\nfast(3, **inputs)", "float", 1),
    ],
)
def test_of_what_nobody_declares_a_script_tells_that_it_is_a_tensor(call: str, dtype: str, ndim: int | None) -> None:
    code = f"""
import torch
class Net(torch.nn.Module):
    def forward(self, x, fn=None): ...
def step(x, fn): ...
fast = torch.compile(step)
{call}
"""
    # Of a call that gives something else, or nobody knows what, others may be like it.
    sureness = Confidence.MEDIUM if "what()" in call else Confidence.HIGH
    tensor = kinds.Tensor(dtype, ndim, sureness, parameter=True)
    assert (("fn", tensor),) in [but_numbers(root) for root in compiled(code, AGENT)]


@pytest.mark.parametrize(
    ("call", "number"),
    [
        ("fast(0.5, 1)", kinds.FLOAT),
        ("for x in range(9):\n    fast(x, 1)", kinds.INT),
        ("def run(t0):\n    t = t0\n    while t < 1:\n        fast(t, 1)\n        t = t + 0.1\nrun(0.0)", kinds.FLOAT),
    ],
)
def test_of_what_nobody_declares_a_script_tells_that_it_is_a_number(call: str, number: kinds.Kind) -> None:
    code = f"import torch\ndef step(x, fn): ...\nfast = torch.compile(step)\n{call}"
    (root,) = [each for each in compiled(code, AGENT) if each.function.name == "step"]
    assert dict(root.accepts) == {"x": number, "fn": kinds.INT}


@pytest.mark.parametrize(
    ("declared", "given"),
    [
        ("fn: int", "what(torch.ones(3))"),
        ("fn: int", "maybe"),
        ("fn: str", "torch.ones(3)"),
        ("fn", "what(torch.ones(3))"),
        ("fn", "lambda: torch.ones(3)"),
        ("fn", "n"),
        ("fn", "*what(), torch.ones(3)"),
        ("fn", "**what()"),
    ],
)
def test_what_is_declared_or_nobody_knows_is_no_tensor_of_a_script(declared: str, given: str) -> None:
    code = f"import torch\ndef step(x, {declared}): ...\nfast = torch.compile(step)\n"
    code += f"maybe = torch.ones(3) if what else what\nfor n in []:\n    fast(3, {given})"
    (root,) = [each for each in compiled(code, AGENT) if each.function.name == "step"]
    assert [kind for _, kind in root.accepts if isinstance(kind, kinds.Tensor)] == []


@pytest.mark.parametrize("declared", ["fn: int", "fn: float", "fn: float = 2.0", "fn=1.0"])
def test_what_is_declared_to_be_a_number_is_the_tensor_that_a_script_makes_of_it(declared: str) -> None:
    code = (
        f"import torch\ndef step(x, {declared}): ...\nfast = torch.compile(step)\nfn = torch.tensor(2.0)\nfast(3, fn)"
    )
    (root,) = [each for each in compiled(code, AGENT) if each.function.name == "step"]
    assert dict(root.accepts)["fn"] == kinds.Tensor("float", 0, parameter=True)


LOOPS = """
import torch

@torch.compile
def step(agent, x): ...

def epoch(agent, data):
    for x in data:
        step(agent, x)

def fit(agent, data, model=None):
    fast = torch.compile(model)
    epoch(data=data, agent=agent)
"""


def test_what_a_script_hands_from_function_to_function_comes_to_the_step() -> None:
    main = "import train\nfrom loops import fit\ndef main(data):\n    {}\n"
    for call in ("fit(train.Agent(None, train.Euler()), data)", "a = train.Agent(None, train.Euler())\n    fit(a, [])"):
        found = compiled("", AGENT, loops=LOOPS, main=main.format(call))
        ((name, kind),) = next(but_numbers(root) for root in found if root.function.name == "step")
        assert isinstance(kind, Instance)
        assert (name, [given for given, _ in kind.given]) == ("agent", ["scheduler"])


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("fit(None, [], Net())", ["Net.forward"]),
        ("fit(None, [], model=Net())", ["Net.forward"]),
        ("net = Net()\n    fit(None, [], net)", ["Net.forward"]),
        ("fit(None, [], what)", []),
        ("fit(None, [], 3)", []),
        ("others.fit(None, [], Net())", []),
    ],
)
def test_what_a_function_compiles_is_what_a_script_hands_it(call: str, found: list[str]) -> None:
    main = f"from train import Net\nfrom loops import fit\nimport others\ndef main():\n    {call}\n"
    assert [name for name in names(compiled("", loops=LOOPS, main=main)) if name != "step"] == found


FAST = """
def fast(fn, enabled=False, mode="default"):
    if not enabled:
        return fn
    {}
"""
FAST_USERS = """
from tools import fast
class Policy:
    def __init__(self, quick):
        self.step = fast(self.one, enabled=quick)
    def one(self, x):
        return x
def main(args):
    def two(x):
        return x
    fast(two, args.quick)
    fast(what)
"""


@pytest.mark.parametrize(
    "how",
    [
        "return torch.compile(fn, mode=mode)",
        "compiler = getattr(torch, 'compile', None)\n    return fn if compiler is None else compiler(fn)",
        "return put(torch.compile, fn)\ndef put(compiler, fn):\n    return compiler(fn)",
    ],
    ids=["at once", "where there is one", "by a helper of its own"],
)
def test_what_a_helper_compiles_is_what_each_of_its_callers_hands_it(how: str) -> None:
    found = compiled("", tools="import torch\n" + FAST.format(how), use=FAST_USERS)
    assert names(found) == ["Policy.one", "main.<locals>.two"]


def test_what_a_helper_must_refuse_it_does_not_compile() -> None:
    tools = "import torch\n" + FAST.format("return torch.compile(fn)")
    use = "import pytest\nfrom tools import fast\ndef good(x):\n    return x\ndef bad(x):\n    return x\n"
    use += "def test_fast():\n    with pytest.raises(ValueError):\n        fast(bad, True)\n    fast(good, True)\n"
    assert names(compiled("", tools=tools, use=use)) == ["good"]


def test_what_a_method_compiles_is_what_its_class_hands_it() -> None:
    base = "class Base:\n    def fast(self, fn):\n        return torch.compile(fn) if self.cfg.quick else fn\n"
    agent = "class Agent(Base):\n    def __init__(self, cfg):\n        self.cfg = cfg\n"
    uses = "".join(f"        self.{name} = self.fast(self._{name})\n" for name in "ab")
    methods = "".join(f"    def _{name}(self, x):\n        return x\n" for name in "abc")
    assert names(compiled(base + agent + uses + methods)) == ["Agent._a", "Agent._b"]


def test_what_a_helper_compiles_may_be_many_functions() -> None:
    made = "\n".join(f"    def f{i}(x):\n        return x\n    fast(f{i}, args.quick)" for i in range(9))
    tools = "import torch\n" + FAST.format("return torch.compile(fn)")
    found = compiled("", tools=tools, use=f"from tools import fast\ndef main(args):\n{made}\n")
    assert names(found) == [f"main.<locals>.f{i}" for i in range(9)]


def test_a_function_that_is_compiled_inside_another_knows_the_class_that_a_script_hands_that() -> None:
    patch = "import torch\ndef patch(mask_class, **options):\n    @torch.compile\n    def fast(x):\n"
    patch += "        return mask_class(x.shape[0], **options)\n    return fast\n"
    (root,) = compiled("", patch=patch, main="from patch import patch\nfrom train import Net\npatch(Net, window=3)")
    assert root.function.name == "patch.<locals>.fast"
    closed_over = dict(root.function.closure or ())
    assert isinstance(closed_over["mask_class"], kinds.ProjectClass)


@pytest.mark.parametrize("where", ["{}", "def main():\n    {}\nmain()", "def main():\n    {}"])
def test_a_function_that_several_calls_compile_closes_over_what_any_of_them_gives(where: str) -> None:
    code = """
class A: ...
class B: ...
def patch(kind, n):
    @torch.compile
    def forward(x):
        return kind().mask(x) * n
    return forward
"""
    (root,) = compiled(code + where.format("patch(A, 2), patch(B, 3)"))
    closed_over = dict(root.function.closure or ())
    assert {getattr(each, "name", "") for each in kinds.options(closed_over["kind"])} == {"A", "B"}


@pytest.mark.parametrize(("call", "found"), [("run('a', f, *rest)", ["f"]), ("run(*rest, f)", [])])
def test_what_stands_before_a_starred_argument_is_known(call: str, found: list[str]) -> None:
    code = "def run(name, fn, *args):\n    return torch.compile(fn)(*args)\ndef main(rest):\n    " + call
    assert names(compiled(code)) == found


def test_a_function_that_calls_itself_is_given_what_others_give_it() -> None:
    code = "def fit(net, n):\n    torch.compile(net)\n    fit(net, n - 1)\nfit(Net(), 3)"
    assert set(names(compiled(code))) == {"Net.forward"}


LIBRARY = {f"user{n}": "from train import *\nstep(Agent(None, Euler()), 3)" for n in range(20)}


def test_what_a_library_compiles_is_given_what_nobody_knows() -> None:
    found = compiled("@torch.compile\ndef step(agent, x): ...", AGENT, **LIBRARY)
    assert {root.accepts for root in found if root.function.name == "step"} == {()}


@pytest.mark.parametrize("where", ["__init__(self, net, how)", "__init__(self, net, how=None)", "setup(self)"])
def test_what_a_class_compiles_is_what_the_project_gives_it(where: str) -> None:
    init = "" if where.startswith("__init__") else "def __init__(self, net, how):\n                self.how = how\n"
    prelude = f"""
        import torch

        class Trainer:
            {init}
            def {where}:
                {"self.how = how" if not init else ""}
                self.fast = torch.compile(self.how.step)
    """
    main = """
        from train import Trainer
        class Euler:
            def step(self, x): ...
        def main():
            Trainer(None, Euler())
    """
    assert names(compiled("", dedent(prelude), main=main)) == ["Euler.step"]


def test_what_another_file_defines_is_compiled() -> None:
    (root,) = compiled("from model import Big\ntorch.compile(Big())", model="""
    from torch import nn
    class Big(nn.Module):
        def forward(self, x): ...
    """)  # fmt: skip
    assert root.function.key[0] == "model.py"
    assert root.label.startswith("train.py:")


# Forwards


@pytest.mark.parametrize(
    "decorator", ["@torch.compile(fullgraph=True)", "@functools.partial(torch.compile, fullgraph=True)"]
)
def test_what_a_class_does_that_is_compiled_when_it_is_called(decorator: str) -> None:
    """Dynamo 2.13 compiles the `forward` of its objects, and takes fullgraph at its word."""
    (root,) = compiled(
        f"{decorator}\nclass Head(nn.Module):\n    def forward(self, x): ...\n    def other(self, x): ..."
    )
    assert (root.function.name, root.mode) == ("Head.forward", Mode(fullgraph=True))


def test_a_class_whose_compilation_is_disabled_is_no_root() -> None:
    assert compiled("@torch.compile(disable=True)\nclass Head(nn.Module):\n    def forward(self, x): ...") == []


LAZILY = """
import torch, functools

def lazily(**options):
    def decorator(fn):
        compiled = None

        @functools.wraps(fn)
        def wrapper(*args, enable=False, **kwargs):
            nonlocal compiled
            if not enable or torch.compiler.is_compiling():
                return fn(*args, **kwargs)
            if compiled is None:
                compiled = torch.compile(fn, fullgraph=True, **options)
            return compiled(*args, **kwargs)

        return wrapper

    return decorator
"""


def test_what_a_decorator_compiles_when_it_is_called_is_a_root() -> None:
    code = """
    from lazy_compile import lazily

    @lazily(dynamic=True)
    def step(x): ...

    class Metric:
        @lazily()
        def update(self, x): ...

    def other(x): ...
    """
    found = compiled(code, lazy_compile=LAZILY)
    assert [(root.function.name, root.mode.fullgraph, root.label.partition(" ")[0]) for root in found] == [
        ("step", True, "lazy_compile.py:14"),
        ("Metric.update", True, "lazy_compile.py:14"),
    ]
    assert isinstance(found[1].function.receiver, Instance)


@pytest.mark.parametrize(
    "compiling",
    [
        "        compiled = torch.compile(fn.__get__(self, None), fullgraph=True)\n        return compiled(*args)",
        "        compiled = torch.compile(functools.partial(fn, self), fullgraph=True)\n        return compiled(*args)",
        "        return fn(self, *args)\n    compiled = torch.compile(fn, fullgraph=True)",
    ],
)
def test_what_a_decorator_compiles_of_a_method_bound_or_as_it_decorates_is_a_root(compiling: str) -> None:
    code = f"""
import functools
def maybe(fn):
    def inner(self, *args):
{compiling}
    return inner
class Decoder(nn.Module):
    @maybe
    def decode(self, x): ...
    def other(self, x): ...
"""
    (found,) = compiled(code)
    assert (found.function.name, found.mode.fullgraph) == ("Decoder.decode", True)
    assert isinstance(found.function.receiver, Instance)


OBJECTS = """
import torch

class LazyCompiled:
    def __init__(self, fn, **options):
        self.fn, self.options, self.compiled = fn, options, None

    def __call__(self, *args, **kwargs):
        if self.compiled is None:
            self.compiled = torch.compile(self.fn, fullgraph=True)
        return self.compiled(*args, **kwargs)

class Compiled:
    def __init__(self, fn):
        self.compiled = torch.compile(fn)

    def __call__(self, *args):
        return self.compiled(*args)

class Compiler:
    def __init__(self, logger=None):
        self.logger = logger

    def __call__(self, func, **options):
        if self.logger is not None:
            self.logger.info(func.__name__)
        return torch.compile(func, **options)

class Timed:
    def __init__(self, fn):
        self.fn = fn

    def __call__(self, *args):
        return self.fn(*args)

class Method:
    def __init__(self, fn):
        self.fn, self.compiled = fn, None

    def __get__(self, obj, owner=None):
        if self.compiled is None:
            self.compiled = torch.compile(self.fn)
        return functools.partial(self.compiled, obj)
"""


def test_what_an_object_compiles_that_decorates_a_function_is_a_root() -> None:
    code = """
    from compile_objects import Compiled, Compiler, LazyCompiled, Method, Timed

    compiler = Compiler()

    @LazyCompiled
    def first(x): ...

    @Compiled
    def second(x): ...

    @compiler
    def third(x): ...

    @Timed
    def fourth(x): ...

    class Sampler:
        @Method
        def fifth(self, x): ...
    """
    found = compiled(code, compile_objects=OBJECTS)
    assert [(root.function.name, root.mode.fullgraph, root.label.partition(" ")[0]) for root in found] == [
        ("first", True, "compile_objects.py:10"),
        ("second", False, "compile_objects.py:15"),
        ("third", False, "compile_objects.py:27"),
        ("Sampler.fifth", False, "compile_objects.py:42"),
    ]


def test_a_decorator_that_compiles_something_else_makes_no_root() -> None:
    code = """
    def warm(fn):
        def compiling(*args):
            torch.compile(f)(*args)
            return fn(*args)
        return compiling

    @warm
    def step(x): ...
    """
    assert "step" not in names(compiled(code))


def forwards(code: str, prelude: str = "import torch\nfrom torch import nn\n", **others: str) -> list[str]:
    """Names of the functions that the code only offers to be compiled."""
    found = inspector(code, prelude, **others)
    return names(list(offered_roots(found, "train.py")))


def test_a_forward_that_trains_is_no_root() -> None:
    """Its optimizer is what runs around the region; one that only computes gradients may be compiled."""
    code = """
    class Trainer(nn.Module):
        def forward(self, x):
            loss = self.net(x).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    class Score(nn.Module):
        def forward(self, x):
            self.net(x).sum().backward()
            return x.grad
    """
    assert forwards(code) == ["Score.forward"]


def test_a_forward_that_trains_either_way_is_no_root() -> None:
    code = """
    class Trainer(nn.Module):
        def forward(self, batches):
            for step, x in enumerate(batches):
                loss = self.net(x).mean()
                if self.scaler is not None:
                    self.scaler.scale(loss).backward()
                else:
                    loss.backward()
                if step % 4 == 3:
                    self.optimizer.step()
                    self.optimizer.zero_grad()
    """
    assert forwards(code) == []


def test_a_layer_that_fits_what_it_holds_where_it_is_asked_to_is_a_root() -> None:
    """As quantizers do with their codebooks; most are never asked."""
    code = """
    class LatentQuantize(nn.Module):
        def forward(self, x):
            out = self.quantize(x)
            if self.optimizer is not None and self.training:
                (out - x).pow(2).mean().backward()
                self.optimizer.step()
                self.optimizer.zero_grad()
            return out
    """
    assert forwards(code) == ["LatentQuantize.forward"]


def test_a_forward_that_trains_by_a_method_of_its_class_is_no_root() -> None:
    """As explainers do, which fit a mask in each call; a step by hand beside `forward` is somebody else's."""
    code = """
    class Explainer(nn.Module):
        def forward(self, x):
            self._fit(x)
            return self.mask

        def _fit(self, x):
            optimizer = torch.optim.Adam([self.mask])
            for _ in range(10):
                optimizer.zero_grad()
                (x * self.mask).sum().backward()
                optimizer.step()

    class Net(nn.Module):
        def forward(self, x):
            return self.head(x)

        def fit(self, x):
            self.optimizer.zero_grad()
            self(x).sum().backward()
            self.optimizer.step()
    """
    assert forwards(code) == ["Net.forward"]


def test_a_forward_that_saves_a_model_is_no_root() -> None:
    """It trains one, or stops who does; one that saves what it computed, to look at it, is a model all the same."""
    code = """
    class EarlyStopper(nn.Module):
        def forward(self, score):
            if score > self.best:
                self.save("best.pt")
            return self.net(score)

        def save(self, path):
            torch.save({"model": self.net.state_dict()}, path)

    class Net(nn.Module):
        def forward(self, x):
            torch.save(x, "debug.pt")
            return self.head(x)

        def save(self, path):
            torch.save(self.state_dict(), path)
    """
    assert forwards(code) == ["Net.forward"]


def test_a_forward_that_is_given_a_model_to_read_its_parameters_is_no_root() -> None:
    """So does a moving average of weights; the parameters of a module's own layers may be read in what is compiled."""
    code = """
    class Average(nn.Module):
        def forward(self, model):
            for name, parameter in model.named_parameters():
                self.shadow[name].sub_(parameter)

    class Shallow(nn.Module):
        def forward(self, model):
            return list(model.parameters(recurse=False))

    class Penalty(nn.Module):
        def forward(self, x):
            return x.sum() + sum(p.abs().sum() for p in self.parameters())
    """
    assert forwards(code) == ["Penalty.forward"]


def test_a_forward_that_takes_only_arrays_is_around_the_models_that_it_holds() -> None:
    """It is none of them; where something may be a tensor, or is not declared, it may be one."""
    code = """
    import numpy as np

    class Predictor(nn.Module):
        def forward(self, pages: list[np.ndarray], batch: int = 2, mask: np.ndarray | None = None, **options):
            return self.model(torch.stack([torch.from_numpy(page) for page in pages]))

    class Either(nn.Module):
        def forward(self, x: np.ndarray | torch.Tensor): ...

    class Both(nn.Module):
        def forward(self, x: np.ndarray, y: torch.Tensor): ...

    class Untold(nn.Module):
        def forward(self, x: np.ndarray, y): ...

    class OfTexts(nn.Module):
        def forward(self, texts: list[str]): ...
    """
    assert forwards(code) == ["Either.forward", "Both.forward", "Untold.forward", "OfTexts.forward"]


def test_every_forward_of_a_module_is_a_root() -> None:
    code = """
    class A(nn.Module):
        def forward(self, x): ...
        def other(self, x): ...
    class B(A): ...
    class C(A):
        def forward(self, x): ...
    """
    assert forwards(code) == ["A.forward", "C.forward"]


def test_what_a_module_has_in_place_of_the_call_is_a_root_too() -> None:
    code = """
    class A(nn.Module):
        def __call__(self, x): ...
        def forward(self, x): ...
    class B(A):
        def forward(self, x): ...
    class C:
        def __call__(self, x): ...
    class D(nn.Module):
        def __call__(self, x): ...
    """
    assert forwards(code) == ["A.__call__", "A.forward", "B.forward"]


def test_an_inherited_call_is_a_root_where_it_calls_what_the_class_fills_in() -> None:
    code = """
    class A(nn.Module):
        def initialize(self, x): raise NotImplementedError
        def __call__(self, x):
            self.initialize(x)
            return super().__call__(x)
    class B(A):
        def initialize(self, x): ...
        def forward(self, x): ...
    class C(A):
        def forward(self, x): ...
    """
    assert forwards(code) == ["A.__call__", "B.forward", "C.forward"]  # of an instance of B


def test_to_compile_a_module_is_to_compile_what_it_has_in_place_of_the_call() -> None:
    code = """
    class A(nn.Module):
        def __call__(self, x): ...
        def forward(self, x): ...
    torch.compile(A())
    """
    assert names(compiled(code)) == ["A.__call__", "A.forward"]


def test_modules_are_known_through_bases_in_other_files() -> None:
    others = {
        "base": "from middle import Middle\nclass Base(Middle): ...",
        "middle": "from torch import nn\nclass Middle(nn.Module): ...",
    }
    assert forwards("from base import Base\nclass A(Base):\n    def forward(self, x): ...", **others) == ["A.forward"]


@pytest.mark.parametrize(
    ("imports", "base"),
    [
        ("from lightning.pytorch import LightningModule", "LightningModule"),
        ("import lightning as L", "L.LightningModule"),
        ("import pytorch_lightning as pl", "pl.LightningModule"),
    ],
)
def test_the_steps_of_a_lightning_module_are_roots(imports: str, base: str) -> None:
    code = f"{imports}\nclass A({base}):\n    def training_step(self, b, i): ...\n    def on_fit_end(self): ...\n"
    assert forwards(code) == ["A.training_step"]


LIGHTNING = """\
import torch
import lightning
class A(lightning.LightningModule):
    def forward(self, x): ...
    def training_step(self, b, i): ...
    def on_fit_end(self): ...
"""


def test_the_steps_of_a_lightning_module_that_is_wrapped_are_compiled() -> None:
    found = compiled("torch.compile(A())", prelude=LIGHTNING)
    assert names(found) == ["A.forward", "A.training_step"]
    assert all(root.explicit for root in found)


@pytest.mark.parametrize(
    ("why", "body", "steps"),
    [
        ("only called", "a = A()\na = torch.compile(a)\na.eval()\nfor x in data:\n    a(x)", []),
        ("called with options", "a = torch.compile(A())\na(**batch)", []),
        ("handed to a trainer", "a = torch.compile(A())\na(x)\ntrainer.fit(a, data)", ["A.training_step"]),
        ("never called here", "a = torch.compile(A())", ["A.training_step"]),
        ("given back", "def made(x):\n    a = torch.compile(A())\n    a(x)\n    return a", ["A.training_step"]),
    ],
)
def test_what_is_only_called_has_no_trainer_to_take_its_steps(why: str, body: str, steps: list[str]) -> None:
    assert names(compiled(body, prelude=LIGHTNING)) == ["A.forward", *steps], why


def test_the_steps_of_a_lightning_module_that_is_compiled_in_place_are_not() -> None:
    assert names(compiled("A().compile()", prelude=LIGHTNING)) == ["A.forward"]


@pytest.mark.parametrize(
    "body",
    [
        "        self.net = Net()\n        self.net.compile()",
        "        if fast:\n            self.net.head.compile(dynamic=True)",
        "        self.net = torch.compile(Net())",
        "        self.run = torch.compile(self.net)",
        "        for block in self.net.blocks:\n            block.compile()",
        "        for i, block in enumerate(self.blocks):\n            self.blocks[i] = torch.compile(block)",
    ],
)
def test_a_lightning_module_that_compiles_what_it_holds_is_not_compiled_itself(body: str) -> None:
    code = f"{LIGHTNING}    def __init__(self, fast):\n{body}\n"
    assert forwards(code) == []
    assert forwards(f"{code}class B(A):\n    def training_step(self, b, i): ...") == []


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("an expression", "        self.word = re.compile('a')"),
        ("a method of its own", "        self.compile()"),
        ("something else", "        other.compile()"),
        ("nothing", "        self.net = Net()"),
    ],
)
def test_a_lightning_module_that_compiles_no_part_is_offered(why: str, body: str) -> None:
    code = f"import re\n{LIGHTNING}    def __init__(self, other):\n{body}\n"
    assert forwards(code) == ["A.forward", "A.training_step"]


BESIDE = """
def apply(x, module):
    return module(x)
def test(net, module):
    module.eval()
    return net(apply(0, module))
def again(module, n):
    return again(module, n - 1) if n else module(n)
def keeps(module):
    return module
def compiles(module):
    module = torch.compile(module)
    return module(0)
def handed(module):
    return module(0)
STEPS = [handed]
class Pad(nn.Module):
    def forward(self, x): ...
class Net(nn.Module):
    def forward(self, x): ...
def main(loader):
    net = torch.compile(Net())
    {0}
"""


@pytest.mark.parametrize(
    "body",
    [
        "pad = Pad()\n    for x in loader:\n        net(pad(x))",
        "pad = Pad(4).to('cpu')\n    pad.eval()\n    list(pad.parameters())\n    net(pad(loader))",
        "pad = open(loader)\n    use(pad)\n    pad = Pad()\n    net(pad(loader))",
        "pad = Pad()\n    net(pad(loader))\n    other = Pad()\n    net(other(loader))",
        "pad = Pad()\n    pad = pad.to('cpu')\n    net(pad(loader))",
        "pad = Pad()\n    net(apply(loader, pad))",
        "pad = Pad()\n    net(apply(x=loader, module=pad))",
        "pad = Pad()\n    net(pad(loader))\n    test(net, pad)",
        "pad = Pad()\n    net(pad(loader))\n    again(pad, 3)",
    ],
)
def test_a_script_leaves_a_module_alone_that_it_only_calls(body: str) -> None:
    assert "Pad.forward" not in forwards(BESIDE.format(body))


def test_so_does_one_that_makes_it_as_it_begins() -> None:
    code = BESIDE.format("net(pad(loader))").replace("def main", "pad = Pad()\ndef main")
    assert forwards(code) == ["Net.forward"]


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("it is never called", "pad = Pad()"),
        ("it is handed on", "pad = Pad()\n    pad(loader)\n    fit(pad)"),
        ("it is handed on by what gives it", "pad = Pad()\n    pad(loader)\n    fit(pad.cuda())"),
        ("a method of it is", "pad = Pad()\n    pad(loader)\n    fit(pad.forward)"),
        ("it is compiled in place", "pad = Pad()\n    pad.compile()\n    pad(loader)"),
        ("it is kept", "pad = Pad()\n    net.pad = pad\n    pad(loader)"),
        ("another is", "pad = Pad()\n    pad(loader)\n    net.pad = Pad()"),
        ("another is made under the name", "pad = Pad()\n    pad(loader)\n    if loader:\n        pad = wrap(pad)"),
        ("a class is made of it", "class More(Pad): ...\n    pad = Pad()\n    pad(loader)"),
        ("the class is handed on", "pad = Pad()\n    pad(loader)\n    register(Pad)"),
        ("a function gives it back", "pad = Pad()\n    pad(loader)\n    keeps(pad)"),
        ("a function compiles it", "pad = Pad()\n    pad(loader)\n    compiles(pad)"),
        ("a function gets it that may be compiled", "pad = Pad()\n    pad(loader)\n    handed(pad)"),
        ("it is among others that a function gets", "pad = Pad()\n    pad(loader)\n    apply(*pad)"),
        ("the moved one is called otherwise", "pad = Pad()\n    other = pad.to('cpu')\n    pad(loader)"),
    ],
)
def test_a_module_may_be_part_of_what_is_compiled(why: str, body: str) -> None:
    assert "Pad.forward" in forwards(BESIDE.format(body))


def test_a_script_leaves_alone_what_only_such_modules_hold() -> None:
    code = BESIDE.format("pad = Outer()\n    net(pad(loader))") + (
        "class Outer(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.pad = Pad()\n"
        "    def forward(self, x): ...\n"
    )
    assert forwards(code) == ["Net.forward"]
    assert "Pad.forward" in forwards(code.replace("net(pad(loader))", "net(pad(loader), Pad())"))
    assert forwards(code, __init__="") == ["Pad.forward", "Net.forward"], "a file of a package, and what it shows"


def test_a_script_that_has_an_option_of_that_name_compiles_nothing() -> None:
    code = BESIDE.format("pad = Pad()\n    net(pad(loader))").replace(
        "torch.compile(Net())", "Net() if loader.compile else None"
    )
    code = code.replace("torch.compile(module)", "module")
    assert "Pad.forward" in forwards(code)


def test_a_script_that_compiles_nothing_offers_all() -> None:
    code = BESIDE.format("pad = Pad()\n    net(pad(loader))").replace("torch.compile(", "str(")
    assert forwards(code) == ["Pad.forward", "Net.forward"]


def test_what_other_files_import_may_be_compiled_there() -> None:
    code = BESIDE.format("pad = Pad()\n    net(pad(loader))")
    assert "Pad.forward" in forwards(code, other="from train import Pad\n")


def test_what_is_compiled_where_a_global_says_so_that_a_function_sets() -> None:
    code = """
    FAST = False
    def configure(fast):
        global FAST
        FAST = fast
    def loss(x): ...
    def main():
        configure(True)
        return torch.compile(loss) if FAST else loss
    """
    assert names(compiled(code)) == ["loss"]
    assert names(compiled(code.replace("global FAST", "pass"))) == []


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("a function", "        self.attend = torch.compile(attend)"),
        ("a function of torch's", "        self.attend = torch.compile(nn.functional.gelu)"),
        ("what is made of a function", "        self.attend = torch.compile(partial(attend, 1))"),
        ("a method of its own", "        self.embed = torch.compile(self.embed)"),
        ("its own call", "        self.run = torch.compile(self.__call__)"),
        ("its own forward", "        self.run = torch.compile(self.forward)"),
        ("what it is given", "        self.net = torch.compile(net)"),
        ("an expression", "        self.word = re.compile('a')"),
        ("something else", "        net.compile()"),
        ("a part when asked", "        ...\n    def fast(self):\n        self.net = torch.compile(self.net)"),
    ],
)
def test_a_module_that_compiles_no_part_as_it_is_made_is_offered(why: str, body: str) -> None:
    code = f"""
import re
from functools import partial
def attend(x): ...
class A(nn.Module):
    def __init__(self, net):
        super().__init__()
{body}
    def embed(self, x): ...
    def forward(self, x): ...
"""
    assert forwards(code) == ["A.forward"]


def test_the_steps_of_other_modules_are_no_roots() -> None:
    assert forwards("class A(nn.Module):\n    def training_step(self, b, i): ...\n") == []


def test_a_model_of_transformers_is_a_module() -> None:
    code = "from transformers import PreTrainedModel\nclass A(PreTrainedModel):\n    def forward(self, x): ...\n"
    assert forwards(code) == ["A.forward"]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("no module", "class A:\n    def forward(self, x): ..."),
        ("an autograd function", "class A(torch.autograd.Function):\n    def forward(ctx, x): ..."),
        ("it is disabled", "class A(nn.Module):\n    @torch.compiler.disable\n    def forward(self, x): ..."),
        ("it compiles a part of itself",
         "class A(nn.Module):\n    def forward(self, x):\n        return torch.compile(self.g)(x)\n"
         "    def g(self, x): ..."),
        ("it compiles a part of itself when that is first needed",
         "class A(nn.Module):\n    def forward(self, x):\n        return self.compiled()(x)\n"
         "    def compiled(self):\n        return torch.compile(self.g)\n    def g(self, x): ..."),
        ("it marks what goes into a compiled part",
         "class A(nn.Module):\n    def forward(self, x):\n        torch._dynamo.mark_dynamic(x, 0)\n"
         "        return self.compiled(x)"),
        ("it starts the steps of a compiled part",
         "class A(nn.Module):\n    def forward(self, x):\n        torch.compiler.cudagraph_mark_step_begin()\n"
         "        return self.compiled(x)"),
        ("nothing is compiled at all", "def f(x): ..."),
    ],
)  # fmt: skip
def test_no_forward_is_a_root(why: str, code: str) -> None:
    assert forwards(code) == []


def test_a_file_that_cannot_be_parsed_has_no_roots() -> None:
    assert compiled("torch.compile(f", PRELUDE) == []


@pytest.mark.parametrize(
    "code",
    [
        "import re\nPATTERN = re.compile('a')\ndef g():\n    return torch.compiler.is_compiling()\n",
        "class Net(nn.Module):\n    _can_compile_fullgraph = True\n    supports_compile: bool = False  # too large\n",
    ],
)
def test_a_file_that_compiles_no_function_is_not_run(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: object) -> None:
        raise AssertionError("it was run")

    monkeypatch.setattr(roots, "_compiled_in", run)
    assert compiled(code) == []
    monkeypatch.undo()
    assert [root.function.name for root in compiled(f"{code}\ng = torch.compile(f)")] == ["f"]


def test_a_flag_may_be_what_has_a_base_class_compile() -> None:
    base = """
    import torch
    class Base:
        compile_it = False
        def __init__(self):
            if self.compile_it:
                self.step = torch.compile(self.step)
    """
    code = "from base import Base\nclass Net(Base):\n    compile_it = True\n    def step(self, x): ...\nnet = Net()\n"
    assert [root.function.name for root in compiled(code, base=base)] == ["Net.step"]
