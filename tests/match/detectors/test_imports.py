"""What can be imported where the check runs."""

from __future__ import annotations

import importlib.util
from importlib.machinery import ModuleSpec

import pytest

from compilelint.inspect.events import Event, Mode, Place, Span
from compilelint.match.detectors.imports import missing


def imported(name: str) -> Event:
    place = Place("example.py", "f", ("example.py:1 f", "f"), Mode())
    return Event("import", Span(2, 5, 2, 20), place, callee=name, construct="guarded")


def installed(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    """Let exactly these packages be installed."""

    def find_spec(name: str) -> ModuleSpec | None:
        return ModuleSpec(name, None) if name in packages else None

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)


def test_a_package_that_is_not_installed_beside_torch_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, "torch")
    assert missing(imported("flash_attn.bert_padding"))


@pytest.mark.parametrize(
    ("why", "packages", "name"),
    [
        ("it is installed", ("torch", "scipy"), "scipy.ndimage"),
        ("the standard library has it", ("torch",), "json"),
        ("torch is what is compiled with", (), "torch._inductor"),
        ("an environment without torch is not the one that the code runs in", ("libcst",), "scipy.ndimage"),
    ],
)
def test_nothing_is_missing(why: str, packages: tuple[str, ...], name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, *packages)
    assert not missing(imported(name))
