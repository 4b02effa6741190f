"""Which packages a check follows into: what the command line and the configuration say of it. The engine is a fake."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from compilelint.analysis.files import Files
from compilelint.check import CheckError, CheckOptions, run, run_check
from compilelint.match.analysis import Analysis


def _config(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text(f"[tool.compilelint]\n{text}\n")


def _site(folder: Path, *packages: str) -> None:
    """An environment with these packages in it."""
    for package in packages:
        site = folder / "lib" / "python3.11" / "site-packages" / package
        site.mkdir(parents=True)
        (site / "__init__.py").write_text("")


def _followed(monkeypatch: pytest.MonkeyPatch, options: CheckOptions) -> tuple[str, ...]:
    """The packages that the engine may follow into."""
    followed: list[tuple[str, ...]] = []

    def engine(files: Files, *_: object, **__: object) -> Analysis:
        followed.append(tuple(files.packages))
        return Analysis((), 0, ())

    monkeypatch.setattr(run, "analyze_files", engine)
    run_check(options)
    return followed[0]


def test_packages_of_command_line_and_configuration_are_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("")
    monkeypatch.chdir(tmp_path)
    _site(tmp_path / "envs" / "one", "first", "second")
    _config(tmp_path, 'follow = ["first"]\npython = "envs/one"')
    assert _followed(monkeypatch, CheckOptions()) == ("first",)
    monkeypatch.chdir(tmp_path / "src")
    assert _followed(monkeypatch, CheckOptions(follow=("second", "first"))) == ("first", "second")
    assert _followed(monkeypatch, CheckOptions(isolated=True)) == ()


def test_the_command_line_says_where_packages_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _site(tmp_path / "other", "first")
    _config(tmp_path, 'follow = ["first"]\npython = "nowhere"')
    assert _followed(monkeypatch, CheckOptions(python=Path("other"))) == ("first",)
    with pytest.raises(CheckError, match="nowhere is no Python environment"):
        run_check(CheckOptions())


def test_a_package_that_is_not_installed_cannot_be_followed(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match="follow: no_such_package is not installed in"):
        run_check(CheckOptions(paths=(tmp_path,), follow=("no_such_package",)))


def test_packages_of_torch_code_that_compiled_code_calls_are_told(tmp_path: Path) -> None:
    _site(tmp_path / "envs" / "one", "solvers", "texts", "models")
    for package in ("solvers", "models"):
        site = tmp_path / "envs" / "one" / "lib" / "python3.11" / "site-packages"
        (site / package / "__init__.py").write_text("import torch\n")
    (tmp_path / "net.py").write_text(
        "import torch, solvers, texts, models, absent\n\n\n@torch.compile\ndef f(x):\n"
        "    return solvers.solve(models.of(texts.clean(absent.of(x))))\n"
    )
    options = CheckOptions(paths=(tmp_path,), python=tmp_path / "envs" / "one", cache=None)
    assert run_check(options).report.unfollowed == ("models", "solvers")
    assert run_check(replace(options, follow=("models",))).report.unfollowed == ("solvers",)
