"""What a reader of the source calls the value that a guard is about."""

from __future__ import annotations

import re

from compilelint.runtime.words.guards import GuardFailure

_GLOBAL = re.compile(r"\bG\['(\w+)'\]")
_ARGUMENT = re.compile(r"(?!G\[)\w+(?:\[(?:\d+|'\w+')\])?")
_DEFAULT = re.compile(r"(\w+)\.__(?:kw)?defaults__\[(?:\d+|'\w+')\]")
_ON_STACK = re.compile(r"(?:___stack\d+|__resume_\w+)\.(?=[A-Za-z_])")
_BOUND = re.compile(r"^fn\.__self__(?=\.)")
"""Of a method that Dynamo runs through a function of its own, `fn(*args, **kwargs)`."""
COMPREHENDED = ".0"
"""The one argument of a comprehension, which is compiled by itself where the graph breaks in it."""
_BY_PLACE = re.compile(r"\[list\((?:dict\.keys\([\w.\[\]]+\)|[\w.\[\]]+\.keys\(\))\)\[\d+\]\]")


_OF_HOOK = re.compile(rf"([\w.\[\]]+)\._forward_(?:pre_)?hooks{_BY_PLACE.pattern}\.__closure__\[\d+\]\.cell_contents")


def spelled(subject: str) -> str:
    """A guard's name for a value without what is Dynamo's own in it: globals, modules that it imports, and places.

    What it reads by its place among the keys, as an optimizer's state of a parameter, has no key to tell.
    """

    def name(found: re.Match[str]) -> str:
        return found[1].removeprefix("__import_").replace("_dot_", ".") if "__import_" in found[1] else found[1]

    return _GLOBAL.sub(name, _BY_PLACE.sub("[…]", _BOUND.sub("self", _ON_STACK.sub("", subject))))


def attribute_added(failure: GuardFailure) -> str:
    """The attribute that an object has of its own now, where that of its class was read before; empty for all else."""
    holder, dot, rest = failure.subject.rpartition(".")
    is_attribute = failure.cause == "key-added" and dot and rest == "__dict__"
    return f"{holder}.{failure.new.strip(chr(39))}" if is_attribute else ""


def named(failure: GuardFailure) -> str:
    """What a failure is about, as a reader of the source knows it."""
    subject = failure.subject
    if subject == COMPREHENDED:
        return "what a comprehension goes through"
    if _GLOBAL.match(subject):
        return f"`{spelled(subject)}`" if "__import_" in subject else f"global `{spelled(subject)}`"
    if failure.is_handed_on:
        return "a value that is handed on where the graph breaks"
    if nameless := _ON_STACK.match(subject):
        return f"`{spelled(subject[nameless.end() :])}` of an object that is handed on where the graph breaks"
    if cell := re.match(r"(\w+)\.__closure__\[\d+\]\.cell_contents", subject):
        return f"a variable that `{cell[1]}` closes over"
    if default := _DEFAULT.fullmatch(subject):
        return f"the default of an argument of `{default[1]}`"
    if hook := _OF_HOOK.match(subject):
        return f"a variable that a forward hook of `{hook[1]}` closes over"
    if not subject.isidentifier():
        return f"`{_BY_PLACE.sub('[…]', _BOUND.sub('self', subject))}`"
    sort = "closure variable" if failure.closed_over else "variable" if failure.resumed else "argument"
    return f"{sort} `{subject}`"


def is_default(subject: str) -> bool:
    """Whether a function that is handed on holds the value as the default of an argument: `lambda v, k=k: v * k`."""
    return _DEFAULT.fullmatch(subject) is not None


def is_of_closure(subject: str) -> bool:
    """Whether a function that is handed on closes over the value."""
    return subject.endswith(".cell_contents")


def is_held(subject: str) -> bool:
    """Whether an object holds the value as an attribute: `self.grid[0]`, `batch.mask`."""
    return "." in _BY_PLACE.sub("", subject)


def is_argument(subject: str) -> bool:
    """Whether this is a variable, or an item of `args` or `kwargs`."""
    return _ARGUMENT.fullmatch(subject) is not None


def dimension(failure: GuardFailure) -> str:
    """The dimension of a tensor that a failure is about."""
    what = named(failure)
    return f"{what} dimension {failure.index}" if what.endswith("`") else f"dimension {failure.index} of {what}"


_PATH = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*|\[\d+\])*")
"""A name, its attributes and items: `batch.images[0]`."""


def passed(failure: GuardFailure) -> str:
    """How the caller is likely to call a tensor that is passed."""
    if key := re.fullmatch(r"(\w+)\['(\w+)'\]", failure.subject):
        # What `**kwargs` gather has the name that it is passed by; a table is passed as one.
        return key[2] if "kw" in key[1] else key[0]
    # Where an item of `*args` is passed, its own name is not known.
    is_path = _PATH.fullmatch(failure.subject) is not None and not failure.subject.startswith("args[")
    return failure.subject if is_path else "tensor"


def is_of_another_kind(failure: GuardFailure) -> bool:
    """Whether a number or a string was compiled in, and a tensor or another object came."""
    return bool(literal_kind(failure.old) and class_of(failure.new)) and not literal_kind(failure.new)


def literal_kind(literal: str) -> str:
    """bool, int, float or str, as Python writes them; empty for all else."""
    if literal in ("True", "False"):
        return "bool"
    for kind, pattern in (("int", r"-?\d+"), ("float", r"-?[\d.]+(?:e[-+]?\d+)?"), ("str", r"(['\"]).*\1")):
        if re.fullmatch(pattern, literal, re.DOTALL):
            return kind
    return ""


_TENSOR = re.compile(r"a [\w.]+ tensor of shape ")


def class_of(shown: str) -> str:
    """The class of a value, as far as what is shown of it tells (`guard_values.shown`), without its module."""
    if shown == "None":
        return "NoneType"
    if _TENSOR.match(shown):
        return "Tensor"
    if shown.startswith("a "):
        return shown[2:].rpartition(".")[2]
    if shown.startswith(("set(", "frozenset(")):
        return shown.partition("(")[0]
    return literal_kind(shown) or {"(": "tuple", "[": "list", "{": "set"}.get(shown[:1], "")
