"""Explanations and contexts are those of torch 2.13."""

from __future__ import annotations

import pytest

from compilelint.runtime.words.reasons import explain


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("dict[str, torch.Tensor]", "dict"),
        ("__main__.Box[int]", "Box"),
        ("collections.deque[torch.Tensor]", "deque"),
        ("__main__.f.<locals>.Box[~T]", "Box"),
    ],
)
def test_a_class_that_is_called_with_its_type_arguments(alias: str, name: str) -> None:
    reason = explain(
        "Unsupported function call",
        f"Dynamo does not know how to trace the function `{alias}`",
        "call_function TypingVariable() [TensorVariable()] {}",
    )
    assert reason.words.startswith(f"a class is called with its type arguments (`{name}[")
    assert reason.advice.startswith(f"Leave them out: `{name}(…)`")


def test_a_class_with_its_type_arguments_that_dynamo_makes_nothing_of() -> None:
    said = "SourcelessBuilder.create does not know how to wrap typing._GenericAlias"
    reason = explain("Unexpected type in sourceless builder", said, "typing._GenericAlias")
    assert reason.words.startswith("a class stands with its type arguments")
    other = explain("Unexpected type in sourceless builder", said, "weakref.ReferenceType")
    assert other.words == said


def test_other_functions_are_told_as_dynamo_does() -> None:
    said = "Dynamo does not know how to trace the function `library.call`"
    reason = explain("Unsupported function call", said, "call_function UserDefinedObjectVariable(call) [] {}")
    assert reason.words == said
