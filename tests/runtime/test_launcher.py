"""A program under the launcher is the program, and however it ends, its session is there.

A package that is called torch stands in for torch: importing `torch._logging` is what starts the recorder.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from compilelint.runtime import launcher
from compilelint.runtime.session import read_session
from compilelint.runtime.session_files import session_files

ROOT = Path(__file__).parents[2]
RUN = """
import json, sys
from pathlib import Path
from compilelint.runtime import launcher
session, timeout, settings, *program = sys.argv[1:]
ended = launcher.run(program, Path(session), json.loads(settings), timeout=float(timeout) or None)
print("LAUNCHER", ended.exit_code, ended.signal, ended.timed_out, ended.recorded, flush=True)
launcher.end_like(ended)
sys.exit(ended.exit_code)
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    torch = tmp_path / "torch"
    (torch / "_logging").mkdir(parents=True)
    (torch / "__init__.py").write_text("import torch._logging\n__version__ = '0.0'\n")
    (torch / "_logging" / "__init__.py").write_text("def trace_structured(*args, **kwargs): pass\n")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    return tmp_path / "program.py"


def _start(
    program: Path, source: str, *arguments: str, timeout: float = 0, settings: object = None
) -> subprocess.Popen[str]:
    program.write_text(textwrap.dedent(source))
    session = program.parent / "out" / "s.jsonl"
    what = arguments if arguments[:1] == ("-m",) else (program.name, *arguments)
    return subprocess.Popen(
        [sys.executable, "-c", RUN, str(session), str(timeout), json.dumps(settings or {}), *what],
        cwd=program.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_hear_interrupts,
    )


def _hear_interrupts() -> None:
    """What runs in the background of a shell ignores them, and so would what it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _run(program: Path, source: str, *arguments: str, **options: object) -> tuple[int, str, str]:
    process = _start(program, source, *arguments, **options)  # type: ignore[arg-type]
    out, err = process.communicate("typed in\n", timeout=60)
    return process.returncode, out, err


def _session(program: Path):  # type: ignore[no-untyped-def]
    return read_session(program.parent / "out" / "s.jsonl")


SEEN = """
import sys, os, torch
print(__name__, sys.argv, sys.path[0], os.path.basename(__file__), os.getcwd(), input())
print([name for name in sys.path if "compilelint" in name and name.endswith("site")])
print(sys.modules["__main__"].__spec__ is None, "click" in sys.modules)
print("to stderr", file=sys.stderr)
"""


def test_a_script_sees_what_python_itself_shows_it(program: Path) -> None:
    code, out, err = _run(program, SEEN, "--steps", "2", "-m")
    folder = str(program.parent)
    assert out.splitlines() == [
        f"__main__ ['program.py', '--steps', '2', '-m'] {folder} program.py {folder} typed in",
        "[]",
        "True False",
        "LAUNCHER 0 None False True",
    ]
    assert err == "to stderr\n"
    assert code == 0
    session = _session(program)
    assert session.header.program == ("program.py", "--steps", "2", "-m")
    assert session.footer.exit_code == 0
    assert not session.cut_off


def test_a_module_sees_what_python_itself_shows_it(program: Path) -> None:
    (program.parent / "package" / "train.py").write_text(SEEN)
    code, out, _ = _run(program, "", "-m", "package.train", "x")
    where = program.parent / "package" / "train.py"
    assert out.startswith(f"__main__ ['{where}', 'x'] {program.parent} train.py {program.parent} typed in\n")
    assert code == 0


def test_the_options_of_this_python_are_passed_on(program: Path) -> None:
    program.write_text("import sys; print(sys.flags.dev_mode, sys.warnoptions, sys.flags.optimize)")
    done = subprocess.run(
        [
            *(sys.executable, "-X", "dev", "-W", "error::UserWarning", "-O", "-c", RUN),
            *(str(program.parent / "s.jsonl"), "0", "{}", program.name),
        ],
        cwd=program.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "True" in done.stdout
    assert "'error::UserWarning'" in done.stdout
    assert "] 1\n" in done.stdout


@pytest.mark.parametrize(
    ("ending", "code"),
    [("sys.exit(7)", 7), ("raise ValueError('no')", 1), ("os._exit(5)", 5), ("sys.exit('text')", 1)],
)
def test_the_exit_code_is_the_programs(program: Path, ending: str, code: int) -> None:
    found, out, err = _run(program, f"import os, sys, torch\n{ending}\n")
    assert found == code
    assert f"LAUNCHER {code} None False True" in out
    footer = _session(program).footer
    assert footer.exit_code == code
    assert (footer.exception == "ValueError: no") == ("ValueError" in ending)
    assert ("ValueError: no" in err) == ("ValueError" in ending)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGABRT])
def test_a_signal_that_ends_the_program_ends_the_launcher(program: Path, number: signal.Signals) -> None:
    code, out, _ = _run(program, f"import os, torch\nos.kill(os.getpid(), {int(number)})\n")
    assert code == -number
    assert f"LAUNCHER None {int(number)} False True" in out
    session = _session(program)
    assert session.footer.signal == number
    assert session.cut_off


WAITING = """
import sys, time, torch
try:
    print("ready", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    print("interrupted")
    sys.exit(3)
"""


def test_an_interrupt_is_the_programs_to_handle(program: Path) -> None:
    process = _start(program, WAITING)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert out.splitlines() == ["interrupted", "LAUNCHER 3 None False True"]
    assert process.returncode == 3


def test_a_termination_is_passed_on(program: Path) -> None:
    process = _start(program, WAITING)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGTERM


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells a process so")
def test_a_program_does_not_outlive_a_launcher_that_is_killed(program: Path) -> None:
    process = _start(program, "import os, time, torch\nprint(os.getpid(), flush=True)\ntime.sleep(60)\n")
    assert process.stdout is not None
    child = int(process.stdout.readline())
    process.kill()
    process.communicate(timeout=30)
    for _ in range(100):
        if not _is_running(child):
            break
        time.sleep(0.05)
    assert not _is_running(child)
    assert _session(program).footer is None


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def test_a_timeout_ends_the_program(program: Path) -> None:
    code, out, _ = _run(program, WAITING, timeout=2)
    assert "LAUNCHER None 15 True True" in out
    assert code == -signal.SIGTERM
    session = _session(program)
    assert session.footer.stopped == "timeout"
    assert session.cut_off


def test_a_program_that_never_imports_torch_has_no_session(program: Path) -> None:
    code, out, _ = _run(program, "print(1)")
    assert "LAUNCHER 0 None False False" in out
    assert code == 0


def test_the_programs_own_sitecustomize_is_run(program: Path) -> None:
    (program.parent / "sitecustomize.py").write_text("import builtins; builtins.customized = 'own'\n")
    process = subprocess.run(
        [sys.executable, "-c", RUN, str(program.parent / "s.jsonl"), "0", "{}", "-m", "package.main"],
        cwd=program.parent,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(program.parent)])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "package.main" in process.stderr  # there is none: what follows has one
    (program.parent / "package" / "main.py").write_text("import sitecustomize; print(customized)")
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(program.parent / "s.jsonl"), "0", "{}", "-m", "package.main"],
        cwd=program.parent,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(program.parent)])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("own\n")


def test_an_earlier_session_of_the_same_name_is_replaced(program: Path) -> None:
    for _ in range(2):
        assert _run(program, "import torch")[0] == 0
    assert (program.parent / "out" / "s.jsonl").read_text().count('"kind": "session"') == 1


def test_a_session_file_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(launcher.LaunchError, match="file"):
        launcher.run(["program.py"], tmp_path / "file" / "s.jsonl", {})


def test_a_folder_is_no_session_and_keeps_its_files(tmp_path: Path) -> None:
    (tmp_path / "other.jsonl").write_text("{}")
    with pytest.raises(launcher.LaunchError, match="a folder"):
        launcher.run(["program.py"], tmp_path, {})
    assert (tmp_path / "other.jsonl").exists()


def test_a_pipe_is_no_session_and_is_left_where_it_is(tmp_path: Path) -> None:
    """As root, `--session /dev/null` took the device away, and a file was there."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(launcher.LaunchError, match="not a file"):
        launcher.run(["program.py"], pipe, {})
    assert pipe.is_fifo()


def test_a_launcher_without_torch_is_told_of_with_the_children_that_have_it(program: Path) -> None:
    internal = "torch._logging._internal"
    (program.parent / "torch" / "_logging" / "_internal.py").write_text("def trace_structured(*args, **kwargs): pass")
    hit = f"{internal}.trace_structured('artifact', metadata_fn=lambda: {{'name': 'fx_graph_cache_hit'}})"
    (program.parent / "child.py").write_text(f"import {internal}\n{hit}\n")
    source = "import subprocess, sys; subprocess.run([sys.executable, 'child.py'], check=True); sys.exit(3)"
    code, out, _ = _run(program, source, "--ranks", "1")
    assert "LAUNCHER 3 None False True" in out
    assert code == 3
    session = _session(program)
    assert session.header.program == ("program.py", "--ranks", "1")
    assert session.header.parent is None
    assert session.footer.exit_code == 3
    (child,) = session_files(program.parent / "out" / "s.jsonl")[1:]
    assert read_session(child).header.parent is not None


def test_a_session_that_nobody_named_is_called_after_the_program() -> None:
    assert launcher.new_session_path(["src/train.py", "-x"]).name.startswith("train-")
    assert launcher.new_session_path(["-m", "package.train"]).name.startswith("package.train-")
    assert launcher.new_session_path(["-", "x"]).name.startswith("stdin-")
    assert launcher.new_session_path(["-c", "pass"]).name.startswith("c-")


def test_without_the_file_that_starts_the_recorder_nothing_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "_SITE", tmp_path)
    with pytest.raises(launcher.LaunchError, match="install it again"):
        launcher.run(["-c", "raise SystemExit(3)"], tmp_path / "s.jsonl", {})
    assert list(tmp_path.iterdir()) == []
