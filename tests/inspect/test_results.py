"""What functions give, and of which sort they are."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import INT, UNKNOWN, Const, Kind, Sequence
from tests.inspect.make import events, returned


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("def f(x):\n    return 3", Const(3)),
        ("def f(x):\n    yield 3", Sequence("iterator", Const(3))),
        ("def f(x):\n    yield from [3]", Sequence("iterator", Const(3))),
        ("async def f(x):\n    return 3", UNKNOWN),
        ("def f(x) -> int:\n    return unknown()", INT),
        ("def f(x) -> int:\n    return 'a'", Const("a")),
        ("def f(x) -> str:\n    raise NotImplementedError", UNKNOWN),
    ],
)
def test_what_a_function_returns(code: str, kind: Kind) -> None:
    assert returned(code) == kind


def test_a_context_manager_function_is_told_from_other_generators() -> None:
    code = """\
    import contextlib
    @contextlib.contextmanager
    def scaled(by):
        yield by
    def f(x: Tensor):
        with scaled(2) as by:
            return x * by
    """
    assert [event.construct for event in events(code, "f", "function-definition")] == ["generator", "context-manager"]
