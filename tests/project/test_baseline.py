"""The baseline's file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from compilelint.project.baseline import BaselineError, has_line, namer, read_baseline, vanished, write_baseline
from compilelint.report.baseline import Baseline, Entry

ENTRY = Entry("src/a.py", "Net.forward", 'print("é")', "CL201", fingerprint="1" * 16)
SEEN = Entry("src/b.py", "step", "def step(x):", "CL903", about="self.n", fingerprint="2" * 16)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    write_baseline(file, Baseline("2.13", (SEEN, ENTRY)))
    assert read_baseline(file) == Baseline("2.13", (ENTRY, SEEN))


def test_one_entry_on_a_line_sorted(tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    write_baseline(file, Baseline("2.13", (SEEN, ENTRY)))
    lines = [json.loads(line.rstrip(",")) for line in file.read_text("ascii").splitlines() if "CL" in line]
    assert [line["path"] for line in lines] == ["src/a.py", "src/b.py"]
    assert lines[0].keys() == {"path", "function", "code", "source", "fingerprint"}


def test_a_baseline_of_nothing_is_one(tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    write_baseline(file, Baseline("2.13"))
    assert read_baseline(file) == Baseline("2.13")


def test_an_entry_that_a_merge_left_twice_is_one(tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    write_baseline(file, Baseline("2.13", (ENTRY, ENTRY)))
    assert file.read_text().count("CL201") == 2
    assert read_baseline(file).entries == (ENTRY,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"b.json:1: is no JSON: expecting value"),
        ("{\n<<<<<<< ours\n", r"b.json:2: is no JSON: "),
        ("\xff", "b.json: is no JSON in UTF-8"),
        ("[]", "b.json: is no baseline: there is no schema_version in it"),
        ('{"schema_version": 2}', "schema_version 2 is of a newer compilelint; this one reads 1"),
        ('{"schema_version": 1}', "b.json: is no baseline: `target_torch`, a version, and a list"),
        ('{"schema_version": 1, "target_torch": "new", "entries": []}', "b.json: is no baseline: `target_torch`"),
        (
            '{"schema_version": 1, "target_torch": "2.13", "entries": [{"path": "a.py"}]}',
            "b.json: entry 1 must have the texts path, function, code, source, fingerprint",
        ),
        ('{"schema_version": 1, "target_torch": "2.13", "entries": [3]}', "b.json: entry 1 must have"),
    ],
)
def test_what_is_no_baseline_is_told_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "b.json"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(BaselineError, match=message) as caught:
        read_baseline(file)
    assert "\n" not in str(caught.value)


def test_a_missing_file_says_how_to_write_it(tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match=r"no such file; `compilelint baseline` writes one"):
        read_baseline(tmp_path / "b.json")


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match="no such file"):
        write_baseline(tmp_path / "no" / "b.json", Baseline("2.13"))


def test_files_are_named_from_the_baselines_directory(tmp_path: Path) -> None:
    (tmp_path / "ci").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "src")
    in_ci = namer(tmp_path / "ci" / "b.json", tmp_path)
    beside = namer(tmp_path / "b.json", tmp_path / "src")
    assert in_ci("src/a.py") == "../src/a.py"
    assert beside("a.py") == "src/a.py"
    assert beside(str(tmp_path / "link" / "a.py")) == "src/a.py"
    assert beside("-") == "-"


def test_what_is_installed_is_named_as_it_is_imported(tmp_path: Path) -> None:
    name = namer(tmp_path / "b.json", tmp_path)
    assert name("/opt/venv/lib/python3.11/site-packages/torch/optim/sgd.py") == "site-packages/torch/optim/sgd.py"


def test_vanished_are_the_files_that_do_not_exist(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("")
    installed = replace(SEEN, path="site-packages/torch/a.py")
    assert vanished(tmp_path / "b.json", (ENTRY, SEEN, installed)) == {"src/b.py"}


def test_a_line_is_there_wherever_it_stands(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("x\n\tprint('é')\n")
    file = tmp_path / "b.json"
    assert has_line(file, replace(ENTRY, source="print('é')"))
    assert not has_line(file, replace(ENTRY, source="print"))
    assert not has_line(file, SEEN)
    assert has_line(file, replace(SEEN, path="site-packages/torch/a.py"))
