"""Callees that mean something to the walk itself."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    UNKNOWN,
    Const,
    Kind,
    Partial,
    Reference,
    Sequence,
    Tensor,
    join,
)
from tests.inspect.make import callees, events, function, kind_of

INPUT = Tensor(parameter=True)


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("isinstance(x, Tensor)", Const(True)),
        ("isinstance(n, int)", Const(True)),
        ("isinstance(n, str)", Const(False)),
        ("isinstance(n, (str, int))", Const(True)),
        ("isinstance(flag, int)", Const(True)),
        ("isinstance([], list)", Const(True)),
        ("isinstance([], tuple)", Const(False)),
        ("isinstance(n, Tensor)", Const(False)),
        ("isinstance(nn.Linear, type)", Const(True)),
        ("isinstance(np.ndarray, type)", Const(True)),
        ("isinstance(object, type)", Const(True)),
        ("isinstance(len, type)", Const(False)),
        ("isinstance(x, type)", Const(False)),
        ("isinstance(torch.relu, type)", Reference("?")),
        ("isinstance(maybe, Tensor)", Reference("?")),
        ("isinstance(what, int)", Reference("?")),
        ("getattr(x, 'ndim')", INT),
        ("getattr(x, name)", UNKNOWN),
        ("getattr(what, 'a', 3)", UNKNOWN),
        ("functools.partial(torch.relu, x)", Partial(Reference("torch.relu"), (INPUT,))),
        ("torch.compile(torch.relu)", Reference("torch.relu")),
        ("torch.compiler.is_compiling()", Const(True)),
        ("torch.jit.is_scripting()", Const(False)),
        ("len(x)", INT),
        ("str(n)", STR),
        ("float('inf')", FLOAT),
        ("print(n)", NONE),
    ],
)
def test_callees_that_the_walk_knows(expression: str, kind: Kind) -> None:
    found = kind_of(expression)
    if kind == Reference("?"):
        assert not isinstance(found, Const)
    else:
        assert found == kind


@pytest.mark.parametrize(
    ("before", "kind"),
    [
        ("v = []\nv.append(3)", Sequence("list", Const(3))),
        ("v = [1]\nv.append('a')", Sequence("list", join(Const(1), Const("a")))),
        ("v = []\nv.extend([3, 4])", Sequence("list", INT)),
        ("v = []\nv.extend(range(n))", Sequence("list", INT)),
        ("v = []\nfor i in range(n):\n    v.append(x)", Sequence("list", INPUT)),
        ("v = set()\nv.add(3)", Sequence("set", Const(3))),
    ],
)
def test_containers_hold_what_was_put_into_them(before: str, kind: Kind) -> None:
    assert kind_of("v", before) == kind


HISTORY = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.history = []
        self.table = {{}}
    def forward(self, x):
        {body}
    {method}
"""


def growths(body: str, method: str = "") -> list[str]:
    code = HISTORY.format(body=body, method=method)
    return [event.callee for event in events(code, "Net.forward", "attribute-write") if event.construct == "append"]


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("self.history.append(x)", "history"),
        ("self.table.update(a=x)", "table"),
        ("self.history.extend([x])", "history"),
        ("if self.history is None:\n            self.history = []\n        self.history.append(x)", "history"),
        ("if not hasattr(self, 'history'):\n            self.history = []\n        self.history.append(x)", "history"),
    ],
)
def test_containers_of_a_module_grow(body: str, name: str) -> None:
    assert growths(body) == [f"torch.nn.Module.{name}"]


@pytest.mark.parametrize(
    ("why", "statement"),
    [
        ("another fixed name", "setattr(self, 'other', [])"),
        ("another fixed name", "getattr(self, 'other').clear()"),
        ("another object", "setattr(config, name, [])"),
        ("another object", "getattr(config, name).clear()"),
    ],
)
def test_a_container_grows_where_another_method_empties_something_else(why: str, statement: str) -> None:
    method = f"def reset(self, config, name):\n        {statement}"
    assert growths("self.history.append(x)", method) == ["torch.nn.Module.history"]


@pytest.mark.parametrize(
    ("why", "body", "method"),
    [
        (
            "it starts anew where something else is missing",
            "if self.mode is None:\n            self.history = []\n        self.history.append(x)",
            "",
        ),
        ("it starts anew in each call", "self.history = []\n        self.history.append(x)", ""),
        ("it is bounded", "if len(self.history) < 3:\n            self.history.append(x)", ""),
        ("another method empties it", "self.history.append(x)", "def reset(self):\n        self.history.clear()"),
        ("another method renews it", "self.history.append(x)", "def reset(self):\n        self.history = []"),
        (
            "another method empties what a table names",
            "self.history.append(x)",
            "def reset(self):\n        for name in self.names:\n            getattr(self, name).clear()",
        ),
        (
            "another method renews what a table names",
            "self.history.append(x)",
            "def reset(self):\n        for name in self.names:\n            setattr(self, name, [])",
        ),
        ("it is a local", "history = []\n        history.append(x)", ""),
        ("it is only read", "self.history.index(x)", ""),
    ],
)
def test_containers_do_not_grow(why: str, body: str, method: str) -> None:
    assert growths(body, method) == []


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


def test_a_repeated_argument_of_an_autograd_function_is_said_so() -> None:
    constructs = [event.construct for event in events(SQUARE + function("Square.apply(x, x)"), "f", "call")]
    assert constructs[0] == "repeated-argument"


@pytest.mark.parametrize(
    ("attribute", "kind"), [("jax", Const(False)), ("shape", BOOL), ("item", BOOL), ("_is_initialised", BOOL)]
)
def test_a_plain_tensor_has_only_what_torch_gives_it(attribute: str, kind: Kind) -> None:
    assert kind_of(f'hasattr(x, "{attribute}")') == kind


def test_of_what_is_no_tensor_for_sure_hasattr_tells_nothing() -> None:
    assert kind_of('hasattr(what, "jax")') == BOOL
