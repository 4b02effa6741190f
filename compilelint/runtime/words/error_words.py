"""What made compiling fail that is no graph break, in plain words, and what to do."""

from __future__ import annotations

import re

from compilelint.runtime.dynamo.forbidden import FORBIDDEN
from compilelint.runtime.dynamo.told import Reason
from compilelint.runtime.dynamo.uncaught import DONATED_BUFFERS, DOUBLE_BACKWARD
from compilelint.runtime.events import CompileError
from compilelint.runtime.words import text_reasons

_GOT = re.compile(r": got (\w+\(.*\))$", re.MULTILINE)
"""Ends what Dynamo says of an operator that failed while it was traced."""


_IN_CPP = re.compile(r"/\S+\.cpp:\d+: ")
"""Where torch itself was built, and what raised there."""
_FRAMES_OF_CPP = re.compile(r"\\nException raised from .*?(?=['\"]\)$)")
"""The stack in C++, which a `repr` of torch's error holds after what it says."""
_UNKNOWN_ERROR = (
    "Run it without torch.compile: if that fails too, mend the program; if not, make the call that leads there in a "
    "function of yours under `@torch.compiler.disable`, and tell PyTorch."
)
_SYMBOLIC = "SymIntArrayRef expected to contain only concrete integers"
_SYMBOLIC_ERROR = (
    "This operator takes no size that varies: compile with `dynamic=False`, or call it outside the compiled code. "
    "`torch.randn` and its like do take one if `generator=None` is left out."
)
_OF_SYMBOLIC = re.compile(r"Cannot call \w+\(\) on tensor with symbolic sizes")
_OF_SYMBOLIC_ERROR = (
    "Torch's own code for this operator (mostly a layer under `torch.vmap`) takes no size that varies: compile with "
    "`dynamic=False`, so that each size is a graph of its own, or pad to one size."
)
_ARRAY_OF_INFERENCE = re.compile(r"tensor '___from_numpy\((.+?)\)' dispatch key set mismatch")
"""The guard on an array that is passed under `torch.inference_mode()`, which never holds."""
_VIEW_UNDER_INFERENCE = "Cannot set version_counter for inference tensor"
_VIEW_UNDER_INFERENCE_ERROR = (
    "AOTAutograd makes no view (`transpose`, `view`, a slice …) of what comes from outside under an `inference_mode` "
    "that the compiled code enters itself: use `torch.no_grad()` in it, or enter it around the compiled call."
)
_NEGATIVE_POWER = re.compile(
    r"call_function <built-in function pow>\(\*\((?P<base>(?:(?!FakeTensor).)+), (?P<power>\d+)\), \*\*\{\}\): "
    r"got RuntimeError\('Expected cond to be True"
)
"""A symbol that Dynamo computes with, raised to a power: torch takes it for granted that it is not negative."""
_NEGATIVE_POWER_ERROR = (
    "Write the product (`y * y` for `y ** 2`), or `math.pow(y, 2)`: of both torch knows that a number may be negative."
)
_HANDED_ON = "Encountered aliasing during higher order op tracing"
_HANDED_ON_ERROR = (
    "A function that is given to `torch.cond`, `while_loop` or `scan` must not give back what it was given, a view of "
    "it, or one tensor twice: return a clone (`lambda x: x.clone()`)."
)
_CHANGED = "Encountered input mutation during higher order op tracing"
_CHANGED_ERROR = (
    "A function that is given to `torch.cond`, `while_loop` or `scan` must not change anything in place: what it was "
    "given, a parameter or a buffer (as a batch norm in training does). Use what returns a new tensor, or do it "
    "outside of it."
)
_VALUE_OF_SYMBOL = "SymNodeVariable() is not a constant"
_VALUE_OF_SYMBOL_ERROR = (
    "Dynamo asks for the value of a number that was another one in an earlier call, and varies since: write "
    '`a <= n < b` for `n in range(a, b)`, `"{:03d}".format(n)` for `format(n, "03d")`; all else do in the caller.'
)
_OF_INNER_GRAPH = "lift_tracked_freevar_to_input should not be called on root SubgraphTracer"
_OF_OTHER_GRAPH = re.compile(r"Argument 'item' of Node '\w+' does not belong to this Graph")
"""What a float raises that varies, where Dynamo knows it from a graph inside of the graph only. Seen on 2.13."""
_OF_INNER_GRAPH_ERROR = (
    "A Python `float` that varies between calls is first used in a function that is traced as a graph of its own "
    "(`checkpoint`, the `apply` of an autograd function or `torch.cond` runs it), and then again, outside of it or in "
    "another one: pass `torch.tensor(value)`; for `checkpoint` and `apply` it is enough to use it before "
    "(`scale = scale + 0.0`)."
)
_REFUSED = re.compile(r"Attempt to trace forbidden callable <(?:function|class|method) '?([\w.]+)")
"""What controls the compiler itself (`mark_dynamic`, `set_stance`), or is decorated by it."""
_ASKED_FOR = {
    "RecompileError": Reason(
        "it raised, because it needs to be compiled again and `torch._dynamo.config.error_on_recompile` forbids it",
        "Take away what this function is recompiled for.",
    ),
    "ConstraintViolationError": Reason(
        "it raised, because the code settles on a size that the program has marked as dynamic",
        "Do not mark this size with `mark_dynamic`, or take away what compares it with a number; `maybe_mark_dynamic` "
        "leaves the choice to Dynamo.",
    ),
}
"""What the program itself asked for: what is said, and what to do."""
_FORBIDDEN_AGAIN = Reason(
    "it raised, because it needs to be compiled again and the stance `fail_on_recompile` forbids it",
    "Take away what this function is recompiled for, or call it with each kind of input before the stance is set.",
)
_FORBIDDEN_AT_FIRST = Reason(
    "it raised, because it was not compiled before, and the stance `fail_on_recompile` forbids that, too",
    "Call the compiled function once with each kind of input, and set the stance after that: `compilelint rule CL803`.",
)
_BY_WORDS = {
    _SYMBOLIC: _SYMBOLIC_ERROR,
    _VIEW_UNDER_INFERENCE: _VIEW_UNDER_INFERENCE_ERROR,
    _HANDED_ON: _HANDED_ON_ERROR,
    _CHANGED: _CHANGED_ERROR,
    _VALUE_OF_SYMBOL: _VALUE_OF_SYMBOL_ERROR,
    _OF_INNER_GRAPH: _OF_INNER_GRAPH_ERROR,
}
_OF_BACKWARD = {
    DOUBLE_BACKWARD: Reason(
        "a gradient of something compiled was differentiated again, which has no backward of its own",
        "Where the gradient is taken (`create_graph=True`), call what is not compiled: `compilelint rule CL744`.",
    ),
    DONATED_BUFFERS: Reason(
        "the graph of something compiled is to be kept (`retain_graph=True`), and its backward was compiled for one "
        "that is not, which gives away what it has read",
        "Keep the graph from the first backward on, add up the losses and call `backward` once, or set "
        "`torch._functorch.config.donated_buffer = False` before it is compiled.",
    ),
}
"""What a backward raises long after it was compiled, by its words."""


def explain(event: CompileError) -> Reason:
    """The words for it, and the advice."""
    of_backward = [reason for words, reason in _OF_BACKWARD.items() if words in event.message]
    if of_backward:
        return of_backward[0]
    if FORBIDDEN in event.message:
        return _FORBIDDEN_AGAIN if "guard failure" in event.message else _FORBIDDEN_AT_FIRST
    if not event.suppressed and (asked := _ASKED_FOR.get(event.error)) is not None:
        return asked
    if power := _NEGATIVE_POWER.search(event.message):
        return Reason(
            f"compiling failed: a Python number that varies between calls, here `{power['base']}`, is raised to the "
            f"power {power['power']}, and is negative: Dynamo computes with a symbol in its place, and cannot do that",
            _NEGATIVE_POWER_ERROR,
        )
    if refused := _REFUSED.search(event.message):
        return Reason(
            f"`{refused[1]}` inside compiled code is an error: Dynamo refuses to trace what controls the compiler",
            "Call it outside of the compiled code, before that runs: `compilelint rule CL615`.",
        )
    fate = "the error was suppressed, and it runs without torch.compile" if event.suppressed else "it raised"
    return Reason(f"compiling failed, {fate}: {event.error}: {_said(event.message)}", _advice(event.message))


def _advice(message: str) -> str:
    if array := _ARRAY_OF_INFERENCE.search(message):
        return (
            f"Pass a tensor (`torch.from_numpy({array[1]})`), or call it under `torch.no_grad()`: under "
            "`torch.inference_mode()` Dynamo's own check of an array fails."
        )
    if _OF_SYMBOLIC.search(message):
        return _OF_SYMBOLIC_ERROR
    if _OF_OTHER_GRAPH.search(message):
        return _OF_INNER_GRAPH_ERROR
    if text_reasons.FORMAT_CODE.search(message):
        return text_reasons.FORMAT_CODE_ERROR
    return next((advice for words, advice in _BY_WORDS.items() if words in message), _UNKNOWN_ERROR)


def _said(message: str) -> str:
    """The line of an error's text that tells what happened."""
    if found := _GOT.search(message):
        return _IN_CPP.sub("", _FRAMES_OF_CPP.sub("", found[1]))
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    # "backend='x' raised:" is no more than a heading.
    return " ".join(lines[: 2 if lines and lines[0].endswith(":") else 1])
