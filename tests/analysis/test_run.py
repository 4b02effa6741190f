"""What is remembered from run to run, and when it is not."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from compilelint.analysis import again, run
from compilelint.analysis.job import Walked
from compilelint.analysis.store import Store
from compilelint.match.units import Unit
from tests.analysis.make import PROJECT, analysis, places, write

FOUND = ["net.py:5 CL101", "other.py:4 CL201", "broken.py:2"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write(tmp_path / "project")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "cache.sqlite")


@pytest.fixture
def walked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The units that are walked, as it happens."""
    names: list[str] = []
    walk_all = run.walk_all

    def noting(job: object, walk: object, units: Sequence[Unit], *others: object) -> object:
        names.extend(unit.name for unit in units)
        return walk_all(job, walk, units, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(run, "walk_all", noting)
    return names


def change(file: Path, text: str) -> None:
    """Another text, at another time."""
    file.write_text(text, encoding="utf-8")
    stat = file.stat()
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns + 5_000_000_000))


def test_what_has_not_changed_is_not_walked_again(project: Path, store: Store, walked: list[str]) -> None:
    first = analysis(project, store)
    assert places(first) == FOUND
    assert sorted(walked) == sorted(PROJECT)
    walked.clear()
    assert analysis(project, store) == first
    assert walked == []


def test_of_a_changed_file_all_is_walked_that_looked_at_it(project: Path, store: Store, walked: list[str]) -> None:
    analysis(project, store)
    walked.clear()
    change(project / "layers.py", PROJECT["layers.py"].replace("2 * x", "(2 * x).tolist()"))
    assert places(analysis(project, store)) == ["other.py:4 CL201", "broken.py:2"], "a list has no item()"
    assert sorted(walked) == ["layers.py", "net.py"]
    walked.clear()
    change(project / "layers.py", PROJECT["layers.py"])
    assert places(analysis(project, store)) == FOUND


TWO_LAYERS = """\
import torch
def scale(x):
    return 2 * x
class Shift:
    def __init__(self):
        self.by = 1
    def forward(self, x: torch.Tensor):
        return x + self.by
"""


def test_of_a_changed_function_only_who_looked_into_it_is_walked(
    project: Path, store: Store, walked: list[str]
) -> None:
    change(project / "layers.py", TWO_LAYERS)
    uses_shift = (
        "import torch\nfrom layers import Shift\n@torch.compile\ndef g(x):\n    return Shift().forward(x).item()\n"
    )
    write(project, {"shift.py": uses_shift})
    found = [*FOUND[:2], "shift.py:5 CL101", FOUND[2]]
    assert places(analysis(project, store)) == found
    walked.clear()
    longer = TWO_LAYERS.replace("return 2 * x", "y = 2\n    return (y * x).tolist()")
    change(project / "layers.py", longer)
    assert places(analysis(project, store)) == found[1:], "a list has no item()"
    assert sorted(walked) == ["layers.py", "net.py"]
    walked.clear()
    change(project / "layers.py", longer.replace("x + self.by", "(x + self.by).tolist()"))
    assert places(analysis(project, store)) == found[1:2] + found[3:]
    assert sorted(walked) == ["layers.py", "shift.py"], "what was not walked the last time is known of the text since"


def test_what_a_method_assigns_matters_to_who_never_calls_it(project: Path, store: Store) -> None:
    net = """\
import torch
class Base:
    def __init__(self):
        self.size = None
    def grow(self):
        length = 1
    def look(self, x: torch.Tensor):
        return x
"""
    head = """\
import torch
from base import Base
class Head(Base):
    def look(self, x: torch.Tensor):
        return self.size.item()
"""
    write(project, {"base.py": net, "head.py": head})
    asked = ("head.py::Head.look",)
    assert "head.py:5 CL101" in places(analysis(project, store, roots=asked))
    change(project / "base.py", net.replace("length = 1", "self.size = list()"))
    assert "head.py:5 CL101" not in places(analysis(project, store, roots=asked)), "a list has no item()"


def test_findings_below_what_changed_are_found_where_they_are(project: Path, store: Store, walked: list[str]) -> None:
    layers = "import torch\ndef unused():\n    return 1\ndef scale(x):\n    return 2 * x.item()\n"
    change(project / "layers.py", layers)
    first = places(analysis(project, store))
    assert "layers.py:5 CL101" in first
    walked.clear()
    change(project / "layers.py", layers.replace("    return 1\n", "    one = 1\n\n    return one\n"))
    assert places(analysis(project, store)) == [each.replace("layers.py:5", "layers.py:7") for each in first]
    assert walked == ["layers.py"]


def test_many_changed_files_are_walked_without_comparing_them(
    project: Path, store: Store, walked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    change(project / "layers.py", TWO_LAYERS)
    analysis(project, store)
    walked.clear()
    monkeypatch.setattr(again, "_MOST_CHANGED", 0)
    change(project / "layers.py", TWO_LAYERS.replace("x + self.by", "x - self.by"))
    assert places(analysis(project, store)) == FOUND
    assert sorted(walked) == ["layers.py", "net.py"]


def test_a_file_that_is_mended_is_walked(project: Path, store: Store, walked: list[str]) -> None:
    analysis(project, store)
    walked.clear()
    change(project / "broken.py", "import torch\n")
    assert places(analysis(project, store)) == FOUND[:2]
    assert walked == ["broken.py"]


def test_a_touched_file_is_read_and_nothing_else(project: Path, store: Store, walked: list[str]) -> None:
    analysis(project, store)
    walked.clear()
    change(project / "net.py", PROJECT["net.py"])
    assert places(analysis(project, store)) == FOUND
    assert walked == []


@pytest.mark.parametrize("options", [{"tool": "newer"}, {"target": "2.12.0"}])
def test_another_tool_or_target_begins_anew(
    options: dict[str, str], project: Path, store: Store, walked: list[str]
) -> None:
    analysis(project, store)
    walked.clear()
    analysis(project, store, **options)
    assert sorted(walked) == sorted(PROJECT)


def test_a_new_file_may_change_what_any_name_means(project: Path, store: Store) -> None:
    change(project / "other.py", "import torch\nfrom shown import show\n@torch.compile\ndef f(x): show(x)\n")
    assert places(analysis(project, store)) == ["net.py:5 CL101", "broken.py:2"]
    write(project, {"shown.py": "def show(x):\n    print(x)\n"})
    assert places(analysis(project, store)) == ["net.py:5 CL101", "shown.py:2 CL201", "broken.py:2"]


def test_a_name_that_another_star_import_comes_to_give_is_taken_from_there(project: Path, store: Store) -> None:
    net = PROJECT["net.py"].replace("from layers import scale", "from first import *\nfrom layers import *")
    write(project, {"first.py": "import torch\n", "net.py": net})
    assert "net.py:6 CL101" in places(analysis(project, store))
    change(project / "first.py", "def scale(x):\n    return x.tolist()\n")
    assert "net.py:6 CL101" not in places(analysis(project, store)), "a list has no item()"


def test_a_file_that_comes_to_import_a_base_has_a_say_in_what_its_classes_take(project: Path, store: Store) -> None:
    head = (
        "import torch\nfrom base import Base\nclass {0}(Base):\n    def step(self, t: {1}):\n        return t.item()\n"
    )
    write(
        project,
        {"base.py": "class Base: pass\n", "narrow.py": head.format("Narrow", "int"), "wide.py": "import torch\n"},
    )
    asked = ("narrow.py::Narrow.step",)
    assert places(analysis(project, store, roots=asked)) == ["broken.py:2"]
    change(project / "wide.py", head.format("Wide", "int | torch.Tensor"))
    assert "narrow.py:5 CL101" in places(analysis(project, store, roots=asked)), "who calls one may call the other"


def test_what_other_files_make_is_what_they_make_now(project: Path, store: Store) -> None:
    agent = """\
import torch
class Reads:
    def step(self, x):
        return x.relu().item()
class Agent:
    def __init__(self, how):
        self.how = how
    @torch.compile
    def act(self, x: torch.Tensor):
        return self.how.step(x)
"""
    main = "from agent import Agent, Reads\nagent = Agent({})\n"
    write(project, {"agent.py": agent, "main.py": main.format("None")})
    assert places(analysis(project, store)) == FOUND
    change(project / "main.py", main.format("Reads()"))
    assert places(analysis(project, store)) == ["agent.py:4 CL101", *FOUND]
    write(project, {"another.py": main.format("what")})
    change(project / "main.py", "agent = None\n")
    assert places(analysis(project, store)) == FOUND
    change(project / "another.py", main.format("how=Reads()"))
    assert places(analysis(project, store)) == ["agent.py:4 CL101", *FOUND]


def test_what_the_project_sets_of_dynamo_counts_as_it_is_now(project: Path, store: Store) -> None:
    setting = "import torch\n{0}torch._dynamo.config.capture_{1} = True\n"
    change(project / "plain.py", setting.format("import net\n", "dynamic_output_shape_ops"))
    assert places(analysis(project, store)) == FOUND
    change(project / "plain.py", setting.format("import net\n", "scalar_outputs"))
    assert places(analysis(project, store)) == FOUND[1:]
    change(project / "plain.py", setting.format("", "scalar_outputs"))
    assert places(analysis(project, store)) == FOUND, "no program holds both files"
    change(project / "plain.py", setting.format("import net\n", "scalar_outputs"))
    assert places(analysis(project, store)) == FOUND[1:]


@pytest.mark.parametrize("deep", ["not " * 500 + "x", "x" + "[0]" * 500])
def test_what_did_not_fit_on_the_stack_is_tried_again(
    deep: str, project: Path, store: Store, walked: list[str]
) -> None:
    text = f"import torch\n@torch.compile\ndef f(x: torch.Tensor):\n    y = {deep}\n    return x.item()\n"
    write(project, {"deep.py": text})
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 400)
    try:
        first = analysis(project, store)
    finally:
        sys.setrecursionlimit(limit)
    assert "nests too deep" in " ".join(problem.message for problem in first.problems)
    assert first.cut_short
    walked.clear()
    sys.setrecursionlimit(20_000)
    try:
        second = analysis(project, store)
    finally:
        sys.setrecursionlimit(limit)
    assert walked == ["deep.py"]
    assert "deep.py:5 CL101" in places(second)


def test_what_is_only_parsed_for_named_roots_is_walked_without_them(project: Path, store: Store) -> None:
    named = places(analysis(project, store, roots=("layers.py::scale",)))
    assert named == ["broken.py:2"]
    assert places(analysis(project, store)) == FOUND
    assert places(analysis(project, store, roots=("layers.py::scale",))) == named


def test_a_file_becomes_one_about_torch_by_what_it_imports(project: Path, store: Store) -> None:
    base = "class Base: pass\n"
    head = "from base import Base\nclass Head(Base):\n    def forward(self, x):\n        return x.mul(2).item()\n"
    write(project, {"base.py": base, "head.py": head})
    assert places(analysis(project, store)) == FOUND
    change(project / "base.py", "import torch\nclass Base(torch.nn.Module): pass\n")
    assert "head.py:4 CL101" in places(analysis(project, store))


def test_a_module_that_comes_to_a_followed_package_is_found(project: Path, tmp_path: Path, store: Store) -> None:
    write(project, {"head.py": PROJECT["net.py"].replace("layers", "lib.layers")})
    packages = {"lib": write(tmp_path / "lib", {"__init__.py": ""})}
    assert "head.py:5 CL101" in places(analysis(project, store, packages=packages))
    write(packages["lib"], {"layers.py": "def scale(x):\n    return (2 * x).tolist()\n"})
    assert places(analysis(project, store, packages=packages)) == FOUND, "a list has no item()"


def test_what_was_walked_before_a_check_was_ended_is_remembered(project: Path, store: Store, walked: list[str]) -> None:
    def ending(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        analysis(project, store, progress=ending)
    walked.clear()
    assert places(analysis(project, store)) == FOUND
    assert len(walked) == len(PROJECT) - 3


def test_without_a_store_nothing_is_remembered(project: Path, walked: list[str]) -> None:
    assert places(analysis(project, Store(None))) == FOUND
    assert places(analysis(project, Store(None))) == FOUND
    assert sorted(walked) == sorted([*PROJECT, *PROJECT])


def test_a_file_that_changes_while_it_is_walked_is_not_remembered(
    project: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = run.plan

    def changing(*arguments: object) -> object:
        change(project / "layers.py", PROJECT["layers.py"].replace("2 * x", "(2 * x).tolist()"))
        return plan(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(run, "plan", changing)
    analysis(project, store)
    monkeypatch.undo()
    (project / "layers.py").write_text(PROJECT["layers.py"])
    assert places(analysis(project, store)) == FOUND


BUILDER = """\
import torch
from torch import nn
class Net(nn.Module):
    def forward(self, x):
        return x
def build():
    return Net()
"""
TRAINER = """\
import torch
from builder import build
def train():
    net = build()
    return torch.compile(net)(torch.ones(1))
"""


def test_of_who_compiles_what_a_file_makes_only_what_is_said_at_a_glance_counts(
    project: Path, store: Store, walked: list[str]
) -> None:
    user = "import torch\nfrom builder import build\n@torch.compile\ndef g(x):\n    return build()(x)\n"
    write(project, {"builder.py": BUILDER, "trainer.py": TRAINER, "user.py": user})
    analysis(project, store)
    walked.clear()
    change(project / "trainer.py", TRAINER.replace("torch.ones(1)", "torch.ones(2)"))
    analysis(project, store)
    assert "user.py" not in walked
    walked.clear()
    change(project / "trainer.py", "from builder import build\ndef train():\n    return build()\n")
    analysis(project, store)
    assert "user.py" in walked, "nobody else compiles what build gives"


def test_of_who_imports_a_file_no_names_are_kept(project: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what hundreds import they would be kept with each unit that asks for them."""
    write(project, {f"importer_{number}.py": "import torch, layers\n" for number in range(3)})
    kept: list[Walked] = []
    keep = run.keep

    def noting(store: Store, surroundings: str, walked: Mapping[Unit, Walked]) -> None:
        kept.extend(each for unit, each in walked.items() if not unit.name.startswith("importer"))
        keep(store, surroundings, walked)

    monkeypatch.setattr(run, "keep", noting)
    analysis(project, store)
    assert any(each.importers for each in kept)
    assert not [each for each in kept if "importer_" in repr((each.importers, each.few_importers))]


def test_an_import_elsewhere_changes_nothing_of_who_imports_what_a_unit_asked_for(
    project: Path, store: Store, walked: list[str]
) -> None:
    write(project, {"alone.py": "import torch\nimport math\n"})
    first = analysis(project, store)
    walked.clear()
    change(project / "alone.py", "import torch\nimport json\n")
    assert analysis(project, store) == first
    assert walked == ["alone.py"]


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="names of files are Unicode there")
def test_a_file_whose_name_is_no_unicode_takes_nobodys_memory(project: Path, store: Store, walked: list[str]) -> None:
    write(project, {"\udcff.py": "import torch\n"})
    first = analysis(project, store)
    walked.clear()
    assert analysis(project, store) == first
    assert walked == ["\udcff.py"], "of it alone nothing is kept"
