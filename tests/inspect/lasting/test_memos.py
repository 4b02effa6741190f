"""What is kept from call to call by more than one: what makes it runs no more once something is compiled."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events

GLOBAL = """
STATE = None

def set_state(new):
    global STATE
    STATE = new

def state(key=None):
    global STATE
    {body}

def f(x):
    return x * state()
"""
KEPT = """
class Options:
    pass

class Net(nn.Module):
    pass

def made(options: {owner}, key=None):
    memo = getattr(options, "_made", None)
    {body}

def f(x, options: {owner}):
    return x * made(options)
"""


def prints(code: str) -> set[Confidence]:
    return {event.confidence for event in events(code, "f", "call") if event.callee == "builtins.print"}


@pytest.mark.parametrize(
    "body",
    [
        "if STATE is not None:\n    return STATE\nprint('makes')\nSTATE = 2\nreturn STATE",
        "if STATE is None:\n    print('makes')\n    STATE = 2\nreturn STATE",
        "if not STATE:\n    print('makes')\n    STATE = 2\nreturn STATE",
        "if STATE:\n    return STATE\nelse:\n    print('makes')\n    STATE = 2\nreturn STATE",
    ],
)
def test_a_global_that_another_function_sets_is_there(body: str) -> None:
    assert prints(GLOBAL.format(body=body.replace("\n", "\n    "))) == {Confidence.LOW}


def test_a_global_is_there_that_the_import_of_the_file_fills() -> None:
    body = "if STATE is None:\n        print('makes')\n        STATE = 2\n    return STATE"
    code = GLOBAL.format(body=body).replace("STATE = new", "return new")
    assert prints(code) == {Confidence.HIGH}
    assert prints(f"{code}\nFIRST = state()") == {Confidence.LOW}


@pytest.mark.parametrize(
    "body",
    [
        "if memo is not None:\n    return memo\nprint('makes')\noptions._made = 2\nreturn 2",
        "if memo is not None and memo > 1:\n    return memo\nprint('makes')\noptions._made = 2\nreturn 2",
        "if memo is not None:\n    if key is None:\n        return memo\nprint('makes')\noptions._made = 2\nreturn 2",
        "if memo is None:\n    print('makes')\n    options._made = memo = 2\nreturn memo",
    ],
)
def test_what_an_object_that_is_given_keeps_is_there(body: str) -> None:
    assert prints(KEPT.format(body=body.replace("\n", "\n    "), owner="Options")) == {Confidence.LOW}


@pytest.mark.parametrize(
    ("why", "body", "owner"),
    [
        (
            "its first call fills a module",
            "if memo is None:\n    print(1)\n    options._made = 2\nreturn 2",
            "Net",
        ),
        ("nothing fills it", "if memo is None:\n    print(1)\nreturn 2", "Options"),
        ("another attribute is filled", "if memo is None:\n    print(1)\n    options.made = 2\nreturn 2", "Options"),
        ("something else is asked", "if key is None:\n    print(1)\n    options._made = 2\nreturn 2", "Options"),
        ("it is used, not made", "if memo is not None:\n    print(1)\noptions._made = 2\nreturn 2", "Options"),
        (
            "what follows runs as well",
            "if memo is not None:\n    key = memo\nprint(1)\noptions._made = 2\nreturn 2",
            "Options",
        ),
    ],
)
def test_what_is_printed_in_every_call_is_as_sure_as_ever(why: str, body: str, owner: str) -> None:
    assert prints(KEPT.format(body=body.replace("\n", "\n    "), owner=owner)) == {Confidence.HIGH}, why
