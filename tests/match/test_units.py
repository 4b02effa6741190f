"""What one file starts, walked on its own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest

import compilelint.match.units as units_module
from compilelint.inspect.knowledge import Knowledge
from compilelint.match.analysis import AnalysisSettings, analyze, plan, together_of
from compilelint.match.matcher import Matcher
from compilelint.match.units import inspect_unit
from tests.match.make import TARGET, match, rule
from tests.source.make import tree

FILES = {
    "net.py": """\
import torch
from torch import nn
class Inner(nn.Module):
    def forward(self, x):
        return x.item()
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
    def forward(self, x: torch.Tensor, scale):
        return self.inner(x) * float(scale)
""",
    "train.py": """\
import torch
from net import Net
@torch.compile
def step(net: Net, x: torch.Tensor):
    return Net()(x, 2.0)
torch.compile(Net())(torch.ones(2), 3)
""",
    "zoo.py": "import torch\nfrom net import Inner\nclass Other(Inner):\n    pass\n",
}
RULES = (
    rule(match(callee=("torch.Tensor.item",), receiver=frozenset({"tensor"})), code="CL101"),
    rule(match(callee=("builtins.float",)), code="CL103"),
    rule(match("compile", construct=frozenset({"discarded"})), code="CL601", effect="not-compiled"),
)
SETTINGS = AnalysisSettings(target_torch=TARGET)
MATCHER = Matcher(RULES, TARGET)


def test_units_come_to_the_same_in_any_order_and_from_any_tree() -> None:
    expected = analyze(tree(FILES), RULES, SETTINGS)
    assert {finding.code for finding in expected.findings} == {"CL101", "CL103"}
    for order in permutations(FILES):
        for shared in (True, False):
            results = {}
            knowledge = Knowledge(tree(FILES))
            for name in order:
                if not shared:
                    knowledge = Knowledge(tree(FILES))
                program, units = plan(knowledge.tree, SETTINGS)
                results[name] = inspect_unit(knowledge, MATCHER, units[sorted(FILES).index(name)], program)
            assert together_of(knowledge.tree.checked, [results[name] for name in sorted(FILES)]) == expected


def test_of_one_place_what_is_compiled_for_sure_is_told() -> None:
    found = {finding.code: finding for finding in analyze(tree(FILES), RULES, SETTINGS).findings}
    assert found["CL101"].reached_from[0] == "train.py:4 @torch.compile"


def test_a_unit_tells_each_place_once_for_each_way_to_count() -> None:
    code = "import torch\ndef g(x):\n    x.item()\n"
    for number in range(3):
        code += f"@torch.compile\ndef f{number}(x: torch.Tensor):\n    g(x + {number})\n"
    files = tree({"a.py": code})
    program, (unit,) = plan(files, SETTINGS)
    assert len(inspect_unit(Knowledge(files), MATCHER, unit, program).sightings) == 1


def test_of_units_of_files_that_nobody_checks_nothing_is_told_but_about_those_that_are() -> None:
    trains = FILES["train.py"].replace("2.0", "x.max().item()")
    files = tree({"net.py": FILES["net.py"]}, {"train.py": trains})
    program, units = plan(files, SETTINGS)
    assert [unit.name for unit in units] == ["net.py", "train.py"]
    knowledge = Knowledge(files)
    results = [inspect_unit(knowledge, MATCHER, unit, program) for unit in units]
    assert {seen.finding.path for seen in results[1].sightings} == {"net.py", "train.py"}
    assert {finding.path for finding in together_of(files.checked, results).findings} == {"net.py"}


@pytest.mark.parametrize("where", ["compiled_roots", "wrapping_events"])
def test_what_nests_too_deep_around_regions_is_a_problem_of_the_file(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = getattr(units_module, where)

    def too_deep(*args: Any, **options: Any) -> Iterator[Any]:
        yield from found(*args, **options)
        raise RecursionError

    monkeypatch.setattr(units_module, where, too_deep)
    analysis = analyze(tree(FILES), RULES, SETTINGS)
    assert (where == "wrapping_events") == bool(analysis.findings), "what was found in regions before is told"
    assert {problem.message for problem in analysis.problems} == {"nests too deep to inspect"}


def test_where_we_fail_ourselves_is_a_problem_and_the_rest_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    walked = units_module._inspect_root
    failed: list[str] = []

    def fail_once(inspector: Any, root: Any, dynamo: Any) -> None:
        if not failed:
            failed.append(root.function.name)
            raise IndexError("tuple index out of range")
        walked(inspector, root, dynamo)

    monkeypatch.setattr(units_module, "_inspect_root", fail_once)
    compiled = "@torch.compile\ndef {}(x):\n    return {}\n"
    source = "import torch\n" + compiled.format("f", "x") + compiled.format("g", "float(x.sum())")
    result = analyze(tree({"a.py": source}), RULES, SETTINGS)
    (problem,) = result.problems
    assert (problem.path, problem.line) == ("a.py", 3)
    assert problem.message.startswith(
        "f could not be inspected: internal error: IndexError: tuple index out of range ("
    )
    assert problem.message.endswith("; please report it")
    assert [found.code for found in result.findings] == ["CL103"]


def test_what_the_model_of_a_file_calls_is_not_walked_for_its_own_sake(monkeypatch: pytest.MonkeyPatch) -> None:
    walked: list[str] = []
    inspect_root = units_module._inspect_root

    def noted(inspector: Any, root: Any, mode: Any) -> None:
        walked.append(root.function.name)
        inspect_root(inspector, root, mode)

    monkeypatch.setattr(units_module, "_inspect_root", noted)
    files = {"net.py": FILES["net.py"]}
    analysis = analyze(tree(files), RULES, SETTINGS)
    assert walked == ["Net.forward"]
    assert [(each.code, each.line) for each in analysis.findings] == [("CL101", 5), ("CL103", 11)]
    analyze(tree(files), RULES, AnalysisSettings(roots=("net.py::Inner.forward",), target_torch=TARGET))
    assert walked == ["Net.forward", "Inner.forward"], "what is asked for by name is walked"


def test_what_goes_past_a_wrapper_in_compiled_code_is_compiled_with_it() -> None:
    code = """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
    def forward(self, x):
        return self.linear(x)
    def encode(self, x):
        return self.linear(x)

class Guided(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
    def forward(self, x):
        return self.model.encode(x)

def guided(x):
    return model.encode(x)

model = torch.compile(Net())
"""
    rules = (rule(match("compile", construct=frozenset({"method-of-compiled"})), code="CL603", effect="not-compiled"),)

    def found(compiled: str) -> list[int]:
        return [finding.line for finding in analyze(tree({"a.py": code + compiled}), rules, SETTINGS).findings]

    assert found("Guided(model)(torch.ones(4))") == [18, 21]
    assert found("torch.compile(Guided(model))(torch.ones(4))") == [21]
    assert found("torch.compile(Guided(model))(torch.ones(4))\nguided = torch.compile(guided)") == []
