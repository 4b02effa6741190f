"""Why a graph broke, in one plain sentence, from Dynamo's own words for it.

Dynamo's types of breaks name its internals ("Failed to trace builtin operator"); what a reader needs is
in the context. Types that are not known here keep Dynamo's explanation, its first sentence.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_SENTENCE = re.compile(r"(?<=[^.\s]{2})\.(?=\s|$)")
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class Reason:
    """One sentence without full stop, and what to do; advice is empty where Dynamo's hints are better."""

    words: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class _Break:
    title: str
    explanation: str
    context: str

    @property
    def said(self) -> str:
        return f"{self.explanation}\n{self.context}"


def explain(title: str, explanation: str | None, context: str | None, hints: tuple[str, ...] = ()) -> Reason:
    """The reason of a break of this type; without an explanation, the title itself."""
    told = _Break(title.strip(), (explanation or "").strip(), (context or "").strip())
    for pattern, reason in _TITLES:
        if re.match(pattern, told.title) and (made := reason(told)) is not None:
            return made if made.advice else Reason(made.words, _hint(hints))
    sentence = _SENTENCE.split(" ".join(told.explanation.split()), maxsplit=1)[0] if told.explanation else ""
    words = re.sub(r"<class '([\w.]+)'>", r"\1", _ADDRESS.sub("", sentence or told.title.rstrip(".")))
    return Reason(_cut(words), _hint(hints))


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
    return _cut(title)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"


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


def _fixed(words: str, advice: str = "") -> Callable[[_Break], Reason | None]:
    return lambda told: Reason(words, advice)


def _builtin(told: _Break) -> Reason | None:
    found = re.search(r"builtin(?: operator)? `?([\w.]+)`?", told.said)
    if found is None:
        return None
    if found[1] == "print":
        return Reason("`print` in compiled code", "Print outside the compiled code, from values that it returns.")
    return Reason(f"Dynamo cannot trace the builtin `{found[1]}` with these arguments")


def _operator(told: _Break) -> str:
    found = re.search(r"`?((?:aten|torchvision|[a-z_]\w*)\.[\w.]+)`?", told.said)
    return re.sub(r"\.default$", "", found[1]) if found else "an operator"


_WRITTEN_AS = {
    "aten.nonzero": "`nonzero()`, `x[mask]` or `where(condition)`",
    "aten._unique2": "`unique()`",
    "aten._unique": "`unique()`",
    "aten.unique_consecutive": "`unique_consecutive()`",
    "aten.masked_select": "`masked_select`",
    "aten.unique_dim": "`unique(dim=…)`",
    "aten.repeat_interleave.Tensor": "`repeat_interleave`",
}
"""What people write who get these operators."""


def _dynamic_shape(told: _Break) -> Reason:
    operator = _operator(told)
    if operator == "aten.repeat_interleave.Tensor":
        advice = "Pass `output_size=` (a Python int: the sum of the repeats), or repeat by one Python int."
    elif "unique" in operator:
        advice = "Call it outside the compiled code."
    else:
        advice = "Keep the size fixed: `torch.where` or a multiplication by the mask instead of selecting by it."
    return Reason(
        f"the size of the result of {_WRITTEN_AS.get(operator, f'`{operator}`')} depends on the values of a tensor",
        advice,
    )


def _data_dependent(told: _Break) -> Reason:
    operator = _operator(told)
    if operator == "aten._local_scalar_dense":
        words = (
            "the value of a tensor (or of a NumPy array) is needed as a Python number (`.item()`, `int()`, an index, "
            "a size or a bound)"
        )
    else:
        words = f"`{operator}` reads a tensor's value back into Python"
    return Reason(words, "Keep the value a tensor, or read it outside the compiled code.")


def _backend(told: _Break) -> Reason | None:
    """What no rule of Dynamo's forbids, and the backend cannot compile for all that."""
    found = re.search(r"compiler `?([\w.]+)`? failed with (aten\.\w+)", told.said)
    if found is None:
        return None
    if found[2] == "aten.nonzero":
        # A write by a mask has no size that depends on data; the gradient of what is written has one.
        return Reason(
            f"the backend `{found[1]}` cannot compile something whose size depends on the data, as the backward pass "
            "of `x[mask] = value` is where `value` requires a gradient",
            "Write `x = torch.where(mask, value, x)`, with `mask[:, None]` for a mask of rows; for one value each, "
            "`x.masked_scatter(mask, values)`.",
        )
    if found[2] == "aten._local_scalar_dense":
        return Reason(
            f"the backend `{found[1]}` cannot compile what needs the value of a tensor as a Python number, as an index "
            "without dimensions does that the graph is given",
            "Give the index one dimension: `x[t.reshape(1)]`, or `x.index_select(0, t.reshape(1))`.",
        )
    return None


def _skipped(told: _Break) -> Reason | None:
    found = re.search(r"module: ([\w.]+|<unknown module>), qualname: ([\w.<>]+)", told.context)
    if found:
        # `_warnings` is how C calls what people import as `warnings`.
        known = found[1].lstrip("_")
        known = known if known in sys.stdlib_module_names else found[1]
        module = "" if known in ("builtins", "None", "<unknown module>") else f"{known}."
        return Reason(f"`{module}{found[2]}` is a function that Dynamo does not trace")
    found = re.search(r"(?:function|callable) `?<?(?:(?:built-in )?(?:function|method) )?([\w.]+)", told.said)
    return Reason(f"`{found[1]}` is a function that Dynamo does not trace") if found else None


def _disabled(told: _Break) -> Reason:
    found = re.search(r"<(?:bound method|function) ([\w.<>]+)", told.said)
    name = f"`{found[1].removesuffix('>')}`" if found else "a function"
    return Reason(
        f"{name} is kept out of compilation by `torch.compiler.disable`",
        "If that is on purpose, accept the break here, or call it before or after the compiled part.",
    )


def _logged(told: _Break) -> Reason:
    found = re.search(r">\.(\w+), args", told.context)
    return Reason(f"`Logger.{found[1]}` is called" if found else "a method of a `Logger` is called")


_OF_NUMBERS = re.compile(
    r"unsupported operand type\(s\) for (?:divmod\(\): '(?:int|float)'|%: 'str') and '(?:int|float)'"
)
"""What Python never says of numbers: they are sizes that vary."""


def _raised(told: _Break) -> Reason:
    found = re.search(r"raised exception (.+)", told.context)
    return Reason(
        "while tracing, an exception came up that the code does not catch" + (f": {_cut(found[1])}" if found else ""),
        'Dynamo cannot do this with a size that varies: write `n // k, n % k` for `divmod(n, k)`, `"{}".format(n)` for '
        '`"%d" % n`.'
        if found and _OF_NUMBERS.search(found[1])
        else "Check before the compiled call, or return a flag: code that raises runs without Dynamo.",
    )


def _numpy(told: _Break) -> Reason | None:
    found = re.search(r"numpy function: <(?:ufunc '|function |built-in function )(\w+)", told.context)
    if drawn := re.search(r"numpy function: <(?:bound|built-in) method (?:\w+\.)*(\w+) of ", told.context):
        return Reason(
            f"Dynamo cannot trace NumPy's `{drawn[1]}`, a method of its random generator",
            "Draw with torch (`torch.rand`, `torch.distributions`), or outside the compiled code.",
        )
    if found is None:
        return None
    return Reason(
        f"Dynamo cannot trace NumPy's `{found[1]}`", "Use an operator of torch, or call it outside the compiled code."
    )


def _no_tensor(told: _Break) -> Reason | None:
    found = re.search(r"example_value type: (\w+);.* target: <(?:built-in )?(?:function|method) (\w+)", told.context)
    return Reason(f"`{found[2]}` returns a `{found[1]}`, and no tensor") if found else None


def _fake(told: _Break) -> Reason | None:
    if re.search(r"select\(\): argument 'input'.* must be Tensor, not ndarray", told.context):
        return Reason(
            "an array of NumPy is indexed by a number that varies",
            "Make the array a tensor (`torch.from_numpy(array)`), or index it outside of the compiled code.",
        )
    found = re.search(r">: (\S.*)", told.context, re.DOTALL)
    return Reason(f"an operator cannot be called like this: {_cut(' '.join(found[1].split()))}") if found else None


def _of_autograd_class(told: _Break) -> Reason | None:
    found = re.search(r"GetAttrVariable\(AutogradFunctionVariable\(\), (\w+)\)", told.context)
    if found is None:
        return None
    return Reason(
        f"`{found[1]}`, an attribute of a `torch.autograd.Function` class, is used in the compiled code",
        "Keep it elsewhere: a global, or an attribute of another object, is traced.",
    )


def _skipped_of_old(told: _Break) -> Reason | None:
    found = re.match(r"'?skip function (\S+) in file", told.title)
    if found is None:
        return None
    if found[1] == "graph_break":
        return _ASKED_FOR
    return Reason(
        f"`{found[1]}` is a function that Dynamo does not trace", f"Call `{found[1]}` outside the compiled code."
    )


def _with_of_old(told: _Break) -> Reason | None:
    found = re.match(r"\w+ UserDefinedObjectVariable\((\w+)\)", told.title)
    return Reason(f"a `with` block over a `{found[1]}`, which Dynamo does not trace") if found else None


_GENERATOR = Reason(
    "a generator function is what is compiled, and Dynamo traces none",
    "Compile the function that consumes it, or return a list.",
)
_NOTHING_TRACED = Reason(
    "its first call had no tensor operation, and Dynamo leaves it out from then on",
    "Decide outside of the compiled function whether there is work to do, or make the first call one that does it.",
)
_NEVER_ASKED = Reason(
    "it was called, and Dynamo was not asked: a dispatch mode (`FlopCounterMode` is one) or a switch was on",
    "Call it outside of `TorchDispatchMode`s, and without what turns compiling off (a stance, `torch._dynamo.config`).",
)
_UNDER_TRANSFORM = Reason(
    "it is called inside a transform of `torch.func` (`vmap`, `grad` …), where Dynamo compiles nothing",
    "Compile the transformed function, not the one that is transformed: `torch.compile(torch.vmap(f))`.",
)
_KEPT_GENERATOR = Reason(
    "a generator, as `model.parameters()` is one, is not gone through yet where the graph breaks",
    "Make it a list: `list(model.parameters())`.",
)


_ITERATOR = re.compile(r"\b(?:\w*iterator|zip|enumerate|map|filter|chain|islice)\b")
"""What Python's own iterators are called: `dict_valueiterator`, `list_reverseiterator`."""


def _outer_iterator(told: _Break) -> Reason | None:
    if _ITERATOR.search(told.said):
        return Reason(
            "an iterator that was made outside of the compiled code is advanced in it, as that of a comprehension is "
            "where Dynamo dropped the function around it",
            "Mend the break that dropped that function; of an iterator of your own, pass the list.",
        )
    if "generator" in told.said or "generator" in told.context:
        return Reason(
            "a generator that was made outside of the compiled code, as `model.parameters()` is one, is gone through",
            "Pass a list: `list(model.parameters())`.",
        )
    return None


_ASKED_FOR = Reason(
    "`torch._dynamo.graph_break()` asks for it",
    "Remove the call; where it is a library's own (that of an optimizer's step, for one), "
    "call the library outside the compiled code.",
)


def _made_alone(told: _Break) -> Reason:
    """Dynamo's own hint, to call `super().__init__()`, stands at that very call."""
    found = re.search(r"of type (?:<class ')?([\w.]*\w)", told.said)
    what = f"`{found[1].rpartition('.')[2]}`" if found else "a module"
    return Reason(
        f"the `__init__` of {what} is compiled by itself, as what makes the module broke before, and there it has no "
        "`_parameters` yet",
        "Make the module once, outside the compiled code, and only call it there; or mend the break before it.",
    )


_TITLES: tuple[tuple[str, Callable[[_Break], Reason | None]], ...] = (
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
    (r"logging\.Logger method", _logged),
    (r"Failed to trace builtin operator|Unsupported builtin", _builtin),
    (r"Dynamic shape operator|Dynamic slicing", _dynamic_shape),
    (r"Data dependent operator", _data_dependent),
    (r"Backend compiler exception", _backend),
    (r"Attempted to call function marked as skipped", _skipped),
    (r"Skip calling `torch\.compiler\.disable|Skip inlining `torch\.compiler\.disable", _disabled),
    (r"Call to `torch\._dynamo\.graph_break", lambda told: _ASKED_FOR),
    (r"Observed exception|Unhandled exception", _raised),
    (r"Attempt to trace generator|generator$", lambda told: _GENERATOR),
    (r"Unsupported functorch tracing attempt", lambda told: _UNDER_TRANSFORM),
    (r"Called, and never compiled", lambda told: _NEVER_ASKED),
    (r"No ops traced", lambda told: _NOTHING_TRACED),
    (r"Generator reconstruction with mutations", lambda told: _KEPT_GENERATOR),
    (r"(?i)missing tp_iter(next)?$", _outer_iterator),
    (r"attempted to trace numpy function unsupported", _numpy),
    (r"torch\.\* op returned non-Tensor", _no_tensor),
    (r"Uninitialized nn\.Module", _made_alone),
    (r"Unsupported python_type\(\) call", _of_autograd_class),
    (r"TypeError when making fake tensor call", _fake),
    (r"'?skip function ", _skipped_of_old),
    (r"(BEFORE|SETUP)_WITH ", _with_of_old),
)
"""By the beginning of Dynamo's type, as torch 2.7 to 2.13 spell it, and where it differs as 2.5 does."""
