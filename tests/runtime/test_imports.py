"""The recorder is called back when the program imports a module, and leaves no trace on it."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from compilelint.runtime import imports


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path / "waitedfor"
    folder.mkdir()
    (folder / "__init__.py").write_text("from waitedfor.inner import value\n")
    (folder / "inner.py").write_text("value = 1\n")
    (folder / "later.py").write_text("import waitedfor.inner\nvalue = waitedfor.inner.value\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    imports.forget_all()
    for name in [name for name in sys.modules if name.partition(".")[0] == "waitedfor"]:
        del sys.modules[name]


def _double(module: ModuleType) -> None:
    module.value *= 2  # type: ignore[attr-defined]


def test_who_imports_after_the_callback_sees_what_it_made() -> None:
    imports.when_imported("waitedfor.inner", _double)
    assert importlib.import_module("waitedfor").value == 2


def test_a_module_that_is_there_already_is_called_back_for_at_once() -> None:
    inner = importlib.import_module("waitedfor.inner")
    imports.when_imported("waitedfor.inner", _double)
    assert inner.value == 2


def test_a_callback_may_wait_for_the_module_that_it_is_called_for() -> None:
    called: list[str] = []
    imports.when_imported(
        "waitedfor.later",
        lambda module: imports.when_imported("waitedfor.later", lambda again: called.append(again.__name__)),
    )
    importlib.import_module("waitedfor.later")
    assert called == ["waitedfor.later"]


def test_the_module_is_as_if_nobody_had_waited() -> None:
    imports.when_imported("waitedfor.inner", lambda module: None)
    inner = importlib.import_module("waitedfor.inner")
    assert type(inner.__spec__.loader).__name__ == "SourceFileLoader"  # type: ignore[union-attr]
    assert inspect.getsource(inner) == "value = 1\n"


def test_an_exception_of_the_callback_goes_to_who_imports() -> None:
    def refuse(module: ModuleType) -> None:
        raise SystemExit(2)

    imports.when_imported("waitedfor.inner", refuse)
    with pytest.raises(SystemExit):
        importlib.import_module("waitedfor")


def test_nobody_is_called_after_all_is_forgotten() -> None:
    imports.when_imported("waitedfor.inner", _double)
    imports.forget_all()
    assert importlib.import_module("waitedfor").value == 1
