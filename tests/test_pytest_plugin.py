from __future__ import annotations

from pathlib import Path

import pytest
import torch

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.slow

HEAD = """
import pytest
import torch

def clean(x):
    return x + 1

def breaking(x):
    print("here")
    return x + 1

def run(function, *sizes):
    compiled = torch.compile(function, backend="eager")
    for size in sizes:
        compiled(torch.ones(size))
"""


@pytest.fixture(autouse=True, scope="module")
def _torch_is_loaded() -> None:
    """pytester forgets what a run inside imports, and torch does not survive to be imported again."""
    torch.compile(lambda x: x + 1, backend="eager")(torch.ones(1))
    torch.compiler.reset()


@pytest.fixture(autouse=True)
def _only_this_plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


def run(pytester: pytest.Pytester, tests: str, *options: str) -> pytest.RunResult:
    pytester.makepyfile(HEAD + tests)
    return pytester.runpytest("-p", "compilelint.pytest_plugin", "--strict-markers", *options)


def test_marked_tests_are_judged(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
@pytest.mark.compilelint
def test_clean():
    run(clean, 3, 3)

@pytest.mark.compilelint
def test_breaking():
    run(breaking, 3)

@pytest.mark.compilelint(max_breaks=1)
def test_allowed():
    run(breaking, 3)

@pytest.mark.compilelint
def test_recompiling():
    run(clean, 3, 4)

@pytest.mark.compilelint(warmup=2)
def test_warm():
    run(clean, 3, 4, 5)

@pytest.mark.compilelint
def test_nothing():
    clean(torch.ones(3))

def test_unmarked():
    run(breaking, 3)
""",
    )
    result.assert_outcomes(passed=4, failed=3)
    result.stdout.fnmatch_lines(
        [
            "*test_breaking*",
            "*:8: graph break*",
            "*max-breaks = 0: broken, found 1*",
            "*test_recompiling*",
            "*recompile: argument `x` dimension 0 was 3, now 4*",
            "*test_nothing*",
            "*Nothing was compiled*",
        ]
    )
    result.stdout.no_fnmatch_line("*pytest_plugin.py*")
    result.stdout.no_fnmatch_line("*During handling of*")
    result.stdout.no_fnmatch_line("*torch.__trace*")


def test_a_test_that_records_by_itself_shows_what_was_logged_and_no_empty_records(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
import logging
import compilelint

def test_asserting():
    logging.getLogger("mine").warning("kept")
    compilelint.assert_compiles(breaking, (torch.ones(3),))
""",
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*graph break*", "*WARNING*kept*"])
    result.stdout.no_fnmatch_line("*torch.__trace*")


def test_each_test_is_judged_by_itself(pytester: pytest.Pytester) -> None:
    """What an earlier test compiled does not hide what this one breaks."""
    result = run(
        pytester,
        """
@pytest.fixture(scope="module")
def compiled():
    return torch.compile(breaking, backend="eager")

@pytest.mark.compilelint
@pytest.mark.parametrize("number", [1, 2])
def test_breaking(compiled, number):
    compiled(torch.ones(3))
""",
    )
    result.assert_outcomes(failed=2)


def test_a_test_that_fails_by_itself_is_not_judged(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
@pytest.mark.compilelint
def test_wrong():
    run(breaking, 3)
    assert 1 == 2

@pytest.mark.compilelint
def test_skipped():
    pytest.skip("not today")
""",
    )
    result.assert_outcomes(failed=1, skipped=1)
    result.stdout.fnmatch_lines(["*assert 1 == 2*"])
    result.stdout.no_fnmatch_line("*max-breaks*")


def test_the_fixture_shows_what_happened(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
@pytest.fixture
def warm():
    run(breaking, 3)

def test_shown(warm, compile_report):
    assert [each.line for each in compile_report.breaks] == [8]
    run(breaking, 4)
    assert len(compile_report.recompiles) == 1
    assert "graph break" in compile_report.text()

@pytest.mark.compilelint
def test_both(compile_report):
    run(clean, 3, 3)
    assert compile_report.compilations == 1
""",
    )
    result.assert_outcomes(passed=2)


def test_a_marker_may_stand_on_a_class(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
@pytest.mark.compilelint
class TestIt:
    def test_breaking(self):
        run(breaking, 3)
""",
    )
    result.assert_outcomes(failed=1)


@pytest.mark.parametrize("arguments", ["max_break=1", "0"])
def test_a_marker_with_other_arguments_is_refused(pytester: pytest.Pytester, arguments: str) -> None:
    result = run(pytester, f"@pytest.mark.compilelint({arguments})\ndef test_it(): pass\n")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*test_it: @pytest.mark.compilelint takes max_breaks, *"])


def test_torch_is_not_imported_for_tests_that_do_not_ask(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    pytester.makepyfile(
        """
import sys

def test_it():
    assert not {"torch", "compilelint.api", "compilelint.runtime"} & sys.modules.keys()
"""
    )
    result = pytester.runpytest_subprocess("-p", "compilelint.pytest_plugin")
    result.assert_outcomes(passed=1)
