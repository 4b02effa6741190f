"""What to do about errors of compiling that are no graph break."""

from __future__ import annotations

import pytest

from compilelint.runtime.events import CompileError
from compilelint.runtime.words.error_words import explain

_HEAD = (
    "This higher order operator doesn't work unless it is captured completely with torch.compile. Got graph "
    "break/error:\n\n"
)


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ("Encountered aliasing during higher order op tracing\n  Higher Order Operator: torch.cond", "x.clone()"),
        ("Encountered input mutation during higher order op tracing\n  Higher Order Operator: torch.cond", "in place"),
    ],
)
def test_what_a_side_of_cond_must_not_do(said: str, advice: str) -> None:
    told = explain(_error("UncapturedHigherOrderOpError", _HEAD + said))
    assert advice in told.advice
    assert "tell PyTorch" not in told.advice


def test_dynamo_asks_for_the_value_of_a_number_that_varies() -> None:
    said = "AsPythonConstantNotImplementedError: SymNodeVariable() is not a constant"
    told = explain(_error("InternalTorchDynamoError", said))
    assert "a <= n < b" in told.advice
    assert "tell PyTorch" not in told.advice


@pytest.mark.parametrize(
    "said",
    [
        "AssertionError: lift_tracked_freevar_to_input should not be called on root SubgraphTracer",
        "RuntimeError: Argument 'item' of Node 'mul_1' does not belong to this Graph, but was used as an argument!",
    ],
)
def test_a_float_that_varies_is_known_from_a_graph_inside_only(said: str) -> None:
    told = explain(_error("InternalTorchDynamoError", said))
    assert "scale = scale + 0.0" in told.advice
    assert "tell PyTorch" not in told.advice


def test_of_what_is_not_known_pytorch_is_told() -> None:
    told = explain(_error("TypeError", "no such thing"))
    assert "tell PyTorch" in told.advice


def _error(error: str, message: str) -> CompileError:
    return CompileError(at=1.0, compile_id="0/0", code=None, error=error, message=message, suppressed=False)


@pytest.mark.parametrize(
    ("more", "advice"),
    [
        ("", "set the stance after that"),
        ("\n triggered by the following guard failure(s):\n - 0/0: n == 1", "Take away"),
    ],
)
def test_what_a_stance_forbids(more: str, advice: str) -> None:
    said = "Detected recompile when torch.compile stance is 'fail_on_recompile'. filename: 'a.py'" + more
    told = explain(_error("RuntimeError", said))
    assert "forbids" in told.words
    assert advice in told.advice


@pytest.mark.parametrize("shown", ["<function set_stance at 0x7efc>", "<class 'torch.compiler.set_stance'>"])
def test_what_controls_the_compiler_is_refused_inside_compiled_code(shown: str) -> None:
    told = explain(_error("AssertionError", f"Attempt to trace forbidden callable {shown}\n\nfrom user code:\n"))
    assert told.words.startswith("`")
    assert "set_stance` inside compiled code is an error" in told.words
    assert "CL615" in told.advice
