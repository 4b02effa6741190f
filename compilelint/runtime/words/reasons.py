"""Why a graph broke, in one plain sentence, from Dynamo's own words for it.

Dynamo's types of breaks name its internals ("Failed to trace builtin operator"); what a reader needs is
in the context. Types that are not known here keep Dynamo's explanation, its first sentence.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

from compilelint.runtime.dynamo.told import Reason, Told, cut
from compilelint.runtime.words import (
    handed_on_reasons,
    left_out_reasons,
    operator_reasons,
    outer_reasons,
    skipped_files,
    text_reasons,
    type_arguments,
    wrapper_reasons,
)

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_SENTENCE = re.compile(r"(?<=[^.\s]{2})\.(?=\s|$)")
_OF_TENSOR = re.compile(r"GetAttrVariable\(TensorVariable\(\), (\w+)\)")

_SAYS_NOTHING = re.compile(
    r"(?:Dynamo|`torch\.compile`) (?:does not support|currently can't trace) this"
    r"|(?:This is )?(?:currently )?not supported",
    re.IGNORECASE,
)
"""What it is that Dynamo cannot do, only the type of such a break says."""


def explain(title: str, explanation: str | None, context: str | None, hints: tuple[str, ...] = ()) -> Reason:
    """The reason of a break of this type; without an explanation, the title itself."""
    told = Told(title.strip(), (explanation or "").strip(), (context or "").strip())
    for pattern, reason in _TITLES:
        if re.match(pattern, told.title) and (made := reason(told)) is not None:
            return made if made.advice else Reason(made.words, _hint(hints))
    sentence = _SENTENCE.split(" ".join(told.explanation.split()), maxsplit=1)[0] if told.explanation else ""
    if _SAYS_NOTHING.fullmatch(sentence):
        sentence = f"{told.title.rstrip('.')}: Dynamo does not support this"
    sentence = _OF_TENSOR.sub(r"`\1` of a tensor", sentence)
    words = re.sub(r"<class '([\w.]+)'>", r"\1", _ADDRESS.sub("", sentence or told.title.rstrip(".")))
    return Reason(cut(words), _hint(hints))


def drop_words(wrapped_by: tuple[str, ...]) -> tuple[str, ...]:
    """What surrounded a break so that its frame was dropped, in plain words."""
    return tuple(dict.fromkeys(_wrapper(each) for each in wrapped_by))


def _wrapper(title: str) -> str:
    low = title.lower()
    if "loop" in low:
        return "inside a loop"
    if "graph break under" in low or "context manager" in low or "with" in low.split():
        return "inside a `with` block"
    if "try" in low.split() or "exception" in low:
        return "inside a `try` block"
    return cut(title)


_USELESS_HINTS = (
    "please report",
    "please file an issue",
    "may be possible to write dynamo tracing rules",
    "fundamental",
    "caused by an earlier graph break",
    "may result in an error when running in eager",
    "capture_scalar_outputs",
    "capture_dynamic_output_shape_ops",
)
"""What tells the user nothing to do, or what is measured to break more than it mends (the capture flags)."""


_SAID_SHORTER = (
    (r"^Avoid calling the function (`.+`)\.$", r"Call \1 outside the compiled code."),
    # Mostly a library calls it: what its user can move is the call that leads there.
    (r"^Avoid calling (`.+`) in your code\.$", r"Call \1, or what leads to it, outside the compiled code."),
    (
        r"^If you are attempting to call a logging function \(.*\), you can try adding it to (`.+`)\.$",
        r"If it only logs, add it to \1: it is called after the graph then.",
    ),
    (r"^Avoid using the unsupported context manager\.$", "Enter it outside the compiled code."),
    (r"^Sparse tensor operations .* move (sparse tensor creation) outside .*$", r"Move \1 outside the compiled code."),
    (r"<class '([\w.]+)'>", r"\1"),
    (r" \(see\s+https?://\S+ for more details\)", ""),
)


def _hint(hints: tuple[str, ...]) -> str:
    for hint in hints:
        text = " ".join(hint.split())
        if not any(useless in text.lower() for useless in _USELESS_HINTS):
            for pattern, said in _SAID_SHORTER:
                text = re.sub(pattern, said, text)
            return text
    return ""


def _fixed(words: str, advice: str = "") -> Callable[[Told], Reason | None]:
    return lambda told: Reason(words, advice)


def _builtin(told: Told) -> Reason | None:
    found = re.search(r"builtin(?: operator)? `?([\w.]+)`?", told.said)
    if found is None:
        return None
    if found[1] == "print":
        return Reason("`print` in compiled code", "Print outside the compiled code, from values that it returns.")
    return Reason(f"Dynamo cannot trace the builtin `{found[1]}` with these arguments")


def _skipped(told: Told) -> Reason | None:
    found = re.search(r"module: ([\w.]+|<unknown module>), qualname: ([\w.<>]+)", told.context)
    if found:
        # `_warnings` is how C calls what people import as `warnings`.
        if found[1] == "<unknown module>" and found[2].startswith("Tensor."):
            return _looked_up(found[2].removeprefix("Tensor."))
        known = found[1].lstrip("_")
        known = known if known in sys.stdlib_module_names else found[1]
        if (wrapped := wrapper_reasons.of_scheduler(told, known, found[2])) is not None:
            return wrapped
        if (known, found[2]) == ("warnings", "_filters_mutated"):
            return _FILTERS
        module = "" if known in ("builtins", "None", "<unknown module>") else f"{known}."
        return Reason(f"`{module}{found[2]}` is a function that Dynamo does not trace")
    found = re.search(r"(?:function|callable) `?<?(?:(?:built-in )?(?:function|method) )?([\w.]+)", told.said)
    return Reason(f"`{found[1]}` is a function that Dynamo does not trace") if found else None


_FILTERS = Reason(
    "the warning filters are changed, for which Dynamo traces no function",
    "Set the filters once, outside the compiled code.",
)
"""Dynamo's hint takes whatever comes from that module for a function that logs."""


def _looked_up(method: str) -> Reason:
    return Reason(
        f"`{method}` of a tensor was looked up before this part of the graph began, as it is where the graph breaks "
        "among the arguments of its call",
        f"Mend that break, or compute the arguments on a line before: `n = int(n)`, then `x.{method}(n, …)`.",
    )


def _disabled(told: Told) -> Reason:
    found = re.search(r"<(?:bound method|function) ([\w.<>]+)", told.said)
    name = f"`{found[1].removesuffix('>')}`" if found else "a function"
    return Reason(
        f"{name} is kept out of compilation by `torch.compiler.disable`",
        "If that is on purpose, accept the break here, or call it before or after the compiled part.",
    )


def _logged(told: Told) -> Reason:
    found = re.search(r">\.(\w+), args", told.context)
    return Reason(f"`Logger.{found[1]}` is called" if found else "a method of a `Logger` is called")


_OF_NUMBERS = re.compile(
    r"unsupported operand type\(s\) for (?:divmod\(\): '(?:int|float)'|%: 'str') and '(?:int|float)'"
)
"""What Python never says of numbers: they are sizes that vary."""


def _raised(told: Told) -> Reason:
    found = re.search(r"raised exception (.+)", told.context)
    return Reason(
        "while tracing, an exception came up that the code does not catch" + (f": {cut(found[1])}" if found else ""),
        _instead_of_raising(found[1] if found else ""),
    )


def _instead_of_raising(said: str) -> str:
    if _OF_NUMBERS.search(said):
        return (
            'Dynamo cannot do this with a size that varies: write `n // k, n % k` for `divmod(n, k)`, `"{}".format(n)` '
            'for `"%d" % n`.'
        )
    if "isinstance() arg 2 must be" in said:
        return "Dynamo takes no tuple within a tuple of types: write `(int, list)` for `(int, (list,))`."
    advice = "Check before the compiled call, or return a flag: code that raises runs without Dynamo."
    if not said.startswith("AttributeError"):
        return advice
    return (
        f"{advice} If nothing fails without torch.compile: Python asks `__getattr__` (of a module: its layers and "
        "parameters) for what a property has no value of, and Dynamo does not. Give the two different names."
    )


def _of_autograd_class(told: Told) -> Reason | None:
    found = re.search(r"GetAttrVariable\(AutogradFunctionVariable\(\), (\w+)\)", told.context)
    if found is None:
        return None
    return Reason(
        f"`{found[1]}`, an attribute of a `torch.autograd.Function` class, is used in the compiled code",
        "Keep it elsewhere: a global, or an attribute of another object, is traced.",
    )


def _skipped_of_old(told: Told) -> Reason | None:
    found = re.match(r"'?skip function (\S+) in file", told.title)
    if found is None:
        return None
    if found[1] == "graph_break":
        return _ASKED_FOR
    return Reason(
        f"`{found[1]}` is a function that Dynamo does not trace", f"Call `{found[1]}` outside the compiled code."
    )


def _with_of_old(told: Told) -> Reason | None:
    found = re.match(r"\w+ UserDefinedObjectVariable\((\w+)\)", told.title)
    return Reason(f"a `with` block over a `{found[1]}`, which Dynamo does not trace") if found else None


_GENERATOR = Reason(
    "a generator function is what is compiled, and Dynamo traces none",
    "Compile the function that consumes it, or return a list.",
)
_RECURRENT = Reason(
    "an RNN, LSTM or GRU is called, or asked for something (an attribute, `isinstance`, `is None`), and Dynamo refuses "
    "to look at it",
    "Let it run eagerly on purpose: `@torch.compiler.disable` on a function that asks and calls it. What is only "
    "asked, keep on the module around it: `self.is_lstm = True` in `__init__`.",
)
_KEPT_GENERATOR = Reason(
    "a generator, as `model.parameters()` or `(… for …)` is one, is not gone through yet where the graph breaks",
    "Make it a list: `list(model.parameters())`, `[… for …]`; or mend the break in what it runs.",
)


_ASKED_FOR = Reason(
    "`torch._dynamo.graph_break()` asks for it",
    "Remove the call; where it is a library's own (that of an optimizer's step, for one), "
    "call the library outside the compiled code.",
)


def _made_alone(told: Told) -> Reason:
    """Dynamo's own hint, to call `super().__init__()`, stands at that very call."""
    found = re.search(r"of type (?:<class ')?([\w.]*\w)", told.said)
    what = f"`{found[1].rpartition('.')[2]}`" if found else "a module"
    return Reason(
        f"the `__init__` of {what} is compiled by itself, as what makes the module broke before, and there it has no "
        "`_parameters` yet",
        "Make the module once, outside the compiled code, and only call it there; or mend the break before it.",
    )


_KNOWN_FALSE = re.compile(
    r"^(?:attempted to jump with|value:) (?:LazyVariableTracker\(realized: )?"
    r"(?:ConstantVariable\(|\w+Variable\(length=0\))"
)


def _of_failed_assertion(told: Told) -> Reason | None:
    """Dynamo calls it a decision on data; only an `assert` ends the graph where what is decided on is known."""
    if not _KNOWN_FALSE.search(told.context):
        return None
    return Reason(
        "an `assert` fails, whose condition is false in this call",
        "Mend the call, or the program: the assertion fails without torch.compile, too.",
    )


def _of_cython(told: Told) -> Reason | None:
    """Dynamo names the class of all that Cython compiles, and its hint is to avoid the `__call__` of that."""
    if "`cython_function_or_method`" not in told.said:
        return None
    return Reason(
        "a function that Cython compiled is called, which Dynamo cannot trace",
        "Call it outside the compiled code, or make what calls it an operator (`torch.library.custom_op`).",
    )


_TITLES: tuple[tuple[str, Callable[[Told], Reason | None]], ...] = (
    (
        r"Unsupported Tensor\.item\(\) call|Tensor\.item",
        _fixed(
            "`.item()` (or `float()`, `int()`, `bool()` of a tensor, or one as an index or a bound) reads a tensor's "
            "value back into Python",
            "Keep the value a tensor, or read it outside the compiled code.",
        ),
    ),
    (
        r"Unsupported Tensor\.tolist\(\)",
        _fixed(
            "`.tolist()` reads a tensor's values back into Python",
            "Keep the values a tensor, or read them outside the compiled code.",
        ),
    ),
    (r"Data-dependent (branching|assertion)|generic_jump", _of_failed_assertion),
    (
        r"Data-dependent (branching|assertion|control)|generic_jump",
        _fixed(
            "a Python branch depends on the value of a tensor",
            "Use `torch.where` (or `torch.cond`), or decide outside the compiled code.",
        ),
    ),
    (
        r"Unsupported Tensor\.backward\(\)",
        _fixed(
            "`backward()` is called inside the compiled code",
            "Return the loss, and call `.backward()` outside: the backward of a compiled forward is compiled too.",
        ),
    ),
    (
        r"Unsupported Tensor\.requires_grad_\(\)",
        _fixed(
            "`requires_grad_()` is called in the compiled code",
            "Decide what requires a gradient before the compiled call.",
        ),
    ),
    (
        r"Attempted to wrap RNN, GRU, or LSTM",
        lambda told: left_out_reasons.ALONE if told.context == left_out_reasons.COMPILED_ALONE else _RECURRENT,
    ),
    (
        r"(?i)module-level backwards hooks require compiled autograd",
        _fixed(
            "a module that has a backward hook is called, which Dynamo cannot put into a graph",
            "Leave the hook out of compiled runs, or hook the tensor in `forward` (`y.register_hook(f)`). With "
            "compiled autograd, of which Dynamo speaks, a `backward` outside of the compiled code fails.",
        ),
    ),
    (r"Unsupported method call|Attempted to call function marked as skipped", wrapper_reasons.of_ddp),
    (r"Unsupported method call", wrapper_reasons.of_module_text),
    (r"Unsupported method call", operator_reasons.wait),
    (r"torch\.compile call with|Attempted to call function marked as skipped", wrapper_reasons.of_compile),
    (r"Unsupported method call", _of_cython),
    (r"logging\.Logger method", _logged),
    (r"Failed to trace builtin operator|Unsupported builtin", _builtin),
    (r"Dynamic shape operator|Dynamic slicing", operator_reasons.dynamic_shape),
    (r"HOP: Unsafe side effect", operator_reasons.write_outside),
    (r"Data dependent operator", operator_reasons.data_dependent),
    (r"Unsupported function call \(delayed\)", operator_reasons.view_in_place),
    (r"Unsupported function call$|Unexpected type in sourceless", type_arguments.of_class),
    (r"Attempted to wrap sparse Tensor", lambda told: operator_reasons.SPARSE),
    (r"Failed to convert args/kwargs to proxy", wrapper_reasons.of_argument),
    (r"Backend compiler exception", operator_reasons.backend),
    (r"Attempted to (?:call|inline) function marked as skipped", skipped_files.explained),
    (r"Attempted to call function marked as skipped", _skipped),
    (r"Skip calling `torch\.compiler\.disable|Skip inlining `torch\.compiler\.disable", _disabled),
    (r"Call to `torch\._dynamo\.graph_break", lambda told: _ASKED_FOR),
    (r"BUILD_STRING type error|missing sq_concat", text_reasons.of_number),
    (r"Observed exception|Unhandled exception", lambda told: outer_reasons.of_super(told) or text_reasons.of_key(told)),
    (r"Observed exception|Unhandled exception", _raised),
    (r"Attempt to trace generator|generator$", lambda told: _GENERATOR),
    (r"Unsupported functorch tracing attempt", lambda told: left_out_reasons.UNDER_TRANSFORM),
    (r"Called, and never compiled, behind another", lambda told: left_out_reasons.NEVER_ASKED_AFTER_ANOTHER),
    (r"Called, and never compiled", lambda told: left_out_reasons.NEVER_ASKED),
    (r"No ops traced", lambda told: left_out_reasons.NOTHING_TRACED),
    (r"Generator reconstruction with mutations", lambda told: _KEPT_GENERATOR),
    (r"(?i)missing tp_iter(next)?$", outer_reasons.iterator),
    (r"Cannot trace user-defined __len__", outer_reasons.view),
    (r"Unresolved GetAttrVariable comparison", outer_reasons.function_object),
    (r"attempted to trace numpy function unsupported", operator_reasons.numpy),
    (r"failed to convert numpy\.ndarray to Tensor", lambda told: operator_reasons.NO_TENSOR_OF_ARRAY),
    (r"Unsupported ndarray attribute access", operator_reasons.array_attribute),
    (r"torch\.\* op returned non-Tensor", operator_reasons.no_tensor),
    (r"Uninitialized nn\.Module", _made_alone),
    (r"Unsupported python_type\(\) call", _of_autograd_class),
    (r"NotImplementedError/UnsupportedFakeTensorException", operator_reasons.not_implemented),
    (r"Reconstruction failure", handed_on_reasons.not_made_again),
    (r"Attempted to call op with non-contiguous `out=`", lambda told: operator_reasons.IN_PIECES),
    (r"TypeError when making fake tensor call", operator_reasons.fake),
    (r"'?skip function ", _skipped_of_old),
    (r"(BEFORE|SETUP)_WITH ", _with_of_old),
)
"""By the beginning of Dynamo's type, as torch 2.7 to 2.13 spell it, and where it differs as 2.5 does."""
