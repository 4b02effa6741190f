"""What `*args` and `**options` hold where the call is seen, and what that decides."""

from __future__ import annotations

import ast

import pytest

from compilelint.inspect.arguments.options_taken import ASKED, CHANGED, PASSED_ON, use_of_rest
from tests.inspect.make import callees


def use(body: str) -> str:
    (node,) = ast.parse(f"def f(x, **kw):\n    {body}").body
    assert isinstance(node, ast.FunctionDef)
    return use_of_rest(node)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return kw.get('log')", ASKED),
        ("return kw.pop('log', None)", ASKED),
        ("return 'log' in kw", ASKED),
        ("return kw['log']", ASKED),
        ("return len(kw)", ASKED),
        ("if x is None and not kw:\n        return x", ASKED),
        ("return [name for name in kw]", ASKED),
        ("return g(x, **kw)", PASSED_ON),
        ("return x", PASSED_ON),
        ("kw['log'] = True", CHANGED),
        ("kw.update(log=True)", CHANGED),
        ("kw.setdefault('log', True)", CHANGED),
        ("fill(kw)", CHANGED),
        ("mine = kw", CHANGED),
        ("mine = kw or {}", CHANGED),
        ("return kw", CHANGED),
    ],
)
def test_what_a_function_does_with_its_options(body: str, expected: str) -> None:
    assert use(body) == expected


def test_a_function_without_options_does_nothing_with_them() -> None:
    (node,) = ast.parse("def f(x, kw): kw.get('log')").body
    assert isinstance(node, ast.FunctionDef)
    assert use_of_rest(node) == ""


HELPER = """
def helper(x, *args, **kw):
    {}:
        reached()
    return x

def f(x):
    return {}
"""


def is_reached(condition: str, call: str) -> bool:
    return "reached" in " ".join(callees("from library import reached\n" + HELPER.format(condition, call)))


@pytest.mark.parametrize(
    "condition",
    [
        "if kw.get('log', False)",
        "if kw.get('log')",
        "if kw.get('log') is not None",
        "if 'log' in kw",
        "if kw.pop('log', None)",
        "if len(args) > 1",
    ],
)
def test_what_a_call_does_not_give_is_not_there(condition: str) -> None:
    assert not is_reached(condition, "helper(x, 1, scale=2)")
    assert is_reached(condition, "helper(x, 1, 2, log=True)")


@pytest.mark.parametrize("condition", ["if kw", "if args", "if len(kw)"])
def test_a_call_that_gives_nothing_more_leaves_them_empty(condition: str) -> None:
    assert not is_reached(condition, "helper(x)")
    assert is_reached(condition, "helper(x, 1, log=True)")


@pytest.mark.parametrize(
    ("why", "condition", "call"),
    [
        ("they may be among the options", "if kw.get('log')", "helper(x, **x.options)"),
        ("it fills them itself", "kw.update(x.options)\n    if kw.get('log')", "helper(x)"),
        ("others fill them", "x.fill(kw)\n    if kw.get('log')", "helper(x)"),
        ("another name is theirs, too", "mine = kw\n    mine['log'] = 1\n    if kw.get('log')", "helper(x)"),
        ("the key is not known", "if kw.get(x.name)", "helper(x, scale=2)"),
    ],
)
def test_options_that_may_be_there_are_looked_at(why: str, condition: str, call: str) -> None:
    assert is_reached(condition, call), why


def test_options_that_are_handed_on_hold_no_more() -> None:
    code = """
        from library import reached

        def inner(x, **kw):
            if kw.get("log"):
                reached()
            return x

        def outer(x, **kw):
            return inner(x, **kw)

        def f(x):
            return {}
    """
    assert not callees(code.format("outer(x)"))[1:]
    assert "library.reached" in callees(code.format("outer(x, log=True)"))
