"""A recurrent layer that is all there is to compile. The plain forms are the examples of the page CL634."""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, constructs_around


def test_whichever_layer_an_option_chooses_is_one() -> None:
    code = "def build(kind):\n    rnn = {'lstm': nn.LSTM, 'gru': nn.GRU}[kind](4, 4)\n    return torch.compile(rnn)\n"
    assert constructs_around(NET + code) == ["recurrent-alone"]


def test_a_helper_compiles_what_its_callers_hand_it() -> None:
    code = "def build(layer):\n    return torch.compile(layer)\nbuild(nn.RNN(4, 4))\n"
    assert "recurrent-alone" in constructs_around(NET + code)


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("a cell is traced", "cell = torch.compile(nn.LSTMCell(4, 4))\ncell(3)"),
        ("a model around it", "model = torch.compile(Net(nn.LSTM(4, 4)))\nmodel(3)"),
        ("not compiled", "rnn = nn.LSTM(4, 4)\nmodel = torch.compile(Net())\nmodel(rnn(3))"),
        ("Dynamo may", "torch._dynamo.config.allow_rnn = True\nrnn = torch.compile(nn.LSTM(4, 4))\nrnn(3)"),
        (
            "another layer as well",
            "def build(o):\n    layer = nn.LSTM(4, 4) if o else nn.Linear(4, 4)\n    return torch.compile(layer)",
        ),
    ],
)
def test_what_else_is_compiled(why: str, code: str) -> None:
    assert "recurrent-alone" not in constructs_around(NET + code)
