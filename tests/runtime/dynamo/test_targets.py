"""Which compiled call an event belongs to, under the real torch."""

from __future__ import annotations

import copy
import functools
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from compilelint.runtime import recording
from compilelint.runtime.events import CompileCall, CompileStart, FirstResult
from compilelint.runtime.recorder import StopRun
from compilelint.runtime.recording import Recording
from compilelint.runtime.seen.reading import read
from compilelint.runtime.session import Session, read_session

pytestmark = pytest.mark.slow


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Recording]:
    torch.compiler.reset()
    made = recording.begin(tmp_path / "s.jsonl", ("test",), {"backend": "eager"})
    yield made
    made.end()


def _session(running: Recording, tmp_path: Path) -> Session:
    running.end()
    return read_session(tmp_path / "s.jsonl")


def _starts(session: Session) -> list[tuple[str, int | None, int]]:
    return [
        (event.code.function.rpartition(".")[2], event.target, event.call)
        for event in session.events
        if isinstance(event, CompileStart)
    ]


def test_what_is_compiled_in_a_call_belongs_to_it_and_no_other_call_is_told(running: Recording, tmp_path: Path) -> None:
    @torch.compile(dynamic=False)
    def double(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    for size in (3, 3, 3, 4, 3):
        double(torch.ones(size))
    session = _session(running, tmp_path)
    assert _starts(session) == [("double", 0, 1), ("double", 0, 4)]
    (first,) = [event for event in session.events if isinstance(event, FirstResult)]
    assert (first.target, first.call, first.ok) == (0, 1, True)
    assert first.seconds > 0
    assert session.footer is not None
    assert session.footer.calls == (5,)


def test_a_compiled_function_in_another_belongs_to_the_outermost(running: Recording, tmp_path: Path) -> None:
    @torch.compile
    def inner(x: torch.Tensor) -> torch.Tensor:
        return x + 1

    @torch.compiler.disable
    def eagerly(x: torch.Tensor) -> torch.Tensor:
        return inner(x)

    @torch.compile
    def outer(x: torch.Tensor, through: bool) -> torch.Tensor:
        y = x * 2
        if through:
            y = eagerly(y)
        return y + 1

    x = torch.ones(3)
    outer(x, False)
    outer(x, True)
    inner(x)
    session = _session(running, tmp_path)
    assert ("inner", 1, 2) in _starts(session)
    assert session.footer is not None
    assert session.footer.calls == (2, 2)
    first = [(event.target, event.call) for event in session.events if isinstance(event, FirstResult)]
    assert first == [(1, 1), (0, 1)]


def test_a_function_that_calls_itself_is_in_its_first_call(running: Recording, tmp_path: Path) -> None:
    @torch.compiler.disable
    def eagerly(x: torch.Tensor) -> torch.Tensor:
        return recursive(x[1:])

    @torch.compile(dynamic=False)
    def recursive(x: torch.Tensor) -> torch.Tensor:
        y = x * 2
        return y if len(x) == 1 else y[:1] + eagerly(x)

    recursive(torch.ones(3))
    session = _session(running, tmp_path)
    starts = _starts(session)
    assert len([name for name, *_ in starts if name == "recursive"]) == 3
    assert {(target, call) for _, target, call in starts} == {(0, 1)}
    assert session.footer is not None
    assert session.footer.calls == (3,)


def test_a_first_call_that_raises(running: Recording, tmp_path: Path) -> None:
    @torch.compile
    def fails(x: torch.Tensor) -> torch.Tensor:
        raise ValueError("always")

    with pytest.raises(ValueError, match="always"):
        fails(torch.ones(3))
    (first,) = [event for event in _session(running, tmp_path).events if isinstance(event, FirstResult)]
    assert not first.ok


def test_another_thread_is_in_calls_of_its_own(running: Recording, tmp_path: Path) -> None:
    @torch.compile
    def other(x: torch.Tensor) -> torch.Tensor:
        return x - 1

    @torch.compiler.disable
    def elsewhere(x: torch.Tensor) -> None:
        thread = threading.Thread(target=other, args=(x,))
        thread.start()
        thread.join()

    @torch.compile
    def waits(x: torch.Tensor) -> torch.Tensor:
        elsewhere(x)
        return x + 1

    for _ in range(2):
        waits(torch.ones(3))
    session = _session(running, tmp_path)
    targets = {
        call.function.rpartition(".")[2]: call.number for call in session.events if isinstance(call, CompileCall)
    }
    assert ("other", targets["other"], 1) in _starts(session)
    assert ("waits", targets["waits"], 1) in _starts(session)


def test_a_run_that_is_to_be_stopped_counts_as_any_other(tmp_path: Path) -> None:
    torch.compiler.reset()
    running = recording.begin(tmp_path / "s.jsonl", ("test",), {"backend": "eager", "stop_after": 2})

    @torch.compile
    def double(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    double(torch.ones(3))
    double(torch.ones(3))
    with pytest.raises(StopRun):
        double(torch.ones(3))
    session = _session(running, tmp_path)
    assert _starts(session) == [("double", 0, 1)]
    assert session.footer is not None
    assert session.footer.calls == (2,)


def test_what_a_decorator_of_torch_is_put_around_is_what_is_compiled(running: Recording, tmp_path: Path) -> None:
    class Net(torch.nn.Module):
        @torch.no_grad()
        def forward(self, x: torch.Tensor, scale: float = 1.0) -> torch.Tensor:
            return x * scale

        @torch.inference_mode()
        def step(self, x: torch.Tensor) -> torch.Tensor:
            return x

    net = Net()
    torch.compile(net)
    torch.compile(net.step)
    torch.compile(torch.nn.Linear(2, 2))
    calls = [event for event in _session(running, tmp_path).events if isinstance(event, CompileCall)]
    assert [(each.code and Path(each.code.path).name, each.parameters) for each in calls] == [
        (Path(__file__).name, ("x", "scale")),
        (Path(__file__).name, ("x",)),
        ("linear.py", ("input",)),
    ]


def _calls(session: Session) -> list[CompileCall]:
    return [event for event in session.events if isinstance(event, CompileCall)]


def test_a_copy_of_a_compiled_module_is_that_module_compiled_where_it_is_copied(
    running: Recording, tmp_path: Path
) -> None:
    net = torch.compile(torch.nn.Linear(3, 3))
    twin = copy.deepcopy(net)
    twin(torch.ones(2, 3))
    (first, second) = _calls(_session(running, tmp_path))
    assert (second.function, second.what) == (first.function, first.what) == ("Linear", "module")
    assert [(call.stack[-1].path, call.stack[-1].line) for call in (first, second)] == [
        (__file__, _line_of("net = torch.compile(torch.nn.Linear(3, 3))")),
        (__file__, _line_of("twin = copy.deepcopy(net)")),
    ]


def test_what_a_library_puts_in_the_place_of_torch_compile_is_not_who_compiles(
    running: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = torch.compile
    noted = []

    def noting(*args: Any, **kwargs: Any) -> Any:
        noted.append(kwargs)
        return original(*args, **kwargs)

    monkeypatch.setattr(torch, "compile", noting)
    torch.compile(lambda x: x + 1)(torch.ones(3))
    (call,) = _calls(_session(running, tmp_path))
    assert noted == [{}]
    assert call.stack[-1].line == _line_of("torch.compile(lambda x: x + 1)(torch.ones(3))")


def test_a_module_that_is_called_past_its_forward_is_known_by_what_is_called(
    running: Recording, tmp_path: Path
) -> None:
    class Loss(torch.nn.Module):
        def __call__(self, x: torch.Tensor) -> torch.Tensor:
            return x.sum()

    torch.compile(Loss())(torch.ones(3))
    (call,) = _calls(_session(running, tmp_path))
    assert call.code is not None
    assert (call.code.path, call.code.function.rpartition(".")[2]) == (__file__, "__call__")
    assert call.parameters == ("x",)


class _Doubled(torch.nn.Module):
    @property
    def forward(self) -> Any:
        return lambda x: x * 2


@pytest.mark.parametrize("made", [lambda: torch.jit.trace(torch.nn.ReLU(), torch.ones(3)), _Doubled])
def test_a_module_whose_class_has_no_forward_to_ask_for_runs_as_ever(
    made: Any, running: Recording, tmp_path: Path
) -> None:
    torch.compile(made())(torch.ones(3))
    (call,) = _calls(_session(running, tmp_path))
    assert (call.what, call.code, call.parameters) == ("module", None, ())


def test_what_is_compiled_of_one_object_has_its_number(running: Recording, tmp_path: Path) -> None:
    class Net(torch.nn.Module):
        def step(self, x: torch.Tensor) -> torch.Tensor:
            return x

    class Numbered(int):
        __slots__ = ()  # no weak reference

        def double(self, x: torch.Tensor) -> torch.Tensor:
            return x * 2 * self

    first, second = Net(), Net()
    for target in (first, second.step, first.step, Numbered(2).double, torch.relu):
        torch.compile(target)
    second.compile()
    assert [call.owner for call in _calls(_session(running, tmp_path))] == [0, 1, 0, None, None, 1]


def _line_of(text: str) -> int:
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.strip() == text)


class Scaled(torch.nn.Module):
    def scale(self, factor: float, x: torch.Tensor, bias: float = 0.0) -> torch.Tensor:
        return x * factor + bias

    def forward(self, x: torch.Tensor, *, bias: float = 0.0) -> torch.Tensor:
        return x + bias


@pytest.mark.parametrize(
    ("made", "function", "parameters"),
    [
        (functools.partial(Scaled().scale, 2.0), "Scaled.scale", ("x", "bias")),
        (functools.partial(functools.partial(Scaled().scale, bias=1.0), 2.0), "Scaled.scale", ("x", "bias")),
        (functools.partial(Scaled(), bias=1.0), "Scaled", ("x",)),
    ],
)
def test_a_partial_is_the_function_that_it_calls(
    made: Any, function: str, parameters: tuple[str, ...], running: Recording, tmp_path: Path
) -> None:
    compiled = torch.compile(made)
    for size in (3, 4):
        compiled(torch.ones(size))
    session = _session(running, tmp_path)
    (call,) = [event for event in session.events if isinstance(event, CompileCall)]
    assert (call.function, call.parameters) == (function, parameters)
    assert call.code is not None
    observations = read([session], lambda path: True).observations
    assert [(each.line, each.variable) for each in observations] == [(call.code.line, "x")]
