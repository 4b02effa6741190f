"""Functions that are compiled and put in place of a module's `forward`."""

from __future__ import annotations

import pytest

from compilelint.inspect.arguments.items import MODULE
from compilelint.inspect.kinds import INT, Instance, Kind
from compilelint.regions import compiled_roots
from tests.regions.project import inspector

CODE = """
import torch
from torch import nn
from types import MethodType

class Own(nn.Module):
    def forward(self, x):
        return x

@torch.compile
def cached(self, x):
    self.calls += 1
    return x

def install(net):
    {put}
    net.calls = 0
"""


def accepted(put: str, code: str = CODE) -> dict[str, Kind]:
    (root,) = (
        each for each in compiled_roots(inspector(code.format(put=put)), "train.py") if each.function.name == "cached"
    )
    return dict(root.accepts)


@pytest.mark.parametrize(
    "put",
    [
        "net.__class__.forward = cached",
        "net.forward = MethodType(cached, net)",
        "net.forward = cached.__get__(net)",
        "type(net).forward = cached",
    ],
)
def test_self_is_a_module_with_the_numbers_that_the_file_sets(put: str) -> None:
    assert accepted(put) == {"self": MODULE, "self.calls": INT}


def test_self_is_of_the_class_that_gets_it() -> None:
    assert isinstance(accepted("Own.forward = cached")["self"], Instance)


@pytest.mark.parametrize("put", ["net.other = cached", "net.forward = len", "pass"])
def test_nobody_knows_what_self_is_elsewhere(put: str) -> None:
    assert accepted(put) == {}


def test_a_first_parameter_of_another_name_is_no_module() -> None:
    assert (
        accepted("net.forward = cached", CODE.replace("cached(self, x)", "cached(x)").replace("self.calls += 1", ""))
        == {}
    )
