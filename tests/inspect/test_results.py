"""What functions give, and of which sort they are."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import BOOL, INT, NONE, UNKNOWN, Const, Kind, Sequence, join
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


@pytest.mark.parametrize(
    ("guard", "kind"),
    [
        ("if not is_torch_available(): return False", Const(True)),
        ("if TORCH_VERSION is None: return False", Const(True)),
        ("if not FAST: return False", BOOL),
        ("if not is_torch_available(): return None", join(NONE, Const(True))),
    ],
)
def test_where_it_is_asked_whether_something_compiles_there_is_a_torch(guard: str, kind: Kind) -> None:
    assert returned(f"def f():\n    {guard}\n    import torch\n    return torch.compiler.is_compiling()") == kind


def test_a_flag_is_no_question_whether_something_compiles() -> None:
    assert returned("def f():\n    if not HAS_TORCH: return False\n    return True") == BOOL
