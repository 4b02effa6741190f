"""Conditions on attributes of what a program makes, which stay what they are."""

from __future__ import annotations

from textwrap import indent

import pytest

from compilelint.inspect.frame import Route
from compilelint.inspect.starting import run_root
from compilelint.regions import compiled_roots
from tests.inspect.make import inspector

_BEGIN = """
import enum
from dataclasses import dataclass

class Mode(enum.Enum):
    A = 1
    B = 2
    ALSO_A = 1

@dataclass
class Config:
    debug: bool = False
    depth: int = 3

class Wrapped(nn.Linear):
    pass

def fill(hooks, more=None):
    (more or hooks).append(1)
"""


def prints(condition: str, init: str, given: str = "", then: str = "", parameters: str = "", body: str = "") -> bool:
    """Whether what is compiled may print, which it does under a condition; `then` is done to the model before."""
    net = f"""
class Net(nn.Module):
{indent(body, "    ")}
    def __init__(self{parameters}):
        super().__init__()
{indent(init, "        ")}

    def forward(self, x):
        if {condition}:
            print(x)
        return x

def main():
    net = Net({given})
{indent(then or "pass", "    ")}
    torch.compile(net)(torch.ones(2))
"""
    found = inspector(_BEGIN + net)
    (root,) = compiled_roots(found, "example.py")
    run_root(found, root.function, Route((root.label,)))
    return "builtins.print" in {event.callee for event in found.events}


@pytest.mark.parametrize(
    ("condition", "parameters", "init"),
    [
        ("self.on", ", a=False, b=False", "self.on = a or b"),
        ("self.on", ", a=True", "self.on = not a"),
        ("self.size > 10", ", a=2, b=3", "self.size = a * b"),
        ("self.mode == 'gelu'", ", mode='ReLU'", "self.mode = mode.lower()"),
        ("self.on", ", k=3", "if k > 5:\n    self.on = True\nelse:\n    self.on = False"),
        ("len(self.names) > 3", "", "self.names = ['a', 'b']"),
        ("len(self.sizes) != 2", ", sizes=(1, 2)", "self.sizes = sizes"),
        ("self.sizes[0] > 1", ", sizes=(1, 2)", "self.sizes = sizes"),
        ("self.hooks", "", "self.hooks = []"),
        ("len(self.hooks) > 0", "", "self.hooks = []"),
        ("'b' in self.stats", "", "self.stats = {'a': 1}"),
        ("self.stats.get('b')", "", "self.stats = {'a': 1}"),
        ("self.stats.get('b', False)", "", "self.stats = {'a': 1}"),
        ("self.on", ", **options", "self.on = options.get('on', False)"),
        ("self.on", ", **options", "self.on = options.pop('on', False)"),
        ("self.config.debug", "", "self.config = Config()"),
        ("self.config.depth > 3", "", "self.config = Config()"),
        ("self.debug", "", "self.debug = Config(depth=1).debug"),
        ("self.mode is Mode.B", ", mode=Mode.A", "self.mode = mode"),
        ("self.mode == Mode.B", ", mode=None", "self.mode = mode or Mode.A"),
        ("isinstance(self.layer, nn.Conv2d)", "", "self.layer = nn.Linear(8, 8)"),
        ("isinstance(self.layer, (nn.Conv1d, nn.Conv2d))", "", "self.layer = nn.Linear(8, 8)"),
        ("not isinstance(self.layer, nn.Linear)", "", "self.layer = nn.Linear(8, 8)"),
        ("not isinstance(self.layer, nn.Linear)", "", "self.layer = Wrapped(8, 8)"),
        ("isinstance(self.layer, Wrapped)", "", "self.layer = nn.Linear(8, 8)"),
        ("type(self.layer) is nn.Conv2d", "", "self.layer = nn.Linear(8, 8)"),
        ("not isinstance(self.drop, nn.Identity)", ", p=0.0", "self.drop = nn.Dropout(p) if p > 0 else nn.Identity()"),
        ("isinstance(self.norm, nn.LayerNorm)", ", norm=None", "self.norm = norm"),
        ("hasattr(self, 'adapter')", "", "self.on = 1"),
        ("getattr(self, 'adapter', None)", "", "self.on = 1"),
        ("getattr(self, 'adapter', None) is not None", "", "self.on = 1"),
    ],
)
def test_what_is_known_for_good_decides(condition: str, parameters: str, init: str) -> None:
    assert not prints(condition, init, parameters=parameters)


def test_what_the_body_of_a_class_says_is_known_for_good() -> None:
    assert not prints("self.DEBUG", "self.on = 1", body="DEBUG = False")
    assert prints("self.DEBUG", "self.on = 1", body="DEBUG = False", then="Net.DEBUG = True")
    assert prints("self.DEBUG", "self.on = 1", body="DEBUG = False", then="net.DEBUG = True")


@pytest.mark.parametrize(
    ("condition", "init", "then"),
    [
        ("self.on", "self.on = False or False", "net.on = True"),
        ("self.hooks", "self.hooks = []", "net.hooks.append(1)"),
        ("self.hooks", "self.hooks = []", "net.hooks += [1]"),
        ("self.hooks", "self.hooks = []", "net.hooks[:] = [1]"),
        ("self.hooks", "self.hooks = []", "hooks = net.hooks\nhooks.append(1)"),
        ("self.hooks", "self.hooks = []", "fill(net.hooks)"),
        ("self.hooks", "self.hooks = []", "fill(None, net.hooks)"),
        ("self.hooks", "hooks = []\nfill(hooks)\nself.hooks = hooks", ""),
        ("self.hooks", "self.hooks = []\nfor i in range(3):\n    self.hooks.append(i)", ""),
        ("'b' in self.stats", "self.stats = {'a': 1}", "net.stats['b'] = 2"),
        ("self.stats.get('b')", "self.stats = {'a': 1}", "net.stats.update(b=2)"),
        ("self.stats.get('b')", "self.stats = {'a': 1}", "net.stats |= {'b': 2}"),
        ("self.mode is Mode.B", "self.mode = Mode.A", "net.mode = Mode.B"),
        ("self.mode is Mode.A", "self.mode = Mode.A", ""),
        ("self.mode in (Mode.A, Mode.B)", "self.mode = Mode.A", ""),
        ("self.config.debug", "self.config = Config()", "net.config.debug = True"),
        ("isinstance(self.layer, nn.Conv1d)", "self.layer = nn.Linear(8, 8)", "net.layer = nn.Conv1d(8, 8, 1)"),
        ("not isinstance(self.layer, nn.Linear)", "self.layer = nn.Linear(8, 8)", "net._modules['layer'] = None"),
        ("not isinstance(self.layer, nn.Linear)", "self.layer = nn.Linear(8, 8)", "net.add_module('layer', Wrapped())"),
        ("not isinstance(self.layer, nn.Linear)", "self.layer = nn.Linear(8, 8)", "setattr(net, 'layer', Wrapped())"),
        ("isinstance(self.layer, nn.Hardtanh)", "self.layer = nn.ReLU6()", ""),
        ("isinstance(self.layer, nn.Linear)", "self.layer = nn.LazyLinear(8)", ""),
        ("isinstance(self.layer, nn.Module)", "self.layer = nn.ReLU()", ""),
        ("isinstance(self.layer, nn.Linear)", "self.layer = Wrapped(8, 8)", ""),
        ("type(self.layer) is not nn.Linear", "self.layer = Wrapped(8, 8)", ""),
        ("hasattr(self, 'adapter')", "self.on = 1", "net.adapter = 1"),
        ("hasattr(self, 'adapter')", "self.on = 1", "net.register_buffer('adapter', None)"),
        ("getattr(self, 'adapter', 0)", "self.on = 1", "for net.adapter in (1, 2):\n    pass"),
        ("getattr(self, 'adapter', 0)", "self.on = 1", "net.adapter, y = 1, 2"),
        ("getattr(self, 'adapter', 1)", "self.on = 1", ""),
        ("getattr(self, 'forward', None)", "self.on = 1", ""),
    ],
)
def test_what_may_be_otherwise_does_not(condition: str, init: str, then: str) -> None:
    assert prints(condition, init, then=then)


def test_what_is_given_comes_before_the_default() -> None:
    assert prints("self.mode is Mode.B", "self.mode = mode", "Mode.B", parameters=", mode=Mode.A")
    assert prints("len(self.sizes) == 3", "self.sizes = sizes", "(1, 2, 3)", parameters=", sizes=()")
    assert prints("self.debug", "self.debug = config.debug", "Config(debug=True)", parameters=", config")
    assert prints("self.on", "self.on = options.get('on', False)", "on=True", parameters=", **options")
    assert prints("self.on", "fill(options)\nself.on = options.get('on', 0)", parameters=", **options")


def test_what_another_init_or_method_sets_is_not_known() -> None:
    sub = (
        "class Other(Net):\n    def __init__(self):\n        super().__init__()\n        self.on = True\nnet = Other()"
    )
    assert prints("self.on", "self.on = 1 > 2", then=sub)
    assert prints("self.on", "self.on = 1 > 2", body="def start(self):\n    self.on = True")


def test_a_second_name_of_a_member_is_the_member() -> None:
    assert prints("self.mode is Mode.ALSO_A", "self.mode = Mode.A")
    assert not prints("self.mode is Mode.ALSO_A", "self.mode = Mode.B")
