"""Which file a dotted name means."""

from __future__ import annotations

import pytest

from compilelint.source.modules import ModuleNames
from tests.source.make import FOLDER


def names(*files: str) -> ModuleNames:
    return ModuleNames({file: FOLDER / file for file in files})


def test_what_no_file_is_called_like_is_no_module() -> None:
    found = names("src/pkg/__init__.py", "src/pkg/model.py")
    assert found.find("pkg.model", "src/pkg/model.py") == "src/pkg/model.py"
    assert found.find("pkg.model.Net", "src/pkg/model.py") is None
    assert found.find("pkg.Net", "src/pkg/model.py") is None
    assert found.find("pkg", "src/pkg/model.py") == "src/pkg/__init__.py"


PACKAGE = ("src/pkg/__init__.py", "src/pkg/sub/__init__.py", "src/pkg/sub/mod.py", "src/pkg/model.py", "train.py")


@pytest.mark.parametrize(
    ("file", "dotted"),
    [
        ("src/pkg/__init__.py", "pkg"),
        ("src/pkg/model.py", "pkg.model"),
        ("src/pkg/sub/__init__.py", "pkg.sub"),
        ("src/pkg/sub/mod.py", "pkg.sub.mod"),
        ("train.py", "train"),
    ],
)
def test_dotted_names_start_at_the_outermost_package(file: str, dotted: str) -> None:
    assert names(*PACKAGE).dotted(file) == dotted


def test_only_init_files_are_packages() -> None:
    found = names(*PACKAGE)
    assert found.is_package("src/pkg/sub/__init__.py")
    assert not found.is_package("src/pkg/model.py")


@pytest.mark.parametrize(
    ("dotted", "importer", "file"),
    [
        ("pkg.model", "train.py", "src/pkg/model.py"),
        ("pkg.sub", "src/pkg/model.py", "src/pkg/sub/__init__.py"),
        ("pkg.sub.mod", "src/pkg/sub/__init__.py", "src/pkg/sub/mod.py"),
        ("pkg", "src/pkg/model.py", "src/pkg/__init__.py"),
        ("src.pkg.model", "train.py", "src/pkg/model.py"),
    ],
)
def test_imports_find_files(dotted: str, importer: str, file: str) -> None:
    assert names(*PACKAGE).find(dotted, importer) == file


@pytest.mark.parametrize("dotted", ["torch", "pkg.other", "model", "pkg.model.Net", ""])
def test_what_is_not_in_the_project_is_not_found(dotted: str) -> None:
    assert names(*PACKAGE).find(dotted, "src/pkg/sub/mod.py") is None


def test_a_package_s_own_logging_does_not_hide_the_library_s() -> None:
    found = names("pkg/__init__.py", "pkg/logging.py", "pkg/model.py")
    assert found.find("logging", "pkg/model.py") is None
    assert found.find("pkg.logging", "pkg/model.py") == "pkg/logging.py"


def test_a_script_finds_its_neighbour_before_one_of_the_same_name_elsewhere() -> None:
    found = names("a/train.py", "a/utils.py", "b/train.py", "b/utils.py")
    assert found.find("utils", "a/train.py") == "a/utils.py"
    assert found.find("utils", "b/train.py") == "b/utils.py"


@pytest.mark.parametrize("files", [("a/utils.py", "b/utils.py", "c/run.py"), ("c/run.py", "b/utils.py", "a/utils.py")])
def test_of_two_that_are_equally_far_away_it_is_the_same_in_any_order(files: tuple[str, ...]) -> None:
    assert names(*files).find("utils", "c/run.py") == "a/utils.py"


def test_a_folder_without_init_is_a_namespace_package() -> None:
    found = names("app/models/net.py", "app/train.py", "run.py")
    assert found.find("models.net", "app/train.py") == "app/models/net.py"
    assert found.find("app.models.net", "run.py") == "app/models/net.py"
    assert found.find("models", "app/train.py") is None


@pytest.mark.parametrize("own", ["data/validators/torch/__init__.py", "examples/torch.py", "torch/__init__.py"])
@pytest.mark.parametrize("importer", ["pkg/model.py", "data/validators/image.py", "examples/run.py", "train.py"])
def test_what_the_project_calls_torch_is_not_torch(own: str, importer: str) -> None:
    found = names("pkg/__init__.py", "pkg/model.py", "data/validators/image.py", "examples/run.py", "train.py", own)
    assert found.find("torch", importer) is None


def test_nor_are_modules_in_it() -> None:
    found = names("pkg/__init__.py", "pkg/model.py", "data/torch/__init__.py", "data/torch/nn.py")
    assert found.find("torch.nn", "pkg/model.py") is None
    assert found.find("torch", "data/torch/nn.py") is None


def test_nor_is_torch_s_own_project_read_for_what_the_rules_know_of_torch() -> None:
    found = names("torch/__init__.py", "torch/nn/__init__.py", "torch/nn/functional.py")
    assert found.find("torch.nn", "torch/nn/functional.py") is None


def test_what_python_has_is_the_project_s_only_next_to_a_script() -> None:
    found = names("tools/random.py", "tools/run.py", "train.py")
    assert found.find("random", "tools/run.py") == "tools/random.py"
    assert found.find("random", "train.py") is None
