"""Comments written into files: what is found is accepted, and nothing else changes."""

from __future__ import annotations

import codecs
import importlib.util
import shutil
from pathlib import Path

import pytest

from compilelint.check import CheckOptions, run_check
from compilelint.check.accepting import Accepted, add_ignores

HEAD = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x: torch.Tensor):\n"


def _accept(folder: Path, reason: str = "why") -> Accepted:
    result = run_check(CheckOptions(paths=(folder,), isolated=True, target_torch="2.13"))
    assert result.report.findings
    return add_ignores(result.report.findings, result.root, reason)


def _codes(folder: Path) -> list[str]:
    result = run_check(CheckOptions(paths=(folder,), isolated=True, target_torch="2.13"))
    return [finding.code for finding in result.report.findings]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return x.item()", "return x.item()  # compilelint: ignore[CL101] why"),
        ("return x.item()  # type: ignore", "return x.item()  # type: ignore  # compilelint: ignore[CL101] why"),
        (
            "print(x.item())  # compilelint: ignore[CL201] wanted",
            "print(x.item())  # compilelint: ignore[CL201, CL101] wanted",
        ),
        (
            "return 1 + \\\n            x.item()",
            "return 1 + \\\n            x.item()  # compilelint: ignore[CL101] why",
        ),
        ("y = '''a\n''' + str(x.item())", "y = '''a\n''' + str(x.item())  # compilelint: ignore[CL101] why"),
        (
            "y = f'''{x.item()}\n'''\n        return y",
            "y = f'''{x.item()}\n'''  # compilelint: ignore[CL101] why\n        return y",
        ),
        (
            "y = [\n            x.item(),\n            x.item(),\n        ]",
            "y = [\n            x.item(),  # compilelint: ignore[CL101] why\n"
            "            x.item(),  # compilelint: ignore[CL101] why\n        ]",
        ),
        ("y = x.item(); print(y)", "y = x.item(); print(y)  # compilelint: ignore[CL101, CL201] why"),
        (
            "if x.sum() > 0:\n            x = -x",
            "if x.sum() > 0:  # compilelint: ignore[CL110] why\n            x = -x",
        ),
        ("\tif x.sum() > 0: return x", "\tif x.sum() > 0: return x  # compilelint: ignore[CL110] why"),
    ],
)
@pytest.mark.parametrize("end", ["\n", ""])
def test_what_is_found_is_accepted_where_it_stands(tmp_path: Path, body: str, expected: str, end: str) -> None:
    head = HEAD.replace("    def", "\tdef") + "\t" if body.startswith("\t") else HEAD + " " * 8
    file = tmp_path / "net.py"
    file.write_text(head + body + end)
    _accept(tmp_path)
    assert file.read_text() == head + expected + end
    assert _codes(tmp_path) == []


@pytest.mark.parametrize(
    ("mark", "encoding", "newline", "first"),
    [
        (b"", "utf-8", "\r\n", "# é"),
        (b"", "utf-8", "\r", "# é"),
        (b"", "latin-1", "\n", "# -*- coding: latin-1 -*- é"),
        (b"", "cp1251", "\r\n", "# vim: set fileencoding=cp1251 : ж"),
        (codecs.BOM_UTF8, "utf-8", "\r\n", "# é"),
    ],
)
def test_encoding_mark_and_line_ends_stay(tmp_path: Path, mark: bytes, encoding: str, newline: str, first: str) -> None:
    file = tmp_path / "net.py"
    text = f"{first}\n{HEAD}        y = 'é'  # é\n        return x.item()".replace("é", first[-1])
    file.write_bytes(mark + text.replace("\n", newline).encode(encoding))
    _accept(tmp_path)
    accepting = f"{text}  # compilelint: ignore[CL101] why".replace("\n", newline)
    assert file.read_bytes() == mark + accepting.encode(encoding)


def test_line_ends_of_two_kinds_stay_each_in_its_place(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    before = HEAD.replace("\n", "\r\n", 2) + "        return x.item()\r\n"
    file.write_bytes(before.encode())
    _accept(tmp_path)
    assert file.read_bytes().replace(b"  # compilelint: ignore[CL101] why", b"") == before.encode()


def test_a_reason_that_the_file_cannot_hold_leaves_it_alone(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_bytes(b"# coding: latin-1\n" + HEAD.encode() + b"        return x.item()\n")
    before = file.read_bytes()
    added = _accept(tmp_path, "一度だけ")
    assert [problem.message for problem in added.failures] == ["'一' cannot be written in latin-1; left as it is"]
    assert (added.files, added.accepted) == (0, 0)
    assert file.read_bytes() == before


def test_a_file_that_may_not_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "net.py").write_text(HEAD + "        return x.item()\n")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("compilelint.check.accepting.write_atomically", refuse)
    assert [(each.path, each.message) for each in _accept(tmp_path).failures] == [("net.py", "permission denied")]


def test_a_reason_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text(HEAD + "        return x.item()\n")
    _accept(tmp_path, " two\nlines ")
    assert file.read_text().endswith("ignore[CL101] two lines\n")


def test_a_comment_that_accepts_nothing_is_left_to_its_author(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text(HEAD + "        y = x + 1  # compilelint: ignore[CL101]\n        return x.item()\n")
    added = _accept(tmp_path)
    assert (added.accepted, added.left) == (1, 1)
    assert _codes(tmp_path) == ["CL001"]


@pytest.mark.slow
def test_all_that_is_found_in_a_real_package_is_accepted_at_once(tmp_path: Path) -> None:
    spec = importlib.util.find_spec("torch_geometric")
    assert spec is not None
    assert spec.submodule_search_locations
    source = Path(spec.submodule_search_locations[0])
    shutil.copytree(source / "nn", tmp_path / "torch_geometric" / "nn", ignore=shutil.ignore_patterns("*.pyc"))
    (tmp_path / "torch_geometric" / "__init__.py").write_text("")
    before = {file: file.read_text("utf-8").split("\n") for file in tmp_path.rglob("*.py")}
    added = _accept(tmp_path)
    assert added.accepted > 100
    assert not added.failures
    assert _codes(tmp_path) == []
    for file, lines in before.items():
        after = file.read_text("utf-8").split("\n")
        assert [line.partition("  # compilelint: ignore[")[0] for line in after] == lines
