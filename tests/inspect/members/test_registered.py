"""Buffers and parameters that are registered by name, elsewhere than in the statements of `__init__`."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import UNKNOWN, Kind, Tensor
from tests.inspect.make import returned

KEPT = Tensor(parameter=True)


def held(init: str, method: str = "pass") -> Kind:
    """What `self.a` is in the `forward` of a module with this `__init__`, which calls the other method."""
    return returned(
        "class Net(nn.Module):\n"
        "    def __init__(self, betas):\n"
        "        super().__init__()\n"
        + "".join(f"        {line}\n" for line in init.split("\n"))
        + f"        self.setup(betas)\n    def setup(self, betas):\n        {method}\n"
        + "    def forward(self, x):\n        return self.a\n",
        "Net",
    )


@pytest.mark.parametrize(
    ("method", "kind"),
    [
        ("self.register_buffer('a', torch.ones(3))", Tensor("float", 1, parameter=True)),
        ("self.register_buffer('a', to_torch(betas), persistent=False)", KEPT),
        ("self.register_parameter('a', nn.Parameter(betas))", KEPT),
        ("self.register_buffer('a', None)", UNKNOWN),
        ("self.register_buffer('b', torch.ones(3))", UNKNOWN),
        ("other.register_buffer('a', torch.ones(3))", UNKNOWN),
        ("self.register_hook('a', torch.ones(3))", UNKNOWN),
    ],
)
def test_what_another_method_registers_is_a_tensor(method: str, kind: Kind) -> None:
    assert held("pass", method) == kind


@pytest.mark.parametrize(
    ("init", "kind"),
    [
        ("reg = lambda name, t: self.register_buffer(name, t.float())\nreg('a', torch.ones(3))", "float"),
        ("def reg(name, t):\n    self.register_buffer(name, t)\nreg('a', torch.ones(3).long())", "int"),
        ("reg = lambda name, t: self.register_buffer('b', t)\nreg('a', torch.ones(3))", None),
        ("reg = lambda t, name: self.register_buffer(name, t)\nreg('a', torch.ones(3))", None),
        ("reg = lambda name, t: log(name, t)\nreg('a', torch.ones(3))", None),
    ],
)
def test_what_a_local_function_registers_is_a_tensor(init: str, kind: str | None) -> None:
    assert held(init) == (UNKNOWN if kind is None else Tensor(kind, 1, parameter=True))  # type: ignore[arg-type]
