"""What Dynamo says of a failed guard, read.

The texts are those behind `TORCH_LOGS=recompiles` (measured on torch 2.13; the forms of 2.5 to 2.12 that
differ are read, too): one text per cache entry that did not fit, the newest entry first.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from compilelint.report.stack import StackFrame
from compilelint.runtime.words.guard_values import plain_items

_ENTRY = re.compile(r"^\s*(?P<entry>(?:!\d+/)?\d+/\d+): ")
_STACK = re.compile(r"\n[\s-]*User stack trace:.*", re.DOTALL)
_FRAME = re.compile(r'File "(?P<path>[^"\n]+)", line (?P<line>\d+), in (?P<function>[^\n]+)')
_HINT = re.compile(r"\s+\(HINT: (?P<hint>.*?)\)\s*$", re.DOTALL)
_COMMENT = re.compile(r"\s{2,}# .*", re.DOTALL)
_ASKED = re.compile(r"  # (?P<source>\S.*?)\s+# \S*?(?P<file>[^\s/\\]+:\d+) in \S+ \([^()\s]+:\d+ in \w+\)")
"""What Dynamo adds where a number or a size that might vary was settled: the line that asked for its value."""
_OF_PARAMETER = re.compile(r"\. Guard failed on a parameter, .*", re.DOTALL)
_LOCAL = re.compile(r"\bL\['(\w+)'\]")
_CHILD = re.compile(r"\.(?:__dict__\['_(?:modules|parameters|buffers)'\]|_(?:modules|parameters|buffers))\['([^']+)'\]")
_HELD = re.compile(r"\.__dict__\['([A-Za-z_]\w*)'\]")
_IDENTITY = re.compile(r"(?<=, )\d{6,}(?=\))")
_OF_ARRAY = "___from_numpy("
_COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_ADDRESS = re.compile(r" at 0x[0-9a-f]+| \(id=0x[0-9a-f]+\)")
_NO_NAME = re.compile(r"___\w+\b(?!\()")
"""A name of Dynamo's for a value; before a bracket it is that of a function of Dynamo's."""
_NAMELESS = re.compile(r"(?:___stack\d+|__resume_\w+)(?P<attribute>(?:\.[A-Za-z_]\w*)+)")
"""An attribute of an object that lies on the stack where a graph broke, as `self` does in `self.seen += broken(x)`."""
_PART_ITSELF = "in torch_dynamo_resume_in_"
"""Ends the line of source behind a guard, where that is of the part after a break, and not of what it calls."""
_PYTHON = frozenset(
    {"value", "none", "not-none", "made", "gone", "type", "object", "length", "keys", "key-added", "key-lost", "empty"}
)
"""Causes that are about what Python code keeps in an object; a tensor in it may be what the break handed on."""
_BESIDES = re.compile(r"(?<=\.) If this is unexpected, .*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class GuardFailure:
    """One condition of compiled code that did not hold."""

    cause: str
    """What kind of thing changed: `size`, `value`, `object` …; `condition` where it is none of the known."""
    subject: str
    """What changed, by the guard's own name for it."""
    condition: str
    """The guard, without what differs from one run to the next."""
    old: str = ""
    new: str = ""
    """Before and now, where the text says so."""
    index: str = ""
    """The dimension, for sizes and strides."""
    hint: str = ""
    """What Dynamo adds to the guard in brackets."""
    entry: str = ""
    """The compile id of the code that did not fit."""
    asked: str = ""
    """The line that asked for the value of a number or a size that might vary, where the text says so."""
    stack: tuple[StackFrame, ...] = ()
    """Where the compiled code uses the value, where the text says so."""
    resumed: bool = False
    """The compiled code is the part of a function after a break: what is passed to it are its variables."""

    closed_over: bool = False
    """It is a variable of a function around this one."""
    static: bool = False
    """It was compiled with `dynamic=False`: no size and no number ever becomes one that may vary."""
    varying: bool = False
    """It was compiled with `dynamic=True`: each size may vary from its first value on."""
    parameter: bool = False
    """The tensor is an `nn.Parameter`, of which Dynamo lets no size vary, wherever it comes from."""
    owner: str = ""
    """The class of what is compiled, where all that was compiled before is of other objects of it."""
    array: bool = False
    """The program holds an array of NumPy, of which Dynamo makes the tensor that it guards."""
    forbidden: bool = False
    """It was not compiled again, so nothing got to vary: the program had forbidden it."""

    @property
    def is_handed_on(self) -> bool:
        """It has only a name of Dynamo's: a value that the part after a break gets from the part before it."""
        # `__import___main__` is the name of a module: that of the program itself.
        subject = self.subject.replace("__import_", "")
        nameless = _NO_NAME.search(subject) is not None or subject.startswith("__resume_")
        return nameless and not (self.cause in _PYTHON and _NAMELESS.match(self.subject))

    @property
    def is_of_modes(self) -> bool:
        """It is about what holds around the call: gradients, autocast."""
        return self.cause in ("state", "modes")

    @property
    def topic(self) -> tuple[str, str, str]:
        """Failures of one topic have one cause."""
        return self.cause, self.subject, self.index


def parse(text: str) -> GuardFailure:
    """The guard that one text is about; text of an unknown form stays as it is, with cause `condition`."""
    entry = _ENTRY.match(text)
    body = _STACK.sub("", text[entry.end() :] if entry else text).strip()
    hint = _HINT.search(body)
    said = _COMMENT.sub("", body[: hint.start()] if hint else body).strip() or body.partition("\n")[0]
    said, of_parameter = _OF_PARAMETER.subn("", _BESIDES.sub("", said))
    guard = _ADDRESS.sub("", _IDENTITY.sub("…", _spelled(said)))
    found = next((made for pattern, cause in _FORMS if (made := _matched(pattern, cause, guard))), None)
    if found is None or found.cause in ("value", "shape-condition"):
        found = _calculated(guard) or found
    failure = found or GuardFailure("condition", guard, guard)
    stack = _STACK.search(text)
    asked = _ASKED.search(body)
    return replace(
        _found_in_source(failure, body),
        condition=guard,
        hint=hint["hint"] if hint else "",
        entry=entry["entry"] if entry else "",
        asked=f"`{asked['source']}` ({asked['file']})" if asked else "",
        stack=_frames(stack[0]) if stack else (),
        parameter=bool(of_parameter),
        array=_OF_ARRAY in said,
    )


def _found_in_source(failure: GuardFailure, body: str) -> GuardFailure:
    """By the name in the line of source that Dynamo shows, where that is the only one that ends so."""
    nameless = _NAMELESS.match(failure.subject)
    if nameless is None or failure.is_handed_on or _PART_ITSELF not in body or not (line := _COMMENT.search(body)):
        return failure
    written = set(re.findall(rf"(?<![\w.\])])[A-Za-z_]\w*{re.escape(nameless['attribute'])}\b", line[0]))
    if len(written) != 1:
        return failure
    return replace(failure, subject=written.pop() + failure.subject[nameless.end() :])


def values_of(failures: Iterable[GuardFailure]) -> tuple[str, ...]:
    """What the guarded value was, in the order in which it came: each value once."""
    return tuple(dict.fromkeys(value for each in failures for value in (each.old, each.new) if value))


@dataclass(frozen=True, slots=True)
class Blame:
    """Why none of the compiled versions of a function fitted."""

    failure: GuardFailure
    """What to blame."""
    position: int
    """Which of the texts says so."""
    others: tuple[GuardFailure, ...] = ()
    """Why the other versions did not fit."""


def blamed(texts: Sequence[str]) -> Blame | None:
    """The failure to blame for a recompile: that of the code that was called last.

    It comes first in the list, and is mostly the newest, which had adapted to what came before.

    The mode (grad mode, autocast …) is looked at before all else: code that failed for something else was made for the
    present one, and would have served. The backend is looked at last: all else fits where it differs.
    """
    failures = [(position, parse(text)) for position, text in enumerate(texts) if text.strip()]
    if not failures:
        return None
    fitting = (each for each in failures if each[1].cause == "backend")
    position, first = next(fitting, next((each for each in failures if not each[1].is_of_modes), failures[0]))
    others = tuple(each for at, each in failures if at != position)
    if first.cause == "small-size" and not first.new:
        # The guard `2 <= size` does not say what the size is now; what older code said does.
        now = [each.new for each in others if each.topic == ("size", first.subject, first.index)]
        first = replace(first, new=now[0] if now else "")
    return Blame(first, position, others)


def _frames(text: str) -> tuple[StackFrame, ...]:
    return tuple(
        StackFrame(found["path"], int(found["line"]), found["function"].strip()) for found in _FRAME.finditer(text)
    )


def _spelled(guard: str) -> str:
    """The guard with values called as the program calls them."""
    guard = _LOCAL.sub(r"\1", guard)
    guard = _CHILD.sub(lambda child: f"[{child[1]}]" if child[1].isdigit() else f".{child[1]}", guard)
    guard = plain_items(_HELD.sub(r".\1", guard))
    return re.sub(r"___from_numpy\((\w+)\)", r"\1", guard)


def _matched(pattern: re.Pattern[str], cause: str, guard: str) -> GuardFailure | None:
    found = pattern.fullmatch(guard)
    if found is None:
        return None
    parts = {name: value.strip() for name, value in found.groupdict().items() if value is not None}
    subject = ".".join(filter(None, (parts.pop("subject", guard), parts.pop("attribute", ""))))
    old, new, index = (parts.get(name, "") for name in ("old", "new", "index"))
    return GuardFailure(cause, subject, guard, old, new, index)


def _calculated(guard: str) -> GuardFailure | None:
    """A condition on numbers or sizes that Dynamo keeps symbolic; None for the rest, as `n == 3`."""
    try:
        test = ast.parse(guard, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(test, ast.Compare) or not all(isinstance(each, _COMPARISONS) for each in test.ops):
        return None
    equal = len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)
    numbers = list(dict.fromkeys(_numbers(test)))
    named = isinstance(test.left, (ast.Name, ast.Attribute, ast.Subscript)) and _size(test.left) is None
    if not numbers or (equal and named):
        return None
    subject, index = numbers[0]
    if len(numbers) > 1:
        return GuardFailure("sizes" if any(index for _, index in numbers) else "numbers", subject, guard)
    if index and f"{subject}.stride()" in guard:
        return GuardFailure("sizes", subject, guard)
    if equal and index and _size(test.left) and isinstance(test.comparators[0], ast.Constant):
        return GuardFailure("size", subject, guard, old=ast.unparse(test.comparators[0]), index=index)
    return GuardFailure("size-condition" if index else "number-condition", subject, guard, index=index)


def _numbers(node: ast.AST) -> Iterator[tuple[str, str]]:
    """What a condition calculates with: a variable, or a tensor and the index of the dimension."""
    if isinstance(node, ast.expr) and (size := _size(node)) is not None:
        yield size
    elif isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
        yield ast.unparse(node), ""
    elif isinstance(node, ast.Call):
        for each in node.args:
            yield from _numbers(each)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _numbers(child)


def _size(node: ast.expr) -> tuple[str, str] | None:
    """Tensor and dimension of `x.size()[0]` or `x.stride()[0]`."""
    match node:
        case ast.Subscript(
            value=ast.Call(func=ast.Attribute(value=tensor, attr="size" | "stride"), args=[]),
            slice=ast.Constant(value=index),
        ):
            return ast.unparse(tensor), str(index)
    return None


_SUBJECT = r"(?P<subject>.+?)"
_FORMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.DOTALL), cause)
    for pattern, cause in (
        (
            rf"tensor '{_SUBJECT}' size mismatch at index (?P<index>\d+)\. "
            r"expected (?P<old>.+), actual (?P<new>.+)",
            "size",
        ),
        (
            rf"tensor '{_SUBJECT}' stride mismatch at index (?P<index>\d+)\. "
            r"expected (?P<old>.+), actual (?P<new>.+)",
            "stride",
        ),
        # What checking the guard raised: which value it read, the text does not tell.
        (r"'(?P<new>\w+)' object has no attribute '(?P<index>\w+)'", "unreadable"),
        (rf"tensor '{_SUBJECT}' rank mismatch\. expected (?P<old>\d+), actual (?P<new>\d+)", "rank"),
        (rf"tensor '{_SUBJECT}' dtype mismatch\. expected (?P<old>\w+), actual (?P<new>\w+)", "dtype"),
        (
            rf"tensor '{_SUBJECT}' requires_grad mismatch\. expected requires_grad=(?P<old>\d).*",
            "requires-grad",
        ),
        (
            rf"tensor '{_SUBJECT}' dispatch key set mismatch\. expected (?P<old>.+\)), actual (?P<new>.+\))",
            "dispatch",
        ),
        (rf"tensor '{_SUBJECT}' [Tt]ensor device index mismatch.*", "dispatch"),
        (rf"expected type of '{_SUBJECT}' to be a tensor type,.*but found (?P<new>.+)", "tensor-type"),
        (r"2 <= (?P<subject>.+?)\.size\(\)\[(?P<index>\d+)\]", "small-size"),
        (rf"{_SUBJECT} is None", "none"),
        (rf"{_SUBJECT} is not None", "not-none"),
        (rf"___check_type_id\({_SUBJECT}, […\d]+\)(?:, type=<class '(?P<old>.+)'>)?", "type"),
        (rf"___check_obj_id\({_SUBJECT}, […\d]+\)(?:, type=<class '(?P<old>.+)'>)?", "object"),
        (rf"len\({_SUBJECT}\) == (?P<old>\d+)", "length"),
        (rf"len\({_SUBJECT}\) != (?P<old>\d+)", "length"),
        (rf"___tuple_iterator_len\({_SUBJECT}\) == (?P<old>\d+)", "length"),
        (rf"list\((?:dict\.keys\()?{_SUBJECT}\)?\)\[\d+\] == (?P<old>.+)", "keys"),
        (rf"list\((?:dict\.keys\()?{_SUBJECT}(?:\.keys\(\))?\)?\) == (?P<old>.+)", "keys"),
        (rf"not ___dict_contains\((?P<new>.+), {_SUBJECT}\)", "key-added"),
        (rf"not (?:set|dict)\.__contains__\({_SUBJECT}, (?P<new>.+)\)", "key-added"),
        (rf"___dict_contains\((?P<old>.+), {_SUBJECT}\)", "key-lost"),
        (rf"(?:set|dict)\.__contains__\({_SUBJECT}, (?P<old>.+)\)", "key-lost"),
        (r"GLOBAL_STATE changed: (?P<subject>.+)", "state"),
        (r"___check_torch_function_mode_stack\(\)", "modes"),
        (r"Duplicate tensors? found: \[?(?P<subject>[^\]]+)\]?", "aliased"),
        (r"Cache line invalidated because (?P<subject>.+?) got deallocated.*", "freed"),
        (r"(?:BACKEND_MATCH failure|___skip_backend_check|___check_current_backend|___needs_).*", "backend"),
        (rf"{_SUBJECT}\.item\(\) == (?P<old>.+)", "tensor-value"),
        (r"(?=.*\.(?:size|stride|storage_offset)\(\))(?P<subject>.+)", "shape-condition"),
        (r"(?P<old>[\w.\[\]']+) is (?P<subject>[\w.\[\]']+)", "not-aliased"),
        (rf"(?:KeyError|IndexError|getattr failed) on (?:source )?{_SUBJECT}", "missing"),
        (r"Unexpected recompilation: .*", "unexplained"),
        (rf"not hasattr\({_SUBJECT}, '(?P<attribute>\w+)'\)", "made"),
        (rf"hasattr\({_SUBJECT}, '(?P<attribute>\w+)'\)", "gone"),
        (rf"not {_SUBJECT}", "empty"),
        (rf"{_SUBJECT} == (?P<old>.+)", "value"),
    )
)
"""The first form that fits a whole guard names its cause; from torch/_dynamo/guards.py and its guards.cpp."""
