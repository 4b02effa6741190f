"""Units walked by copies of the process.

Each test copies a process of its own: the one that runs the tests has threads.
"""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from compilelint.analysis import forks

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes are started instead")

_BEGINNING = """\
import os, signal, sys
from pathlib import Path
from compilelint.analysis import forks, workers
from compilelint.analysis.answers import WorkerError
from compilelint.analysis.store import Store
from tests.analysis.make import analysis, places, write
from tests.analysis.test_spawns import PROJECT

workers._WORTH_A_COPY = 1
folder = write(Path(sys.argv[1]) / "project", {**PROJECT, "broken.py": "import torch\\n("})
first, plain = os.getpid(), forks.answer

def copies_answer(answer):
    forks.answer = lambda walk, unit: plain(walk, unit) if os.getpid() == first else answer(walk, unit)

def all_is_left_to_copies():
    take = forks._taken
    forks._taken = lambda positions: () if os.getpid() == first else take(positions)

"""


def _run(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _BEGINNING + textwrap.dedent(program), str(folder)]
    root = Path(__file__).parents[2]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60, check=False)


def _said(program: str, folder: Path) -> str:
    done = _run(program, folder)
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout.strip()


def test_copies_find_what_one_process_finds(tmp_path: Path) -> None:
    program = """
        alone = analysis(folder, Store(None))
        fork, copies = os.fork, []
        def noting():
            copies.append(fork())
            return copies[-1]
        os.fork = noting
        assert analysis(folder, Store(None), jobs=2) == alone
        while not forks.are_safe():
            pass  # on a busy machine a thread that has ended is listed a moment longer
        assert analysis(folder, Store(None), jobs=3) == alone
        print(len(copies), *places(alone))
    """
    assert _said(program, tmp_path) == f"3 {' '.join(f'net{number}.py:4 CL101' for number in range(8))} broken.py:2"


def test_for_the_last_unit_no_process_is_copied(tmp_path: Path) -> None:
    program = """
        one = write(Path(sys.argv[1]) / "one", dict(list(PROJECT.items())[:1]))
        def unexpected():
            raise AssertionError
        os.fork = unexpected
        print(len(places(analysis(one, Store(None), jobs=4))))
    """
    assert _said(program, tmp_path) == "1"


@pytest.mark.parametrize(("units", "alone"), [(2, 0), (3, 0), (4, 1), (5, 1)])
def test_of_many_units_one_is_walked_before_the_process_is_copied(units: int, alone: int, tmp_path: Path) -> None:
    program = f"""
        some = write(Path(sys.argv[1]) / "some", dict(list(PROJECT.items())[:{units}]))
        walked, walk_all = [], forks.walk_all
        def counted(walk, units, order, copies):
            walked.append(len(units) - len(order))
            return walk_all(walk, units, order, copies)
        forks.walk_all = counted
        print(len(places(analysis(some, Store(None), jobs=2))), *walked)
    """
    assert _said(program, tmp_path) == f"{units} {alone}"


def test_what_a_copy_finds_is_told(tmp_path: Path) -> None:
    program = """
        all_is_left_to_copies()
        print(len(places(analysis(folder, Store(None), jobs=2))))
    """
    assert _said(program, tmp_path) == "9"


def test_a_copy_that_dies_is_told(tmp_path: Path) -> None:
    program = """
        copies_answer(lambda walk, unit: os._exit(7))
        all_is_left_to_copies()
        try:
            analysis(folder, Store(None), jobs=2)
        except WorkerError as error:
            print(error)
    """
    assert _said(program, tmp_path) == "a worker process ended early (exit code 7)"


def test_an_answer_that_cannot_be_sent_is_told(tmp_path: Path) -> None:
    program = """
        copies_answer(lambda walk, unit: lambda: None)
        all_is_left_to_copies()
        try:
            analysis(folder, Store(None), jobs=2)
        except WorkerError as error:
            print(error)
    """
    done = _run(program, tmp_path)
    assert done.stdout == "a worker process ended early (exit code 1)\n"
    assert "local object" in done.stderr.splitlines()[-1], "pickle says so in each version of Python"


def test_an_answer_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    program = """
        class Unreadable:
            def __reduce__(self):
                return (int, ("no number",))
        copies_answer(lambda walk, unit: Unreadable())
        all_is_left_to_copies()
        try:
            analysis(folder, Store(None), jobs=2)
        except WorkerError as error:
            print(error)
    """
    assert _said(program, tmp_path).startswith("a worker process gave no answer (ValueError: invalid literal")


def test_what_a_copy_raises_is_told_with_its_traceback(tmp_path: Path) -> None:
    program = """
        def failing(walk, unit):
            def walk(unit):
                raise LookupError(unit.name)
            return plain(walk, unit)
        copies_answer(failing)
        all_is_left_to_copies()
        try:
            analysis(folder, Store(None), jobs=2)
        except LookupError as error:
            print("in answer" in str(error.__cause__), error)
    """
    assert _said(program, tmp_path).startswith("True net")


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    program = """
        import itertools, threading
        from compilelint.analysis.job import Job, walker
        from compilelint.match.units import Program, Unit
        from tests.analysis.make import RULES, files
        def held():
            return len(os.listdir("/proc/self/fd")), threading.active_count()
        every = files(folder, Store(None))
        units = [Unit(name) for name in PROJECT]
        walk = walker(Job(every, RULES, Program()), every.tree())
        before = held()
        for taken in (1, 8):
            walked = forks.walk_all(walk, units, range(8), 2)
            print(len(list(itertools.islice(walked, taken))))
            walked.close()
            assert held() == before
        try:
            os.waitpid(-1, 0)
        except ChildProcessError as error:
            print("no process")
    """
    assert _said(program, tmp_path).split("\n") == ["1", "8", "no process"]


def test_ctrl_c_is_left_to_the_first_process(tmp_path: Path) -> None:
    program = """
        def asked(walk, unit):
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            os.kill(os.getpid(), signal.SIGINT)
            return plain(walk, unit)
        copies_answer(asked)
        all_is_left_to_copies()
        print(len(places(analysis(folder, Store(None), jobs=2))))
    """
    assert _said(program, tmp_path) == "9"


def test_where_no_process_can_be_had_this_one_does_all(tmp_path: Path) -> None:
    program = """
        def refused():
            raise BlockingIOError("too many processes")
        os.fork = refused
        print(len(places(analysis(folder, Store(None), jobs=3))))
    """
    assert _said(program, tmp_path) == "9"


@pytest.mark.parametrize("broken", ["del os.memfd_create", "os.memfd_create = refused"])
def test_without_files_in_memory_copies_share_one_on_disk(tmp_path: Path, broken: str) -> None:
    program = f"""
        def refused(*arguments, **options):
            raise OSError(38, "not implemented")
        {broken}
        all_is_left_to_copies()
        print(len(places(analysis(folder, Store(None), jobs=2))))
    """
    assert _said(program, tmp_path) == "9"


def test_where_no_file_can_be_had_this_process_does_all(tmp_path: Path) -> None:
    program = """
        import tempfile
        def refused(*arguments, **options):
            raise OSError(28, "no space left")
        os.memfd_create = tempfile.TemporaryFile = refused
        def unexpected():
            raise AssertionError
        os.fork = unexpected
        print(len(places(analysis(folder, Store(None), jobs=2))))
    """
    assert _said(program, tmp_path) == "9"


@pytest.mark.parametrize("room", [0, 20])
def test_where_no_file_may_grow_this_process_does_all(tmp_path: Path, room: int) -> None:
    program = f"""
        import resource
        resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, resource.RLIM_INFINITY))
        assert len(places(analysis(folder, Store(None), jobs=3))) == 9
    """
    assert _said(program, tmp_path) == ""


def test_a_process_with_threads_is_not_copied() -> None:
    leave = threading.Event()
    thread = threading.Thread(target=leave.wait)
    thread.start()
    try:
        assert not forks.are_safe()
    finally:
        leave.set()
        thread.join()


def test_elsewhere_than_on_linux_no_process_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(forks.os, "listdir", lambda path: ["1"])
    assert not forks.are_safe()
