"""Models that are rows of equal blocks: compiled as a whole, each block is compiled anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from compilelint.runtime.events import RepeatedBlock

_FEWEST = 3
_DEEPEST = 8


def repeated_blocks(module: Any) -> tuple[RepeatedBlock, ...]:
    """The classes of which a module holds several equal blocks in a row, those that are outermost.

    Equal blocks have parameters of the same sizes, and the same floats: a rate that grows from layer to layer, as that
    of a drop path, is a graph of its own in each, which ends at the recompile limit. Only what `module.compile()` can
    compile once for all is told: classes of torch share their `forward` with every other use, and blocks that are
    compiled already need nothing. The module is only looked at.
    """
    found: dict[tuple[str, int], RepeatedBlock] = {}
    for path, blocks in _rows(module, "", _DEEPEST):
        name = type(blocks[0]).__qualname__
        found.setdefault((name, len(blocks)), RepeatedBlock(name=name, count=len(blocks), path=path))
    return tuple(found.values())


def _rows(module: Any, path: str, depth: int) -> Iterator[tuple[str, list[Any]]]:
    children: Mapping[str, Any] = getattr(module, "_modules", None) or {}
    blocks = [child for child in children.values() if child is not None]
    if len(blocks) >= _FEWEST and _are_equal(blocks):
        yield path, blocks
        return
    if depth:
        for name, child in children.items():
            if child is not None:
                yield from _rows(child, f"{path}.{name}" if path else name, depth - 1)


def _are_equal(blocks: list[Any]) -> bool:
    kind = type(blocks[0])
    return (
        not kind.__module__.startswith("torch.")
        and all(type(each) is kind for each in blocks)
        and all(getattr(each, "_compiled_call_impl", None) is None for each in blocks)
        and any(getattr(blocks[0], "_modules", None) or ())
        and len({_sizes(each) for each in blocks}) == 1
        and len({tuple(_floats(each, _DEEPEST)) for each in blocks}) == 1
    )


def _sizes(module: Any) -> tuple[tuple[str, tuple[int, ...]], ...]:
    return tuple((name, tuple(parameter.shape)) for name, parameter in module.named_parameters())


def _floats(module: Any, depth: int) -> Iterator[float]:
    yield from (value for value in vars(module).values() if type(value) is float)
    if depth:
        for child in (getattr(module, "_modules", None) or {}).values():
            if child is not None:
                yield from _floats(child, depth - 1)
