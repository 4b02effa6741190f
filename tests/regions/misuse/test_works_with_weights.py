"""Methods of a compiled module that do its work without its submodules, and where they are called."""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, constructs_around

CODER = """
class Coder(nn.Module):
    def __init__(self, options):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(3, 4))
        self.options = options
    def forward(self, x): ...
    def encode(self, x):
        {body}
    def multiply(self, x):
        return x @ self.weight
    def gram(self):
        return self.weight @ self.weight.T

compiled = torch.compile(Coder(1))
"""


ENCODER = """
class Encoder(Net):
    def encode(self, x):
        return self.linear(x)

"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return x @ self.weight", ["method-of-compiled"]),
        ("return x @ self.weight.T", ["method-of-compiled"]),
        ("return torch.nn.functional.linear(x, self.weight)", ["method-of-compiled"]),
        ("return torch.matmul(self.weight.transpose(0, 1), x)", ["method-of-compiled"]),
        ("return self.multiply(x)", ["method-of-compiled"]),
        ("return x * self.weight", []),
        ("return x @ x", []),
        ("return x @ self.options", []),
        ("return torch.nn.functional.softmax(self.weight, x)", []),
    ],
)
def test_a_method_that_multiplies_by_weights_does_the_work_of_a_layer(body: str, found: list[str]) -> None:
    assert constructs_around(NET + CODER.format(body=body) + "compiled.encode(2)") == found


def test_a_method_that_is_given_nothing_looks_at_the_weights() -> None:
    assert constructs_around(NET + CODER.format(body="pass") + "compiled.gram()") == []


@pytest.mark.parametrize(
    ("parameters", "found"),
    [
        ("x, c=c", ["method-of-compiled"]),
        ("x, *, c=c", ["method-of-compiled"]),
        ("x", ["method-of-compiled"]),
        ("x, c=None", []),
        ("x, c=d", []),
        ("x, c", []),
    ],
)
def test_a_default_of_the_same_name_keeps_what_is_seen_around_the_function(parameters: str, found: list[str]) -> None:
    hook = f"    def hook({parameters}):\n        return c.encode(x)\n    return hook"
    assert constructs_around(f"{NET}{ENCODER}def hooks(d):\n    c = torch.compile(Encoder())\n{hook}") == found
