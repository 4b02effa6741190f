"""Conditions on where a program runs: what they mostly come to."""

from __future__ import annotations

import pytest

from compilelint.inspect.frame import Route
from compilelint.inspect.starting import run_root
from compilelint.regions import compiled_roots, named_roots
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


_MODEL = """
import functools
def env_flag(name, default="0"):
    '''Whether a variable is set.'''
    return os.environ.get(name, default) == "1"
@functools.cache
def is_verbose():
    return bool(os.environ.get("VERBOSE"))
def longer():
    found = os.environ.get("DEBUG")
    return found
class Settings:
    debug = env_flag("DEBUG")
settings = Settings()
class Net(nn.Module):
    loud = os.environ.get("LOUD")
    def __init__(self, given=None, sure=True):
        super().__init__()
        self.dump = os.environ.get("DUMP")
        self.twice = os.environ.get("TWICE")
        self.twice = given
        self.reset = os.environ.get("RESET")
        self.outside = os.environ.get("OUTSIDE")
        self.given = os.environ.get("GIVEN", given)
    def set(self, reset):
        self.reset = reset
    @property
    def traces(self):
        return os.environ.get("TRACES") is not None
    @staticmethod
    def is_on(name="ON"):
        return os.environ.get(name) == "1"
    def forward(self, x, level: str):
        dump = os.environ.get("DUMP_TO")
        several = os.environ.get("SEVERAL")
        if level:
            several = level
        {statement}
            print(x)
        return x
"""


def in_model(condition: str) -> Confidence | None:
    code = f"{_BEGIN}{_MODEL.replace('{statement}', f'if {condition}:')}"
    found = inspector(code, user="from example import Net\n\ndef use(net: Net):\n    net.outside = '1'\n")
    (root,) = (each for each in named_roots(found, ["example.py::Net.forward"]))
    run_root(found, root.function, Route((root.label,)))
    return next(event.confidence for event in found.events if event.callee == "builtins.print")


@pytest.mark.parametrize(
    "condition",
    [
        "dump is not None",
        "(written := os.environ.get('WRITE'))",
        "self.dump",
        "self.loud",
        "self.traces",
        "self.is_on()",
        "self.is_on('OTHER')",
        "env_flag('DEBUG')",
        "env_flag('DEBUG', '0')",
        "not env_flag('QUIET', '1')",
        "is_verbose()",
        "settings.debug",
        "Settings.debug",
    ],
)
def test_what_is_asked_under_another_name_is_no_more_likely(condition: str) -> None:
    assert in_model(condition) == Confidence.LOW
    assert in_model(f"not ({condition})") == Confidence.HIGH


@pytest.mark.parametrize(
    ("why", "condition"),
    [
        ("a local has another value, too", "several"),
        ("an attribute has another value, too", "self.twice"),
        ("a method sets it anew", "self.reset"),
        ("a file that imports it sets it", "self.outside"),
        ("who makes it may give another", "self.given"),
        ("the function does more than give it back", "longer()"),
        ("which variable is asked is not known", "env_flag(level, level)"),
    ],
)
def test_what_may_be_something_else_is_as_likely_as_any(why: str, condition: str) -> None:
    assert in_model(condition) == Confidence.HIGH


def test_a_file_that_asks_nothing_itself_asks_one_that_does() -> None:
    imports = "from settings import settings, is_debug\n"
    for condition in ("settings.debug", "is_debug()"):
        code = f"{imports}\n@torch.compile\ndef f(x):\n    if {condition}:\n        print(x)\n    return x\n"
        asked = "import os\ndef is_debug():\n    return 'DEBUG' in os.environ\n"
        found = inspector(code, settings=f"{asked}class Settings:\n    debug = is_debug()\nsettings = Settings()\n")
        (root,) = compiled_roots(found, "example.py")
        run_root(found, root.function, Route((root.label,)))
        assert [each.confidence for each in found.events if each.callee == "builtins.print"] == [Confidence.LOW]
