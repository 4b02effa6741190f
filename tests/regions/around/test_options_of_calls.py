"""The options that all calls of something compiled agree on."""

from __future__ import annotations

import pytest

from compilelint.inspect import kinds
from compilelint.regions import compiled_roots
from tests.inspect.make import inspector

NET = """
class Net(nn.Module):
    def forward(self, x, mask=None, debug=False, mode="fast", scale=1.0):
        return x

def run(model, x, m):
    return model(x, m)

def keep(kept, into):
    kept(1)
    into.append(kept)


def main(x, m, options, use):
    net = Net()
    {}
"""


def agreed(how: str, **others: str) -> dict[str, bool | str | None]:
    code = NET.format(how.replace("\n", "\n    "))
    (root,) = compiled_roots(inspector(code, **others), "example.py")
    return {name: kind.value for name, kind in root.accepts if isinstance(kind, kinds.Const)}


@pytest.mark.parametrize(
    "how",
    [
        "fast = torch.compile(net)\nfast(x, m)",
        "net = torch.compile(net)\nfor _ in range(3):\n    net(x, mask=m)",
        "net.compile()\nnet(x, m)",
        "fast = torch.compile(net).to('cuda').eval()\nfast(x, m)",
        "fast = torch.compile(net)\nfast.eval()\nfaster = fast.half()\nfaster(x, m)\nfast(x)",
        "fast = torch.compile(net)\nopt = torch.optim.SGD(fast.parameters(), 0.1)\nf = lambda: fast(x, m)",
        "net = net.cuda()\nnet = torch.compile(net)\ny = net(x, m)[0]",
        "fast = torch.compile(net)\nrun(fast, x, m)",
        "net = torch.compile(net) if options else net\nnet(x, m)",
        "fast = torch.compile(net)\nrun(x=x, model=fast, m=m)\nprint(fast)",
        "fast = torch.compile(net)\nfor each in (net, fast):\n    each(x, m)",
        "fast = torch.compile(net)\nys = [each(x, m) for each in [net, fast]]",
        "fast = torch.compile(net)\nfor name, each in [('eager', net), ('fast', fast)]:\n    print(name, each(x, m))",
    ],
)
def test_what_no_call_gives_is_as_it_is_by_default(how: str) -> None:
    assert agreed(how) == {"debug": False, "mode": "fast"}


@pytest.mark.parametrize(
    ("calls", "known"),
    [
        (["fast(x)", "fast(x, debug=True)"], {"mask": None, "mode": "fast"}),
        (["fast(x, debug=True)"], {"mask": None, "debug": True, "mode": "fast"}),
        (["fast(x, m, True, 'slow')", "fast(x, m, mode='slow', debug=True)"], {"debug": True, "mode": "slow"}),
        (["fast(x)", "fast(x, None, False)"], {"mask": None, "debug": False, "mode": "fast"}),
        (["fast(x, debug=use)", "fast(x, mode='slow')"], {"mask": None}),
    ],
)
def test_what_all_calls_give_is_known(calls: list[str], known: dict[str, bool | str | None]) -> None:
    assert agreed("\n".join(["fast = torch.compile(net)", *calls])) == known


def test_what_options_swallow_is_known_where_there_are_such() -> None:
    code = """
def step(x{}): ...

fast = torch.compile(step)
fast(x, attentions=True, steps=3)
fast(x, attentions=True, other="a")
"""
    (root,) = compiled_roots(inspector(code.format(", **options")), "example.py")
    assert dict(root.accepts)["attentions"] == kinds.Const(True)
    assert {"steps", "other"}.isdisjoint(dict(root.accepts))
    (root,) = compiled_roots(inspector(code.format("")), "example.py")
    assert "attentions" not in dict(root.accepts)


@pytest.mark.parametrize(
    ("why", "how"),
    [
        ("nobody calls it", "fast = torch.compile(net)"),
        ("is handed on", "fast = torch.compile(net)\nfast(x)\nuse(fast)"),
        ("is handed on as it is compiled", "use(torch.compile(net))"),
        ("is handed on by whom it is handed to", "fast = torch.compile(net)\nkeep(fast, use)"),
        ("is handed on by name", "fast = torch.compile(net)\nfast(x)\nuse(model=fast)"),
        ("is given back", "fast = torch.compile(net)\nfast(x)\nreturn fast"),
        ("is kept", "fast = torch.compile(net)\nfast(x)\nuse.net = fast"),
        ("is one of what a loop takes", "fast = torch.compile(net)\nfor x, *nets in [(x, fast)]:\n    use(*nets)"),
        ("is one of several", "nets = [torch.compile(net)]\nnets[0](x)"),
        ("calls itself by a method", "net.compile()\nnet(x)\nnet.generate(x)"),
        ("may be given all", "fast = torch.compile(net)\nfast(x, **options)"),
        ("may be given more", "fast = torch.compile(net)\nfast(*options)"),
        ("another name is handed on", "fast = torch.compile(net)\nfast(x)\nother = fast.half()\nuse(other)"),
    ],
)
def test_what_others_may_give_is_not(why: str, how: str) -> None:
    assert not agreed(how), why


def test_what_another_file_may_call_is_not() -> None:
    how = "fast = torch.compile(net)\nfast(x)"
    assert agreed(how, other="import torch") == {"mask": None, "debug": False, "mode": "fast"}
    assert not agreed(how, other="from example import main")


def of_decorated(use: str) -> dict[str, bool | str | None]:
    code = f"@torch.compile(dynamic=True)\ndef step(x, mask=None, debug=False):\n    return x\n\n{use}\n"
    (root,) = compiled_roots(inspector(code), "example.py")
    return {name: kind.value for name, kind in root.accepts if isinstance(kind, kinds.Const)}


def test_a_decorated_function_is_called_by_its_name() -> None:
    assert of_decorated("def main(x):\n    step(x, x)") == {"debug": False}
    assert of_decorated("step(torch.ones(2))\nstep(torch.ones(2), debug=True)") == {"mask": None}
    assert not of_decorated("def main(x, use):\n    use(step)")
    assert not of_decorated("")


def test_a_decorated_method_may_be_called_by_anybody() -> None:
    code = "class Agent:\n    @torch.compile\n    def step(self, x, mask=None):\n        return x\n\nAgent().step(1)\n"
    (root,) = compiled_roots(inspector(code), "example.py")
    assert not any(isinstance(kind, kinds.Const) for _, kind in root.accepts)


def of_attribute(init: str, step: str, more: str = "", bases: str = "") -> dict[str, bool | str | None]:
    code = f"""
class Net(nn.Module):
    def forward(self, x, mask=None, debug=False):
        return x

class Trainer{bases}:
    def __init__(self):
        self.net = Net()
        {init}

    def step(self, x, m):
        {step}

{more}
"""
    (root,) = compiled_roots(inspector(code), "example.py")
    return {name: kind.value for name, kind in root.accepts if isinstance(kind, kinds.Const)}


@pytest.mark.parametrize(
    ("init", "name"),
    [
        ("self.net = torch.compile(self.net)", "net"),
        ("self.net.compile()", "net"),
        ("self.fast = torch.compile(self.net)", "fast"),
    ],
)
def test_an_attribute_is_called_by_whoever_has_the_object(init: str, name: str) -> None:
    assert of_attribute(init, f"return self.{name}(x, m)") == {"debug": False}
    assert of_attribute(init, f"self.{name}(x)", f"Trainer().{name}(1, debug=True)") == {"mask": None}
    assert not of_attribute(init, f"return self.{name}.generate(x)")
    assert not of_attribute(init, f"self.{name}(x)", f"save(Trainer().{name})")
    assert not of_attribute(init, f"self.{name}(x)", bases="(transformers.Trainer)")


REST = """
def f(x, *more, **kw):
    return x

fast = torch.compile({})
{}
"""


def rest(calls: str, compiled: str = "f") -> dict[str, kinds.Kind]:
    (root,) = compiled_roots(inspector(REST.format(compiled, calls)), "example.py")
    return {name: kind for name, kind in root.accepts if name in ("more", "kw")}


def test_what_the_calls_give_more_is_all_that_is_there() -> None:
    told = rest("fast(1, scale=2)\nfast(1, log=scale)")
    assert told["more"] == kinds.Sequence("tuple", kinds.UNKNOWN, (), record=True)
    assert isinstance(told["kw"], kinds.Dictionary)
    assert told["kw"].closed
    assert [name for name, _ in told["kw"].entries] == ["log", "scale"]


def test_calls_that_differ_leave_open_how_many_there_are() -> None:
    assert "more" not in rest("fast(1)\nfast(1, 2)")


@pytest.mark.parametrize(
    ("why", "calls", "compiled"),
    [
        ("a call may give anything", "fast(1, **options)", "f"),
        ("others may call it", "keep(fast)", "f"),
        ("something is bound before", "fast(1)", "functools.partial(f, log=options)"),
        ("nobody calls it", "", "f"),
    ],
)
def test_nothing_is_known_of_the_rest(why: str, calls: str, compiled: str) -> None:
    assert not rest(calls, compiled), why


DEFAULT = """
@torch.compile
def f(x, seen=[]):
    seen.append(x)

{}
"""


@pytest.mark.parametrize(
    ("calls", "known"),
    [("f(1, [])\nf(2, seen=[])", True), ("f(1, [])\nf(2)", False), ("f(1)", False), ("f(*options)", False)],
)
def test_a_default_that_all_calls_replace_is_not_there(calls: str, known: bool) -> None:
    (root,) = compiled_roots(inspector(DEFAULT.format(calls)), "example.py")
    assert (("seen", kinds.UNKNOWN) in root.accepts) is known
