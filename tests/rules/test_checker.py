"""The checker flags exactly the marked lines of every example, and nothing on the clean ones."""

from __future__ import annotations

import ast
import itertools
from pathlib import Path

import pytest

from compilelint.catalog import Example, Rule, measured_versions, resolve_target
from compilelint.catalog.example_source import defines_root
from compilelint.catalog.pages import RUN_GROUP
from compilelint.match.analysis import AnalysisSettings, analyze
from compilelint.report.confidence import Confidence
from compilelint.source.text import SourceText
from compilelint.source.tree import SourceTree
from tests.rules.pages import example_id, examples, readable_rules

RULES = tuple(rule for _, rule in readable_rules())
CODES = {rule.code for rule in RULES if rule.group != RUN_GROUP}
"""All that source can show: tests/rules/test_run_rules.py runs the others."""
TARGET = resolve_target(None, measured_versions(RULES))
FOLDER = Path("project")
"""Nothing is read of it: the text of the one file is given."""
OTHERS = ("2.5.1", "2.9.1", "2.15.0")
"""Old, between and new: what torch traces differs most between these."""


@pytest.mark.parametrize(("rule", "example"), examples(), ids=example_id)
def test_checker_flags_exactly_the_marked_lines(rule: Rule, example: Example) -> None:
    marked = {(line, code) for line, code, mode in example.marks if mode in (None, "default")}
    assert flagged(example, TARGET) == marked & shown(rule, example, TARGET)


_DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
COMPILED_BY = {
    "a call": "compiled = _torch.compile(f)\n",
    "a call in a function": "def main():\n    return _torch.compile(f)\n",
    "its own name": "f = _torch.compile(f)\n",
}
"""How scripts compile a function."""


WITH_ROOT = [(rule, example) for rule, example in examples() if defines_root(example.source)]
"""Those that define the function that is compiled, `f`."""
SCRIPTS = [(rule, example) for rule, example in examples() if not defines_root(example.source)]


@pytest.mark.parametrize(
    ("rule", "example"), [(rule, example) for rule, example in WITH_ROOT if example.hazard], ids=example_id
)
def test_checker_flags_the_same_where_a_script_compiles_it(rule: Rule, example: Example) -> None:
    known = flagged(example, TARGET)
    for how, compiled in COMPILED_BY.items():
        script = f"{example.source}\nimport torch as _torch\n{compiled}"
        assert known <= flagged_in(script, (), TARGET), how


@pytest.mark.parametrize(
    ("rule", "example"), [(rule, example) for rule, example in SCRIPTS if example.hazard], ids=example_id
)
def test_checker_flags_the_same_where_a_file_asks_whether_it_is_run(rule: Rule, example: Example) -> None:
    first = first_line_of_the_script(example.source)
    lines = example.source.splitlines()
    guarded = [*lines[: first - 1], 'if __name__ == "__main__":', *(f"    {line}" for line in lines[first - 1 :])]
    marked = {(line, code) for line, code in flagged(example, TARGET) if code == rule.code}
    moved = {(line + (line >= first), code) for line, code in marked}
    assert moved <= flagged_in("\n".join(guarded), (), TARGET)


def first_line_of_the_script(source: str) -> int:
    """Where the last statements begin that define nothing."""
    script = itertools.takewhile(lambda node: not isinstance(node, _DEFINITIONS), reversed(ast.parse(source).body))
    return min((node.lineno for node in script), default=len(source.splitlines()) + 1)


def is_told_of(rule: Rule, example: Example, target: str) -> bool:
    """Whether its lines say something there: of a clean example that breaks they do not of those behind the break."""
    if example.hazard or example.name not in rule.evidence:
        return True
    outcome = rule.evidence[example.name][target]["default"]
    return not (outcome.lines or outcome.reason.startswith("fails without Dynamo"))


@pytest.mark.parametrize(
    ("rule", "example", "target"),
    [(*pair, target) for pair in WITH_ROOT for target in OTHERS if is_told_of(*pair, target)],
    ids=example_id,
)
def test_checker_flags_on_another_torch_what_that_one_does(rule: Rule, example: Example, target: str) -> None:
    """Lines that share a subject may differ there: what proves one of them is taken to prove the others."""
    marked = {(line, code) for line, code, mode in example.marks if mode in (None, "default")}
    found, there = flagged(example, target), shown(rule, example, target)
    assert found <= there | marked
    proven = {line for lines in rule.proofs.get(example.name, {}).values() for line in lines}
    assert {(line, code) for line, code in marked & there if code == rule.code and line in proven} <= found


def shown(rule: Rule, example: Example, target: str) -> set[tuple[int, str]]:
    """Marked lines at which this torch did something by default; any code for lines that are not marked."""
    outcome = rule.evidence[example.name][target]["default"]
    return {(line, code) for line in outcome.lines for code in CODES}


def flagged(example: Example, target: str) -> set[tuple[int, str]]:
    roots = ("example.py::f",) if defines_root(example.source) else ()
    return flagged_in(example.source, roots, target)


def flagged_in(source: str, roots: tuple[str, ...], target: str) -> set[tuple[int, str]]:
    tree = SourceTree.load(FOLDER, [SourceText("example.py", FOLDER / "example.py", source)], [])
    analysis = analyze(tree, RULES, AnalysisSettings(roots=roots, target_torch=target))
    assert not analysis.problems
    return {(finding.line, finding.code) for finding in analysis.findings if finding.confidence >= Confidence.MEDIUM}


def test_what_steps_of_optimizers_are_made_of_is_traced() -> None:
    """Helpers of torch.optim that optimizers outside of torch call: no line breaks on 2.5.1, 2.8.0 and 2.13.0."""
    source = """
import torch
from torch.optim import Optimizer
from torch.optim.optimizer import _default_to_fused_or_foreach, _get_scalar_dtype, _get_value, _view_as_real
from torch.optim.sgd import sgd

class Descent(Optimizer):
    @torch.no_grad()
    def step(self):
        self._accelerator_graph_capture_health_check()
        for group in self.param_groups:
            gradients = [p.grad for p in group["params"]]
            _default_to_fused_or_foreach(group["params"], False, use_fused=False)
            _view_as_real(gradients)
            step = torch.zeros((), dtype=_get_scalar_dtype())
            group["params"][0].mul_(_get_value(step))
            sgd(group["params"], gradients, [None], weight_decay=0.0, momentum=0.0, lr=0.1, dampening=0.0)
"""
    assert flagged_in(source, ("example.py::Descent.step",), TARGET) == set()


def test_a_tensor_of_a_class_of_the_project_is_traced() -> None:
    """`as_subclass` of a class without a `__torch_dispatch__`: no line breaks on 2.13.0, but for plain tensors."""
    source = """
import torch

class Signal(torch.Tensor):
    pass

def f(x):
    return (x * 2).as_subclass(Signal) + 1

def g(x):
    return (x * 2).as_subclass(torch.Tensor) + 1
"""
    assert flagged_in(source, ("example.py::f",), TARGET) == set()
    assert flagged_in(source, ("example.py::g",), TARGET) == {(11, "CL733")}


def test_a_list_of_sizes_with_a_number_of_numpy_says_so() -> None:
    """`torch.zeros((2, n * hop))`: the graph breaks on 2.13.0, of a number and no tensor."""
    source = """
import numpy as np
import torch
from torch import nn

class Up(nn.Module):
    def __init__(self, rates):
        super().__init__()
        self.hop = np.prod(rates)

    def forward(self, x):
        return torch.zeros((2, x.shape[-1] * self.hop)).sum() + x.view([-1, x.shape[0] * self.hop])
"""
    tree = SourceTree.load(FOLDER, [SourceText("example.py", FOLDER / "example.py", source)], [])
    found = analyze(tree, RULES, AnalysisSettings(roots=("example.py::Up",), target_torch=TARGET)).findings
    told = [finding.message for finding in found if finding.code == "CL108"]
    assert len(told) == 2
    assert all("a number of numpy's" in message for message in told)
