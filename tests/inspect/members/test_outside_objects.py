"""Objects of classes that nobody follows."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import BOOL, UNKNOWN, Const, External, Kind
from tests.inspect.make import callees, kind_of

AROUND = "import types, argparse\nfrom types import SimpleNamespace\n"


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("SimpleNamespace(debug=False).debug", Const(False)),
        ("types.SimpleNamespace(a=1, mode='fast').mode", Const("fast")),
        ("argparse.Namespace(debug=True).debug", Const(True)),
        ("SimpleNamespace(debug=flag).debug", BOOL),
        ("SimpleNamespace()", External("types.SimpleNamespace")),
        ("SimpleNamespace(**what)", External("types.SimpleNamespace")),
        ("somebody.Manager(debug=False)", UNKNOWN),
        ("random.Random(3)", External("random.Random")),
    ],
)
def test_what_a_namespace_is_made_with_it_holds(expression: str, kind: Kind) -> None:
    assert kind_of(expression, around=AROUND) == kind


@pytest.mark.parametrize(
    ("made", "called"),
    [
        ("stats.truncnorm(-2, 2)", "scipy.stats.truncnorm.rvs"),
        ("interp1d([0.0], [1.0])", "scipy.interpolate.interp1d.rvs"),
        ("interpolate.CubicSpline([0.0], [1.0])", "scipy.interpolate.CubicSpline.rvs"),
    ],
)
def test_what_scipy_makes_has_methods_of_its_own(made: str, called: str) -> None:
    net = f"""
from scipy import interpolate, stats
from scipy.interpolate import interp1d
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.draw = {made}
    def forward(self, x):
        return x * self.draw.rvs(1)[0]
"""
    assert called in callees(net, "Net.forward")


def test_functions_of_scipy_make_no_objects() -> None:
    assert kind_of("scipy.stats.zscore(x)", around="import scipy.stats\n") == UNKNOWN


def test_what_the_file_sets_may_be_another_value() -> None:
    around = AROUND + "def on(options):\n    options.debug = True\n"
    assert kind_of("SimpleNamespace(debug=False).debug", around=around) == BOOL


def test_a_module_is_configured_by_one() -> None:
    net = f"""
{AROUND}
class Net(nn.Module):
    def __init__(self, options):
        super().__init__()
        self.options = options
    def forward(self, x):
        if self.options.debug:
            print(x)
        return x
class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net(SimpleNamespace(debug=DEBUG))
    def forward(self, x):
        return self.net(x)
"""
    assert "builtins.print" not in callees(net.replace("DEBUG", "False"), "Outer.forward")
    assert "builtins.print" in callees(net.replace("DEBUG", "True"), "Outer.forward")
