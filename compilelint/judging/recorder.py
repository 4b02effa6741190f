"""Runs one example under TorchDynamo and says, in plain records, all that Dynamo did with it.

Beside runtime/dynamo/torch_adapter.py this is the only place that knows torch's private names; it works from torch
2.5 on. The sources it reads are the loggers behind `TORCH_LOGS=graph_breaks,recompiles`, because Dynamo's own
counters miss a branch on a tensor and every frame that it drops.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import logging
import os
import random
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import torch
import torch._dynamo
import torch._dynamo.convert_frame
import torch._dynamo.symbolic_convert
from torch._logging._internal import set_logs

from compilelint.catalog.example_source import defines_root
from compilelint.judging.messages import (
    Break,
    Failure,
    describe,
    ends_in,
    read_break,
    read_dropped,
    read_dropping_line,
    read_failure,
    read_gb_id,
    read_guard,
    read_reason,
)

MODULE_NAME = "example"
FLAGS: dict[str, tuple[str, ...]] = {
    "default": (),
    "fullgraph": (),
    "capture-scalars": ("capture_scalar_outputs",),
    "capture-shapes": (
        "capture_scalar_outputs",
        "capture_dynamic_output_shape_ops",
    ),
}
MODES = tuple(FLAGS)


@dataclass(frozen=True)
class Run:
    """What happened when one example ran in one mode."""

    breaks: tuple[Break, ...] = ()
    recompiles: tuple[str, ...] = ()
    """The first guard that failed, for each recompilation."""
    failure: Failure | None = None
    graphs: int = 0
    dropped: tuple[tuple[str, int], ...] = ()
    """Frames of the example that were not compiled at all: (function, first line)."""
    script: bool = False
    """The example defines no `f`: it compiles by itself and proves its effect by assertions."""
    wrong_result: bool = False
    broken: str | None = None
    """Why the example proves nothing: it fails without Dynamo, too."""
    broken_at: int | None = None
    """The line of the example at which it fails then; None if what failed is not the example but the run."""


def record(source: str, modes: Sequence[str], folder: Path) -> dict[str, Run]:
    """Run an example in these MODES, in this process, and say what Dynamo did in each.

    Its file is written into a folder of its own within `folder`, once for each mode.
    """
    with _telling_all():
        eager = _call_all(source, None, folder)
        if eager.broken is not None or eager.script:
            told = replace(eager.run, broken=eager.broken, broken_at=eager.broken_at, script=eager.script)
            return dict.fromkeys(modes, told)
        return {mode: _compare(eager, _call_all(source, mode, folder)) for mode in modes}


def _compare(eager: _Called, compiled: _Called) -> Run:
    differs = compiled.run.failure is None and not _same(eager.results, compiled.results)
    return replace(compiled.run, broken=compiled.broken, wrong_result=differs)


@dataclass
class _Called:
    run: Run
    results: list[Any]
    script: bool = False
    broken: str | None = None
    broken_at: int | None = None


def _call_all(source: str, mode: str | None, within: Path) -> _Called:
    """Execute the example's module and call its root once per input; `mode` None is without Dynamo."""
    with tempfile.TemporaryDirectory(prefix="compilelint-example-", dir=within) as folder:
        path = Path(folder) / f"{MODULE_NAME}.py"
        path.write_text(source, encoding="utf-8")
        with _isolated(folder), _listening(str(path)) as heard, _flags(FLAGS[mode or "default"]):
            try:
                module = _load(path)
            except Exception as error:
                failure = read_failure(error, str(path))
                if defines_root(source):
                    return _Called(Run(), [], broken=describe(error, str(path)), broken_at=failure.line)
                return _Called(heard.run(failure, script=True), [], script=True)
            root = getattr(module, "f", None)
            if root is None:
                return _Called(heard.run(None, script=True), [], script=True)
            try:
                calls = module.inputs() if hasattr(module, "inputs") else [(torch.randn(4, 4),)]
            except Exception as error:
                at = read_failure(error, str(path)).line
                return _Called(Run(), [], broken=f"inputs(): {describe(error, str(path))}", broken_at=at)
            compiled = root
            if mode is not None:
                compiled = torch.compile(root, backend="eager", fullgraph=mode == "fullgraph")
            results: list[Any] = []
            for arguments in calls:
                if not isinstance(arguments, tuple):
                    return _Called(Run(), [], broken="inputs() must return a list of tuples, one per call")
                try:
                    results.append(compiled(*arguments))
                except Exception as error:
                    failure = read_failure(error, str(path))
                    if mode is None:
                        why = f"fails without Dynamo: {describe(error, str(path))}"
                        return _Called(Run(), [], broken=why, broken_at=failure.line)
                    return _Called(heard.run(failure), results)
            return _Called(heard.run(None), results)


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(MODULE_NAME, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot load {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE_NAME] = module
    spec.loader.exec_module(module)
    return module


@contextlib.contextmanager
def _isolated(folder: str) -> Iterator[None]:
    """Same seeds, a scratch working directory, no output, and global state put back afterwards."""
    cwd, argv, environ = os.getcwd(), sys.argv, dict(os.environ)
    root_logger = logging.getLogger()
    handlers, level = list(root_logger.handlers), root_logger.level
    dtype, grad = torch.get_default_dtype(), torch.is_grad_enabled()
    deterministic = torch.are_deterministic_algorithms_enabled()
    config = torch._dynamo.config
    settings = config.get_config_copy()
    functions = dict(vars(torch))
    _seed()
    re.purge()  # Dynamo traces a pattern that is compiled already, not the compiling of one
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    # A real text stream, not StringIO: Dynamo treats the two differently.
    with open(os.devnull, "w", encoding="utf-8") as null, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            os.chdir(folder)
            with contextlib.redirect_stdout(null), contextlib.redirect_stderr(null):
                yield
        finally:
            warnings.simplefilter("ignore")  # the example may have changed it
            os.chdir(cwd)
            sys.argv = argv
            os.environ.clear()
            os.environ.update(environ)
            sys.modules.pop(MODULE_NAME, None)
            root_logger.handlers[:] = handlers
            root_logger.setLevel(level)
            torch.set_default_dtype(dtype)
            torch.set_grad_enabled(grad)
            torch.use_deterministic_algorithms(deterministic)
            if torch.get_default_device() != torch.device("cpu"):
                torch.set_default_device(None)
            for key, value in settings.items():
                if getattr(config, key, value) != value:
                    setattr(config, key, value)
            for name, function in functions.items():
                if getattr(torch, name) is not function:  # torch_geometric puts a `select` of its own there
                    setattr(torch, name, function)
            torch._dynamo.reset()


def _seed() -> None:
    random.seed(0)
    torch.manual_seed(0)
    with contextlib.suppress(ImportError):
        import numpy

        numpy.random.seed(0)


@contextlib.contextmanager
def _flags(names: tuple[str, ...]) -> Iterator[None]:
    with torch._dynamo.config.patch(dict.fromkeys(names, True)):
        yield


class _Heard(logging.Handler):
    """Collects what Dynamo's loggers say about one file."""

    def __init__(self, path: str) -> None:
        super().__init__(logging.DEBUG)
        self.path = path
        self.breaks: list[Break] = []
        self.recompiles: list[str] = []
        self.dropped: list[tuple[str, int, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if record.name.endswith("__graph_breaks"):
            self._add(read_break(text, self.path), follows=not ends_in(text, self.path))
        elif record.name.endswith("__recompiles"):
            self.recompiles.append(read_guard(text))
        elif (dropped := read_dropped(text, self.path)) is not None:
            self.dropped.append((*dropped, text))
        elif record.name.endswith("symbolic_convert") and (line := read_dropping_line(text, self.path)) is not None:
            # torch 2.5 says nothing more of a branch on a tensor in a loop.
            self._add(Break(line, read_reason(text), None, drops_frame=True), follows=False)

    def _add(self, found: Break, follows: bool) -> None:
        """Keep a break, unless it `follows` from one that made Dynamo compile a library's frames apart.

        Of such a frame, compiled by itself, no line of the example may be told.
        """
        known = {each.line for each in self.breaks}
        if found in self.breaks or (follows and known and (found.line is None or found.line in known)):
            return
        self.breaks.append(found)

    def run(self, failure: Failure | None, script: bool = False) -> Run:
        return Run(
            breaks=(*self._placed(), *self._silent_splits(), *self._silent_drops()),
            recompiles=tuple(self.recompiles),
            failure=failure,
            graphs=torch._dynamo.utils.counters["stats"]["unique_graphs"],
            dropped=tuple(dict.fromkeys((function, line) for function, line, _ in self.dropped)),
            script=script,
        )

    def _placed(self) -> list[Break]:
        """Without what is told of a library's frame, leaving out the example's, where that is told, too.

        So torch 2.13 tells the first break in a layer that a module's `forward` calls.
        """
        placed = {found.reason for found in self.breaks if found.line is not None}
        return [found for found in self.breaks if found.line is not None or found.reason not in placed]

    def _silent_drops(self) -> list[Break]:
        """Frames given up with no word but an INFO record: a generator function is one."""
        heard = {found.reason for found in self.breaks}
        lines = {found.line for found in self.breaks}
        return [
            Break(read_dropping_line(text, self.path) or line, read_reason(text), read_gb_id(text), drops_frame=True)
            for _, line, text in self.dropped
            if read_reason(text) not in heard and read_dropping_line(text, self.path) not in lines
        ]

    def _silent_splits(self) -> list[Break]:
        """Graphs that were split with no record of it: torch 2.5 tells no branch on a tensor."""
        told = {found.line for found in self.breaks}
        splits = []
        for cause in torch._dynamo.utils.graph_break_reasons:
            lines = [frame.lineno for frame in cause.user_stack if frame.filename == self.path]
            if lines and cause.user_stack[-1].filename == self.path and lines[-1] not in told:
                told.add(lines[-1])
                splits.append(Break(lines[-1], read_reason(cause.reason), None, drops_frame=False))
        return splits


@contextlib.contextmanager
def _listening(path: str) -> Iterator[_Heard]:
    heard = _Heard(path)
    listened: list[tuple[logging.Logger, list[logging.Handler], int, bool]] = []
    for name in list(logging.root.manager.loggerDict):
        convert = name in ("torch._dynamo.convert_frame", "torch._dynamo.symbolic_convert")
        if convert or name.endswith(("__graph_breaks", "__recompiles")):
            logger = logging.getLogger(name)
            listened.append((logger, list(logger.handlers), logger.level, logger.propagate))
            logger.handlers[:] = [heard]
            logger.setLevel(logging.INFO if convert else logging.DEBUG)
            logger.propagate = False
    try:
        yield heard
    finally:
        for logger, handlers, level, propagate in listened:
            logger.handlers[:] = handlers
            logger.setLevel(level)
            logger.propagate = propagate


@contextlib.contextmanager
def _telling_all() -> Iterator[None]:
    """Make Dynamo log every break with its stack, and skip a measurement that costs more than tracing."""
    os.environ.pop("TORCH_LOGS", None)  # else set_logs does nothing
    try:
        with contextlib.ExitStack() as patches:
            null = patches.enter_context(open(os.devnull, "w", encoding="utf-8"))
            with contextlib.redirect_stderr(null):  # where its other loggers will write
                set_logs(graph_breaks=True, recompiles=True)
            # It leaves out the stack of a break that it has told before, though that came from another line.
            _patch(patches, "torch._dynamo.symbolic_convert.graph_break_dup_warning_checker.add", True)
            _patch(patches, "torch._dynamo.guards.profile_guard_manager", 0.0)
            yield
    finally:
        set_logs()


def _patch(patches: contextlib.ExitStack, name: str, returned: object) -> None:
    with contextlib.suppress(AttributeError, ImportError):  # not in every version of torch
        patches.enter_context(mock.patch(name, return_value=returned))


def _same(left: Any, right: Any) -> bool:
    """Whether two results are equal; objects that do not say what equality is are taken as equal."""
    if isinstance(left, torch.Tensor) and isinstance(right, torch.Tensor):
        if left.shape != right.shape or left.dtype != right.dtype:
            return False
        if left.layout != torch.strided or left.is_nested or left.is_quantized:
            return True
        close: Callable[..., bool] = torch.allclose
        return close(left.detach(), right.detach(), rtol=1e-4, atol=1e-5, equal_nan=True)
    if type(left).__qualname__ != type(right).__qualname__:  # each run has its own classes
        return False
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(_same, left, right))
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(_same(left[key], right[key]) for key in left)
    if left is None or isinstance(left, (bool, int, float, complex, str, bytes, io.IOBase)):
        return bool(left == right) or left != left
    return True
