"""Explanations and contexts are those of torch 2.13."""

from __future__ import annotations

import pytest

from compilelint.runtime.events import CompileError
from compilelint.runtime.words import error_words
from compilelint.runtime.words.reasons import explain


@pytest.mark.parametrize(
    ("title", "explanation", "context"),
    [
        (
            "BUILD_STRING type error",
            "Format string part type is not correct - expected constant or format string.",
            "SymNodeVariable()",
        ),
        (
            "missing sq_concat",
            "Dynamo does not yet support concatenating 'str' and 'int'",
            "sq_concat not defined for ConstantVariable",
        ),
    ],
)
def test_an_f_string_does_not_take_a_number_that_varies(title: str, explanation: str, context: str) -> None:
    reason = explain(title, explanation, context)
    assert reason.words.startswith("an f-string holds a number that was another one in an earlier call")
    assert '`"layer {}".format(n)`' in reason.advice


def test_other_things_that_are_added_to_a_text_are_told_as_dynamo_does() -> None:
    reason = explain("missing sq_concat", "Dynamo does not yet support concatenating 'str' and 'list'", "")
    assert reason.words == "Dynamo does not yet support concatenating 'str' and 'list'"


@pytest.mark.parametrize("key", ["ks86", "layer_s86_norm", "layer_s86 + 2_norm"])
def test_a_key_with_the_symbol_of_a_number_is_explained(key: str) -> None:
    reason = explain("Observed exception", "Dynamo found no exception handler.", f"raised exception KeyError('{key}')")
    assert "something is looked up by a text that is made of a number that varies" in reason.words
    assert f"`{key}`" in reason.words


def test_a_key_without_one_is_told_as_it_is() -> None:
    reason = explain("Observed exception", "Dynamo found no exception handler.", "raised exception KeyError('missing')")
    assert "KeyError('missing')" in reason.words


def test_a_format_code_for_a_number_that_varies_has_its_own_advice() -> None:
    message = "ValueError: Unknown format code 'd' for object of type 'str'"
    event = CompileError(
        at=1.0, compile_id="0/1", code=None, error="InternalTorchDynamoError", message=message, suppressed=False
    )
    assert '`"{:03d}".format(n)`' in error_words.explain(event).advice
