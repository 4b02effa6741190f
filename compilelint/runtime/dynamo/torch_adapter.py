"""Every private name of torch's that the recorder relies on, but for those of calls (`torch_calls.py`).

`HOOKS` is the table: what each tells, where it lives, and since which torch it has its newest name; the
older names reach back to 2.5. A hook that is missing is told in the session (`TorchLoaded.missing`): what
cannot be seen must not pass for clean. docs/torch-versions.md has what was measured.

Everything else here is a question to torch's modules that the recorder asks through a function of its
own, so that a new torch is a change to this file, and to `torch_calls.py`, only. Nothing here imports torch.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal

from compilelint.report.stack import StackFrame
from compilelint.runtime.imports import when_imported

Wrapper = Callable[..., Any]
"""A function of torch's, or what takes its place."""


@dataclass(frozen=True, slots=True)
class Hook:
    """One private function and what is told through it."""

    tells: str
    module: str
    names: tuple[str, ...]
    """Attribute paths, newest spelling first; the first that exists is wrapped."""
    since: str
    """First torch with the newest spelling, as far as was looked at (2.5 and newer)."""
    for_old: bool = False
    """Only for a torch that does not tell breaks as artifacts."""
    everywhere: bool = False
    """Many modules of torch's import it by name: it is replaced in all of them."""
    may_be_absent: bool = False
    """A torch without it does nothing that it is there to undo."""


HOOKS: Mapping[str, Hook] = {
    hook.tells: hook
    for hook in (
        Hook("artifacts", "torch._logging._internal", ("trace_structured",), "2.5", everywhere=True),
        Hook("frames", "torch._dynamo.convert_frame", ("ConvertFrameAssert.__call__",), "2.5"),
        Hook("compilations", "torch._dynamo.convert_frame", ("_compile",), "2.5"),
        Hook(
            "recompiles",
            "torch._dynamo.convert_frame",
            ("get_and_maybe_log_recompilation_reasons", "get_and_maybe_log_recompilation_reason"),
            "2.6",
        ),
        Hook(
            "recompile limits",
            "torch._dynamo.convert_frame",
            ("exceeds_recompile_limit", "exceeds_cache_size_limit"),
            "2.7",
        ),
        Hook("joined frames", "torch._dynamo.symbolic_convert", ("collapse_resume_frames",), "2.9", may_be_absent=True),
        Hook("line tables", "torch._dynamo.bytecode_transformation", (
            "linetable_311_writer",
        ), "2.5", may_be_absent=True),
        Hook("lines", "torch._dynamo.symbolic_convert", ("InstructionTranslatorBase.starts_line",), "2.5"),
        Hook("backward graphs", "torch._functorch._aot_autograd.runtime_wrappers", (
            "track_graph_compiling",
        ), "2.5"),
        Hook(
            "breaks of old torch",
            "torch._dynamo.output_graph",
            ("GraphCompileReason.__post_init__",),
            "2.5",
            for_old=True,
        ),
        Hook("skips of old torch", "torch._dynamo.exc", ("SkipFrame.__init__",), "2.5", for_old=True),
        Hook("compile calls", "torch._dynamo", ("optimize",), "2.5"),
        Hook("compiled functions", "torch._dynamo.eval_frame", ("OptimizeContext.__call__",), "2.5"),
        Hook("stances", "torch._dynamo.eval_frame", ("_set_stance",), "2.6", everywhere=True, may_be_absent=True),
        Hook("refusals", "torch._dynamo.eval_frame", ("_callback_from_stance",), "2.6", may_be_absent=True),
        Hook("skipped CUDA graphs", "torch._inductor.cudagraph_utils", (
            "log_cudagraph_skip_and_bump_counter",
        ), "2.5", everywhere=True),
    )
}  # fmt: skip

BREAK_ARTIFACT = "dynamo_graph_break_reason"

CacheOutcome = tuple[Literal["fx-graph", "aot-autograd", "dynamo"], Literal["hit", "miss", "bypass"]]
CACHE_ARTIFACTS: Mapping[str, CacheOutcome] = {
    "fx_graph_cache_hit": ("fx-graph", "hit"),
    "fx_graph_cache_miss": ("fx-graph", "miss"),
    "fx_graph_cache_bypass": ("fx-graph", "bypass"),
    "aotautograd_cache_hit": ("aot-autograd", "hit"),
    "aotautograd_cache_miss": ("aot-autograd", "miss"),
    "aotautograd_cache_bypass": ("aot-autograd", "bypass"),
    "dynamo_cache_bypass": ("dynamo", "bypass"),
}
METRICS: Mapping[str, tuple[str, Any]] = {
    "backend_seconds": ("backend_compile_time_s", (int, float)),
    "inductor_seconds": ("inductor_compile_time_s", (int, float)),
    "fail_type": ("fail_type", str),
    "fail_reason": ("fail_reason", str),
    "fail_path": ("fail_user_frame_filename", str),
    "fail_line": ("fail_user_frame_lineno", int),
    "restart_reasons": ("restart_reasons", (set, list, tuple, str)),
    "guarded": ("has_guarded_code", bool),
    "ops": ("graph_op_count", int),
    "guards": ("guard_count", int),
    "cache_size": ("cache_size", int),
    "accumulated_cache_size": ("accumulated_cache_size", int),
    "recompile_reason": ("recompile_reason", str),
}
"""Fields of torch._dynamo.utils.CompilationMetrics, and their types; a field may be missing or None."""
STRICT_SINCE = (2, 9)
"""The first torch with error_on_graph_break."""
SETTINGS = (
    "suppress_errors",
    "recompile_limit",
    "cache_size_limit",
    "capture_scalar_outputs",
    "capture_dynamic_output_shape_ops",
    "assume_static_by_default",
    "automatic_dynamic_shapes",
    "optimize_ddp",
    "nested_graph_breaks",
)
"""Of torch._dynamo.config: what changes which breaks and recompiles there are."""


def wrap(
    tells: str, wrapper: Callable[[Wrapper], Wrapper], absent: Callable[[], None] = lambda: None
) -> Callable[[], None]:
    """Put `wrapper(original)` in the place of a hook's function, now or once the program imports it.

    If this torch has no such function, `absent` is called instead. Returns what puts the original back.
    """
    hook = HOOKS[tells]
    undo: list[Callable[[], None]] = []
    cancelled = False

    def imported(module: ModuleType) -> None:
        for name in () if cancelled else hook.names:
            *parents, attribute = name.split(".")
            owner: Any = module
            for parent in parents:
                owner = getattr(owner, parent, None)
            original = getattr(owner, attribute, None)
            if original is not None:
                replacement = in_place_of(original, wrapper(original))
                setattr(owner, attribute, replacement)
                undo.append(functools.partial(_restore, owner, attribute, replacement, original))
                if hook.everywhere:
                    _replace_everywhere(attribute, original, replacement)
                    undo.append(functools.partial(_replace_everywhere, attribute, replacement, original))
                return
        if not cancelled:
            absent()

    def restore() -> None:
        nonlocal cancelled
        cancelled = True
        while undo:
            undo.pop()()

    when_imported(hook.module, imported)
    return restore


def expected() -> set[str]:
    """The hooks whose modules the program has imported."""
    told = breaks_are_artifacts()
    needed = {tells: hook for tells, hook in HOOKS.items() if not hook.may_be_absent and not (hook.for_old and told)}
    return {tells for tells, hook in needed.items() if hook.module in sys.modules}


@functools.cache
def breaks_are_artifacts() -> bool:
    """Whether this torch tells every break as a structured artifact; 2.5 does not."""
    if release(version()) >= (2, 7):
        return True
    try:
        return BREAK_ARTIFACT in inspect.getsource(_module("torch._dynamo.symbolic_convert"))
    except OSError:
        return False


def in_place_of(original: Wrapper, replacement: Wrapper) -> Wrapper:
    """`replacement` as code of the file that `original` is in.

    Dynamo asks of frames which file they are of: it does not trace torch's own, and it walks up the stack
    to the first that is not of its converter, to see who called what it converts.
    """
    functools.update_wrapper(replacement, original)
    code = getattr(original, "__code__", None)
    if code is not None:
        replacement.__code__ = replacement.__code__.replace(
            co_filename=code.co_filename, co_firstlineno=code.co_firstlineno
        )
    return replacement


def unseen(function: Wrapper) -> Wrapper:
    """`function`, with all that it calls out of Dynamo's sight.

    A program that compiles, or runs a backward pass, in the middle of compiled code calls the recorder from
    where Dynamo looks at every frame.
    """

    def run(*args: Any, **kwargs: Any) -> Any:
        if "torch._dynamo.eval_frame" not in sys.modules:  # nothing is compiled before
            return function(*args, **kwargs)
        set_callback = _module("torch._C._dynamo.eval_frame").set_eval_frame
        before = set_callback(None)
        try:
            return function(*args, **kwargs)
        finally:
            set_callback(before)

    skip(run)
    return run


def skip(function: Wrapper) -> None:
    """Dynamo leaves this function alone, but not what it calls."""
    when_imported("torch._dynamo.eval_frame", lambda module: module.skip_code(function.__code__))


def _restore(owner: Any, attribute: str, replacement: Wrapper, original: Wrapper) -> None:
    if getattr(owner, attribute, None) is replacement:  # else somebody has wrapped it again since
        setattr(owner, attribute, original)


def _replace_everywhere(name: str, old: Wrapper, new: Wrapper) -> None:
    """In all modules of torch's that have imported it by its name."""
    for module, loaded in list(sys.modules.items()):
        if module.startswith("torch.") and getattr(loaded, "__dict__", {}).get(name) is old:
            setattr(loaded, name, new)


# What torch is


def release(version: str) -> tuple[int, int]:
    """Of `2.13.0+cpu`, (2, 13); (0, 0) of what is no version."""
    found = re.match(r"(\d+)\.(\d+)", version)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def version() -> str:
    return str(getattr(_module("torch"), "__version__", "unknown"))


def setting(name: str) -> Any:
    """A setting of torch._dynamo.config, None if this torch has no such setting."""
    return getattr(_module("torch._dynamo").config, name, None)


def can_raise_on_break() -> bool:
    """Whether torch.compile can stop at a break and still leave eager islands alone (`STRICT_SINCE`)."""
    optimize = getattr(_module("torch._dynamo.eval_frame"), "_optimize", None)
    return optimize is not None and "error_on_graph_break" in inspect.signature(optimize).parameters


# What is being compiled


def current_compile_id() -> str | None:
    """The id of the compilation that this thread is in, "0/0", None outside of one."""
    guards = sys.modules.get("torch._guards")
    found = guards.CompileContext.current_compile_id() if guards is not None else None
    return str(found) if found is not None else None


def last_metrics() -> Any:
    """The newest CompilationMetrics, None if there are none."""
    recorded = getattr(_module("torch._dynamo.utils"), "_compilation_metrics", None)
    return recorded[-1] if recorded else None


def metric_values(metrics: Any) -> dict[str, Any]:
    """What CompilationMetrics say, by our names (`METRICS`), less what is not of the type that it should be."""
    values: dict[str, Any] = {}
    for name, (field, kinds) in METRICS.items():
        value = getattr(metrics, field, None)
        if isinstance(value, kinds) and (kinds is bool or not isinstance(value, bool)):
            values[name] = value
    reasons = values.get("restart_reasons", ())
    values["restart_reasons"] = (reasons,) if isinstance(reasons, str) else tuple(sorted(map(str, reasons)))
    return values


def without_graph(metrics: Any) -> bool:
    """Whether these metrics have a place for the number of operators, and it is empty."""
    return getattr(metrics, METRICS["ops"][0], 0) is None


def artifact_text(payload: Callable[[], Any]) -> str:
    """What an artifact says.

    That of a break ends in Dynamo's own traceback, which takes long to format and which nobody needs:
    the text before it is a variable of the payload's closure.
    """
    for name, cell in zip(payload.__code__.co_freevars, payload.__closure__ or (), strict=True):
        if name == "user_stack_trace" and isinstance(cell.cell_contents, str):
            return cell.cell_contents
    return str(payload())


def split_reason(made: Any) -> tuple[str, tuple[StackFrame, ...]] | None:
    """Why a graph was split, and where, of a GraphCompileReason; None if it ended for another reason."""
    if not getattr(made, "graph_break", False):
        return None
    return str(made.reason), _frames(made.user_stack)


# What went wrong


def raises_to_program(converter: Any) -> bool:
    """Whether a break in this frame is an exception of the program: fullgraph or error_on_graph_break."""
    box = getattr(converter, "_box", None)
    return bool(getattr(converter, "_one_graph", False) or getattr(box, "error_on_graph_break", False))


def raises_at_limit(converter: Any) -> bool:
    """Whether a recompile limit that this frame hits is an exception of the program."""
    forbidden = setting("fail_on_recompile_limit_hit") or setting("fail_on_cache_limit_hit")
    return bool(forbidden or getattr(converter, "_one_graph", False))


def is_break(error: BaseException) -> bool:
    """Whether Dynamo falls back to eager for this exception, if it may."""
    names = {base.__name__ for base in type(error).__mro__}
    return bool(names & {"Unsupported", "UserError"})


def forbids_recompiling(error: BaseException) -> bool:
    """Whether it is raised in place of a recompile: config.error_on_recompile."""
    return type(error).__name__ == "RecompileError"


def is_told(error: BaseException) -> bool:
    """Whether the artifact of this break has been emitted."""
    return bool(getattr(error, "logged", False))


def error_stack(error: BaseException) -> tuple[StackFrame, ...]:
    """The user code that Dynamo was tracing, outermost first; empty if the exception does not know."""
    return _frames(getattr(error, "real_stack", None) or ())


def _frames(stack: Any) -> tuple[StackFrame, ...]:
    return tuple(StackFrame(frame.filename, frame.lineno or 0, frame.name) for frame in stack)


# Compiled functions


def backend_name(backend: Any) -> str:
    """What a person calls this backend."""
    if isinstance(backend, str):
        return backend
    for name in ("compiler_name", "__name__"):
        if isinstance(found := getattr(backend, name, None), str):
            return found
    return type(backend).__name__


def is_compiled(value: Any) -> bool:
    """Whether calling this runs compiled code: the result of torch.compile, or a module after .compile()."""
    if is_module(value):
        wrapped = isinstance(value, _module("torch._dynamo.eval_frame").OptimizedModule)
        return wrapped or getattr(value, "_compiled_call_impl", None) is not None
    function = getattr(value, "__func__", value)
    disabled = getattr(function, "_torchdynamo_disable", False)
    return not disabled and hasattr(function, "_torchdynamo_orig_callable")


def asked_mode() -> str | None:
    """`mode=` of the torch.compile call that is two frames up; it is not passed on by that name."""
    frame = sys._getframe(2)
    if frame.f_code.co_name == "compile" and frame.f_globals.get("__name__") == "torch":
        mode = frame.f_locals.get("mode")
        return mode if isinstance(mode, str) else None
    return None


def is_module(value: Any) -> bool:
    """Whether this is a torch.nn.Module."""
    return isinstance(value, _module("torch").nn.Module)


def _module(name: str) -> Any:
    return sys.modules[name]
