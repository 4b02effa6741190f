"""How the server is started."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from compilelint.cli import run


def test_without_pygls_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert run(["server"]) == 2
    assert capsys.readouterr().err == "error: the language server needs pygls: pip install 'compilelint[server]'\n"


@pytest.mark.parametrize("address", ["localhost", "localhost:", "localhost:x", ":99999"])
def test_an_address_is_a_host_and_a_port(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["server", "--tcp", address]) == 2
    assert "HOST:PORT expected" in capsys.readouterr().err


def test_an_address_in_use_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("localhost", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(["server", "--tcp", f"localhost:{port}"]) == 2
    assert f"error: localhost:{port}: " in capsys.readouterr().err


def test_one_way_to_speak_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["server", "--stdio", "--tcp", "localhost:1"]) == 2
    assert "exclude each other" in capsys.readouterr().err


@pytest.mark.slow
def test_nothing_is_left_behind_when_the_editor_is_gone(tmp_path: Path) -> None:
    # The process ends without the interpreter's own clearing up.
    command = [sys.executable, "-m", "compilelint", "server", "--no-cache"]
    subprocess.run(command, stdin=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(tmp_path)}, check=False)
    assert list(tmp_path.iterdir()) == []
