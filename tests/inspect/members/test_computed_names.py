"""Attributes whose names are computed."""

from __future__ import annotations

import ast

import pytest

from compilelint.inspect.kinds import INT, NONE, STR, UNKNOWN, Const, External, Kind, Tensor, join
from compilelint.inspect.members.computed_names import attribute_name, set_by
from tests.inspect.make import callees, in_forward

LSTM, GRU = External("torch.nn.LSTM"), External("torch.nn.GRU")


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        ("f'conv{i}'", "conv*"),
        ("f'{i}_weight'", "*_weight"),
        ("f'block_{i}_{j}'", "block_*_*"),
        ("'conv' + str(i)", "conv*"),
        ("name + '_weight'", "*_weight"),
        ("'conv%d_%s' % (i, j)", "conv*_*"),
        ("'conv{}'.format(i)", "conv*"),
        ("name", ""),
        ("f'{i}'", ""),
        ("f'{i}_{j}'", ""),
        ("f'{i}.weight'", ""),
    ],
)
def test_what_is_known_of_a_name(expression: str, name: str) -> None:
    assert attribute_name(STR, ast.parse(expression, mode="eval").body) == name


def test_a_name_that_is_known_is_the_name() -> None:
    assert attribute_name(Const("conv1"), None) == "conv1"


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("setattr(self, f'conv{i}', layer)", "conv*"),
        ("self.register_buffer(f'{i}_mean', mean)", "*_mean"),
        ("self.add_module('conv%d' % i, layer)", "conv*"),
        ("self.add_module('conv1', layer)", ""),
        ("setattr(other, f'conv{i}', layer)", ""),
        ("self.append(f'conv{i}', layer)", ""),
        ("x = 3", ""),
    ],
)
def test_statements_that_set_such_an_attribute(statement: str, name: str) -> None:
    assert set_by(ast.parse(statement).body[0]) == name


@pytest.mark.parametrize(
    ("init", "read", "kind"),
    [
        ("for i in range(3): setattr(self, f'rnn{i}', nn.LSTM(3, 3))", "getattr(self, f'rnn{n}')", LSTM),
        ("for i in range(3): self.add_module('rnn' + str(i), nn.LSTM(3, 3))", "getattr(self, 'rnn%d' % n)", LSTM),
        (
            "for i in what: self.register_buffer(f'{i}_mean', torch.zeros(3))",
            "getattr(self, f'{n}_mean')",
            Tensor("float", 1, parameter=True),
        ),
        ("self.rnn1, self.rnn2 = nn.LSTM(3, 3), nn.GRU(3, 3)", "getattr(self, f'rnn{n}')", join(LSTM, GRU)),
        ("self.rnn_a = nn.LSTM(3, 3)", "getattr(self, f'rnn{n}')", UNKNOWN),
        ("for i in range(3): setattr(self, f'rnn{i}', nn.LSTM(3, 3))", "getattr(self, f'gru{n}')", UNKNOWN),
        ("for i in range(3): setattr(self, f'rnn{i}', nn.LSTM(3, 3))", "getattr(self, name)", LSTM),
        ("setattr(self, 'rnn', nn.LSTM(3, 3))", "self.rnn", LSTM),
        ("if what: setattr(self, 'rnn', nn.LSTM(3, 3))", "self.rnn", join(LSTM, NONE)),
        ("self.rnn = None", "getattr(self, f'rnn{n}')", UNKNOWN),
    ],
)
def test_what_is_read_is_what_was_set(init: str, read: str, kind: Kind) -> None:
    assert in_forward(read, init, around="n, name, what = int(input()), input(), input()") == kind


LOSSES = """
    def mean_loss(self): return len(self.x)
    def sum_loss(self): return str(self.x)
    @property
    def own_loss(self): ...
"""


@pytest.mark.parametrize(
    ("read", "kind"),
    [
        ("getattr(self, f'{n}_loss')()", join(INT, STR)),
        ("getattr(self, '%s_loss' % n)()", join(INT, STR)),
        ("getattr(self, f'mea{n}')()", INT),
        ("getattr(self, f'{n}_score')()", UNKNOWN),
    ],
)
def test_a_method_may_be_chosen_by_a_name_that_is_made_up(read: str, kind: Kind) -> None:
    assert in_forward(read, body=LOSSES, around="n = input()") == kind


def test_what_was_set_under_such_a_name_goes_before_methods() -> None:
    init = "setattr(self, f'{n}_loss', nn.LSTM(3, 3))"
    assert in_forward("getattr(self, f'{n}_loss')", init, LOSSES, "n = input()") == LSTM


def test_among_many_methods_none_is_chosen() -> None:
    many = "\n    ".join(f"def loss_{number}(self): return 3" for number in range(20))
    assert in_forward("getattr(self, f'loss_{n}')()", body=many, around="n = input()") == UNKNOWN


def test_none_is_not_among_what_was_set() -> None:
    init = "for i in range(3): setattr(self, f'rnn{i}', nn.LSTM(3, 3) if i else None)"
    found = in_forward("getattr(self, f'rnn{1 + 1}')", init)
    assert found == LSTM


@pytest.mark.parametrize(
    ("layer", "kind"),
    [
        ("getattr(nn, rnn_type)(4, 8)", LSTM),
        ("getattr(torch.nn, config.rnn.upper())(4, 8)", LSTM),
        ("getattr(nn, rnn_type + 'Cell')(4, 8)", UNKNOWN),
        ("getattr(nn, group_type)(4)", UNKNOWN),
        ("getattr(config, rnn_type)(4, 8)", UNKNOWN),
    ],
)
def test_a_layer_that_is_chosen_by_the_type_of_an_rnn_is_one(layer: str, kind: Kind) -> None:
    assert in_forward("self.layer", f"self.layer = {layer}") == kind


@pytest.mark.parametrize(
    ("statement", "kept"),
    [
        ("self.__dict__.update(locals())", True),
        ("vars(self).update(locals())", True),
        ("set_attributes(self, locals())", True),
        ("set_attributes(self, globals())", False),
        ("table.update(locals())", False),
        ("print(locals())", False),
    ],
)
def test_all_parameters_become_attributes(statement: str, kept: bool) -> None:
    code = f"""
    class Prints(nn.Module):
        def forward(self, x):
            print(x)

    class Layer(nn.Module):
        def __init__(self, act: nn.Module = None, size=3):
            super().__init__()
            {statement}

        def forward(self, x):
            return self.act(x)

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = Layer(act=Prints())

        def forward(self, x):
            return self.net(x)
    """
    assert ("builtins.print" in callees(code, "Net.forward")) is kept
