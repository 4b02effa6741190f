"""Other tracers that are given what is compiled."""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, events_around

COMPILED = "net = Net()\ncompiled = torch.compile(net)\n"
IN_PLACE = "net = Net()\nnet.compile()\n"


def exported(code: str) -> list[str]:
    return [event.callee for event in events_around(NET + code) if event.construct == "export-of-compiled"]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("torch.jit.trace(compiled, x)", ["torch.jit.trace"]),
        ("torch.jit.script(compiled)", ["torch.jit.script"]),
        ("torch.fx.symbolic_trace(compiled)", ["torch.fx.symbolic_trace"]),
        ("torch.jit.trace(net, x)", []),
        ("torch.onnx.export(compiled, (x,), 'a.onnx', dynamo=False)", ["torch.onnx.export"]),
        ("torch.onnx.export(compiled, (x,), 'a.onnx')", []),
        ("torch.export.export(compiled, (x,))", []),
        ("import pytest\nwith pytest.raises(RuntimeError):\n    torch.jit.trace(compiled, x)", []),
        (
            "from torch.utils.tensorboard import SummaryWriter\nSummaryWriter().add_graph(compiled, x)",
            ["torch.utils.tensorboard.SummaryWriter.add_graph"],
        ),
        ("writer.add_graph(compiled, x)", []),
    ],
)
def test_what_is_compiled_is_given_to_another_tracer(code: str, found: list[str]) -> None:
    assert exported(COMPILED + code) == found


@pytest.mark.parametrize(
    ("code", "found"),
    [("torch.jit.trace(net, x)", ["torch.jit.trace"]), ("torch.jit.script(net)", [])],
)
def test_a_module_that_is_compiled_in_place_keeps_its_code(code: str, found: list[str]) -> None:
    assert exported(IN_PLACE + code) == found
    assert exported(f"net = Net()\n{code}\nnet.compile()\n") == []


def test_what_a_function_is_given() -> None:
    code = f"def save(model, x):\n    torch.jit.trace(model, x).save('a.pt')\n{COMPILED}save(compiled, 3)\n"
    assert exported(code) == ["torch.jit.trace"]
