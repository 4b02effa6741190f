"""Options of a command line that are off if nobody names them."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events

CODE = """
class Net(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.args = args

    def forward(self, x: Tensor):
        if self.args.debug_nans:
            x.item()
        return x
"""


def confidence(script: str) -> Confidence:
    script = f"import argparse\nfrom example import Net\n{script}"
    (event,) = (each for each in events(CODE, "Net.forward", "call", train=script) if each.callee.endswith(".item"))
    return event.confidence


@pytest.mark.parametrize(
    "declared",
    [
        'parser.add_argument("--debug-nans", action="store_true")',
        "parser.add_argument('-d', '--debug_nans', help='look', action='store_true')",
        'parser.add_argument(\n    "--debug-nans",\n    type=bool,\n    default=False,\n)',
        'parser.add_argument("--debug-nans", action=argparse.BooleanOptionalAction)',
        'click.option("--debug-nans", is_flag=True)',
    ],
)
def test_a_flag_for_debugging_is_off_unless_it_is_named(declared: str) -> None:
    assert confidence(declared) == Confidence.LOW


@pytest.mark.parametrize(
    ("why", "declared"),
    [
        ("nobody declares it", "parser = argparse.ArgumentParser()"),
        ("it is on by default", 'parser.add_argument("--debug-nans", default=True)'),
        ("it must be given", 'parser.add_argument("--debug-nans", type=int)'),
        ("another option is off", 'parser.add_argument("--debug-nans-too", action="store_true")'),
        ("the script turns it on", 'parser.add_argument("--debug-nans", action="store_true")\nargs.debug_nans = True'),
    ],
)
def test_it_may_be_on(why: str, declared: str) -> None:
    assert confidence(declared) == Confidence.HIGH


def test_of_what_is_no_flag_for_debugging_each_value_is_usual() -> None:
    code = CODE.replace("debug_nans", "amp")
    script = 'from example import Net\nparser.add_argument("--amp", action="store_true")\n'
    (event,) = (each for each in events(code, "Net.forward", "call", train=script) if each.callee.endswith(".item"))
    assert event.confidence == Confidence.HIGH
