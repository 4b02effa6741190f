"""Findings in followed packages: one for each rule and call, at the line of the project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from compilelint.match.analysis import AnalysisSettings, analyze
from compilelint.report.confidence import Confidence
from compilelint.report.model import Finding, LibraryPlace
from tests.match.make import TARGET, match, rule
from tests.source.make import following, installed

LIBRARY = {
    "lib/__init__.py": "from .layers import Layer, helper\n",
    "lib/layers.py": """\
import torch
from torch import nn, Tensor

def helper(x: Tensor):
    return x.item()

class Layer(nn.Module):
    def __init__(self, noisy=False):
        super().__init__()
        self.noisy = noisy

    def forward(self, x: Tensor):
        x = self.scale(x)
        if self.noisy:
            print(x)
        return x * x.mean().item()

    def scale(self, x):
        return x * x.max().item()
""",
}
PRELUDE = "import torch, lib; from torch import nn, Tensor\n"
RULES = (
    rule(match(callee=("torch.Tensor.item",), receiver=frozenset({"tensor"})), code="CL101"),
    rule(match(callee=("builtins.print",)), code="CL201"),
)


def findings(folder: Path, code: str, library: dict[str, str] | None = None) -> tuple[Finding, ...]:
    tree = following({"a.py": PRELUDE + code}, installed(folder, {**LIBRARY, **(library or {})}))
    return analyze(tree, RULES, AnalysisSettings(target_torch=TARGET)).findings


def test_a_call_of_a_library_model_has_one_finding_for_each_rule(tmp_path: Path) -> None:
    code = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = lib.Layer()
    def forward(self, x: Tensor):
        return 2 * self.layer(x)
"""
    found, hidden = findings(tmp_path, code)
    assert (found.path, found.line, found.column, found.end_column) == ("a.py", 8, 20, 33)
    assert found.function == "Net.forward"
    assert found.source_line.strip() == "return 2 * self.layer(x)"
    assert found.library == (
        LibraryPlace("lib/layers.py", 16, 16, "Layer.forward"),
        LibraryPlace("lib/layers.py", 19, 19, "Layer.scale"),
    )
    assert found.message == "`x.mean().item()` calls torch.Tensor.item, at lib/layers.py:16 and 1 more place"
    assert found.reached_from == ("a.py:3 Net.forward", "Net.forward", "Layer.forward")
    assert found.confidence == Confidence.HIGH
    assert (hidden.code, hidden.confidence) == ("CL201", Confidence.LOW)


@pytest.mark.parametrize(
    ("code", "place", "advice"),
    [
        ("class Own(lib.Layer): ...", (2, 7, 10, "Own"), "compile submodules that do not come to it"),
        ("model = torch.compile(lib.Layer())", (2, 9, 35, "<module>"), "compile submodules"),
        (
            "class Own(lib.Layer):\n    def forward(self, x):\n        return super().forward(x)",
            (4, 16, 34, "Own.forward"),
            "called from a function under `@torch.compiler.disable` it leaves one break",
        ),
        (
            "@torch.compile(fullgraph=True)\ndef f(x: Tensor):\n    return lib.helper(x)",
            (4, 12, 25, "f"),
            "compile without `fullgraph=True`",
        ),
    ],
)
def test_what_leads_into_the_library_is_pointed_at(
    tmp_path: Path, code: str, place: tuple[int, int, int, str], advice: str
) -> None:
    found, *_ = findings(tmp_path, code)
    assert (found.line, found.column, found.end_column, found.function) == place
    assert found.suggestion.startswith("This is code of lib: ")
    assert advice in found.suggestion
    assert "What would mend it there: Leave `" in found.suggestion


@pytest.mark.parametrize(
    ("option", "advice"),
    [
        ("", "else, called from a function under `@torch.compiler.disable` it leaves one break"),
        ("(fullgraph=True)", "else, leave this call out of what is compiled"),
    ],
)
def test_what_is_compiled_again_may_be_accepted(tmp_path: Path, option: str, advice: str) -> None:
    again = (replace(RULES[0], effect="recompile"),)
    code = f"@torch.compile{option}\ndef f(x: Tensor):\n    return lib.helper(x)"
    tree = following({"a.py": PRELUDE + code}, installed(tmp_path, LIBRARY))
    (found,) = analyze(tree, again, AnalysisSettings(target_torch=TARGET)).findings
    assert "accept it where one more compilation is all that it costs" in found.suggestion
    assert advice in found.suggestion
    assert "compile without `fullgraph=True`" not in found.suggestion


@pytest.mark.parametrize(
    ("code", "confidence"),
    [
        ("layer = lib.Layer()\n@torch.compile\ndef f(x: Tensor):\n    return layer(x)\n", Confidence.LOW),
        ("layer = lib.Layer(True)\n@torch.compile\ndef f(x: Tensor):\n    return layer(x)\n", Confidence.HIGH),
        ("layer = lib.Layer(noisy=True)\nfast = torch.compile(layer)\nfast(torch.ones(3))\n", Confidence.HIGH),
        ("layer = lib.Layer(noisy=False)\nfast = torch.compile(layer)\nfast(torch.ones(3))\n", Confidence.LOW),
        ("layer = lib.Layer(noisy=what())\nfast = torch.compile(layer)\nfast(torch.ones(3))\n", Confidence.LOW),
    ],
)
def test_which_paths_are_usual_the_options_say_that_the_program_gives(
    tmp_path: Path, code: str, confidence: Confidence
) -> None:
    assert [each.confidence for each in findings(tmp_path, code) if each.code == "CL201"] == [confidence]


def test_the_options_of_a_configuration_that_a_model_keeps_are_known(tmp_path: Path) -> None:
    model = """
from dataclasses import dataclass
from torch import nn, Tensor

@dataclass
class Config:
    noisy: bool = False

class Model(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.config = config

    def forward(self, x: Tensor):
        if self.config.noisy:
            print(x)
        return x
"""
    code = "from model import *\nfast = torch.compile(Model(Config(noisy={})))\nfast(torch.ones(3))\n"
    found = [findings(tmp_path / noisy, code.format(noisy), {"model.py": model}) for noisy in ("True", "False")]
    assert [[each.confidence for each in those] for those in found] == [[Confidence.HIGH], [Confidence.LOW]]


def test_every_call_is_told_though_the_library_is_walked_once(tmp_path: Path) -> None:
    code = "@torch.compile\ndef f(x: Tensor):\n    lib.helper(x)\n    return lib.helper(x)\n"
    first, second = findings(tmp_path, code)
    assert (first.line, second.line) == (4, 5)
    assert first.reached_from == second.reached_from == ("a.py:3 @torch.compile", "f", "helper")
    assert first.fingerprint != second.fingerprint


def test_a_fingerprint_survives_a_new_version_of_the_library(tmp_path: Path) -> None:
    code = "@torch.compile\ndef f(x: Tensor):\n    return lib.helper(x)\n"
    moved = LIBRARY["lib/layers.py"].replace("def helper(x: Tensor):", "def helper(x: Tensor):\n    x.max().item()")
    (before,) = findings(tmp_path / "old", code)
    (after,) = findings(tmp_path / "new", code, {"lib/layers.py": moved})
    assert before.library != after.library
    assert before.fingerprint == after.fingerprint


def test_what_a_library_calls_back_is_told_where_it_stands(tmp_path: Path) -> None:
    code = "class Own(lib.Layer):\n    def scale(self, x):\n        return x * x.sum().item()\n"
    own, inherited, *_ = sorted(findings(tmp_path, code), key=lambda found: bool(found.library))
    assert (own.line, own.message) == (4, "`x.sum().item()` calls torch.Tensor.item")
    assert inherited.library == (LibraryPlace("lib/layers.py", 16, 16, "Layer.forward"),)


def test_nothing_is_followed_unasked(tmp_path: Path) -> None:
    tree = following({"a.py": PRELUDE + "class Own(lib.Layer): ..."}, installed(tmp_path, {}))
    assert analyze(tree, RULES, AnalysisSettings(target_torch=TARGET)).findings == ()


def test_what_is_to_be_changed_of_a_generated_file_is_its_own_line_not_the_library(tmp_path: Path) -> None:
    code = "def f(x: Tensor):\n    return lib.helper(x)\n"
    generated = f"# This file was generated from a.py. Do NOT edit it.\n{PRELUDE}{code}torch.compile(f)\n"
    tree = following({"a.py": PRELUDE + code, "generated.py": generated}, installed(tmp_path, LIBRARY))
    (found,) = analyze(tree, RULES, AnalysisSettings(target_torch=TARGET)).findings
    advised, there = found.suggestion.split(" What would mend it there: ")
    assert advised.endswith("The file is generated from `a.py`: change that.")
    assert there == "Leave `x.item()` out."
