"""What objects are made with is what their attributes are."""

from __future__ import annotations

from textwrap import dedent

import pytest

from compilelint.inspect import kinds
from compilelint.inspect.kinds import External
from tests.inspect.make import callees, returned

PROGRAM = """
def at_once(x):
    print(x)

class Reads:
    def __init__(self, table=None):
        self.table = table

    def step(self, x):
        return x.item()

class Wraps(nn.Module):
    def __init__(self, fn, other=None):
        super().__init__()
        self.fn = fn
        self.other = other or nn.Identity()

    def forward(self, x):
        return self.fn(x)

class Steps(nn.Module):
    def __init__(self, inner, *, how=None, size=3):
        super().__init__()
        self.inner = inner
        self.how = how

    def forward(self, x):
        return self.how.step(self.inner(x))

class StepsToo(Steps):
    def __init__(self, how, inner=None):
        super().__init__(inner, how=how)

class Inner(nn.Module):
    def forward(self, x):
        return x.tolist()

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {init}

    def forward(self, x):
        return self.net(x)
"""
READS = ("builtins.print", "torch.Tensor.item", "torch.Tensor.tolist")


def called(init: str) -> list[str]:
    return [name for name in callees(PROGRAM.format(init=init), "Net.forward") if name in READS]


@pytest.mark.parametrize(
    ("init", "found"),
    [
        ("self.net = Wraps(at_once)", ["builtins.print"]),
        ("self.net = Wraps(fn=lambda x: x.item())", ["torch.Tensor.item"]),
        ("self.net = Wraps(Wraps(at_once))", ["builtins.print"]),
        ("self.net = Wraps(nn.Sequential(nn.Identity(), Wraps(at_once)))", ["builtins.print"]),
        ("self.net = Steps(Inner(), how=Reads())", ["torch.Tensor.tolist"]),
        ("self.net = Steps(nn.Identity(), how=Reads())", ["torch.Tensor.item"]),
        ("self.net = StepsToo(Reads(), nn.Identity())", ["torch.Tensor.item"]),
        ("self.net = StepsToo(None, Inner())", ["torch.Tensor.tolist"]),
        ("self.net = nn.Sequential(*[Wraps(at_once) for _ in range(3)])", ["builtins.print"]),
        ("self.net = Wraps(at_once) if nn.BUILD else Wraps(at_once)", ["builtins.print"]),
    ],
)
def test_what_an_object_is_made_with_is_entered_where_it_is_called(init: str, found: list[str]) -> None:
    assert called(init) == found


@pytest.mark.parametrize(
    ("why", "init"),
    [
        ("two objects are not mixed up", "self.net, self.other = Wraps(nn.Identity()), Wraps(at_once)"),
        ("nothing calls it", "self.net = Wraps(nn.Identity(), at_once)"),
        ("what is passed is not known", "self.net = Wraps(what)"),
        ("places are not known", "self.net = Wraps(*what, at_once)"),
        ("no such parameter", "self.net = Wraps(nn.Identity(), fun=at_once)"),
    ],
)
def test_what_else_is_passed_is_not_entered(why: str, init: str) -> None:
    assert called(init) == [], why


DEFAULTS = """
def at_once(x):
    print(x)

class Wraps(nn.Module):
    def __init__(self, fn=at_once):
        super().__init__()
        self.fn = fn

    def forward(self, x):
        return self.fn(x)

class HandsUp(Wraps):
    def __init__(self, fn=at_once, how=None):
        super().__init__({up})

class Net(nn.Module):
    def __init__(self, what):
        super().__init__()
        self.net = {made}

    def forward(self, x):
        return self.net(x)
"""


@pytest.mark.parametrize(
    ("made", "up"),
    [("Wraps()", "fn"), ("Wraps(at_once)", "fn"), ("HandsUp()", "fn"), ("HandsUp()", ""), ("HandsUp(what)", "")],
)
def test_a_default_holds_where_nothing_is_passed(made: str, up: str) -> None:
    assert "builtins.print" in callees(DEFAULTS.format(made=made, up=up), "Net.forward")


@pytest.mark.parametrize(
    ("made", "up"),
    [
        ("Wraps(what)", "fn"),
        ("Wraps(fn=what.fn)", "fn"),
        ("Wraps(None)", "fn"),
        ("HandsUp(what)", "fn"),
        ("HandsUp(what)", "fn=fn"),
        ("HandsUp()", "how"),
        ("HandsUp()", "None"),
        ("HandsUp()", "how(fn)"),
    ],
)
def test_what_is_passed_is_not_the_default_whatever_it_is(made: str, up: str) -> None:
    assert "builtins.print" not in callees(DEFAULTS.format(made=made, up=up), "Net.forward")


def test_what_nests_too_deep_is_not_kept() -> None:
    assert called("self.net = Wraps(Wraps(Wraps(at_once)))") == ["builtins.print"]
    assert called("self.net = Wraps(Wraps(Wraps(Wraps(Wraps(at_once)))))") == []


@pytest.mark.parametrize("depth", [1, 3])
def test_a_class_that_is_passed_far_below_is_not_the_default(depth: int) -> None:
    code = f"""
    class Prints(nn.Module):
        def forward(self, x):
            print(x)

    class Layer(nn.Module):
        def __init__(self, act=Prints):
            super().__init__()
            self.act = act()

        def forward(self, x):
            return self.act(x)

    class Wraps(nn.Module):
        def __init__(self, inner):
            super().__init__()
            self.inner = inner

        def forward(self, x):
            return self.inner(x)

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = {"Wraps(" * depth}Layer(nn.ReLU){")" * depth}

        def forward(self, x):
            return self.net(x)
    """
    assert "builtins.print" not in callees(code, "Net.forward")


def test_what_a_loop_wraps_again_and_again_does_not_grow_without_end() -> None:
    wrapped = "self.net = Wraps(at_once)\n        for _ in range(9):\n            self.net = Wraps(self.net)"
    assert called(wrapped) == ["builtins.print"]


def test_a_number_of_numpys_stays_one_where_a_float_is_declared() -> None:
    code = """
class DropPath(nn.Module):
    def __init__(self, rate: float = 0.0):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        return x.new_empty(3).bernoulli_(1 - self.rate), float(self.rate * x.shape[0])

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        rates = np.linspace(0, 0.1, 4)
        self.net = DropPath({rate})

    def forward(self, x):
        return self.net(x)
"""
    assert "builtins.float" in callees(code.format(rate="rates[1]"), "Net.forward")


RECORDS = """
import dataclasses
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

def at_once(x):
    print(x)

class Reads:
    def step(self, x):
        return x.item()

class Lists:
    def step(self, x):
        return x.tolist()

class Pair(NamedTuple):
    how: object
    fn: Callable = None

@dataclass
class Base:
    count: ClassVar[int] = 0
    size: int = 3

@dataclasses.dataclass(frozen=True)
class Config(Base):
    how: Any = None
    fn: Optional[Callable] = None
    inner: nn.Module = field(default_factory=nn.Identity)
    reads: Reads = None

@dataclass
class Default:
    how: object = field(default_factory=Lists)

@dataclass
class Written:
    how: object
    def __init__(self, how):
        pass

class Plain:
    how: object

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Uses({made})

    def forward(self, x):
        return self.net(x)

class Uses(nn.Module):
    def __init__(self, parts{annotation}):
        super().__init__()
        self.parts = parts
        self.fn = parts.fn

    def forward(self, x):
        self.fn(x)
        return self.parts.how.step(x)
"""


@pytest.mark.parametrize(
    ("made", "found"),
    [
        ("Pair(Reads(), at_once)", ["builtins.print", "torch.Tensor.item"]),
        ("Pair(fn=at_once, how=Lists())", ["builtins.print", "torch.Tensor.tolist"]),
        ("Config(2, Lists(), at_once)", ["builtins.print", "torch.Tensor.tolist"]),
        ("Config(how=Reads())", ["torch.Tensor.item"]),
        ("Default()", ["torch.Tensor.tolist"]),
        ("Default(Reads())", ["torch.Tensor.item"]),
        ("Written(Reads())", []),
        ("Plain(Reads())", []),
        ("Config(Reads())", []),
    ],
)
def test_a_record_holds_what_it_is_made_with(made: str, found: list[str]) -> None:
    code = RECORDS.format(made=made, annotation="")
    assert [name for name in callees(code, "Net.forward") if name in READS] == found


def test_a_class_that_is_declared_does_not_say_what_its_objects_are_made_with() -> None:
    code = RECORDS.format(made="Config(how=Reads(), fn=at_once)", annotation=": Config")
    assert [name for name in callees(code, "Net.forward") if name in READS] == ["builtins.print", "torch.Tensor.item"]


@pytest.mark.parametrize(
    ("given", "found"), [("Derived()", ["torch.Tensor.item"]), ("Base()", []), ("None", []), ("at_once", [])]
)
def test_a_class_that_is_declared_does_not_say_which_of_those_below_it_an_object_has(
    given: str, found: list[str]
) -> None:
    code = """
    class Base:
        def step(self, x):
            raise NotImplementedError

    class Derived(Base):
        def step(self, x):
            return x.item()

    def at_once(x): ...

    class Inner(nn.Module):
        def __init__(self, how: Base):
            super().__init__()
            self.how = how

        def forward(self, x):
            return self.how.step(x)

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = Inner({given})

        def forward(self, x):
            return self.net(x)
    """
    called = callees(dedent(code).format(given=given), "Net.forward")
    assert [name for name in called if name in READS] == found


@pytest.mark.parametrize(
    ("below", "made", "found"),
    [
        ("(self, *args, **kwargs): super().__init__(*args, **kwargs)", "Reads(), then=Lists()", ["item", "tolist"]),
        ("(self, *args, **kwargs): super().__init__(*args, **kwargs)", "then=Reads(), how=Lists()", ["tolist", "item"]),
        ("(self, size, *args): super().__init__(*args)", "3, Reads(), Lists()", ["item", "tolist"]),
        ("(self, *args): super().__init__(Lists(), *args)", "Reads()", ["tolist", "item"]),
        ("(self): super().__init__(Lists(), then=Reads())", "", ["tolist", "item"]),
        ("(self, Lists): super().__init__(Lists(), then=Reads())", "3", ["item"]),
        ("(self, then, **others): super().__init__(then=then, **others)", "Lists(), how=Reads()", ["item", "tolist"]),
        ("(self, size=3, **kwargs): super(Below, self).__init__(**kwargs)", "how=Reads(), size=4", ["item"]),
        ("(self, *args): super().__init__(*args, Lists())", "Reads()", []),
        ("(self, *args, **kwargs): super().__init__(**kwargs)", "Reads()", []),
        ("(self, **kwargs): super().__init__(**other)", "how=Reads()", []),
        ("(self, how, **kwargs): super().__init__(**kwargs)", "Reads()", []),
        ("(self, **kwargs): self.how = kwargs.get('how'); self.then = kwargs['then']", "how=Reads()", ["item"]),
        ("(self, **kwargs): self.how = self.then = kwargs.pop('how', None)", "then=Reads()", []),
    ],
)
def test_what_is_handed_on_as_it_is_comes_to_the_base(below: str, made: str, found: list[str]) -> None:
    code = """
    class Reads:
        def step(self, x):
            return x.item()

    class Lists:
        def step(self, x):
            return x.tolist()

    class Steps(nn.Module):
        def __init__(self, how=None, then=None):
            self.how = how
            self.then = then

        def forward(self, x):
            self.how.step(x)
            self.then.step(x)

    class Below(Steps):
        def __init__{below}

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = Below({made})

        def forward(self, x):
            return self.net(x)
    """
    called = callees(dedent(code).format(below=below, made=made), "Net.forward")
    assert [name.removeprefix("torch.Tensor.") for name in called if name in READS] == found


def test_generators_that_are_seeded_as_they_are_made_are_generators() -> None:
    code = """
    class Net(nn.Module):
        def __init__(self, seeds):
            super().__init__()
            self.own = torch.Generator("cpu").manual_seed(3)
            self.all = [torch.Generator().manual_seed(int(seed)) for seed in seeds]

        def forward(self, x):
            return self.own, self.all[0]
    """
    generator = External("torch.Generator")
    assert returned(code, "Net.forward") == kinds.sequence("tuple", (generator, generator))


def test_of_a_configuration_whose_keys_a_slot_reads_only_that_is_kept() -> None:
    code = """
    class Options(dict):
        __getattr__ = dict.get

    class Net(nn.Module):
        def __init__(self, options):
            super().__init__()
            self.options = options

    def f(x):
        return Net(Options(deep=True)).options
    """
    assert returned(dedent(code)) == kinds.Dictionary(kinds.UNKNOWN, by_slot=True)


PIPE = """
class Pipe{base}:
    def __init__(self, first, *steps):
        super().__init__()
        self.steps = steps
    def {call}(self, x):
        for step in self.steps:
            x = step(x)
        return x
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.pipe = Pipe(1, torch.relu, helper)
    def forward(self, x: Tensor):
        return self.pipe(x)
def helper(x):
    return x.tolist()
"""


@pytest.mark.parametrize(("base", "call"), [("", "__call__"), ("(nn.Module)", "forward")])
def test_what_an_object_gets_by_place_only_is_known(base: str, call: str) -> None:
    assert "torch.Tensor.tolist" in callees(PIPE.format(base=base, call=call), "Net.forward")
