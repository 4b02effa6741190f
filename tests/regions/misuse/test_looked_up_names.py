"""Names of a wrapper that are looked up among those of the original, or the other way round."""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, constructs_around

COMPILED = "net = Net()\ncompiled = torch.compile(net)\n"
LOOP = "for name, p in compiled.named_parameters():\n    p.data = first[name]\n"


@pytest.mark.parametrize(
    ("first", "found"),
    [
        ("copy.deepcopy(net.state_dict())", ["names-of-compiled"]),
        ("dict(net.named_parameters())", ["names-of-compiled"]),
        ("{n: p.clone() for n, p in net.named_parameters()}", ["names-of-compiled"]),
        ("{n: p.clone() for n, p in net.state_dict().items()}", ["names-of-compiled"]),
        ("{n: p.clone() for n, p in compiled.named_parameters()}", []),
        ("{n + '_mean': p.clone() for n, p in net.named_parameters()}", []),
        ("{'_'.join(('', n)): p for n, p in net.named_parameters()}", []),
        ("dict(other.named_parameters())", []),
        ("dict(net.named_modules())", []),
        ("{}", []),
    ],
)
def test_the_names_of_a_wrapper_are_none_of_the_original(first: str, found: list[str]) -> None:
    assert constructs_around(f"{NET}{COMPILED}first = {first}\n{LOOP}") == found


def test_what_was_taken_before_the_name_was_compiled_is_of_the_original() -> None:
    code = f"{NET}compiled = Net()\nfirst = compiled.state_dict()\ncompiled = torch.compile(compiled)\n{LOOP}"
    assert constructs_around(code) == ["names-of-compiled"]


@pytest.mark.parametrize(("asked", "found"), [("net", ["names-of-compiled"]), ("compiled", [])])
def test_a_list_of_names_is_that_of_one_module(asked: str, found: list[str]) -> None:
    names = f"layers = [n for n, m in {asked}.named_modules() if isinstance(m, nn.Linear)]\n"
    loop = "parts = dict(compiled.named_modules())\nfor n in layers:\n    parts[n].eval()\n"
    assert constructs_around(NET + COMPILED + names + loop) == found


def test_a_name_of_a_wrapper_is_not_among_those_of_the_original() -> None:
    loop = "for name, p in compiled.named_parameters():\n    if name in first:\n        p.requires_grad = False\n"
    assert constructs_around(f"{NET}{COMPILED}first = net.state_dict()\n{loop}") == ["names-of-compiled"]


@pytest.mark.parametrize(
    ("asks", "found"),
    [
        ("compiled.state_dict()['linear.weight']", ["names-of-compiled"]),
        ("dict(compiled.named_parameters())['linear.weight']", ["names-of-compiled"]),
        ("state = compiled.state_dict()\nstate['linear.weight'].add_(1)", ["names-of-compiled"]),
        ("state = net.state_dict()\nstate['linear.weight'].add_(1)", []),
        ("state = compiled.state_dict()\nstate['linear.weight'] = 3\nstate['linear.weight']", []),
        ("state = compiled.state_dict()\nstate['epoch']", []),
        ("print('_orig_mod')\ncompiled.state_dict()['linear.weight']", []),
    ],
)
def test_a_key_that_is_written_out(asks: str, found: list[str]) -> None:
    assert constructs_around(NET + COMPILED + asks) == found


ACCUMULATE = """
def accumulate(model1, model2, decay=0.999):
    par1 = dict(model1.named_parameters())
    par2 = dict(model2.named_parameters())
    for k in {names}:
        par1[k].data.mul_(decay).add_(par2[k].data, alpha=1 - decay)

def train(net, ema):
    accumulate(ema, net)

net, ema = Net(), {ema}
accumulate(ema, net, 0)
train(torch.compile(net), ema)
"""


@pytest.mark.parametrize("names", ["par1.keys()", "par1"])
def test_an_average_is_looked_up_by_its_own_names(names: str) -> None:
    assert constructs_around(NET + ACCUMULATE.format(names=names, ema="Net()")) == ["names-of-compiled"]


def test_an_average_may_be_compiled_itself() -> None:
    assert constructs_around(NET + ACCUMULATE.format(names="par1", ema="torch.compile(Net())")) == []


AVERAGE = """
class Average:
    def __init__(self, model):
        self.ema = copy.deepcopy(model).eval()

    def update(self, model):
        state = model.state_dict()
        for k, v in self.ema.state_dict().items():
            v.mul_(0.9).add_(state[k], alpha=0.1)
"""


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("net = Net()\naverage = Average(net)\nnet = torch.compile(net)\naverage.update(net)\n", ["names-of-compiled"]),
        (
            "net = Net()\nmodel = torch.compile(net)\naverage = Average(model)\naverage.update(net)\n",
            ["names-of-compiled"],
        ),
        ("net = torch.compile(Net())\naverage = Average(net)\naverage.update(net)\n", []),
        ("net = Net()\naverage = Average(net)\nmodel = torch.compile(net)\naverage.update(net)\n", []),
        (
            "a, b = Average(Net()), Average(torch.compile(Net()))\nmodel = torch.compile(Net())\n"
            "a.update(Net())\nb.update(model)\n",
            [],
        ),
    ],
)
def test_an_average_of_weights_is_of_the_model_that_it_was_made_with(script: str, found: list[str]) -> None:
    assert constructs_around(f"{NET}{AVERAGE}{script}") == found
