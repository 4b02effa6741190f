"""Callees outside of the project that mean something to the walk itself."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import (
    BOOL,
    UNKNOWN,
    Array,
    Const,
    Instance,
    Kind,
    Partial,
    Reference,
    Tensor,
)
from tests.inspect.make import callees, events, function, kind_of, returned

INPUT = Tensor(parameter=True)


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("functools.partial(torch.relu, x)", Partial(Reference("torch.relu"), (INPUT,))),
        ("torch.compile(torch.relu)", Reference("torch.relu")),
        ("torch.compiler.is_compiling()", Const(True)),
        ("torch.jit.is_scripting()", Const(False)),
    ],
)
def test_callees_that_the_walk_knows(expression: str, kind: Kind) -> None:
    assert kind_of(expression) == kind


# Arrays that Dynamo takes for tensors


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("torch.is_tensor(x.numpy())", Const(True)),
        ("torch.is_tensor(x)", Const(True)),
        ("torch.is_tensor(3)", Const(False)),
        ("torch.is_tensor([x])", Const(False)),
        ("torch.is_tensor(x if flag else x.numpy())", Const(True)),
        ("torch.is_tensor(n if flag else x.numpy())", BOOL),
        ("torch.is_tensor(what)", BOOL),
        ("isinstance(x.numpy(), torch.Tensor)", BOOL),
    ],
)
def test_what_dynamo_takes_for_a_tensor(expression: str, answer: Kind) -> None:
    assert kind_of(expression) == answer


def test_an_array_is_left_as_it_is() -> None:
    code = function("a = x.numpy()\nif not torch.is_tensor(a):\n    a = torch.from_numpy(a)\nreturn a")
    assert isinstance(returned(code), Array)


@pytest.mark.parametrize(
    ("asked", "found"), [("x.numpy()", ["of-array"]), ("x", []), ("what", []), ("[x.numpy()]", [])]
)
def test_it_is_told_where_an_array_is_asked(asked: str, found: list[str]) -> None:
    calls = events(function(f"torch.is_tensor({asked})"), "f", "call")
    assert [event.construct for event in calls if event.callee == "torch.is_tensor" and event.construct] == found


# Autograd functions

SQUARE = """
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        print('forward')
        return 3
    @staticmethod
    def backward(ctx, grad):
        print('backward')
        return grad.item()
"""


def test_an_autograd_function_is_entered_forward_and_backward() -> None:
    found = callees(SQUARE + function("Square.apply(x)"))
    assert found == ["torch.autograd.Function.apply", "builtins.print", "builtins.print", "torch.Tensor.item"]
    assert kind_of("Square.apply(x)", around=SQUARE) == Const(3)


@pytest.mark.parametrize(
    "body",
    [
        "return self.Square.apply(x)",
        "return Net.Square.apply(x)",
        "run = self.Square.apply\n        return run(x)",
        "return Narrow.Square.apply(x)",
    ],
)
def test_an_autograd_function_that_a_class_body_defines_is_entered(body: str) -> None:
    """Dynamo 2.13.0 breaks in the `backward` of each, as in one that stands beside the class."""
    inner = "".join(f"    {line}\n" for line in SQUARE.strip().split("\n"))
    code = f"class Net(nn.Module):\n{inner}    def forward(self, x):\n        {body}\nclass Narrow(Net): ...\n"
    assert "torch.Tensor.item" in callees(code, "Net.forward")


@pytest.mark.parametrize("maker", ["from_pretrained", "from_config", "load_from_checkpoint"])
def test_what_makes_a_model_of_a_library_makes_one_of_the_project(maker: str) -> None:
    around = "import lightning\nclass Lit(lightning.LightningModule): ...\n"
    made = kind_of(f"Lit.{maker}('x')", around=around)
    assert isinstance(made, Instance)
    assert (made.cls.name, made.module) == ("Lit", True)


@pytest.mark.parametrize(
    ("why", "around", "expression"),
    [
        ("no library makes it", "class Plain(Missing): ...\n", "Plain.from_pretrained('x')"),
        ("another method", "import lightning\nclass Plain(lightning.LightningModule): ...\n", "Plain.make('x')"),
        ("no base", "class Plain: ...\n", "Plain.from_pretrained('x')"),
    ],
)
def test_what_makes_something_else(why: str, around: str, expression: str) -> None:
    assert kind_of(expression, around=around) == UNKNOWN


def test_an_autograd_function_whose_forward_does_not_tell_gives_a_tensor() -> None:
    around = (
        "class G(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        return unknown(x)\n"
    )
    assert kind_of("G.apply(x)", around=around) == Tensor()


def test_what_an_autograd_function_defines_beside_forward_and_backward_is_told() -> None:
    rules = "".join(f"    @staticmethod\n    def {name}(ctx, *rest): ...\n" for name in ("setup_context", "jvp"))
    found = callees(SQUARE + rules + function("Square.apply(x)"))
    assert "torch.autograd.Function.jvp" in found
    assert "torch.autograd.Function.vjp" not in found


def test_what_requires_a_gradient_in_an_autograd_function_is_told_apart() -> None:
    """Dynamo traces it in both methods from 2.12 on, and elsewhere in no release."""
    code = SQUARE.replace("print('forward')", "x.detach().requires_grad_()").replace(
        "print('backward')", "grad.detach().requires_grad_(True)"
    )
    found = callees(code + function("Square.apply(x.clone().requires_grad_())"))
    assert [callee for callee in found if callee.endswith(".requires_grad_")] == [
        "torch.Tensor.requires_grad_",
        "torch.autograd.Function.requires_grad_",
        "torch.autograd.Function.requires_grad_",
    ]


@pytest.mark.parametrize(
    ("applied", "found"),
    [
        ("square.apply(x)", ["torch.autograd.Function.object"]),
        ("Square().apply(x)", ["torch.autograd.Function.apply", "builtins.print", "builtins.print"]),
    ],
)
def test_an_object_of_an_autograd_function_is_only_entered_where_it_was_made_inside(
    applied: str, found: list[str]
) -> None:
    square = SQUARE.replace("grad.item()", "grad") + "square = Square()\n"
    assert [name for name in callees(square + function(applied)) if name != "torch.autograd.Function"] == found


def test_a_repeated_argument_of_an_autograd_function_is_said_so() -> None:
    constructs = [event.construct for event in events(SQUARE + function("Square.apply(x, x)"), "f", "call")]
    assert constructs[0] == "repeated-argument"


def test_a_class_method_of_an_autograd_function_is_given_its_class_and_the_context() -> None:
    code = SQUARE.replace("@staticmethod", "@classmethod").replace("(ctx, ", "(cls, ctx, ")
    assert "torch.Tensor.item" in callees(code + function("Square.apply(x)"))
    reads = code.replace("return 3", "return x.item() + cls.item() + ctx.item()")
    assert callees(reads + function("Square.apply(x)")).count("torch.Tensor.item") == 2


@pytest.mark.parametrize(
    ("methods", "told"),
    [
        (("forward",), ["forward"]),
        (("backward",), ["backward"]),
        (("forward", "backward"), ["forward", "backward"]),
        ((), []),
    ],
)
def test_class_methods_of_an_autograd_function_are_told_where_it_is_applied(
    methods: tuple[str, ...], told: list[str]
) -> None:
    code = SQUARE
    for method in methods:
        code = code.replace(f"@staticmethod\n    def {method}(", f"@classmethod\n    def {method}(cls, ")
    found = events(code + function("Square.apply(x)"), "f", "call")
    assert [event.construct for event in found if event.callee == "torch.autograd.Function.classmethod"] == told
    assert [event.callee for event in found].count("builtins.print") == 2


@pytest.mark.parametrize(
    ("body", "read", "told"),
    [
        ("k = 2", "Square.k", ["value"]),
        ("k = torch.ones(1)", "Square.k", ["value"]),
        ("k = [1, 2]", "Square.k", ["value"]),
        ("k = torch.float64", "Square.k", ["value"]),
        ("k = None", "Square.k", ["value"]),
        ("k = None", "Square.k == None", ["value"]),
        ("k = None", "Square.k is None", ["is"]),
        ("k = None", "None is not Square.k", ["is"]),
        ("k = None", "Square.k is x", []),
        ("k = 2", "Square.k is None", []),
        ("k = staticmethod(print)", "Square.k", []),
        ("k = 2", "ctx.k", []),
        ("k = 2", "Square.apply", []),
    ],
)
def test_what_the_class_of_an_autograd_function_holds_is_not_looked_up(body: str, read: str, told: list[str]) -> None:
    code = SQUARE.replace("Function):\n", f"Function):\n    {body}\n", 1)
    inside = code.replace("print('forward')", read) + function("Square.apply(x)")
    assert reads_of_class(inside) == told
    if "ctx" not in read:
        assert reads_of_class(code + function(read)) == told


def test_what_another_class_holds_is_looked_up() -> None:
    assert reads_of_class("class Options:\n    k = 2\n" + SQUARE + function("Square.apply(x) * Options.k")) == []


def reads_of_class(code: str) -> list[str]:
    found = events(code, "f", "attribute")
    return [event.construct for event in found if event.callee == "torch.autograd.Function.__getattr__"]


@pytest.mark.parametrize("call", ["sample()", "rsample((3,))", "log_prob(x)", "entropy()", "mode()"])
def test_what_is_independent_asks_the_distribution_that_it_is_made_of(call: str) -> None:
    name = call.partition("(")[0]
    code = f"""
from torch.distributions import independent
class Own(torch.distributions.Normal):
    def {name}(self, *args):
        print(args)
        return self.loc
class Net(nn.Module):
    def forward(self, x):
        return independent.Independent(Own(x, x.abs()), 1).{call}
"""
    assert "builtins.print" in callees(code, "Net.forward")
