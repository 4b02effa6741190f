"""Classes of numpy's in a union."""

from __future__ import annotations

import pytest

from compilelint.inspect.syntax.class_unions import UNION
from tests.inspect.make import events, function


@pytest.mark.parametrize(
    ("classes", "is_reported"),
    [
        ("np.ndarray | list", True),
        ("dict | np.integer", True),
        ("np.ndarray | None", True),
        ("np.float32 | np.float64", True),
        ("np.ndarray | list | tuple", True),
        ("list | tuple | np.ndarray", False),
        ("np.ndarray | Tensor", False),
        ("np.integer | int", False),
        ("np.ndarray | tuple", False),
        ("list | None", False),
        ("(np.ndarray, list)", False),
    ],
)
def test_a_union_that_dynamo_does_not_make(classes: str, is_reported: bool) -> None:
    found = events(function(f"return isinstance(n, {classes})"), "f", "operator")
    assert any(event.callee == UNION for event in found) is is_reported


@pytest.mark.parametrize(
    "classes", ["Own | list", "list | Own", "Own | None", "Own | dict | Other", "Own | np.ndarray"]
)
def test_a_class_of_the_project_has_a_union_with_every_other_one(classes: str) -> None:
    source = f"class Own: ...\nclass Other: ...\n{function(f'return isinstance(n, {classes})')}"
    assert not [event for event in events(source, "f", "operator") if event.callee == UNION]


def test_an_annotation_makes_none() -> None:
    assert not events(function("y: np.ndarray | list = x\nreturn y"), "f", "operator")


@pytest.mark.parametrize("classes", ["Red | Blue", "Red | nn.Linear", "Red | Blue | None", "Red | list"])
def test_classes_of_the_project_have_unions_while_tracing_too(classes: str) -> None:
    source = f"""
import torch
from torch import nn

class Red: pass

class Blue(nn.Module): pass

def f(x, y):
    return x + 2 if isinstance(y, {classes}) else x
"""
    assert not [event for event in events(source, "f", "operator") if event.callee == UNION]
