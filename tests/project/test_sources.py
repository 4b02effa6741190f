from __future__ import annotations

from pathlib import Path

import pytest

from compilelint.project.sources import with_sources
from compilelint.report.model import Report, Source
from compilelint.report.stack import StackFrame
from tests.report.make import finding, observation, report, run

TEXT = """import torch

@torch.compile
def step(x):
    def inner(y):
        return y

    return inner(x)

class Net:
    def forward(self, x):
        if x is None:
            def lazy():
                pass
        return x

net = Net()
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(TEXT)
    return tmp_path


def sources(shown: Report, root: Path) -> tuple[Source, ...]:
    return with_sources(shown, root).sources


def test_the_function_that_holds_a_finding_is_read_with_its_decorators(root: Path) -> None:
    (source,) = sources(report(finding(path="a.py", line=8)), root)
    assert (source.path, source.function, source.line) == ("a.py", "step", 3)
    assert source.text == "\n".join(TEXT.split("\n")[2:8])


@pytest.mark.parametrize(
    ("line", "function"), [(6, "step.<locals>.inner"), (11, "Net.forward"), (14, "Net.forward.<locals>.lazy")]
)
def test_functions_are_named_as_python_names_them(line: int, function: str, root: Path) -> None:
    assert [each.function for each in sources(report(finding(path="a.py", line=line)), root)] == [function]


def test_outside_of_functions_the_lines_around_are_read(root: Path) -> None:
    (source,) = sources(report(finding(path="a.py", line=17)), root)
    assert (source.function, source.line, source.text.split("\n")[-2:]) == ("", 14, ["net = Net()", ""])


def test_each_function_is_read_once_however_much_is_about_it(root: Path) -> None:
    seen = observation(path="a.py", line=4, frame=StackFrame("a.py", 3, "step"), stack=())
    findings = (finding(path="a.py", line=line) for line in (4, 8))
    found = sources(report(*findings, observations=(seen,), run=run(frames=())), root)
    assert [each.function for each in found] == ["step"]


@pytest.mark.parametrize("name", ["gone.py", "broken.py", "null.py", "a.ipynb", "<string>", "a.py/b.py"])
def test_what_cannot_be_read_has_no_source(name: str, root: Path) -> None:
    (root / "broken.py").write_text("def f(:")
    (root / "null.py").write_bytes(b"x = '\0'")
    (root / "a.ipynb").write_text("{}")
    assert sources(report(finding(path=name, line=1)), root) == ()


def test_a_file_that_has_become_shorter_has_no_source_for_lines_that_are_gone(root: Path) -> None:
    assert sources(report(finding(path="a.py", line=400)), root) == ()
