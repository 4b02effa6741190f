"""Conditions on where a program runs: what they mostly come to."""

from __future__ import annotations

import pytest

from compilelint.inspect.frame import Route
from compilelint.inspect.starting import run_root
from compilelint.regions import compiled_roots
from compilelint.report.confidence import Confidence
from tests.inspect.make import inspector

_BEGIN = """
import os
import platform
import sys
DEBUG = os.environ.get("DEBUG", "0") == "1"
LEVEL = int(os.getenv("LEVEL", "2"))
SET = False
OLD = sys.version_info < (3, 8)
def main():
    global SET
    SET = True
"""


def sureness(condition: str, begin: str = "") -> Confidence | None:
    """How sure a print under a condition is."""
    code = f"{_BEGIN}{begin}\n@torch.compile\ndef f(x):\n    if {condition}:\n        print(x)\n    return x\n"
    found = inspector(code)
    (root,) = compiled_roots(found, "example.py")
    run_root(found, root.function, Route((root.label,)))
    return next((event.confidence for event in found.events if event.callee == "builtins.print"), None)


_SETTINGS = "import os\nDEBUG = os.getenv('DEBUG') == '1'\nLOUD = os.getenv('LOUD')\nHOOKS = []\n"


def of_another_file(condition: str, begin: str = "") -> Confidence | None:
    imports = "import settings\nfrom settings import DEBUG, HOOKS\n"
    code = f"{imports}{begin}\n@torch.compile\ndef f(x):\n    if {condition}:\n        print(x)\n    return x\n"
    found = inspector(code, settings=_SETTINGS)
    (root,) = compiled_roots(found, "example.py")
    run_root(found, root.function, Route((root.label,)))
    return next((event.confidence for event in found.events if event.callee == "builtins.print"), None)


@pytest.mark.parametrize("condition", ["DEBUG", "settings.DEBUG", "settings.LOUD"])
def test_what_another_file_asks_of_the_surroundings_is_no_more_likely(condition: str) -> None:
    assert of_another_file(condition) == Confidence.LOW
    assert of_another_file(f"not {condition}") == Confidence.HIGH


def test_what_is_set_in_another_file_is_not_what_its_surroundings_say() -> None:
    assert of_another_file("settings.DEBUG", "def main():\n    settings.DEBUG = True\n") == Confidence.HIGH


def test_a_list_that_is_filled_says_nothing_of_the_surroundings() -> None:
    assert sureness("HOOKS", "HOOKS = []\n") is None
    assert sureness("HOOKS", "HOOKS = []\ndef add(hook):\n    HOOKS.append(hook)\n") == Confidence.HIGH


@pytest.mark.parametrize(
    "condition",
    [
        "os.environ.get('DEBUG')",
        "os.environ.get('DEBUG', '0') == '1'",
        "os.environ.get('MODE', 'fast').lower() == 'slow'",
        "bool(int(os.getenv('DEBUG', '0')))",
        "'DEBUG' in os.environ",
        "os.getenv('DEBUG') is not None",
        "DEBUG",
        "LEVEL > 2",
        "OLD",
        "sys.version_info < (3, 8)",
        "sys.version_info[0] == 2",
        "sys.version_info.major < 3",
        "sys.platform == 'win32'",
        "sys.platform.startswith('win')",
        "platform.system() == 'Darwin'",
        "os.name == 'nt'",
    ],
)
def test_what_mostly_is_not_so_is_unlikely(condition: str) -> None:
    assert sureness(condition) == Confidence.LOW
    assert sureness(f"not ({condition})") == Confidence.HIGH


@pytest.mark.parametrize(
    "condition",
    [
        "sys.version_info >= (3, 8)",
        "sys.version_info >= (3, 12)",
        "os.environ.get('LEVEL', level)",
        "os.environ.get('MODE', 'fast') == mode",
        "os.environ.get('N', 'many') > 3",
        "SET",
        "torch.cuda.is_available()",
    ],
)
def test_what_mostly_is_so_or_what_nobody_knows_is_not(condition: str) -> None:
    assert sureness(condition) == Confidence.HIGH


def test_a_variable_that_the_file_sets_is_not_known() -> None:
    assert sureness("os.environ.get('DEBUG')", "os.environ['DEBUG'] = '1'") == Confidence.HIGH
    assert sureness("'DEBUG' in os.environ", "os.environ.setdefault('DEBUG', '1')") == Confidence.HIGH
    assert sureness("os.environ.get('DEBUG')", "os.environ['OTHER'] = '1'") == Confidence.LOW
