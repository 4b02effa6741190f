"""Modules are made up: what is looked at is what every torch.nn.Module has."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from compilelint.runtime.dynamo.blocks import repeated_blocks
from compilelint.runtime.events import RepeatedBlock


class Module:
    def __init__(self, *sizes: int, **children: Any) -> None:
        self._modules = children
        self._sizes = sizes

    def named_parameters(self) -> Iterator[tuple[str, Any]]:
        for index, size in enumerate(self._sizes):
            yield str(index), SimpleNamespace(shape=(size,))


class Block(Module):
    def __init__(self, size: int = 4) -> None:
        super().__init__(size, linear=Module(size))


def row(*blocks: Any) -> Module:
    return Module(**{str(index): block for index, block in enumerate(blocks)})


def test_equal_blocks_are_counted_where_they_are_held() -> None:
    model = Module(encoder=Module(layers=row(Block(), Block(), Block())), head=Module())
    assert repeated_blocks(model) == (RepeatedBlock(name="Block", count=3, path="encoder.layers"),)


def test_a_row_may_be_the_model_itself() -> None:
    assert repeated_blocks(row(Block(), Block(), Block()))[0].path == ""


def test_two_are_no_row() -> None:
    assert repeated_blocks(Module(layers=row(Block(), Block()))) == ()


def test_blocks_of_different_sizes_are_not_equal() -> None:
    assert repeated_blocks(Module(layers=row(Block(), Block(), Block(8)))) == ()


def with_rate(rate: float) -> Block:
    block = Block()
    block._modules["drop"] = Module()
    block._modules["drop"].rate = rate
    return block


def test_blocks_whose_rates_differ_are_not_equal() -> None:
    assert repeated_blocks(Module(layers=row(with_rate(0.0), with_rate(0.1), with_rate(0.2)))) == ()
    assert len(repeated_blocks(Module(layers=row(with_rate(0.1), with_rate(0.1), with_rate(0.1))))) == 1


def test_blocks_that_are_compiled_already_are_left_alone() -> None:
    compiled = [Block(), Block(), Block()]
    compiled[1]._compiled_call_impl = print  # type: ignore[attr-defined]
    assert repeated_blocks(Module(layers=row(*compiled))) == ()


def test_single_layers_are_no_blocks() -> None:
    assert repeated_blocks(Module(layers=row(Module(4), Module(4), Module(4)))) == ()


def test_layers_of_torch_are_no_blocks_of_the_user() -> None:
    kind = type("TransformerEncoderLayer", (Block,), {"__module__": "torch.nn.modules.transformer"})
    assert repeated_blocks(Module(layers=row(kind(), kind(), kind()))) == ()


def test_a_module_that_holds_itself_ends() -> None:
    model = Module()
    model._modules["again"] = model
    assert repeated_blocks(model) == ()
