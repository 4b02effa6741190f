"""Where an installation keeps its rules, and what it consists of."""

from __future__ import annotations

import importlib.metadata
import sys
import zipfile
from pathlib import Path

import pytest

from compilelint import installed


@pytest.mark.parametrize("layout", ["site-packages/compilelint/_rules", "checkout/rules"])
def test_rules_are_found_in_a_wheel_and_in_a_checkout(
    layout: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / layout
    folder.mkdir(parents=True)
    monkeypatch.setattr(installed, "_PACKAGE", str(tmp_path / layout.split("/")[0] / "compilelint"))
    assert installed.rules_folder() == str(folder)


def test_an_installation_without_rules_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "_PACKAGE", str(tmp_path / "compilelint"))
    with pytest.raises(FileNotFoundError, match="rule pages are missing"):
        installed.rules_folder()


def test_its_parts_are_its_modules_its_templates_and_its_pages() -> None:
    root = Path(installed.__file__).parents[1]
    names = {Path(path).relative_to(root).as_posix() for path, _, _ in installed.parts()}
    assert {"compilelint/installed.py", "compilelint/report/html/templates/page.html.j2"} <= names
    assert {"rules/evidence.json", "rules/CL321-explicit-graph-break.md"} <= names
    assert not any("__pycache__" in name for name in names)


@pytest.mark.parametrize("version", ["2.9.1", "2.13.0+cpu", "2.14.0.dev20260101+cu128"])
def test_the_version_of_a_package_is_what_python_says(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", ["", str(tmp_path / "gone"), str(tmp_path), *sys.path])
    folder = tmp_path / f"torch-{version}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Name: torch\nVersion: {version}\n")
    (tmp_path / "torch_geometric-1.0.dist-info").mkdir()
    assert installed.version_of("torch") == version == importlib.metadata.version("torch")


@pytest.mark.parametrize(
    ("name", "inside"),
    [
        ("torch.egg-info", "PKG-INFO"),
        ("torch-2.9.0-py3.11.egg-info", "PKG-INFO"),
        ("Torch-2.9.0.dist-info", "METADATA"),
        ("torch-two.dist-info", "METADATA"),
    ],
)
def test_other_forms_of_installation_are_python_s_to_know(
    name: str, inside: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    (tmp_path / name).mkdir()
    (tmp_path / name / inside).write_text("Name: torch\nVersion: 2.9.0\n")
    assert installed.version_of("torch") == "2.9.0" == importlib.metadata.version("torch")


def test_what_is_installed_in_an_archive_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "packages.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("torch-2.9.0.dist-info/METADATA", "Name: torch\nVersion: 2.9.0\n")
    monkeypatch.setattr(sys, "path", [str(archive)])
    assert installed.version_of("torch") == "2.9.0"


def test_what_is_not_installed_has_no_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "gone")])
    assert installed.version_of("torch") is None


def test_of_two_versions_python_chooses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    for version in ("2.8.0", "2.9.0"):
        folder = tmp_path / f"torch-{version}.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Name: torch\nVersion: {version}\n")
    assert installed.version_of("torch") == importlib.metadata.version("torch")
