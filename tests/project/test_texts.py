from __future__ import annotations

from pathlib import Path

from compilelint.project.texts import with_texts
from compilelint.report.stack import StackFrame
from tests.report.make import finding, observation, report, run


def test_files_below_the_directory_are_read_as_utf_8(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes("# coding: latin-1\r\n'é'\n".encode())
    (tmp_path / "own.py").write_bytes(b"'\xe9'")
    outside = observation(path="/usr/lib/python3/os.py", owner=StackFrame("own.py", 3, "f"))
    given = report(finding(path="a.py"), finding(path="gone.py"), finding(path="-"), observations=(outside,), run=run())
    assert with_texts(given, tmp_path).texts == {"a.py": "# coding: latin-1\r\n'é'\n", "own.py": "'\ufffd'"}
