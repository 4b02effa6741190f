"""Flags on which a file compiles have one value in what it compiles."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import options
from compilelint.report.confidence import Confidence
from tests.inspect.make import events, returned

CODE = """\
import re
import torch
from torch import Tensor

USE_COMPILE = unknown()

class Trainer:
    def __init__(self, cfg, compiled):
        self.cfg = cfg
        self.compiled = compiled
        {compile}

    def step(self, x: Tensor):
        {body}
        return x
"""
GUARDED = "if compiled:\n            self.step = torch.compile(self.step)"
CHECK = "if not self.compiled:\n            print(x)"


def sureness(compile_: str = GUARDED, body: str = CHECK, more: str = "") -> Confidence:
    code = CODE.format(compile=compile_, body=body) + more
    (event,) = (event for event in events(code, "Trainer.step", "call") if event.callee == "builtins.print")
    return event.confidence


@pytest.mark.parametrize(
    ("compile_", "body"),
    [
        (GUARDED, CHECK),
        (GUARDED.replace("if compiled", "if self.compiled"), CHECK),
        (GUARDED.replace("if compiled", "if compiled and x"), CHECK),
        ("self.run = torch.compile(self.step) if compiled else self.step", CHECK),
        ("if not compiled:\n            pass\n        else:\n            self.net.compile()", CHECK),
        (
            "if cfg.compile:\n            self.step = torch.compile(self.step)",
            "if not self.cfg.compile:\n            print(x)",
        ),
        (
            "if cfg.no_compile:\n            pass\n        else:\n            torch.compile(f)",
            "if cfg.no_compile:\n            print(x)",
        ),
        (
            "if USE_COMPILE:\n            self.step = torch.compile(self.step)",
            "if not USE_COMPILE:\n            print(x)",
        ),
        (GUARDED, "if x.ndim == 2 and not self.compiled:\n            print(x)"),
        (GUARDED, "if self.compiled:\n            return x\n        print(x)"),
        (f"{GUARDED}\n        re.compile('a')", CHECK),
    ],
)
def test_what_happens_only_where_nothing_is_compiled_is_hardly_compiled(compile_: str, body: str) -> None:
    assert sureness(compile_, body.replace("cfg.no", "self.cfg.no")) == Confidence.LOW


@pytest.mark.parametrize(
    ("why", "compile_", "body", "more"),
    [
        ("it happens with the flag on", GUARDED, CHECK.replace("not ", ""), ""),
        ("another flag is asked", GUARDED, CHECK.replace("compiled", "verbose"), ""),
        ("another object's flag is asked", GUARDED, CHECK.replace("self.compiled", "self.cfg.compiled"), ""),
        ("more is compiled, without it", GUARDED, CHECK, "\n@torch.compile\ndef other(x): ...\n"),
        ("it is compiled either way", GUARDED + "\n        self.net.compile()", CHECK, ""),
        ("one of two flags is enough", GUARDED.replace("if compiled", "if compiled or cfg"), CHECK, ""),
        ("its name tells nothing", GUARDED.replace("if compiled", "if fast"), CHECK.replace("compiled", "fast"), ""),
        ("nothing is compiled", "pass", CHECK, ""),
    ],
)
def test_what_may_happen_in_what_is_compiled_is_as_sure_as_ever(why: str, compile_: str, body: str, more: str) -> None:
    assert sureness(compile_, body, more) == Confidence.HIGH, why


def test_what_is_compiled_there_may_not_be() -> None:
    code = """
class Combined(nn.Module):
    def __init__(self, compiled):
        super().__init__()
        self.net = torch.compile(nn.Linear(3, 3)) if compiled else nn.Conv2d(3, 3, 1)
    def held(self):
        return self.net
"""
    assert len(options(returned(code, "Combined.held"))) == 2
