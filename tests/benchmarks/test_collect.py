"""The collector: what becomes of models that crash, hang or fail, what is run again, what one that runs says."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("resource")  # of POSIX only

from benchmarks.accuracy.collect import GIB, Bounds, dumps, is_due, merge, raw_path, run_model
from benchmarks.accuracy.observed import Folder, union

BOUNDS = Bounds(seconds=60, memory=6 * GIB)
RECIPE = 'PACKAGE = "toy"\ndef names(): return ["net"]\n'


@pytest.fixture
def run(tmp_path: Path) -> Any:
    """Runs the model `net` of a recipe with this source."""

    def of(source: str, bounds: Bounds = BOUNDS) -> dict[str, Any]:
        recipe = tmp_path / "toy_recipe.py"
        recipe.write_text(RECIPE + source)
        raw = raw_path(tmp_path, str(recipe), "net")
        record = run_model(str(recipe), "net", raw, bounds)
        assert json.loads(raw.read_text()) == record
        return record

    return of


def test_a_model_that_crashes_is_recorded_with_its_last_words(run: Any) -> None:
    record = run("import os, sys\nprint('torn', file=sys.stderr, flush=True)\nos.abort()\n")
    assert (record["status"], record["error"]) == ("failed", "exit code -6: torn")


def test_a_model_that_never_ends_is_ended_with_what_it_started(run: Any, tmp_path: Path) -> None:
    source = f"""
import os, subprocess, time
child = subprocess.Popen(["sleep", "600"])
open({str(tmp_path / "pids")!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
time.sleep(600)
"""
    record = run(source, Bounds(seconds=5, memory=6 * GIB))
    assert (record["status"], record["error"]) == ("failed", "no end after 5 s")
    own, child = map(int, (tmp_path / "pids").read_text().split())
    with pytest.raises(ProcessLookupError):
        os.kill(own, 0)
    assert _ends(child)


def _ends(pid: int) -> bool:
    """Whether a process that was killed is gone soon."""
    for _ in range(100):
        if not _is_alive(pid):
            return True
        time.sleep(0.05)
    return False


def _is_alive(pid: int) -> bool:
    """A process that its dead parent has not collected is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_model_that_needs_too_much_memory_fails(run: Any) -> None:
    record = run("b'x' * (2 << 30)\n", Bounds(seconds=60, memory=GIB))
    assert (record["status"], record["error"]) == ("failed", "MemoryError: ")


def test_a_recipe_whose_package_is_missing_fails(run: Any) -> None:
    record = run("import no_such_package\n")
    assert record["status"] == "failed"
    assert record["error"].startswith("ModuleNotFoundError: No module named 'no_such_package'")


def test_what_is_there_is_not_run_again(tmp_path: Path) -> None:
    raw = tmp_path / "net.json"
    assert is_due(raw, retry=False)
    raw.write_text('{"status": "ok"}')
    assert not is_due(raw, retry=False)
    assert not is_due(raw, retry=True)
    raw.write_text('{"status": "failed"}')
    assert not is_due(raw, retry=False)
    assert is_due(raw, retry=True)


def test_names_make_different_files(tmp_path: Path) -> None:
    paths = {raw_path(tmp_path, "toy", name) for name in ("a/b", "a%2Fb", "a_b", "Bert@long", "../a")}
    assert len(paths) == 5
    assert {path.parent for path in paths} == {tmp_path / "toy"}


def write(folder: Path, name: str, **model: Any) -> Path:
    path = folder / f"{name}.json"
    made = {"class": name, "versions": {"torch": "2.13.0"}, "sites": [], "traced_lines": {}, **model}
    path.write_text(json.dumps({"name": name, "status": "ok", "model": made}))
    return path


def test_the_truth_is_of_models_that_ran_and_holds_lines_once(tmp_path: Path) -> None:
    site = {"file": "toy/a.py", "line": 3, "stack": ["toy/a.py:3"]}
    failed = tmp_path / "failed.json"
    failed.write_text('{"name": "failed", "status": "failed", "error": "no"}')
    raws = [
        write(tmp_path, "second", sites=[site, site], traced_lines={"toy/a.py": [[3, 5]], "toy/b.py": [[1, 1]]}),
        write(tmp_path, "first", traced_lines={"toy/a.py": [[1, 2], [4, 9]]}),
        failed,
    ]
    merged = merge(raws)
    assert merged == {
        "versions": {"torch": "2.13.0"},
        "models": {"first": {"class": "first", "sites": []}, "second": {"class": "second", "sites": [site, site]}},
        "traced_lines": {"toy/a.py": [[1, 9]], "toy/b.py": [[1, 1]]},
    }
    text = dumps(merged)
    assert json.loads(text) == merged
    assert text.count(json.dumps(site)) == 2
    assert [line.strip() for line in text.splitlines() if "toy/a.py" in line] == [
        f"{json.dumps(site)},",
        json.dumps(site),
        '"toy/a.py": [[1, 9]],',
    ]


def test_models_of_different_versions_are_not_one_truth(tmp_path: Path) -> None:
    raws = [write(tmp_path, "old", versions={"torch": "2.12.0"}), write(tmp_path, "new")]
    with pytest.raises(ValueError, match=r"2\.12\.0.*2\.13\.0"):
        merge(raws)


def test_lines_are_joined_to_ranges() -> None:
    assert union([{"a.py": [[1, 2], [7, 7]]}, {"a.py": [[3, 3], [6, 7]], "b.py": []}]) == {"a.py": [[1, 3], [6, 7]]}


def test_a_guard_names_files_as_sites_do() -> None:
    folder = Folder("toy", "/opt/venv/packages")
    said = "n == 4 # if n > 3: # {}toy/models/toy/a.py:7 in forward"
    for beginning in ("", "packages/", "venv/packages/", "opt/venv/packages/"):
        assert folder.in_guard(said.format(beginning)) == said.format("")
    assert folder.in_guard(said.format("other/")) == said.format("other/")


def test_files_are_named_by_what_they_are_imported_as() -> None:
    folder = Folder("toy", "/opt/venv/packages")
    assert folder.name("/opt/venv/packages/toy/a.py") == "toy/a.py"
    assert folder.name("/opt/venv/lib/python3.11/site-packages/torch/nn/a.py") == "torch/nn/a.py"
    assert folder.name("/opt/venv/packages/toyota/a.py") == "toyota/a.py"
    assert folder.name("/usr/lib/python3.11/inspect.py") == "inspect.py"
    assert folder.owns("/opt/venv/packages/toy/a.py")
    assert not folder.owns("/opt/venv/packages/toyota/a.py")


TOY = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        y = inner(self.linear(x))
        if self.training:
            print("training")
        return {"y": y}

def inner(y):
    if y.sum() > 0:
        y = y + 1
    return y

def fails_when_compiled(x):
    if torch.compiler.is_compiling():
        return x @ x
    return x

def fails(x):
    return x @ x
"""
TOY_RECIPE = """
import torch
from benchmarks.accuracy.recipes import Built, Inputs
import toy

def build(name):
    first, second = (Inputs((torch.randn(batch, 4),)) for batch in (2, 3))
    target = toy.Net() if name == "net" else getattr(toy, name)
    return Built(target, first, second, trains=name == "net")
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A recipe of a package that holds a model, and functions that fail."""
    pytest.importorskip("torch")
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "__init__.py").write_text(TOY)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    recipe = tmp_path / "toy_recipe.py"
    recipe.write_text(RECIPE + TOY_RECIPE)
    return recipe


def line(text: str) -> int:
    return next(number for number, each in enumerate(TOY.splitlines(), 1) if text in each)


@pytest.mark.slow
def test_a_model_that_runs_says_where_it_broke_in_which_phase(toy: Path) -> None:
    record = run_model(str(toy), "net", raw_path(toy.parent, str(toy), "net"), BOUNDS)
    assert record["status"] == "ok", record["error"]
    model = record["model"]
    assert (model["class"], model["package"], model["root"]) == ("Net", "toy", "toy/__init__.py::Net")
    assert set(model["phases"]) == {"eval", "eval_alt1", "train"}
    assert all(phase["ok"] and phase["graphs"] >= 2 for phase in model["phases"].values())
    branch, printed = model["sites"][1], model["sites"][0]
    assert (branch["line"], branch["function"], branch["kinds"], branch["gb_id"], branch["primary"]) == (
        line("if y.sum()"),
        "inner",
        ["break"],
        "GB0170",
        True,
    )
    assert branch["phases"] == ["eval", "eval_alt1", "train"]
    assert branch["stack"] == [f"toy/__init__.py:{line('inner(self')}", f"toy/__init__.py:{line('if y.sum()')}"]
    assert (printed["line"], printed["phases"], printed["primary"]) == (line("print("), ["train"], False)
    recompiled = {(each["function"], each["phase"]) for each in model["recompiles"]}
    assert ("forward", "eval_alt1") in recompiled
    assert not [each for each in model["recompiles"] if each["phase"] == "train"]
    assert all(reason.startswith("0/0: tensor 'x' size") for reason in model["recompiles"][0]["reasons"])
    traced = {at for first, last in model["traced_lines"]["toy/__init__.py"] for at in range(first, last + 1)}
    assert {line("return y"), line("if self.training")} <= traced
    assert line("return x @ x") not in traced
    assert model["versions"]["torch"].startswith("2.")


@pytest.mark.slow
def test_what_fails_only_under_compile_is_truth_and_what_always_fails_is_none(toy: Path) -> None:
    record = run_model(str(toy), "fails_when_compiled", raw_path(toy.parent, str(toy), "x"), BOUNDS)
    assert record["status"] == "ok"
    assert record["model"]["root"] == "toy/__init__.py::fails_when_compiled"
    assert not record["model"]["phases"]["eval"]["ok"]
    assert "x" in record["model"]["phases"]["eval"]["error"]
    (site,) = record["model"]["sites"]
    assert (site["line"], site["kinds"], site["phases"]) == (line("return x @ x"), ["error"], ["eval", "eval_alt1"])
    record = run_model(str(toy), "fails", raw_path(toy.parent, str(toy), "y"), BOUNDS)
    assert record["status"] == "failed"
    assert record["error"].startswith("Failed: RuntimeError: mat1 and mat2 shapes cannot be multiplied")
