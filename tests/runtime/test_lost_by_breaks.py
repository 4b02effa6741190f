"""What Dynamo still compiles of a function with a break that it cannot resume from, as `worse` says it of findings."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from compilelint.report.finding_words import worse_words


def in_loop(x: torch.Tensor) -> torch.Tensor:
    x = x.sin().cos().tan()
    for _ in range(2):
        print("a step")
        x = x * 2
    return x.exp().relu()


def in_try(x: torch.Tensor) -> torch.Tensor:
    x = x.sin().cos().tan()
    try:
        print("a step")
        x = x * 2
    except ValueError:
        pass
    return x.exp().relu()


def in_try_in_loop(x: torch.Tensor) -> torch.Tensor:
    x = x.sin().cos().tan()
    for _ in range(2):
        try:
            print("a step")
            x = x * 2
        except ValueError:
            pass
    return x.exp().relu()


@pytest.mark.parametrize(
    ("function", "around", "compiled"),
    [
        (in_loop, ("inside a `for` loop",), []),
        (in_try, ("inside a `try` block",), [3]),
        (in_try_in_loop, ("inside a `try` block", "inside a `for` loop"), [3]),
    ],
)
def test_only_a_loop_loses_what_comes_before_it(
    function: Callable[[torch.Tensor], torch.Tensor], around: tuple[str, ...], compiled: list[int]
) -> None:
    operators: list[int] = []

    def backend(graph: torch.fx.GraphModule, _: list[torch.Tensor]) -> Callable[..., object]:
        operators.append(sum(node.op.startswith("call_") for node in graph.graph.nodes))
        return graph.forward

    torch._dynamo.reset()
    torch.compile(function, backend=backend)(torch.ones(3))
    assert operators == compiled
    assert ("drops the whole frame" in worse_words(around)) == (not compiled)
