"""What Dynamo's private functions are asked and answer, made into events."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from types import CodeType
from typing import Any

from compilelint.report.stack import StackFrame
from compilelint.runtime.dynamo import backward, conversions, old_torch
from compilelint.runtime.dynamo import torch_adapter as torch_names
from compilelint.runtime.dynamo.asked_lines import Decision, asked_line, decision
from compilelint.runtime.dynamo.break_text import (
    graph_break,
    is_told_elsewhere,
    operation_stack,
    parse_break,
    parse_stack,
    with_all_frames,
)
from compilelint.runtime.dynamo.conversions import LONGEST_TEXT, Conversion
from compilelint.runtime.dynamo.forbidden import ONLY_RUNS, Forbidden, switched_off_by
from compilelint.runtime.dynamo.metrics import compile_end
from compilelint.runtime.events import (
    SWITCH,
    CacheUse,
    CompileStart,
    CudagraphSkip,
    Event,
    LinesTraced,
    TorchLoaded,
    Unreadable,
)
from compilelint.runtime.imports import when_imported
from compilelint.runtime.places import callers, code_place
from compilelint.runtime.session import line_ranges
from compilelint.runtime.words.guard_values import reasons_in, split_reason

_JUMPS = frozenset({"JUMP_ABSOLUTE", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_FORWARD"})
"""What stands at the end of a branch, under its last line, and is where those go on who did not take the branch."""
Emit = Callable[[Event], None]
Wrapper = torch_names.Wrapper


@dataclass
class _Thread(threading.local):
    frames: list[Conversion] = field(default_factory=list)
    unjoined: tuple[StackFrame, ...] = ()
    """The stack of the break that is about to be told, with all of its frames."""
    decision: Decision | None = None
    """The jump that began the line on which Dynamo is, if it was one."""

    @property
    def frame(self) -> Conversion | None:
        return self.frames[-1] if self.frames else None


class Listener:
    """The hooks into Dynamo, as long as they are installed.

    Whatever goes wrong in a hook is an `Unreadable` event, never an exception of the program.
    """

    def __init__(self, emit: Emit, declare: Emit, compiles: Callable[[bool], None] = lambda allowed: None) -> None:
        self._emit, self._declare, self._compiles = emit, declare, compiles
        self._thread = _Thread()
        self._lines: dict[str, set[int]] = {}
        self._told: dict[str, set[int]] = {}
        self._hooked: set[str] = set()
        self._is_loaded = False
        self._forbidden: Forbidden | None = None
        self._undo: list[Callable[[], None]] = []

    def install(self) -> None:
        """Hook what is imported already, and the rest when the program imports it."""
        wrappers: dict[str, Callable[[Wrapper], Wrapper]] = {
            "artifacts": self._artifacts,
            "joined frames": self._joined_frames,
            "frames": self._conversions,
            "compilations": self._compilations,
            "recompiles": self._recompiles,
            "recompile limits": self._limits,
            "breaks of old torch": partial(old_torch.splits, self._break),
            "skips of old torch": partial(old_torch.skips, self._break),
            "lines": self._starts_line,
            "backward graphs": partial(backward.watch, self._emit),
            "skipped CUDA graphs": self._cudagraph_skips,
            "stances": self._stances,
        }
        for tells, wrapper in wrappers.items():
            self.hook(tells, wrapper)
        when_imported("torch._dynamo", self._loaded)

    def hook(self, tells: str, wrapper: Callable[[Wrapper], Wrapper]) -> None:
        """Wrap one function of `torch_adapter.HOOKS` until `uninstall`."""

        def wrapped(original: Wrapper) -> Wrapper:
            self._hooked.add(tells)
            return wrapper(original)

        def absent() -> None:
            if self._is_loaded and tells in torch_names.expected():  # too late to say so in TorchLoaded
                self._emit(Unreadable(at=0.0, source=tells, message="this torch does not tell of it by the known name"))

        self._undo.append(torch_names.wrap(tells, wrapped, absent))

    def uninstall(self) -> None:
        """Write what is left to tell, and put torch's functions back."""
        self.flush()
        while self._undo:
            self._undo.pop()()

    def flush(self) -> None:
        """Write the lines that were traced since the last time."""
        for path, lines in list(self._lines.items()):
            told = self._told.setdefault(path, set())
            if new := lines - told:
                told |= new
                self._emit(LinesTraced(at=0.0, path=path, ranges=line_ranges(new)))

    def _loaded(self, module: object) -> None:
        settings = {
            name: value
            for name in torch_names.SETTINGS
            if isinstance(value := torch_names.setting(name), (bool, int, str))
        }
        if (switch := switched_off_by(os.environ)) is not None:
            settings[SWITCH] = switch
        self._is_loaded = True
        missing = sorted(torch_names.expected() - self._hooked)
        self._declare(TorchLoaded(at=0.0, version=torch_names.version(), missing=tuple(missing), settings=settings))

    def _unreadable(self, source: str, error: Exception, text: str = "") -> None:
        message = f"{type(error).__name__}: {error}"
        self._emit(Unreadable(at=0.0, source=source, message=message, text=text[:LONGEST_TEXT]))

    # Graph breaks

    def _artifacts(self, original: Wrapper) -> Wrapper:
        """Structured artifacts come by here, whether or not anybody asked for a TORCH_TRACE."""

        @torch_names.unseen
        def read(*args: Any, **kwargs: Any) -> None:
            try:
                self._artifact(*args, **kwargs)
            except Exception as error:
                self._unreadable("artifact", error)

        def trace_structured(name: str, *args: Any, **kwargs: Any) -> Any:
            if name == "artifact":
                read(*args, **kwargs)
            return original(name, *args, **kwargs)

        return trace_structured

    def _artifact(
        self,
        metadata_fn: Callable[[], Any] = dict,
        *,
        payload_fn: Callable[[], Any] = lambda: None,
        **_others: Any,
    ) -> None:
        name = metadata_fn().get("name", "")
        if name == torch_names.BREAK_ARTIFACT:
            text = torch_names.artifact_text(payload_fn)
            if not is_told_elsewhere(text):
                self._break(text)
        elif (known := torch_names.CACHE_ARTIFACTS.get(name)) is not None:
            cache, outcome = known
            reason = str(payload_fn())[:500] if outcome == "bypass" else None
            compile_id = torch_names.current_compile_id()
            self._emit(CacheUse(at=0.0, cache=cache, outcome=outcome, reason=reason, compile_id=compile_id))

    def _joined_frames(self, original: Wrapper) -> Wrapper:
        """Of neighbouring frames of one name Dynamo makes one: of a model's `forward` and that of its layer, too."""

        @torch_names.unseen
        def keep(stack: Any) -> None:
            try:
                frames = (StackFrame(each.filename, each.lineno, each.name) for each in stack if each.filename)
                self._thread.unjoined = tuple(frames)
            except Exception as error:
                self._unreadable("joined frames", error)

        def collapse_resume_frames(stack: Any, *args: Any, **kwargs: Any) -> Any:
            keep(stack)
            return original(stack, *args, **kwargs)

        return collapse_resume_frames

    def _break(
        self,
        text: str,
        *,
        before: tuple[StackFrame, ...] = (),
        inside: tuple[StackFrame, ...] = (),
        dropped: bool = False,
        raised: bool = False,
    ) -> None:
        """`inside` and `before` are the stack and what called its first frame, if the text has no stack."""
        frame = self._thread.frame
        try:
            said = with_all_frames(parse_break(text), self._thread.unjoined)
            self._thread.unjoined = ()
        except ValueError as error:
            self._unreadable("graph break", error, text)
            return
        stack = (*before, *(inside or said.to_place(frame.code.co_name if frame else "")))
        if not stack:
            self._unreadable("graph break", ValueError("it does not say where"), text)
            return
        self._emit(
            graph_break(
                said,
                text[:LONGEST_TEXT],
                compile_id=(frame.compile_id if frame else None) or torch_names.current_compile_id(),
                code=code_place(frame.code) if frame else None,
                stack=stack,
                dropped=dropped,
                raised=raised,
                asked=asked_line(self._thread.decision, stack),
            )
        )

    # Frames

    def _conversions(self, original: Wrapper) -> Wrapper:
        """A frame is converted: what leaves this as an exception, nobody else may have told."""

        def __call__(converter: Any, frame: Any, *args: Any, **kwargs: Any) -> Any:
            variables = {"L": frame.f_locals, "G": getattr(frame, "f_globals", {})}
            of_thread = self._thread.frames
            of_thread.append(Conversion(frame.f_code, variables, converter))
            try:
                return original(converter, frame, *args, **_one_deeper(kwargs))
            except Exception as error:
                try:
                    self._gave_up(of_thread[-1], error)
                except Exception as own:
                    self._unreadable("frame", own, str(error))
                raise
            finally:
                of_thread.pop()

        return __call__

    def _gave_up(self, frame: Conversion, error: Exception) -> None:
        if frame.limit is not None:
            return  # a LimitHit says so
        raised = torch_names.raises_to_program(frame.converter)
        if not torch_names.is_break(error):
            suppressed = bool(torch_names.setting("suppress_errors")) and not raised
            self._emit(conversions.failed(frame, error, suppressed=suppressed))
            return
        if torch_names.is_told(error) and not raised:
            return
        code, inside = code_place(frame.code), torch_names.error_stack(error) or operation_stack(str(error))
        if not raised and (frame.compile_id is None or not inside):  # before it came to any line
            self._emit(conversions.skipped(frame, error))
            return
        self._break(str(error), before=callers(), inside=inside or (code,), dropped=not raised, raised=raised)

    def _compilations(self, original: Wrapper) -> Wrapper:
        def _compile(code: CodeType, *args: Any, **kwargs: Any) -> Any:
            frame = self._thread.frame
            if frame is None or frame.code is not code:  # an export or a replay: no frame of the program
                return original(code, *args, **kwargs)
            compile_id = kwargs.get("compile_id") or torch_names.current_compile_id() or "?"
            frame.compile_id = str(compile_id)
            place = code_place(code)
            wraps = conversions.closed_functions(frame)
            self._emit(CompileStart(at=0.0, compile_id=frame.compile_id, code=place, stack=callers(), wraps=wraps))
            before, started = torch_names.last_metrics(), time.perf_counter()
            failed: BaseException | None = None
            try:
                return original(code, *args, **_one_deeper(kwargs))
            except BaseException as error:
                failed = error
                raise
            finally:
                seconds = round(time.perf_counter() - started, 6)
                metrics = torch_names.last_metrics()
                try:
                    told = None if metrics is before else metrics
                    self._emit(compile_end(frame.compile_id, place, seconds, told, failed))
                except Exception as own:
                    self._unreadable("compile metrics", own)
                self.flush()

        return _compile

    def _starts_line(self, original: Wrapper) -> Wrapper:
        lines, thread = self._lines, self._thread

        def starts_line(translator: Any, lineno: int) -> Any:
            path = translator.f_code.co_filename
            thread.decision = decision(translator, lineno)
            try:
                if translator.current_instruction.opname not in _JUMPS:
                    lines[path].add(lineno)
            except KeyError:
                lines[path] = {lineno}
            return original(translator, lineno)

        return starts_line

    # Recompiles

    def _recompiles(self, original: Wrapper) -> Wrapper:
        def get_and_maybe_log_recompilation_reasons(*args: Any, **kwargs: Any) -> Any:
            try:
                reasons = original(*args, **kwargs)
            except Exception as error:
                if torch_names.forbids_recompiling(error):
                    self._recompile(reasons_in(str(error)), forbidden=True)
                raise
            if not (kwargs.get("skip_logging") or args[3:]):
                self._recompile([reasons] if isinstance(reasons, str) else list(reasons or ()))
            return reasons

        return get_and_maybe_log_recompilation_reasons

    def _recompile(self, reasons: list[str], *, forbidden: bool = False) -> None:
        frame = self._thread.frame
        if frame is None:
            return
        try:
            parts = [split_reason(reason) for reason in reasons]
            frame.guards = tuple(guard for _, guard, _ in parts)
            self._emit(conversions.recompiled(frame, parts, forbidden=forbidden))
        except Exception as error:
            self._unreadable("recompile", error, "\n".join(reasons))

    def _limits(self, original: Wrapper) -> Wrapper:
        def exceeds_recompile_limit(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            exceeded, limit = result if isinstance(result, tuple) else (result, "cache_size_limit")
            frame = self._thread.frame
            if exceeded and frame is not None:
                frame.limit = str(limit)
                self._emit(conversions.at_limit(frame, frame.limit))
            return result

        return exceeds_recompile_limit

    # Stances

    def _stances(self, original: Wrapper) -> Wrapper:
        """Who sets none pays for none."""

        def _set_stance(stance: Any) -> Any:
            name = getattr(stance, "stance", None)
            self._compiles(name not in ONLY_RUNS)
            if self._forbidden is None and name == "fail_on_recompile":
                self._forbidden = Forbidden(self._emit)
                self.hook("refusals", self._forbidden.callbacks)
            return original(stance)

        return _set_stance

    @property
    def told(self) -> frozenset[str]:
        """The messages of exceptions of torch's of which everything is told."""
        return frozenset(self._forbidden.told) if self._forbidden is not None else frozenset()

    # CUDA graphs

    def _cudagraph_skips(self, original: Wrapper) -> Wrapper:
        def log_cudagraph_skip_and_bump_counter(msg: str, *args: Any, **kwargs: Any) -> Any:
            compile_id = torch_names.current_compile_id()
            self._emit(CudagraphSkip(at=0.0, reason=str(msg), compile_id=compile_id, stack=parse_stack(str(msg))))
            return original(msg, *args, **kwargs)

        return log_cudagraph_skip_and_bump_counter


def _one_deeper(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Dynamo counts the frames between it and the user: one more of them is ours."""
    return {**kwargs, "skip": kwargs["skip"] + 1} if "skip" in kwargs else kwargs
