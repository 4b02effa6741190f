"""What is changed in the trees that are timed."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from benchmarks.speed.trees import doubled, one_function_changed, size, with_other_imports, with_statement

CODE = textwrap.dedent(
    '''\
    from net.layers import Norm
    import net.data

    class Net:
        """Of layers."""

        def forward(self, x):
            """Runs."""
            return x

        def backward(self, x): return x
    '''
)


def package(folder: Path) -> Path:
    (folder / "net" / "__pycache__").mkdir(parents=True)
    (folder / "net" / "__pycache__" / "model.py").write_text("old")
    (folder / "net" / "model.py").write_text(CODE)
    return folder / "net"


def test_a_statement_comes_after_the_docstring_and_changes_nothing_else() -> None:
    changed = with_statement(CODE, "Net.forward", "new = 1")
    assert '"""Runs."""\n        new = 1\n        return x' in changed
    assert changed.replace("        new = 1\n", "") == CODE


def test_a_function_that_is_not_there_is_an_error() -> None:
    with pytest.raises(LookupError, match="sideways"):
        with_statement(CODE, "Net.sideways", "new = 1")
    with pytest.raises(LookupError, match="no function"):
        with_statement(CODE, "Net", "new = 1")


def test_a_changed_function_is_as_it_was_afterwards(tmp_path: Path) -> None:
    path = package(tmp_path) / "model.py"
    before = path.stat()
    with one_function_changed(tmp_path, "net/model.py::Net.forward", "new = 1") as changed:
        assert changed == path
        assert "new = 1" in path.read_text()
    assert path.read_text() == CODE
    assert path.stat().st_mtime_ns == before.st_mtime_ns


def test_a_copy_imports_from_itself() -> None:
    text = "import net\n    from net.layers import net\nfrom network import net\nfrom . import net\n"
    assert with_other_imports(text, "net", "other") == (
        "import other\n    from other.layers import net\nfrom network import net\nfrom . import net\n"
    )


def test_twice_the_lines(tmp_path: Path) -> None:
    source = package(tmp_path / "installed")
    folder, names = doubled(source, tmp_path / "project")
    assert names == ("net", "net_again")
    assert (folder / "net_again" / "model.py").read_text().startswith("from net_again.layers import Norm\n")
    assert (folder / "net" / "model.py").read_text() == CODE
    assert size(folder) == (2, 2 * CODE.count("\n"))
