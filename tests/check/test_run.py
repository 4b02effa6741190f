"""From options to report: selected, hidden, suppressed, told, and the exit code. The engine is a fake."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from compilelint import catalog
from compilelint.analysis.files import Files
from compilelint.catalog.model import Match, Outcome, Rule
from compilelint.check import CheckError, CheckOptions, CheckResult, run, run_check
from compilelint.match.analysis import Analysis, AnalysisSettings
from compilelint.report.confidence import Confidence
from compilelint.report.model import Finding, Problem
from compilelint.report.views import seen_from

MARKS = {"HIGH": Confidence.HIGH, "MEDIUM": Confidence.MEDIUM, "LOW": Confidence.LOW}


def _rule(code: str, name: str, group: str = "data-to-python") -> Rule:
    evidence = {"e": {version: {"default": Outcome(True)} for version in ("2.12", "2.13")}}
    matches = (Match("call", "e"),)
    return Rule(code, name, group, "graph-break", "warning", "m", "s", matches, (), "", evidence)  # type: ignore[arg-type]


RULES = (
    _rule("CL101", "tensor-item"),
    _rule("CL102", "tensor-branch"),
    _rule("CL201", "print-call"),
    _rule("CL901", "seen", "run"),
)


def _engine(
    files: Files, checked: frozenset[str], rules: Sequence[Rule], settings: AnalysisSettings, **_: object
) -> Analysis:
    """Finds each word CODE:CONFIDENCE of the checked texts, and fails on the word BROKEN."""
    findings = []
    problems = []
    names = {rule.code: rule.name for rule in rules}
    texts = files.texts()
    for name in sorted(checked):
        for number, line in enumerate(texts[name].text.split("\n"), start=1):
            if "BROKEN" in line:
                problems.append(Problem(name, "invalid syntax", number))
            findings += [
                _finding(code, names[code], confidence, name, number, line)
                for word in line.split()
                if ":" in word
                for code, confidence in [word.split(":")]
                if code in names and confidence in MARKS
            ]
    return Analysis(tuple(findings), len(findings), tuple(problems))


def _finding(code: str, name: str, confidence: str, path: str, line: int, source: str) -> Finding:
    return Finding(
        code=code,
        name=name,
        effect="graph-break",
        severity="warning",
        confidence=MARKS[confidence],
        path=path,
        line=line,
        column=1,
        end_line=line,
        end_column=2,
        function="f",
        message="m",
        suggestion="s",
        gb_ids=(),
        reached_from=(f"{path}:1 torch.compile(f)", "f"),
        aggravated_by=(),
        source_line=source,
        fingerprint="0" * 16,
    )


@pytest.fixture(autouse=True)
def _fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "analyze_files", _engine)
    monkeypatch.setattr(catalog, "load_rules", lambda extra=(), parse=None: RULES)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Writes files, makes their directory the current one."""
    monkeypatch.chdir(tmp_path)

    def write(**files: str) -> Path:
        for name, text in files.items():
            file = tmp_path / (name.replace("__", "/") + ("" if "." in name else ".py"))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return tmp_path

    return write


def _config(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text(f"[tool.compilelint]\n{text}\n")


def _codes(result: CheckResult) -> list[str]:
    return [finding.code for finding in result.report.findings]


ONE_OF_EACH = "CL101:HIGH\nCL102:HIGH\nCL201:HIGH\n"


def test_findings_come_sorted_with_counts(project: Callable[..., Path]) -> None:
    project(b="CL101:HIGH\n", a="x\nCL201:HIGH\nCL102:HIGH\n")
    result = run_check(CheckOptions())
    assert [(each.path, each.line) for each in result.report.findings] == [
        ("a.py", 2),
        ("a.py", 3),
        ("b.py", 1),
    ]
    assert (result.report.files, result.exit_code) == (2, 1)


def test_nothing_found_is_0(project: Callable[..., Path]) -> None:
    project(a="x\n")
    assert run_check(CheckOptions()).exit_code == 0


def test_exit_zero_is_0_despite_findings(project: Callable[..., Path]) -> None:
    project(a=ONE_OF_EACH)
    assert run_check(CheckOptions(exit_zero=True)).exit_code == 0


@pytest.mark.parametrize(
    ("config", "options", "codes"),
    [
        ("", CheckOptions(select=("CL1",)), ["CL101", "CL102"]),
        ("", CheckOptions(select=("tensor-item",)), ["CL101"]),
        ("", CheckOptions(ignore=("CL1",)), ["CL201"]),
        ("", CheckOptions(select=("CL1",), ignore=("CL101",)), ["CL102"]),
        ("", CheckOptions(select=("CL2",), extend_select=("CL101",)), ["CL101", "CL201"]),
        ('select = ["CL2"]', CheckOptions(), ["CL201"]),
        ('select = ["CL2"]', CheckOptions(select=("CL1",)), ["CL101", "CL102"]),
        ('select = ["CL2"]', CheckOptions(extend_select=("CL101",)), ["CL101", "CL201"]),
        ('ignore = ["CL2"]', CheckOptions(select=("ALL",)), ["CL101", "CL102", "CL201"]),
        ('ignore = ["CL2"]', CheckOptions(ignore=("CL101",)), ["CL102"]),
        ('ignore = ["CL2"]', CheckOptions(extend_select=("CL201",)), ["CL101", "CL102", "CL201"]),
        ('per-file-ignores = {"a.py" = ["CL1"]}', CheckOptions(), ["CL201"]),
        ('per-file-ignores = {"b.py" = ["CL1"]}', CheckOptions(), ["CL101", "CL102", "CL201"]),
        ('select = ["CL2"]', CheckOptions(isolated=True), ["CL101", "CL102", "CL201"]),
    ],
)
def test_selection(project: Callable[..., Path], config: str, options: CheckOptions, codes: list[str]) -> None:
    _config(project(a=ONE_OF_EACH), config)
    assert _codes(run_check(options)) == codes


def test_findings_below_the_confidence_are_hidden_and_counted(project: Callable[..., Path]) -> None:
    folder = project(a="CL101:LOW\nCL102:MEDIUM\nCL201:HIGH\n")
    report = run_check(CheckOptions()).report
    assert ([each.code for each in report.findings], report.hidden_low_confidence) == (["CL102", "CL201"], 1)
    assert _codes(run_check(CheckOptions(min_confidence=Confidence.LOW))) == ["CL101", "CL102", "CL201"]
    _config(folder, 'min-confidence = "high"')
    assert _codes(run_check(CheckOptions())) == ["CL201"]


def test_suppressed_findings_are_dropped_and_counted(project: Callable[..., Path]) -> None:
    project(a="CL101:HIGH # compilelint: ignore[CL101]\nCL102:LOW # noqa: CL102\nCL201:HIGH\n")
    report = run_check(CheckOptions()).report
    assert [each.code for each in report.findings] == ["CL201"]
    assert (report.suppressed, report.hidden_low_confidence) == (1, 0)


UNUSED = "x = 1  # compilelint: ignore[CL101]\n"


def test_a_file_that_goes_while_it_is_checked_is_no_internal_error(
    project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = project(a="CL101:HIGH  # compilelint: ignore[CL101]\n") / "a.py"

    def removing(*arguments: Any, **options: Any) -> Analysis:
        found = _engine(*arguments, **options)
        file.unlink()
        return found

    monkeypatch.setattr(run, "analyze_files", removing)
    assert _codes(run_check(CheckOptions())) == ["CL101"]


def test_an_unused_suppression_is_a_finding_with_a_fingerprint(project: Callable[..., Path]) -> None:
    project(a=UNUSED)
    (finding,) = run_check(CheckOptions()).report.findings
    assert (finding.code, finding.path, finding.line) == ("CL001", "a.py", 1)
    assert len(finding.fingerprint) == 16


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (CheckOptions(ignore=("CL001",)), "not asked for"),
        (CheckOptions(select=("CL1",)), "not asked for"),
        (CheckOptions(ignore=("CL101",)), "the rule was not looked for"),
        (CheckOptions(root=("a.py::f",)), "other roots than the project's own"),
        (CheckOptions(roots="explicit"), "other roots than the project's own"),
    ],
)
def test_an_unused_suppression_is_not_told(project: Callable[..., Path], options: CheckOptions, why: str) -> None:
    project(a=UNUSED)
    assert _codes(run_check(options)) == [], why


def test_a_suppression_of_what_only_a_run_shows_is_not_called_unused(project: Callable[..., Path]) -> None:
    project(a="x = 1  # compilelint: ignore[CL901] once per epoch\n")
    assert _codes(run_check(CheckOptions())) == []


def test_a_suppression_of_a_hidden_finding_is_in_use(project: Callable[..., Path]) -> None:
    project(a="CL101:LOW # compilelint: ignore[CL101]\n")
    assert _codes(run_check(CheckOptions())) == []


def test_a_suppression_in_a_file_that_could_not_be_analysed_is_not_called_unused(
    project: Callable[..., Path],
) -> None:
    project(a="BROKEN\n" + UNUSED)
    assert _codes(run_check(CheckOptions())) == []


def test_a_broken_file_that_is_named_is_2_and_the_others_are_checked(project: Callable[..., Path]) -> None:
    project(a="BROKEN\n", b="CL101:HIGH\n")
    result = run_check(CheckOptions(paths=(Path("a.py"), Path("b.py"))))
    assert result.report.errors == (Problem("a.py", "invalid syntax", 1),)
    assert (_codes(result), result.exit_code) == (["CL101"], 2)


def test_a_broken_file_within_a_named_directory_is_1(project: Callable[..., Path]) -> None:
    folder = project(a="BROKEN\n", b="x\n")
    (folder / "c.py").write_bytes(b"\xff")
    result = run_check(CheckOptions())
    assert [each.path for each in result.report.errors] == ["a.py", "c.py"]
    assert result.exit_code == 1


def test_a_broken_file_that_is_only_context_is_not_told(project: Callable[..., Path]) -> None:
    folder = project(a="x\n")
    _config(folder, "")
    (folder / "c.py").write_bytes(b"\xff")
    assert run_check(CheckOptions(paths=(Path("a.py"),))).report.errors == ()


def test_a_missing_path_is_2_even_with_exit_zero(project: Callable[..., Path]) -> None:
    project(a="x\n")
    result = run_check(CheckOptions(paths=(Path("gone.py"), Path("a.py")), exit_zero=True))
    assert result.report.errors == (Problem("gone.py", "no such file"),)
    assert result.exit_code == 2


def test_standard_input(project: Callable[..., Path]) -> None:
    project(a="CL201:HIGH\n")
    result = run_check(CheckOptions(paths=(Path("-"),), stdin_filename=Path("a.py")), stdin=b"CL101:HIGH\n")
    assert [(each.path, each.code) for each in result.report.findings] == [("a.py", "CL101")]


def test_standard_input_that_cannot_be_decoded_is_2(project: Callable[..., Path]) -> None:
    project()
    result = run_check(CheckOptions(paths=(Path("-"),)), stdin=b"x\n\xff")
    assert result.report.errors == (Problem("-", "byte 0xff is not valid utf-8", 2),)
    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("config", "options", "message"),
    [
        ("", CheckOptions(select=("CL999",)), "no rule is called 'CL999'"),
        (
            "",
            CheckOptions(ignore=("tensor-itm",)),
            "no rule is called 'tensor-itm'; did you mean 'tensor-item'?",
        ),
        ('select = ["CLX"]', CheckOptions(), "{config}:2: no rule is called 'CLX'"),
        (
            'per-file-ignores = {"a.py" = ["print-cal"]}',
            CheckOptions(),
            "{config}:2: per-file-ignores: no rule is called 'print-cal'; did you mean 'print-call'?",
        ),
        (
            "",
            CheckOptions(target_torch="nonsense"),
            "'nonsense' is not a torch version; measured: 2.12, 2.13",
        ),
        (
            'target-torch = "1.0"',
            CheckOptions(),
            "{config}:2: torch 1.0 is older than all that was measured: 2.12, 2.13",
        ),
        ("", CheckOptions(target_python="new"), "'new' is not a Python version such as \"3.12\""),
        ('target-python = "2.7"', CheckOptions(), "{config}:2: '2.7' is not a Python version"),
        ('extra-rules = ["lint/*.md"]', CheckOptions(), "{config}: extra-rules: no file matches 'lint/*.md'"),
        (
            "",
            CheckOptions(exclude=("[z-a]",)),
            "--exclude: not a path pattern: bad character range z-a at position 4",
        ),
        (
            "selct = []",
            CheckOptions(),
            "{config}:2: unknown key 'selct' in [tool.compilelint]; did you mean 'select'?",
        ),
        ("", CheckOptions(config_file=Path("no.toml")), "no.toml: no such file or directory"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(
    project: Callable[..., Path], config: str, options: CheckOptions, message: str
) -> None:
    folder = project(a="x\n")
    _config(folder, config)
    with pytest.raises(CheckError) as caught:
        run_check(options)
    told = str(caught.value)
    assert told.startswith(message.format(config=folder / "pyproject.toml"))
    assert "\n" not in told


def test_the_target_is_the_nearest_measured_version_below(project: Callable[..., Path]) -> None:
    folder = project(a="x\n")
    _config(folder, 'target-torch = "2.12"')
    assert run_check(CheckOptions()).report.target_torch == "2.12"
    assert run_check(CheckOptions(target_torch="2.99")).report.target_torch == "2.13"


def _settings(monkeypatch: pytest.MonkeyPatch, options: CheckOptions) -> AnalysisSettings:
    seen: list[AnalysisSettings] = []

    def engine(files: object, checked: object, rules: object, settings: AnalysisSettings, **_: object) -> Analysis:
        seen.append(settings)
        return Analysis((), 0, ())

    monkeypatch.setattr(run, "analyze_files", engine)
    run_check(options)
    return seen[0]


def test_roots_of_the_command_line_are_relative_to_the_current_directory(
    project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project(src__a="x\n", b="x\n")
    _config(folder, 'root = ["b.py::g"]\nroots = "explicit"')
    assert _settings(monkeypatch, CheckOptions()).roots == ("b.py::g",)
    assert _settings(monkeypatch, CheckOptions()).explicit_only
    monkeypatch.chdir(folder / "src")
    assert _settings(monkeypatch, CheckOptions(root=("a.py::N.f",))).roots == ("src/a.py::N.f",)
    assert _settings(monkeypatch, CheckOptions(root=("b.py::g",))).roots == ("b.py::g",)
    assert not _settings(monkeypatch, CheckOptions(roots="all")).explicit_only


def test_command_line_exclusions_add_to_the_others(project: Callable[..., Path]) -> None:
    project(a="CL101:HIGH\n", gen__b="CL101:HIGH\n", build__c="CL101:HIGH\n")
    assert [each.path for each in run_check(CheckOptions(exclude=("gen",))).report.findings] == ["a.py"]


def test_gitignore_can_be_set_aside_from_the_command_line(project: Callable[..., Path]) -> None:
    folder = project(a="CL101:HIGH\n")
    subprocess.run(["git", "init", "-q", folder], check=True)
    (folder / ".gitignore").write_text("a.py\n")
    assert _codes(run_check(CheckOptions())) == []
    assert _codes(run_check(CheckOptions(respect_gitignore=False))) == ["CL101"]


def test_people_see_paths_from_where_they_are(project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = project(src__a="CL101:HIGH\n", b="BROKEN\n")
    _config(folder, "")
    monkeypatch.chdir(folder / "src")
    result = run_check(CheckOptions(paths=(Path("."), Path("../b.py"))))
    (finding,) = result.report.findings
    assert finding.path == "src/a.py"
    (seen,) = seen_from(result.report, result.root, Path(".")).findings
    assert (seen.path, seen.reached_from) == ("a.py", ("a.py:1 torch.compile(f)", "f"))
    assert seen_from(result.report, result.root, Path(".")).errors[0].path == (folder / "b.py").as_posix()
    assert seen_from(result.report, result.root, folder) is result.report
