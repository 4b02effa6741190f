"""Functions that never return."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import INT, NONE, join
from compilelint.report.confidence import Confidence
from tests.inspect.make import events, returned

FAIL = "def fail(text):\n    print(text)\n    raise ValueError(text)\n"


def sureness(body: str, around: str = FAIL) -> Confidence:
    """How sure the print of `fail` is, where `body` is what `f` does with a number."""
    code = around + "def f(x: Tensor, n: int):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    (event,) = (event for event in events(code, "f", "call") if event.callee == "builtins.print")
    return event.confidence


def test_what_is_done_before_an_error_is_raised_is_hardly_ever_done() -> None:
    assert sureness("if n > 3:\n    fail('a')") == Confidence.LOW
    assert sureness("fail('a')") == Confidence.LOW
    assert sureness("if n > 3:\n    print(n)\n    fail('a')", FAIL.replace("print(text)", "pass")) == Confidence.LOW


def test_an_error_that_is_caught_is_raised_all_the_time() -> None:
    assert sureness("try:\n    fail('a')\nexcept ValueError:\n    pass") == Confidence.HIGH


def test_so_it_is_in_a_method_that_only_raises() -> None:
    code = "class C:\n    def fail(self):\n        print(1)\n        raise ValueError\n"
    assert sureness("return C().fail()", code) == Confidence.LOW
    assert sureness("try:\n    C().fail()\nexcept ValueError:\n    pass", code) == Confidence.HIGH
    assert sureness("return C().fail()", code.replace("raise", "return")) == Confidence.HIGH


def test_so_it_is_in_an_abstract_method() -> None:
    code = "class C:\n    @abstractmethod\n    def fail(self):\n        print(1)\n        raise NotImplementedError\n"
    assert sureness("return C().fail()", "from abc import abstractmethod\n" + code) == Confidence.LOW


@pytest.mark.parametrize(
    ("why", "around"),
    [
        ("it may return", "def fail(text):\n    print(text)\n    if text:\n        return\n    raise ValueError\n"),
        ("it raises in a case", "def fail(text):\n    print(text)\n    if text:\n        raise ValueError\n"),
        ("it only makes what raises", "def fail(text):\n    print(text)\n    def g():\n        raise ValueError\n"),
    ],
)
def test_a_function_may_return(why: str, around: str) -> None:
    assert sureness("if n > 3:\n    fail('a')", around) == Confidence.HIGH


def test_after_it_the_other_case_holds() -> None:
    code = FAIL + "def f(x: Tensor, n: int | None):\n    if n is None:\n        fail('n')\n    return n\n"
    assert returned(code) == INT


def test_a_decorator_may_catch_it() -> None:
    code = (
        "@unknown\n" + FAIL + "def f(x: Tensor, n: int | None):\n    if n is None:\n        fail('n')\n    return n\n"
    )
    assert returned(code) == join(NONE, INT)


def after(attempt: str, caught: str, handler: str = "    pass", last: str = "print(x)") -> Confidence:
    return sureness(f"try:\n    {attempt}\nexcept {caught}:\n{handler}\n{last}", "import torch\n")


@pytest.mark.parametrize(
    "caught",
    ["RuntimeError", "torch.OutOfMemoryError", "(torch.linalg.LinAlgError, MemoryError)", "torch._C._LinAlgError as e"],
)
def test_what_follows_a_failed_attempt_is_hardly_ever_done(caught: str) -> None:
    assert after("return torch.linalg.cholesky(x)", caught) == Confidence.LOW


@pytest.mark.parametrize(
    ("why", "attempt", "caught"),
    [
        ("the attempt goes on", "y = torch.linalg.cholesky(x)", "RuntimeError"),
        ("a lookup fails as often as not", "return {}[n]", "KeyError"),
        ("it may be a lookup", "return {}[n]", "(RuntimeError, KeyError)"),
        ("it may be anything", "return {}[n]", "Exception"),
        ("it raises the error itself", "raise RuntimeError", "RuntimeError"),
    ],
)
def test_what_else_follows_an_attempt_is_usual(why: str, attempt: str, caught: str) -> None:
    assert after(attempt, caught) == Confidence.HIGH


def test_only_the_handlers_that_go_on_count() -> None:
    code = "try:\n    return torch.exp(x)\nexcept KeyError:\n    return x\nexcept RuntimeError:\n    pass\nprint(x)"
    assert sureness(code, "import torch\n") == Confidence.LOW


def test_after_the_loop_of_attempts_all_is_usual() -> None:
    attempt = "    try:\n        y = torch.exp(x)\n        break\n    except RuntimeError:\n        pass\n"
    loop = "for i in range(3):\n" + attempt
    assert sureness(loop + "    print(i)", "import torch\n") == Confidence.LOW
    assert sureness(loop + "print(x)", "import torch\n") == Confidence.HIGH


def caught(body: str) -> list[bool]:
    """Of each product, in order, whether a handler would go on after it failed."""
    code = (
        "import torch\ndef g(x):\n    return torch.mm(x, x)\ndef fail(x):\n    raise KeyError\ndef f(x: Tensor):\n"
        + "".join(f"    {line}\n" for line in body.splitlines())
    )
    return [event.place.mode.caught for event in events(code, "f", "call") if event.callee == "torch.mm"]


@pytest.mark.parametrize(
    "handler",
    [
        "except RuntimeError:\n    return x",
        "except torch.linalg.LinAlgError as error:\n    print(error)",
        "except (KeyError, RuntimeError):\n    pass",
        "except Exception:\n    pass",
        "except:\n    pass",
        "except KeyError:\n    raise\nexcept RuntimeError:\n    return x",
        "except RuntimeError:\n    if x.ndim:\n        raise\n    return x",
    ],
)
@pytest.mark.parametrize("call", ["torch.mm(x, x)", "g(x)"])
def test_a_handler_that_goes_on_after_an_operator_failed(call: str, handler: str) -> None:
    assert caught(f"try:\n    return {call}\n{handler}") == [True]


@pytest.mark.parametrize(
    ("why", "body"),
    [
        (
            "it raises, too",
            "try:\n    return torch.mm(x, x)\nexcept RuntimeError as error:\n    raise KeyError from error",
        ),
        ("no operator raises that", "try:\n    return torch.mm(x, x)\nexcept (KeyError, OSError):\n    pass"),
        ("nobody knows what that is", "try:\n    return torch.mm(x, x)\nexcept unknown:\n    pass"),
        ("there is no handler", "try:\n    return torch.mm(x, x)\nfinally:\n    print(x)"),
        ("it stands before", "y = torch.mm(x, x)\ntry:\n    return y\nexcept RuntimeError:\n    return x"),
        ("it stands in the handler", "try:\n    fail(x)\nexcept RuntimeError:\n    return torch.mm(x, x)"),
        ("it stands behind", "try:\n    y = x\nexcept RuntimeError:\n    y = x\nelse:\n    y = torch.mm(x, x)"),
    ],
)
def test_no_handler_goes_on_after_it(why: str, body: str) -> None:
    assert caught(body) == [False]
