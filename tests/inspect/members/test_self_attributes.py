"""What methods assign to `self`, as it is long after."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import FLOAT, INT, NONE, STR, UNKNOWN, Array, External, Kind, Sequence, Tensor, join
from compilelint.report.confidence import Confidence
from tests.inspect.make import events, in_forward, inspector, returned, run


@pytest.mark.parametrize(
    ("init", "kind"),
    [
        ("self.a = 3", INT),
        ("self.a = width", INT),
        ("self.a = width // 2", INT),
        ("self.a = scale", FLOAT),
        ("self.a = 'mean'", STR),
        ("self.a = None", UNKNOWN),
        ("self.a = maybe", UNKNOWN),
        ("self.a = config.hidden", UNKNOWN),
        ("self.a = torch.zeros(3)", Tensor("float", 1, parameter=True)),
        ("self.a = nn.Parameter(torch.zeros(3, 4))", Tensor("float", 2, parameter=True)),
        ("self.register_buffer('a', torch.zeros(3).bool())", Tensor("bool", 1, parameter=True)),
        ("self.register_buffer('a', None)", UNKNOWN),
        (
            "self.register_parameter('a', nn.Parameter(torch.zeros(3)) if width else None)",
            Tensor("float", 1, parameter=True),
        ),
        ("self.a = nn.Linear(3, 4)", External("torch.nn.Linear")),
        ("self.a = np.prod([2, 3])", Array(number=True, kept=True)),
        ("self.a = np.prod([2, 3]) * 2", Array(number=True, kept=True)),
        ("self.a = width * np.prod([2, 3])", Array(number=True, kept=True)),
        ("self.a = np.ones(3) * np.prod([2, 3])", Array()),
        ("self.a = np.ones(3)", Array()),
        ("self.a = []", Sequence("list", UNKNOWN)),
        ("self.a = [1, 2]", Sequence("list", INT)),
        ("self.a = (1, 'a')", Sequence("tuple", UNKNOWN, (INT, STR))),
        ("self.a = 3 if width else 'a'", join(INT, STR)),
        ("self.a, self.b = 3, 4", INT),
        ("if width > 3: self.a = nn.Linear(3, 4)", join(External("torch.nn.Linear"), NONE)),
        (
            "self.a = nn.Identity() if width else nn.Linear(3, 4)",
            join(External("torch.nn.Identity"), External("torch.nn.Linear")),
        ),
        ("self.a = []\n        for i in range(3): self.a.append(i)", Sequence("list", INT)),
        ("self.a = self.b = 3", INT),
        ("for name in ('a',): self.a = 3", join(INT, NONE)),
        (
            "if width > 3: self.b = [nn.GRU(3, 4) for _ in range(2)]\n        self.a = self.b[0]",
            External("torch.nn.GRU"),
        ),
        (
            "if width > 3: self.a = [nn.GRU(3, 4)]\n        self.a = nn.ModuleList(self.a)",
            External("torch.nn.ModuleList", (External("torch.nn.GRU"),), ("0",)),
        ),
        (
            "if width > 3: self.b = nn.GRU(3, 4)\n        else: self.b = nn.LSTM(3, 4)\n        self.a = self.b",
            join(External("torch.nn.GRU"), External("torch.nn.LSTM")),
        ),
        (
            "match width:\n            case 3: self.a = nn.GRU(3, 4)\n            case _: raise ValueError(width)",
            External("torch.nn.GRU"),
        ),
        (
            "match width:\n            case 3: self.a = nn.GRU(3, 4)\n            case 4: self.a = nn.LSTM(3, 4)",
            join(External("torch.nn.GRU"), External("torch.nn.LSTM"), NONE),
        ),
        ("self.a = unknown()", UNKNOWN),
    ],
)
def test_attributes_are_what_init_assigns(init: str, kind: Kind) -> None:
    assert in_forward("self.a", init) == kind


def test_attributes_of_a_base_are_those_of_the_class() -> None:
    around = "class Base(nn.Module):\n    def __init__(self):\n        self.a = 3\n        self.b = 3\n"
    code = f"{around}class Net(Base):\n    def __init__(self):\n        super().__init__()\n        self.b = 'a'\n"
    forward = "    def forward(self, x):\n        return {}\n"
    assert returned(code + forward.format("self.a"), "Net.forward") == INT
    assert returned(code + forward.format("self.b"), "Net.forward") == STR
    sometimes = code.replace("        self.b = 'a'", "        if self.a: self.b = 'a'")
    assert returned(sometimes + forward.format("self.b"), "Net.forward") == join(STR, INT)


def test_what_other_methods_assign_is_known_where_init_does_not_tell() -> None:
    body = "def reset(self):\n        self.a = torch.zeros(3)\n        self.b = 'a'\n"
    assert in_forward("self.a", "self.a = None", body) == join(Tensor("float", 1, parameter=True), NONE)
    assert in_forward("self.b", "self.b = 3", body) == INT
    assert in_forward("self.c", "self.c = None", body) == UNKNOWN


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        ("return nn.Linear(3, 4)", join(External("torch.nn.Linear"), NONE)),
        ("layer = nn.Linear(self.width, n)\n        return layer", join(External("torch.nn.Linear"), NONE)),
        (
            "if n > 3:\n            return nn.GRU(3, 4)\n        return nn.LSTM(3, 4)",
            join(External("torch.nn.GRU"), External("torch.nn.LSTM"), NONE),
        ),
        ("return self.a if self.a is not None else nn.Linear(3, 4)", UNKNOWN),
        ("return unknown(n)", UNKNOWN),
        ("return torch.zeros(3)", UNKNOWN),
        ("return 3", UNKNOWN),
        ("return self.make(n - 1) if n else None", UNKNOWN),
    ],
)
def test_what_a_method_makes_is_known_where_another_method_keeps_it(made: str, kind: Kind) -> None:
    body = f"def setup(self, n):\n        self.a = self.make(n)\n    def make(self, n):\n        {made}\n"
    assert in_forward("self.a", "self.a = None", body) == kind


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("self.a: nn.Linear = make(n)", join(External("torch.nn.Linear"), NONE)),
        (
            "from torch import nn as layers\n        self.a: layers.Linear = make(n)",
            join(External("torch.nn.Linear"), NONE),
        ),
        ("self.a: nn.Linear", UNKNOWN),
        ("self.a: nn.Linear = None", UNKNOWN),
        ("self.b: nn.Linear = make(n)", UNKNOWN),
        ("self.a: int = make(n)", UNKNOWN),
        ("self.a: torch.Tensor = make(n)", UNKNOWN),
    ],
)
def test_what_another_method_declares_an_attribute_to_be_it_is(statement: str, kind: Kind) -> None:
    assert in_forward("self.a", "self.a = None", f"def setup(self, n):\n        {statement}\n") == kind


def test_a_container_that_another_method_makes_empty_is_known_to_be_one() -> None:
    body = "def reset(self):\n        self.a = []\n        self.b = {}\n        self.c = [x]\n"
    assert in_forward("self.a", "self.a = None", body) == join(Sequence("list", UNKNOWN), NONE)
    assert in_forward("type(self.b)", "self.b = unknown()", body) == in_forward("type({})")
    assert in_forward("self.c", "self.c = None", body) == UNKNOWN


def test_what_a_property_is_assigned_may_be_kept_elsewhere() -> None:
    body = "@property\n    def p(self): ...\n    @p.setter\n    def p(self, p):\n        self.a = torch.zeros(3)\n"
    assert in_forward("self.a", "self.p = 3", body) == Tensor("float", 1, parameter=True)


def test_init_may_call_other_names_self() -> None:
    code = """
    class Net(nn.Module):
        def __init__(this):
            this.a = 3
        def forward(me, x):
            return me.a
    """
    assert returned(code, "Net.forward") == INT


def test_a_property_may_give_the_none_that_a_method_sets() -> None:
    code = """
class Scheduler:
    def __init__(self):
        self._step = None

    @property
    def step(self) -> int:
        return self._step

def f(s: Scheduler):
    return s.step
"""
    assert returned(code) == join(NONE, INT)
    assert returned(code.replace("self._step = None", "pass")) == INT


@pytest.mark.parametrize(("statement", "entered"), [("prepare()", False), ("self.b = prepare()", True)])
def test_what_an_init_calls_only_for_its_effects_is_not_entered(statement: str, entered: bool) -> None:
    code = f"""\
from effects import prepare
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {statement}
        self.a = 3
    def forward(self, x: Tensor):
        return self.a
"""
    found = inspector(code, effects="def prepare():\n    import deeper\n    return deeper.value()\n", deeper="")
    assert run(found, "Net.forward") == INT
    assert ("deeper.py" in found.knowledge.asked().files) is entered


def test_a_method_may_import_what_it_assigns() -> None:
    others = "def make(self):\n        from layers import Layer\n        self.a = Layer()"
    layers = "class Layer:\n    def size(self):\n        return len(self.x)\n"
    assert in_forward("self.a.size()", "self.make()", others, layers=layers) == INT


@pytest.mark.parametrize(
    ("init", "begin", "confidence"),
    [
        ("if width: self.count = 0", "pass", Confidence.HIGH),
        ("self.count = None", "self.count = 1", Confidence.LOW),
        ("self.count = 0", "self.count = 0", Confidence.HIGH),
    ],
)
def test_a_counter_that_another_method_begins_is_mostly_begun_in_each_call(
    init: str, begin: str, confidence: Confidence
) -> None:
    code = f"""
    class Net(nn.Module):
        def __init__(self, width):
            super().__init__()
            {init}
        def begin(self):
            {begin}
        def forward(self, x):
            self.count += 1
            return x
    """
    written = [each for each in events(code, "Net.forward") if each.construct == "augmented"]
    assert [(each.args[0], each.confidence) for each in written] == [(INT, confidence)]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("int(cfg.heads)", INT),
        ("float(cfg.rate)", FLOAT),
        ("int(cfg.width) // int(cfg.heads)", INT),
        ("cfg.heads", UNKNOWN),
        ("abs(cfg.heads)", UNKNOWN),
    ],
)
def test_what_init_makes_a_number_of_is_one(value: str, kind: Kind) -> None:
    assert in_forward("self.n", f"self.n = {value}", around="cfg = what()") == kind


def test_what_is_made_a_number_of_in_the_region_may_be_a_tensor() -> None:
    assert in_forward("int(what.n)") == UNKNOWN
