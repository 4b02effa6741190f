"""Reading Python files as Python reads them."""

from __future__ import annotations

import codecs
import os
import re
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_NO_STATEMENT = re.compile(rb"^[ \t\f]*(?:#.*)?$")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A Python file or a notebook on disk."""

    path: Path
    name: str
    """Path relative to the project root with `/`; outside the root an absolute path with `/`."""


class Unreadable(Exception):
    """A file's text cannot be had; `message` is one line, `line` is 1-based where a line is to blame."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def project_name(path: Path, root: Path) -> str:
    """How a file is called in a report. Both paths are absolute and normalised."""
    name, start = path.as_posix(), root.as_posix()
    start = start if start.endswith("/") else f"{start}/"
    if name.startswith(start):
        return name[len(start) :]  # of thousands of files: `relative_to` takes ten times as long
    try:
        return path.relative_to(root).as_posix()
    except ValueError:
        return name


def read_source(path: Path) -> str:
    """The text of a Python file, line ends as `\\n`; raises `Unreadable`."""
    return decode_source(read_data(path))


def read_data(path: Path) -> bytes:
    """What a file holds; raises `Unreadable`."""
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise Unreadable("is a directory")
        if not stat.S_ISREG(mode):
            raise Unreadable("is not a regular file")
        return path.read_bytes()
    except OSError as error:
        raise Unreadable(reason(error)) from error


def reason(error: OSError) -> str:
    """What the operating system says, without the path."""
    if isinstance(error, FileNotFoundError):
        return "no such file"
    return (error.strerror or str(error)).lower()


def decode_source(data: bytes) -> str:
    """The text of Python source (PEP 263, byte order mark), line ends as `\\n`; raises `Unreadable`."""
    marked = data.startswith(codecs.BOM_UTF8)
    if marked:
        data = data[len(codecs.BOM_UTF8) :]
    encoding = _encoding(data, marked)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = _line_of(data, error.start)
        raise Unreadable(f"byte 0x{data[error.start]:02x} is not valid {encoding}", line) from error
    except (LookupError, ValueError) as error:
        raise Unreadable(f"cannot be decoded as {encoding!r}") from error
    return as_source(text)


def as_source(text: str) -> str:
    """Python source that was decoded, line ends as `\\n`; raises `Unreadable`."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        raise Unreadable("holds a null byte", text.count("\n", 0, text.index("\0")) + 1)
    return text


def encode_source(text: str, original: bytes) -> bytes:
    """The bytes of a text that was made from the source `original`, with as many lines.

    Encoding, byte order mark and line ends stay as they were. Raises `Unreadable` if the original is no source, and
    UnicodeEncodeError if its encoding has no word for something in the text.
    """
    mark = codecs.BOM_UTF8 if original.startswith(codecs.BOM_UTF8) else b""
    unmarked = original[len(mark) :]
    encoding = _encoding(unmarked, bool(mark))
    ends = re.findall("\r\n|\r|\n", unmarked.decode(encoding))
    lines = text.split("\n")
    return mark + "".join(line + end for line, end in zip(lines, [*ends, ""], strict=True)).encode(encoding)


def _encoding(data: bytes, marked: bool) -> str:
    for number, line in enumerate(re.split(rb"\r\n|\r|\n", data[:4096], maxsplit=2)[:2], start=1):
        if cookie := _COOKIE.match(line):
            name = cookie[1].decode("ascii", "replace")
            try:
                codec = codecs.lookup(name).name
            except LookupError as error:
                raise Unreadable(f"unknown encoding {name!r} in the coding comment", number) from error
            if marked and codec != "utf-8":
                raise Unreadable(f"the coding comment says {name!r}, but the file has a UTF-8 byte order mark", number)
            return name
        if not _NO_STATEMENT.match(line):
            break
    return "utf-8"


def _line_of(data: bytes, offset: int) -> int:
    before = data[:offset]
    return len(re.findall(rb"\r\n|\r|\n", before)) + 1


def write_atomically(path: Path, data: bytes) -> None:
    """Replace what a file holds, or begin it: whoever reads it sees the old or the new, and a crash leaves the old.

    Links and permissions stay; devices and pipes (`/dev/null`) are written to. Raises OSError.
    """
    import tempfile  # few checks write files, and it takes as long to import as all of these

    real = os.path.realpath(path)
    try:
        found = os.stat(real).st_mode
        if not stat.S_ISREG(found):
            with open(real, "wb") as special:
                special.write(data)
            return
        mode = stat.S_IMODE(found)
        os.close(os.open(real, os.O_WRONLY))  # what must not be written is not replaced either
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        mode = 0o666 & ~umask
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(real), prefix=f".{os.path.basename(real)}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, mode)
        os.replace(temporary, real)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
