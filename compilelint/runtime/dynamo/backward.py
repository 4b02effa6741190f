"""Backward graphs that are compiled when they first run: outside of any frame of Dynamo's."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from compilelint.runtime.dynamo import torch_adapter as torch_names
from compilelint.runtime.dynamo.metrics import compile_end
from compilelint.runtime.events import Event, Unreadable


class _Watched:
    """A context manager of torch's; what it surrounds is timed and told.

    It may be entered where Dynamo looks at every frame: all but the calls of `with` is out of its sight.
    """

    def __init__(self, inner: Any, began: Callable[[], Any], ended: Callable[[Any, Any], None]) -> None:
        self._inner, self._began, self._ended = inner, began, ended
        self._state: Any = None

    def __enter__(self) -> Any:
        self._state = self._began()
        return self._inner.__enter__()

    def __exit__(self, *raised: Any) -> Any:
        self._ended(self._state, raised[1])
        return self._inner.__exit__(*raised)


torch_names.skip(_Watched.__enter__)
torch_names.skip(_Watched.__exit__)


def watch(tell: Callable[[Event], None], original: torch_names.Wrapper) -> torch_names.Wrapper:
    """In place of the function that makes the context in which torch compiles a backward graph.

    The seconds are those from its beginning to its end: no torch before 2.6 has metrics of it, but for
    Inductor's part.
    """

    @torch_names.unseen
    def began() -> tuple[Any, float]:
        return torch_names.last_metrics(), time.perf_counter()

    @torch_names.unseen
    def ended(state: tuple[Any, float], failed: BaseException | None) -> None:
        before, started = state
        seconds = round(time.perf_counter() - started, 6)
        metrics = torch_names.last_metrics()
        told = None if metrics is before else metrics
        try:
            end = compile_end(torch_names.current_compile_id(), None, seconds, told, failed, backward=True)
        except Exception as error:
            tell(Unreadable(at=0.0, source="backward graph", message=f"{type(error).__name__}: {error}"))
        else:
            tell(end)

    def track_graph_compiling(*args: Any, **kwargs: Any) -> Any:
        return _Watched(original(*args, **kwargs), began, ended)

    return track_graph_compiling
