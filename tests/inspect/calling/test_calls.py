"""What is called, with what, what is entered, and what comes back."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import (
    INT,
    UNKNOWN,
    Const,
    External,
    Instance,
    Kind,
    Sequence,
    Tensor,
    join,
    sequence,
)
from compilelint.report.confidence import Confidence
from tests.inspect.make import callees, events, function, kind_of, returned

INPUT = Tensor(parameter=True)
SHOW = """
def show(*args, **keywords):
    print(args, keywords)

def first(a, b=1, *, c=2):
    return a

def both(a, b=1, *, c=2):
    return a, b, c
"""


# Arguments


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ("both(x)", sequence("tuple", [INPUT, Const(1), Const(2)])),
        ("both(x, 3, c=4)", sequence("tuple", [INPUT, Const(3), Const(4)])),
        ("both(b=x, a=3)", sequence("tuple", [Const(3), INPUT, Const(2)])),
        ("both(*(3, 'a'))", sequence("tuple", [Const(3), Const("a"), Const(2)])),
        ("both(**{'a': 3, 'c': x})", sequence("tuple", [Const(3), Const(1), INPUT])),
        ("both(3, *what)", sequence("tuple", [Const(3), UNKNOWN, UNKNOWN])),
        ("both(3, **what)", sequence("tuple", [Const(3), UNKNOWN, UNKNOWN])),
        ("both(3, **{})", sequence("tuple", [Const(3), Const(1), Const(2)])),
        ("functools.partial(both, x, c=4)(3)", sequence("tuple", [INPUT, Const(3), Const(4)])),
        ("both.__get__(x, int)(3, c=4)", sequence("tuple", [INPUT, Const(3), Const(4)])),
        ("functools.partial(both, b=3)(x, b=4)", sequence("tuple", [INPUT, Const(4), Const(2)])),
    ],
)
def test_arguments_arrive(call: str, kind: Kind) -> None:
    assert kind_of(call, around=SHOW) == kind


def test_a_tensor_is_spread_into_its_elements() -> None:
    found = {event.callee: event for event in events(function("x.permute(*x.long())"), "f", "call")}
    event = found["torch.Tensor.permute"]
    assert (event.args, event.starred) == ((Tensor("int"),), True)


def test_a_comparison_that_has_a_method_of_tensors_only_is_one_of_tensors() -> None:
    assert kind_of("(what == 3).float()") == Tensor("float", None, Confidence.MEDIUM)


def test_an_unknown_number_of_arguments_is_said_so() -> None:
    calls = {
        event.source: event.starred for event in events(function("print(1)\nprint(*what)\nprint(**what)"), "f", "call")
    }
    assert calls == {"print(1)": False, "print(*what)": True, "print(**what)": True}


def test_arguments_are_part_of_the_event() -> None:
    (event,) = events(function("torch.where(x > 0, out=y)"), "f", "call")
    assert (event.callee, event.args, event.keywords) == ("torch.where", (Tensor("bool"),), (("out", INPUT),))


def test_a_method_called_on_its_class_has_its_receiver() -> None:
    (event,) = events(function("Tensor.sum(x, 1)"), "f", "call")
    assert (event.callee, event.receiver, event.args) == ("torch.Tensor.sum", INPUT, (Const(1),))


# What is entered


@pytest.mark.parametrize(
    ("around", "body"),
    [
        ("def g(x):\n    print(x)", "g(x)"),
        ("def g(x):\n    print(x)\nh = g", "h(x)"),
        ("g = lambda x: print(x)", "g(x)"),
        ("", "g = lambda x: print(x)\ng(x)"),
        ("", "def g():\n    print(x)\ng()"),
        ("", "(lambda: print(x))()"),
        ("def g(x):\n    print(x)", "functools.partial(g, x)()"),
        ("def g(x):\n    print(x)\nh = functools.partial(g, 3)", "h()"),
        ("def g(x):\n    print(x)", "list(map(g, [x]))"),
        ("def g(x):\n    print(x)", "sorted([1, 2], key=g)"),
        ("def g(x):\n    print(x)", "h = [g][0]\nh(x)"),
        ("def g(x):\n    print(x)", "h = {'a': g}['a']\nh(x)"),
        ("def g(x):\n    print(x)", "h = g if flag else f\nh(x)"),
        ("def g(x):\n    print(x)", "getattr(torch, 'missing', g)\ng(x)"),
        ("def apply(g, x):\n    return g(x)", "apply(print, x)"),
        ("def apply(g, x):\n    return g(x)", "apply(lambda x: print(x), x)"),
        ("def make():\n    def g(x):\n        print(x)\n    return g", "make()(x)"),
        ("class A:\n    def __init__(self, x):\n        print(x)", "A(x)"),
        ("class A:\n    y: Tensor\n    def __post_init__(self):\n        print(self.y)", "A(x)"),
        ("class A:\n    def __post_init__(self):\n        print(3)\nclass B(A):\n    y: Tensor", "B(x)"),
        ("class A:\n    def __call__(self, x):\n        print(x)", "A()(x)"),
        ("class A:\n    @staticmethod\n    def g(x):\n        print(x)", "A.g(x)"),
        ("class A:\n    @classmethod\n    def g(cls, x):\n        print(x)", "A.g(x)"),
        ("class A:\n    def g(self, x):\n        print(x)", "A.g(A(), x)"),
        ("class A:\n    def g(self, x):\n        print(x)", "m = A().g\nm(x)"),
        ("class A:\n    def __iter__(self):\n        print(3)\n        yield 3", "for i in A():\n    pass"),
        ("import torch.utils.checkpoint as c\ndef g(x):\n    print(x)", "c.checkpoint(g, x)"),
        (
            "from torch.utils.checkpoint import checkpoint\ndef g(x):\n    print(x)",
            "checkpoint(g, x, use_reentrant=False)",
        ),
        ("def g(x):\n    print(x)", "torch.func.vmap(g)(x)"),
        ("def g(x):\n    print(x)", "torch.cond(flag, g, g, [x])"),
    ],
)
def test_functions_are_entered(around: str, body: str) -> None:
    assert "builtins.print" in callees(f"{around}\n{function(body)}")


@pytest.mark.parametrize(
    ("around", "body"),
    [
        ("def g(x):\n    print(x)", "g"),
        ("def g(x):\n    print(x)", "functools.partial(g, x)"),
        ("", "g = lambda: print(x)"),
        ("def g(x):\n    print(x)\ng = unknown", "what.g(x)"),
        ("class A:\n    def g(self, x):\n        print(x)", "A().other(x)"),
        ("@torch.compiler.disable\ndef g(x):\n    print(x)", "g(x)"),
        ("@torch.compiler.disable(recursive=False)\ndef g(x):\n    print(x)", "g(x)"),
        ("def g(x):\n    print(x)\ng = torch.compiler.disable(g)", "g(x)"),
        ("@torch.library.custom_op('a::b', mutates_args=())\ndef g(x):\n    print(x)", "g(x)"),
        ("@torch.compiler.assume_constant_result\ndef g(x):\n    print(x)", "g(x)"),
        ("import triton\n@triton.jit\ndef g(x):\n    print(x)", "g(x)"),
        ("import cutlass.cute as cute\n@cute.kernel\ndef g(x):\n    print(x)", "g(x)"),
        ("import helion\n@helion.kernel(static_shapes=True)\ndef g(x):\n    print(x)", "g(x)"),
    ],
)
def test_functions_are_not_entered(around: str, body: str) -> None:
    assert "builtins.print" not in callees(f"{around}\n{function(body)}")


@pytest.mark.parametrize(
    ("call", "kind"), [("net(x)", Tensor(confidence=Confidence.MEDIUM)), ("net(x, return_dict=True)", UNKNOWN)]
)
def test_a_module_of_which_nothing_is_known_gives_a_tensor_if_no_record_is_asked_for(call: str, kind: Kind) -> None:
    assert returned(f"def f(x, net: nn.Module):\n    return {call}\n") == kind


def test_functions_of_other_files_are_entered() -> None:
    found = events(
        "from pkg_a import g\ndef f(x):\n    g(x)\n", pkg_a="from pkg_b import g", pkg_b="def g(x):\n    print(x)"
    )
    (event,) = [event for event in found if event.callee == "builtins.print"]
    assert (event.place.path, event.place.function) == ("pkg_b.py", "g")
    assert event.place.reached_from == ("example.py --root f", "f", "g")


@pytest.mark.parametrize(
    "code",
    [
        "def f(x):\n    return f(x)",
        "def f(x):\n    return g(x)\ndef g(x):\n    return f(x)",
        "def f(x, depth=0):\n    return f(x, depth + 1)",
        "def f(x):\n    return f([x])",
        "def f(x):\n    return f(lambda: f(x))",
        "class A:\n    def __call__(self, x):\n        return A()(self)\ndef f(x):\n    return A()(x)",
        "def f(x):\n    return functools.partial(f, f)(x)",
    ],
)
def test_recursion_ends(code: str) -> None:
    assert len(events(code)) < 1000


def test_what_a_recursive_function_returns_besides_its_own_result_is_known_to_be_possible() -> None:
    assert returned("def f(x: Tensor, n: int):\n    if n:\n        return x\n    return f(x, n - 1)\n") != Const(3)


# Modules

NET = """
class Inner(nn.Module):
    {method}

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
    def forward(self, x: Tensor):
        return self.inner(x)
"""


@pytest.mark.parametrize(
    ("method", "kind"),
    [
        ("def forward(self, x):\n        return 3", Const(3)),
        ("def __call__(self, x):\n        return 3", Const(3)),
        (
            "def __call__(self, x):\n        return super().__call__(x)\n    def forward(self, x):\n        return 3",
            Const(3),
        ),
        ("forward = lambda self, x: 3", Const(3)),
    ],
)
def test_calling_a_module_runs_its_forward(method: str, kind: Kind) -> None:
    assert returned(NET.format(method=method), "Net.forward") == kind


@pytest.mark.parametrize("call", ["self.run(x)", "self.other(x)", "super().run(x)", "Base.run(self, x)"])
def test_methods_are_entered(call: str) -> None:
    code = f"""
    class Base(nn.Module):
        def run(self, x):
            print(x)
    class Net(Base):
        def other(self, x):
            return self.run(x)
        def forward(self, x):
            {call}
    """
    assert callees(code, "Net.forward") == ["builtins.print"]


def test_layers_of_torch_are_called_by_their_forward() -> None:
    code = """
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.rnn = nn.LSTM(3, 4)
            self.norm = nn.LayerNorm(3)
        def forward(self, x: Tensor):
            return self.rnn(self.norm(x))
    """
    assert callees(code, "Net.forward") == ["torch.nn.LayerNorm.forward", "torch.nn.LSTM.forward"]
    kind = returned(code, "Net.forward")
    assert isinstance(kind, Sequence)


def test_a_layer_that_a_factory_made_gives_a_tensor_less_surely() -> None:
    code = """
    class Net(nn.Module):
        def __init__(self, make):
            super().__init__()
            self.act = make()
        def forward(self, x: Tensor):
            return self.act(x)
    """
    assert returned(code, "Net.forward") == Tensor(confidence=Confidence.MEDIUM)


def test_a_class_of_layers_that_is_called_with_a_tensor_stands_for_a_layer() -> None:
    code = """
    class Norm(nn.Module):
        def __init__(self, dim):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(dim))
        def forward(self, x):
            return x.tolist()
    class Net(nn.Module):
        def __init__(self, norm=Norm):
            super().__init__()
            self.norm = norm
        def forward(self, x: Tensor):
            return self.norm(x)
    """
    assert callees(code, "Net.forward") == []
    assert returned(code, "Net.forward") == Tensor(confidence=Confidence.MEDIUM)
    made = code.replace("self.norm(x)", "self.norm(3)")
    assert "torch.nn.Module" in callees(made, "Net.forward")


@pytest.mark.parametrize(
    ("statement", "name", "kind"),
    [
        ("y, n = self.act(x, n)", "y", Tensor(confidence=Confidence.MEDIUM)),
        ("y, n = self.act(x, n)", "n", INT),
        ("y, size = self.act(x, size=size)", "size", UNKNOWN),
        ("mask, y = self.act(x, mask, y=y)", "y", Tensor(parameter=True)),
        ("y, new = self.act(x)", "new", Tensor(confidence=Confidence.LOW)),
        ("y, (h, c) = self.act(x)", "h", Tensor(confidence=Confidence.LOW)),
        ("y, n = self.fc(x)", "n", Tensor("float")),
    ],
)
def test_what_is_unpacked_of_such_a_layer_is_what_it_was_given(statement: str, name: str, kind: Kind) -> None:
    code = f"""
    class Net(nn.Module):
        def __init__(self, make):
            super().__init__()
            self.act = make()
            self.fc = nn.Linear(3, 3)
        def forward(self, x: Tensor, n: int, size, mask: Tensor, y: Tensor):
            {statement}
            return {name}
    """
    assert returned(code, "Net.forward") == kind


@pytest.mark.parametrize(
    ("why", "call"),
    [
        ("it gets no tensor", "self.act(3)"),
        ("it is not the module's own", "other.act(x)"),
        ("nothing is given", "self.act()"),
    ],
)
def test_what_an_unknown_callable_gives_is_unknown(why: str, call: str) -> None:
    code = f"class Net(nn.Module):\n    def forward(self, x: Tensor, other):\n        return {call}\n"
    assert returned(code, "Net.forward") == UNKNOWN


def test_a_checkpoint_attribute_calls_what_it_is_given() -> None:
    code = """
    class Net(nn.Module):
        def run(self, x):
            print(x)
        def forward(self, x):
            self._gradient_checkpointing_func(self.run, x)
            self.other_func(self.run, x)
    """
    assert callees(code, "Net.forward") == ["builtins.print"]


def test_a_module_that_is_made_in_the_region_is_reported() -> None:
    assert "torch.nn.Module" in callees("class Net(nn.Module): ...\n" + function("Net()"))


# Objects


def test_an_object_is_what_its_class_is() -> None:
    kind = kind_of("A()", around="class A: ...")
    assert isinstance(kind, Instance)
    assert (kind.cls.name, kind.module, kind.fresh) == ("A", False, True)


def test_an_object_of_a_class_from_outside_is_made_by_it() -> None:
    assert kind_of("collections.Thing()") == External("collections.Thing")
    assert "typing.NamedTuple" not in callees("class P(typing.NamedTuple):\n    a: int\n" + function("P(1)"))


# Methods of things that source does not show


def test_a_method_that_only_tensors_have_is_called_on_something_unknown() -> None:
    (event,) = events(function("unknown().unsqueeze(0)"), "f", "call")
    assert (event.callee, event.confidence) == ("torch.Tensor.unsqueeze", Confidence.LOW)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("opt = unknown()\nopt.zero_grad()\nopt.step()", ["zero_grad", "step"]),
        ("what.opt.step()\nwhat.opt.zero_grad(set_to_none=True)", ["step", "zero_grad"]),
        ("opt = unknown()\nopt.step()", []),
        ("opt, other = unknown()\nopt.zero_grad()\nother.step()", []),
        ("unknown().zero_grad()\nunknown().step()", []),
    ],
)
def test_what_is_asked_to_step_and_to_forget_its_gradients_is_an_optimizer(body: str, found: list[str]) -> None:
    of_optimizer = [
        each for each in events(function(body), "f", "call") if each.callee.startswith("torch.optim.Optimizer.")
    ]
    assert [each.callee.rpartition(".")[2] for each in of_optimizer] == found
    assert {each.confidence for each in of_optimizer} <= {Confidence.MEDIUM}


def test_a_method_that_only_modules_have_is_called_on_something_unknown() -> None:
    (event,) = events(function("unknown().register_forward_hook(print)"), "f", "call")
    assert (event.callee, event.confidence) == ("torch.nn.Module.register_forward_hook", Confidence.MEDIUM)


@pytest.mark.parametrize("call", ["what.append(3)", "what.get('a')", "what()", "what.run(x)"])
def test_other_methods_of_something_unknown_say_nothing(call: str) -> None:
    assert events(function(call), "f", "call") == []


def test_a_call_of_one_of_several_things_gives_what_each_gives() -> None:
    around = "def g(x):\n    return 3\ndef h(x):\n    return 'a'\n"
    assert kind_of("k(x)", "k = g if flag else h", around) == join(Const(3), Const("a"))
    assert kind_of("k(x)", "k = g if flag else None", around) == Const(3)


def test_a_call_is_as_sure_as_its_receiver() -> None:
    (event,) = events("def f(v):\n    v.item()\n", "f", "call")
    assert event.confidence == Confidence.MEDIUM
    (event,) = events("def f(v: Tensor):\n    v.item()\n", "f", "call")
    assert event.confidence == Confidence.HIGH


@pytest.mark.parametrize("owner", ["Sizes", "Sizes()"])
@pytest.mark.parametrize("cache", ["functools.lru_cache(maxsize=None)", "functools.cache"])
def test_a_cached_class_method_is_an_object_that_calls_it(owner: str, cache: str) -> None:
    code = f"""
    import functools
    class Sizes:
        @classmethod
        @{cache}
        def double(cls, n):
            print(n)
            return n * 2
    sizes = {owner}
    def f(x):
        sizes.double(3)
    """
    assert callees(code) == ["functools.lru_cache.__call__", "builtins.print"]


@pytest.mark.parametrize("decorators", ["@functools.cache", "@staticmethod\n        @functools.cache"])
def test_a_cached_method_is_traced_as_if_there_was_no_cache(decorators: str) -> None:
    code = f"""
    import functools
    class Sizes:
        {decorators}
        def double(*args):
            print(*args)
    sizes = Sizes()
    def f(x):
        sizes.double(3)
    """
    assert callees(code) == ["builtins.print"]


@pytest.mark.parametrize(
    ("value", "callee"),
    [
        ("x", "functools.singledispatch.__call__"),
        ("[x]", "functools.singledispatch.__call__"),
        ("A()", "functools.singledispatch.__call__"),
        ("3", "functools.singledispatchmethod.__call__"),
        ("None", "functools.singledispatchmethod.__call__"),
        ("what", "functools.singledispatchmethod.__call__"),
    ],
)
def test_a_method_of_singledispatch_is_looked_up_by_what_it_is_given(value: str, callee: str) -> None:
    code = "class A:\n    @functools.singledispatchmethod\n    def show(self, value):\n        return value\n"
    assert callee in callees(code + function(f"A().show({value})"))


@pytest.mark.parametrize(
    ("value", "callee"),
    [
        ("x", "functools.singledispatch.__call__"),
        ("[x]", "functools.singledispatch.__call__"),
        ("what", "functools.singledispatch.__call__"),
        ("Level.LOW", "functools.singledispatch.__call__"),
        ("3", "functools.singledispatchmethod.__call__"),
        ("None", "functools.singledispatchmethod.__call__"),
        ("'low'", "functools.singledispatchmethod.__call__"),
        ("n", "functools.singledispatchmethod.__call__"),
    ],
)
def test_a_function_of_singledispatch_is_looked_up_like_a_method_for_numbers(value: str, callee: str) -> None:
    code = (
        "import enum\nclass Level(enum.IntEnum):\n    LOW = 1\n@functools.singledispatch\ndef show(v):\n    return v\n"
    )
    assert callee in callees(code + function(f"show({value})"))


def test_a_function_of_singledispatch_is_an_object_that_calls_the_general_one() -> None:
    code = """\
    @functools.singledispatch
    def scale(value):
        print(value)
        return value
    def f(x: Tensor):
        return scale(x)
    """
    assert callees(code) == ["functools.singledispatch.__call__", "builtins.print"]
    assert isinstance(returned(code), Tensor)


@pytest.mark.parametrize(
    ("made", "confidence"),
    [
        ("torch.jit.script(nn.Linear(3, 3))", Confidence.HIGH),
        ("torch.jit.script(nn.Linear(3, 3)) if MODE.get() else nn.Linear(3, 3)", Confidence.LOW),
        ("nn.LSTM(3, 3) if MODE.get() else nn.Linear(3, 3)", Confidence.MEDIUM),
    ],
)
def test_what_may_be_scripted_is_not_where_it_is_compiled(made: str, confidence: Confidence) -> None:
    code = f"""
    import contextvars
    MODE = contextvars.ContextVar("mode", default=False)
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = {made}
        def forward(self, x: Tensor):
            return self.layer(x)
    """
    found = [event for event in events(code, "Net.forward", "call") if event.callee.endswith(".forward")]
    assert found[0].confidence == confidence


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("pass", ["torch.Tensor"]),
        ("def __new__(cls, data):\n        return torch.Tensor._make_wrapper_subclass(cls, 3)", []),
    ],
)
def test_a_tensor_of_a_class_of_one_s_own_is_made_by_torch_unless_the_class_makes_it(
    body: str, called: list[str]
) -> None:
    code = f"class Wrapped(torch.Tensor):\n    {body}\n\n{function('Wrapped(x)')}"
    assert [event.callee for event in events(code, "f", "call") if event.source == "Wrapped(x)"] == called


def test_what_is_moved_and_then_listed_is_a_tensor() -> None:
    found = events(function("what.a().cpu().tolist()\nwhat.b().tolist()\nwhat.c().cpu().state_dict()"), "f", "call")
    assert [(each.callee, each.confidence) for each in found if "torch.Tensor" in each.callee] == [
        ("torch.Tensor.tolist", Confidence.MEDIUM),
        ("torch.Tensor.tolist", Confidence.LOW),
    ]


def test_what_goes_backward_without_being_given_anything_is_a_tensor() -> None:
    found = events(
        function("what.loss().backward()\nwhat.loss().backward(x)\nwhat.loss().backward(*what, x)"), "f", "call"
    )
    assert [(each.callee, each.confidence) for each in found if "backward" in each.callee] == [
        ("torch.Tensor.backward", Confidence.MEDIUM),
        ("torch.Tensor.backward", Confidence.LOW),
        ("torch.Tensor.backward", Confidence.LOW),
    ]
