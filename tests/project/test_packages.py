"""Packages are found where Python would import them from."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from compilelint.project.packages import (
    Environment,
    PackageError,
    could_be_followed,
    find_environments,
    find_packages,
)


def site(prefix: Path, *packages: str) -> Path:
    """An environment's site-packages with these packages in it."""
    folder = prefix / "lib" / "python3.12" / "site-packages"
    folder.mkdir(parents=True, exist_ok=True)
    for package in packages:
        put(folder, package)
    return folder


def put(folder: Path, package: str) -> Path:
    (folder / package).mkdir(parents=True)
    (folder / package / "__init__.py").write_text("")
    return folder / package


def found(name: str, project: Path, **variables: str) -> Path:
    return find_packages([name], find_environments(None, project, variables))[name]


def test_an_active_environment_comes_before_that_of_the_project(tmp_path: Path) -> None:
    active, own = tmp_path / "active", tmp_path / "project" / ".venv"
    site(active, "lib")
    site(own, "lib", "other")
    (own / "pyvenv.cfg").write_text("home = /nowhere\n")
    project = tmp_path / "project" / "inner"
    assert active in found("lib", project, VIRTUAL_ENV=str(active)).parents
    assert own in found("lib", project).parents
    # What is run by pre-commit has an environment of its own, which is the active one.
    assert own in found("other", project, VIRTUAL_ENV=str(active)).parents


def test_condas_environment_and_pythonpath_are_looked_at(tmp_path: Path) -> None:
    site(tmp_path / "conda", "lib")
    put(tmp_path / "path", "mine")
    variables = {
        "CONDA_PREFIX": str(tmp_path / "conda"),
        "PYTHONPATH": f"{tmp_path / 'none'}{os.pathsep}{tmp_path / 'path'}",
    }
    assert found("lib", tmp_path, **variables).parent.name == "site-packages"
    assert found("mine", tmp_path, **variables) == tmp_path / "path" / "mine"


def test_at_last_the_python_that_runs_the_check_is_asked(tmp_path: Path) -> None:
    assert found("pytest", tmp_path) == Path(pytest.__file__).parent


def test_a_directory_that_a_pth_file_adds_counts(tmp_path: Path) -> None:
    folder = site(tmp_path / "env")
    source = put(tmp_path / "checkout" / "src", "lib")
    (folder / "__editable__.lib-1.0.pth").write_text(f"# comment\nimport os\n\n/not/there\n{source.parent}\n")
    assert found("lib", tmp_path, VIRTUAL_ENV=str(tmp_path / "env")) == source


def test_an_environment_may_see_the_packages_of_the_one_it_was_made_of(tmp_path: Path) -> None:
    site(tmp_path / "base", "lib")
    site(tmp_path / "env")
    settings = tmp_path / "env" / "pyvenv.cfg"
    settings.write_text(f"home = {tmp_path / 'base' / 'bin'}\ninclude-system-site-packages = true\n")
    python = find_environments(tmp_path / "env", tmp_path, {})
    assert tmp_path / "base" in find_packages(["lib"], python)["lib"].parents
    settings.write_text(f"home = {tmp_path / 'base' / 'bin'}\ninclude-system-site-packages = false\n")
    with pytest.raises(PackageError, match="lib is not installed"):
        find_packages(["lib"], find_environments(tmp_path / "env", tmp_path, {}))


def test_an_interpreter_stands_for_its_environment_and_no_other_is_asked(tmp_path: Path) -> None:
    site(tmp_path / "env", "lib")
    interpreter = tmp_path / "env" / "bin" / "python"
    interpreter.parent.mkdir()
    interpreter.write_text("")
    environments = find_environments(interpreter, tmp_path, {"VIRTUAL_ENV": sys.prefix})
    assert set(find_packages(["lib"], environments)) == {"lib"}
    with pytest.raises(PackageError, match=f"pytest is not installed in {interpreter}"):
        find_packages(["pytest"], environments)


def test_what_is_no_environment_is_said(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="nowhere is no Python environment"):
        find_environments(tmp_path / "nowhere", tmp_path, {})


def test_what_does_not_exist_is_no_interpreter_of_the_environment_around_it(tmp_path: Path) -> None:
    site(tmp_path / "env", "lib")
    with pytest.raises(PackageError, match="python is no Python environment"):
        find_environments(tmp_path / "env" / "bin" / "python", tmp_path, {})


def test_a_package_without_an_init_comes_after_those_that_have_one(tmp_path: Path) -> None:
    """`f5_tts` has no `__init__.py`."""
    first, second = tmp_path / "first", site(tmp_path / "second")
    (first / "speech" / "model").mkdir(parents=True)
    (first / "data").mkdir()
    (first / "speech" / "model" / "net.py").write_text("")
    environments = (Environment("both", (first, second)),)
    assert find_packages(["speech"], environments) == {"speech": first / "speech"}
    with pytest.raises(PackageError, match="data is not installed"):
        find_packages(["data"], environments)
    put(second, "speech")
    assert find_packages(["speech"], environments) == {"speech": second / "speech"}


def test_modules_and_packages_inside_packages_are_found(tmp_path: Path) -> None:
    (put(tmp_path, "lib") / "part.py").write_text("")
    put(tmp_path / "lib", "inner")
    (tmp_path / "single.py").write_text("")
    environments = [Environment("here", (tmp_path,))]
    assert find_packages(["lib.inner", "lib.part", "single"], environments) == {
        "lib.inner": tmp_path / "lib" / "inner",
        "lib.part": tmp_path / "lib" / "part.py",
        "single": tmp_path / "single.py",
    }


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("libary", r"libary is not installed in here, there; did you mean 'library'\?"),
        ("my-package", r"'my-package' is no name that can be imported.*; did you mean 'my_package'\?"),
        ("../x", "no name that can be imported"),
        ("torch", "torch is not to be followed: what Dynamo does with it is known without"),
        ("torch.nn", "torch.nn is not to be followed"),
        ("pandas", "pandas is not to be followed: Dynamo does not trace it"),
        ("json", "json is not to be followed: Dynamo does not trace it"),
    ],
)
def test_what_cannot_be_followed_is_said(tmp_path: Path, name: str, message: str) -> None:
    for package in ("library", "my_package"):
        put(tmp_path, package)
    environments = [Environment("here", (tmp_path,)), Environment("there", (tmp_path / "x",))]
    with pytest.raises(PackageError, match=message):
        find_packages([name], environments)


@pytest.mark.slow
def test_what_is_refused_is_what_dynamo_leaves_out() -> None:
    trace_rules = pytest.importorskip("torch._dynamo.trace_rules")
    from compilelint.project.packages import _NOT_TRACED

    assert set(_NOT_TRACED) <= set(trace_rules.THIRDPARTY_SKIPLIST)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("lib/__init__.py", "import torch\n"),
        ("lib/ops.py", "import os\nfrom torch import nn\n"),
        ("lib/models/net.py", "import torch.nn as nn\n"),
        ("lib.py", "import torch\n"),
    ],
)
def test_a_package_of_torch_code_imports_torch_near_its_top(tmp_path: Path, file: str, text: str) -> None:
    assert _uses_torch(tmp_path, file, text)


@pytest.mark.parametrize(
    ("why", "file", "text"),
    [
        ("something else", "lib/__init__.py", "import torchlike\nimport os\n"),
        ("only if somebody asks for it", "lib/__init__.py", "def to_torch(x):\n    import torch\n"),
        ("it lies deep inside", "lib/a/b/c.py", "import torch\n"),
        ("it is another package", "other.py", "import torch\n"),
    ],
)
def test_other_packages_hold_no_torch_code(tmp_path: Path, why: str, file: str, text: str) -> None:
    assert not _uses_torch(tmp_path, file, text)


def test_what_cannot_be_followed_is_not_offered(tmp_path: Path) -> None:
    (tmp_path / "pandas.py").write_text("import torch\n")
    assert could_be_followed(["pandas"], [Environment("here", (tmp_path,))]) == ()


def _uses_torch(folder: Path, file: str, text: str) -> bool:
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return could_be_followed(["lib"], [Environment("here", (folder,))]) == ("lib",)
