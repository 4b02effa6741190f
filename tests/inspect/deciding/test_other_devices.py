"""Conditions that hold only on devices of which few programs have one."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events


def confidence_under(test: str) -> Confidence:
    code = f"""
class Net(nn.Module):
    def forward(self, x: Tensor, flag: bool):
        if {test}:
            print(x)
        return x
"""
    (event,) = (each for each in events(code, "Net.forward", "call") if each.callee == "builtins.print")
    return event.confidence


@pytest.mark.parametrize(
    "test",
    [
        'x.device.type == "mps"',
        'x.device.type in ("mps", "xla")',
        'x.device == torch.device("npu:0")',
        'not x.device.type != "xpu"',
        '"mps" in str(x.device)',
        'str(x.device).startswith("npu")',
        "x.is_mps",
        "x.is_meta",
        'x.device.type == "meta"',
        "torch.backends.mps.is_available()",
        "torch.xpu.is_available()",
        "x.is_mps or x.is_xpu",
        'flag and x.device.type == "hpu"',
    ],
)
def test_what_happens_on_a_device_that_few_have_is_of_low_confidence(test: str) -> None:
    assert confidence_under(test) == Confidence.LOW


@pytest.mark.parametrize(
    "test",
    [
        'x.device.type == "cuda"',
        "x.is_cuda",
        'x.device.type != "mps"',
        'not x.device.type == "mps"',
        'x.device.type not in ("mps", "xla")',
        'x.device.type in ("cuda", "xpu")',
        'x.device.type in ("cpu",)',
        "x.is_cuda or x.is_xpu",
        "torch.cuda.is_available()",
        'x.kind == "meta"',
        'x.device == torch.device("cpu")',
    ],
)
def test_what_happens_elsewhere_is_as_sure_as_anything(test: str) -> None:
    assert confidence_under(test) == Confidence.HIGH
