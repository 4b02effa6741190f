"""The programs of models.toml, functions.toml and kept.toml: a `print` under a condition, in something that a script
compiles."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).parent
_IMPORTS = """\
import enum
import logging
import os
import sys
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace
from typing import NamedTuple, Optional

import torch
import torch.nn.functional as F
from torch import nn
"""
_MODEL = """
class Net(nn.Module):
{methods}
    def __init__(self{parameters}):
        super().__init__()
{init}

    def forward(self, x):
        if {condition}:
            print("reached")
        return x * 2
"""
_CALLS_MODEL = """
def main():
    model = {made}
{then}
    net = torch.compile(model, backend="eager")
    net(torch.randn(4, 8))
    net(torch.randn(4, 8))


if __name__ == "__main__":
    main()
"""
_FUNCTION = """
{decorator}
def step(x{parameters}):
{before}
    if {condition}:
        print("reached")
    return x * 2


def main():
    run = {run}
    x = torch.randn(4, 8)
{calls}


if __name__ == "__main__":
    main()
"""
_BUILDER = """\
from net import *


def build_model():
    return {made}
"""
_TRAINER = """\
import torch


class Trainer:
    def __init__(self, model):
        self.model = torch.compile(model, backend="eager")

    def train(self, steps):
        for _ in range(steps):
            self.model(torch.randn(4, 8))
"""
_SCRIPT = """\
from build import build_model
from net import *
from trainer import Trainer


def main():
    model = build_model()
{then}
    trainer = Trainer(model)
    trainer.train(2)


if __name__ == "__main__":
    main()
"""
_STEP = """
@torch.compile(backend="eager")
def step(x):
    if {condition}:
        print("reached")
    return x * 2
"""
_CHANGES = """
def main():
{then}
    step(torch.randn(4, 8))


if __name__ == "__main__":
    main()
"""
Files = dict[str, str]
"""The files of a program by name; the script is main.py."""


def programs() -> Iterator[tuple[str, Files]]:
    """Each program with its name: functions, models in one file (`model/…`), and in files of their own (`files/…`)."""
    for name, row in _rows("functions"):
        yield f"function/{name}", {"main.py": _function(row)}
    for name, row in _rows("models"):
        model = _model(row)
        yield f"model/{name}", {"main.py": model + _filled(_CALLS_MODEL, row, made="Net()", then="pass")}
        yield (
            f"files/{name}",
            {
                "net.py": model,
                "build.py": _filled(_BUILDER, row, made="Net()"),
                "trainer.py": _TRAINER,
                "main.py": _filled(_SCRIPT, row, then="pass"),
            },
        )
    for name, row in _rows("kept"):
        for changed, then in ((name, row["then"]), (f"{name}_not", "pass")):
            yield from ((f"{sort}/{changed}", files) for sort, files in _kept({**row, "then": then}))


def _kept(row: dict[str, Any]) -> Iterator[tuple[str, Files]]:
    """What a module keeps, in one file with what asks for it, and in another, as a module or by its names."""
    kept, step = row["kept"] + "\n", _filled(_STEP, row)
    main = _filled(_CHANGES, row)
    if "{M}" not in row["then"]:
        yield "kept", {"main.py": f"{_IMPORTS}\n{kept}\n{step}\n{main}".replace("{C}", "")}
    of_module = {"{C}": "settings.", "{M}": "settings"}
    yield "kept-module", _with_settings(kept, "import settings", step, main, of_module)
    names = sorted(set(re.findall(r"\{C\}(\w+)", step + row["then"])))
    if "{M}" not in row["then"] and "global" not in kept:
        yield "kept-names", _with_settings(kept, f"from settings import {', '.join(names)}", step, main, {"{C}": ""})


def _with_settings(kept: str, imported: str, step: str, main: str, places: dict[str, str]) -> Files:
    for place, spelled in places.items():
        step, main = step.replace(place, spelled), main.replace(place, spelled)
    return {
        "settings.py": _IMPORTS + kept,
        "steps.py": f"{_IMPORTS}{imported}\n{step}",
        "main.py": f"{_IMPORTS}{imported}\nfrom steps import step\n{main}",
    }


def _rows(table: str) -> Iterator[tuple[str, dict[str, Any]]]:
    with (HERE / f"{table}.toml").open("rb") as file:
        yield from tomllib.load(file).items()


def _model(row: dict[str, Any]) -> str:
    around = f"\n{row['around']}\n" if "around" in row else ""
    return _IMPORTS + around + _filled(_MODEL, row, methods="", parameters="", init="pass")


def _function(row: dict[str, Any]) -> str:
    is_decorated = row.get("decorated", True)
    around = f"\n{row['around']}\n" if "around" in row else ""
    compiled = "torch.compile(step, backend='eager')"
    return (
        _IMPORTS
        + around
        + _filled(
            _FUNCTION,
            row,
            parameters="",
            before="pass",
            calls=f"for _ in range(2):\n    run(x{row.get('given', '')})",
            decorator="@torch.compile(backend='eager')" if is_decorated else "",
            run="step" if is_decorated else compiled,
        )
    )


def _filled(template: str, row: dict[str, Any], **defaults: str) -> str:
    given = defaults | {key: str(value) for key, value in row.items()}
    depth = {"methods": 4, "init": 8, "then": 4, "before": 4, "calls": 4}
    return template.format(
        **{key: indent(value, depth.get(key, 0) * " ") if key in depth else value for key, value in given.items()}
    )
