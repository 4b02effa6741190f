"""The whole score of a tiny package, over the real command line."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from benchmarks.accuracy import score
from benchmarks.accuracy.claims import check, in_package
from benchmarks.accuracy.figures import Counts, ModelCounts, PackageFigures
from benchmarks.accuracy.guard import dumps, load
from benchmarks.accuracy.in_process import check_files
from benchmarks.accuracy.models import predict
from benchmarks.accuracy.packages import (
    PackageError,
    installed_version,
    locate,
    normal,
    pin,
    pinned,
    public,
    read_sources,
)
from benchmarks.accuracy.truth import read
from tests.benchmarks.accuracy_make import install, line_of, model, site, usual_lines, usual_models, write_truth


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], Path]:
    """The options that name sources and truth, and the figures that were written for them."""
    folder = tmp_path_factory.mktemp("accuracy")
    sources = install(folder / "sources")
    truth = write_truth(folder / "truth", usual_models(), usual_lines())
    options = ["--sources", str(sources), "--truth", str(truth), "--figures", str(folder / "figures.json")]
    assert score.main([*options, "--write-figures"]) == 0
    return options, folder


def figures_of(folder: Path) -> PackageFigures:
    return load(folder / "figures.json")["tiny"]


def test_every_figure_of_a_package(made: tuple[list[str], Path]) -> None:
    figures = figures_of(made[1])
    assert (figures.version, figures.models, figures.apart) == ("1.2", 4, {})
    assert (figures.check.found, figures.check.sites) == (1, 2), "helper() calls what no table knows"
    assert figures.check.claims.confirmed == 1
    assert figures.check.claims.refuted == 1, "Optional was run without its mask"
    assert figures.check.claims.unknown >= 2, "nobody ran Unseen"
    assert figures.check.rules["CL101"] == Counts(confirmed=1)
    assert sum((figures.check.levels[level] for level in ("high", "medium")), Counts()) == figures.check.claims
    assert figures.model_level == ModelCounts(1, 1, 1, 1, 0)
    assert (figures.grep.found, figures.grep.claims) == (1, Counts(1, 0, 3))
    assert (figures.every_if.found, figures.every_if.claims) == (0, Counts(0, 1, 0))


def test_what_is_shown_by_default_is_what_low_confidence_shows_less_the_low(made: tuple[list[str], Path]) -> None:
    package = made[1] / "sources" / "tiny"
    every = check(package, "--min-confidence", "low")
    assert tuple(claim for claim in every if claim.shown) == check(package)


def test_the_command_line_and_the_library_say_the_same(made: tuple[list[str], Path]) -> None:
    package = made[1] / "sources" / "tiny"
    assert check_files(package, read_sources(package), ["tiny/model.py"]) == check(package, "--min-confidence", "low")


def test_findings_of_one_root_are_not_those_of_the_next(made: tuple[list[str], Path]) -> None:
    truth = read(made[1] / "truth" / "tiny.json")
    predicted = {each.model.name: each for each in predict(truth, made[1] / "sources" / "tiny")}
    assert [claim.line for claim in predicted["breaks"].claims] == [line_of(".item()")]
    assert predicted["clean"].claims == () == predicted["missed"].claims
    assert [each.outcome for each in predicted.values()] == [
        "true-positive", "true-negative", "false-negative", "false-positive",
    ]  # fmt: skip


def test_a_root_that_is_not_named_is_found_by_its_class_or_its_outermost_method(tmp_path: Path) -> None:
    sources = install(tmp_path / "sources")
    text = "class Scheduler:\n  def step(self, x):\n    return self.scale(x)\n\n  def scale(self, x):\n    return x\n"
    (sources / "tiny" / "scheduler.py").write_text(text)
    lines = {"tiny/scheduler.py": [[3, 3], [6, 6]], **usual_lines()}
    named = {
        "by class": model("Breaks", site(".item()")),
        "by method": model("Scheduler"),
        "fn_helper": model(""),
        "nobody": model("Gone"),
    }
    layout = {name: {**entry, "root": "", "traced_lines": lines} for name, entry in named.items()}
    (tmp_path / "tiny.json").write_text(json.dumps(layout))
    predicted = predict(read(tmp_path / "tiny.json"), sources / "tiny")
    assert {each.model.name: each.roots for each in predicted} == {
        "by class": ("tiny/model.py::Breaks",),
        "by method": ("tiny/scheduler.py::Scheduler.step",),
        "fn_helper": ("tiny/model.py::helper",),
        "nobody": (),
    }
    assert [each.outcome for each in predicted if not each.roots] == ["no-root"]


def test_details_name_misses_and_false_alarms_with_their_source(
    made: tuple[list[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert score.main([*made[0], "--details", "--no-models"]) == 0
    said = capsys.readouterr().out
    assert f"missed tiny/model.py:{line_of('missing_from')} in helper: GB0124 Unsupported" in said
    assert "return x.missing_from_every_table()\n    models: missed" in said
    assert f"refuted tiny/model.py:{line_of('if mask is not None')} CL110" in said
    assert "| tiny 1.2 | 4 | 2 | 1 | 50.0 % | 1 | 1 | 50.0 % |" in said


def test_single_files_are_scored_by_themselves(
    made: tuple[list[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert score.main([*made[0], "--files", "tiny/model.py"]) == 0
    assert "| tiny 1.2 | 4 | 2 | 1 | 50.0 % | 1 | 1 | 50.0 % |" in capsys.readouterr().out
    assert score.main([*made[0], "--files", "tiny/other*"]) == 0
    assert "| tiny 1.2 | 4 | 0 | 0 |  | 0 | 0 |  | 0 |" in capsys.readouterr().out


def test_the_guard_passes_on_its_own_figures_and_says_what_fell(
    made: tuple[list[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options, folder = made
    assert score.main([*options, "--guard"]) == 0
    better = json.loads((folder / "figures.json").read_text())
    better["packages"]["tiny"]["check"]["found"] = 2
    (tmp_path / "better.json").write_text(json.dumps(better))
    assert score.main([*options, "--guard", "--figures", str(tmp_path / "better.json")]) == 1
    assert "tiny: recall of sites fell from 100.0 % to 50.0 %" in capsys.readouterr().err


def test_json_holds_the_figures(made: tuple[list[str], Path], tmp_path: Path) -> None:
    assert score.main([*made[0], "--json", str(tmp_path / "out.json")]) == 0
    assert load(tmp_path / "out.json") == {"tiny": figures_of(made[1])}
    assert (tmp_path / "out.json").read_text() == dumps({"tiny": figures_of(made[1])})


@pytest.mark.parametrize("wrong", [["--write-figures", "--no-models"], ["--guard", "--files", "x"]])
def test_figures_are_made_of_everything(made: tuple[list[str], Path], wrong: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        score.main([*made[0], *wrong])
    assert ended.value.code == 2


def test_sources_of_another_version_are_refused(
    made: tuple[list[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = install(tmp_path, version="1.3")
    assert score.main(["--sources", str(sources), "--truth", str(made[1] / "truth")]) == 2
    assert "the truth is about 1.2, but" in capsys.readouterr().err
    found = locate(read(made[1] / "truth" / "tiny.json"), [sources, made[1] / "sources"])
    assert found == made[1] / "sources" / "tiny"


def test_sources_that_are_not_there_are_refused(made: tuple[list[str], Path], tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="tiny: not found under"):
        locate(read(made[1] / "truth" / "tiny.json"), [tmp_path])


def test_truth_that_is_not_there_is_refused(made: tuple[list[str], Path], tmp_path: Path) -> None:
    assert score.main(["--sources", str(tmp_path), "--truth", str(tmp_path)]) == 2
    assert score.main([*made[0], "--packages", "huge"]) == 2


def test_the_version_is_that_of_the_distribution_that_brought_the_package(tmp_path: Path) -> None:
    install(tmp_path, version="1.2+cpu")
    other = tmp_path / "other-9.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 9\n")
    (other / "RECORD").write_text("tiny.py,,\n")
    assert installed_version(tmp_path, "tiny") == "1.2"
    assert installed_version(tmp_path, "other") == "9"
    assert installed_version(tmp_path, "neither") == ""


def test_a_path_is_named_from_its_package() -> None:
    assert in_package("tiny", "tiny/nn/a.py") == "tiny/nn/a.py"
    assert in_package("tiny", "corpus/tiny/nn/tiny/a.py") == "tiny/nn/tiny/a.py"
    assert in_package("tiny", "nn/a.py") == "tiny/nn/a.py"


def test_pins_name_the_distribution_and_the_package_it_brings(tmp_path: Path) -> None:
    package = install(tmp_path, version="1.2+cpu") / "tiny"
    assert pin(package) == "tiny-models==1.2  # tiny"
    assert pinned("# head\ntiny-models==1.2  # tiny\nOther.Name==2.0\n\n") == {"tiny": "1.2", "other_name": "2.0"}
    (tmp_path / "unknown").mkdir()
    with pytest.raises(PackageError, match="no distribution"):
        pin(tmp_path / "unknown")


def test_a_package_may_be_a_single_file(made: tuple[list[str], Path], tmp_path: Path) -> None:
    folder = install(tmp_path)
    text = (folder / "tiny" / "model.py").read_text()
    shutil.rmtree(folder / "tiny")
    (folder / "tiny.py").write_text(text)
    (folder / "tiny_models-1.2.dist-info" / "RECORD").write_text("tiny.py,,\n")
    package = locate(read(made[1] / "truth" / "tiny.json"), [folder])
    assert package == folder / "tiny.py"
    assert read_sources(package) == {"tiny.py": text}
    assert pin(package) == "tiny-models==1.2  # tiny"
    assert {claim.file for claim in check(package)} == {"tiny.py"}


def test_metadata_that_an_upgrade_left_behind_says_nothing(tmp_path: Path) -> None:
    for version, seconds in (("1.3", 2_000), ("1.2", 1_000), ("1.10", 500)):
        info = tmp_path / f"tiny-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: tiny\nVersion: {version}\n")
        (info / "RECORD").write_text(f"tiny/__init__.py,,\ntiny-{version}.dist-info/METADATA,,\n")
        os.utime(info / "METADATA", (seconds, seconds))
    assert installed_version(tmp_path, "tiny") == "1.3"


def test_sources_are_pinned_at_the_versions_of_the_truth() -> None:
    truths = [read(file) for file in sorted((score.HERE / "truth").glob("*.json"))]
    lines = (score.HERE / "sources.txt").read_text(encoding="utf-8")
    assert pinned(lines) == {normal(truth.package): public(truth.version) for truth in truths}, "run --write-sources"
