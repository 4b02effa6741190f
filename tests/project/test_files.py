"""Reading files as Python does, and saying in one line why that cannot be done."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from compilelint.project.files import Unreadable, decode_source, project_name, read_source, write_atomically


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"x = 1\r\ny = 2\rz = 3\n", "x = 1\ny = 2\nz = 3\n"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
        (b"\xef\xbb\xbf# coding: utf-8\n", "# coding: utf-8\n"),
        ("# -*- coding: latin-1 -*-\ns = 'é'\n".encode("latin-1"), "# -*- coding: latin-1 -*-\ns = 'é'\n"),
        ("#!/bin/sh\n# vim: set fileencoding=cp1252 :\n'€'\n".encode("cp1252"), None),
        ("'ü' # no cookie\n".encode(), "'ü' # no cookie\n"),
        (b"'a\x0cb\x1cc'\n", "'a\x0cb\x1cc'\n"),
    ],
)
def test_decodes_as_python_does(data: bytes, text: str | None) -> None:
    decoded = decode_source(data)
    if text is not None:
        assert decoded == text
    assert ast.dump(ast.parse(decoded)) == ast.dump(ast.parse(data))


def test_a_cookie_below_a_statement_is_a_mere_comment() -> None:
    source = "x = 1\n# coding: latin-1\ns = 'é'\n"
    assert decode_source(source.encode()) == source


@pytest.mark.parametrize(
    ("data", "message", "line"),
    [
        (b"x = 1\ns = '\xff'\n", "byte 0xff is not valid utf-8", 2),
        (b"x = 1\r\n\r\ns = '\xe9'", "byte 0xe9 is not valid utf-8", 3),
        (b"\n# coding: klingon\n", "unknown encoding 'klingon' in the coding comment", 2),
        (b"# coding: ascii\ns = '\xe9'", "byte 0xe9 is not valid ascii", 2),
        (b"# coding: rot13\n", "cannot be decoded as 'rot13'", None),
        (b"# coding: undefined\n", "cannot be decoded as 'undefined'", None),
        (
            b"\xef\xbb\xbf# coding: latin-1\n",
            "the coding comment says 'latin-1', but the file has a UTF-8 byte order mark",
            1,
        ),
        (b"x = 1\n\0y = 2\n", "holds a null byte", 2),
    ],
)
def test_says_what_cannot_be_decoded_and_where(data: bytes, message: str, line: int | None) -> None:
    with pytest.raises(Unreadable) as caught:
        decode_source(data)
    assert (caught.value.message, caught.value.line) == (message, line)


def test_a_file_that_vanished(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"^no such file$"):
        read_source(tmp_path / "gone.py")


def test_a_directory_named_like_a_file(tmp_path: Path) -> None:
    (tmp_path / "d.py").mkdir()
    with pytest.raises(Unreadable, match=r"^is a directory$"):
        read_source(tmp_path / "d.py")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(Unreadable, match=r"^is not a regular file$"):
        read_source(tmp_path / "pipe.py")


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    (tmp_path / "secret.py").touch()
    monkeypatch.setattr(Path, "read_bytes", denied)
    with pytest.raises(Unreadable, match=r"^permission denied$"):
        read_source(tmp_path / "secret.py")


def test_names_are_relative_inside_the_root_and_absolute_outside() -> None:
    assert project_name(Path("/p/src/a.py"), Path("/p")) == "src/a.py"
    assert project_name(Path("/q/a.py"), Path("/p")) == "/q/a.py"


def test_a_file_is_replaced_with_its_permissions_and_through_its_link(tmp_path: Path) -> None:
    real = tmp_path / "real.txt"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link = tmp_path / "link.txt"
    link.symlink_to(real)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert real.stat().st_mode & 0o777 == 0o640
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link.txt", "real.txt"]


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    write_atomically(tmp_path / "new", b"x")
    (tmp_path / "other").write_bytes(b"x")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_device_or_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, b"new")
        assert os.read(reading, 10) == b"new"
        assert pipe.is_fifo()
    finally:
        os.close(reading)
