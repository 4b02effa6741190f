"""Why a recompile limit is hit that several functions share, and what to do."""

from __future__ import annotations

from compilelint.report.stack import StackFrame, is_of_torch
from compilelint.runtime.events import LimitHit

_BY_TORCH = (
    "Dynamo counts its versions and those of all other functions that torch wraps (`torch.no_grad()` and the like "
    "above them, modules of torch.nn) together"
)
_OF_FUNCTIONS = (
    "Take the decorator off, and write `with torch.no_grad():` inside the function or around its call: then each "
    "function has versions of its own."
)
_OF_MODULES = (
    "Set `torch._dynamo.config.recompile_limit` to what all of them need together, or compile one function of yours "
    "that calls them."
)
_BY_DECORATOR = "Dynamo counts all functions under one decorator together, which share its wrapper's code: "
_OF_DECORATED = "Compile what the decorator is put around: `decorate(torch.compile(function))`."
_OF_TRANSFORMED = (
    "Compile, for each of them, a function of your own that calls the transform (`def f(x): return vmap(g)(x)`): its "
    "code is shared with nobody. Inside a transform of `torch.func` nothing compiled runs."
)
_BY_OBJECTS = "Dynamo counts the versions of all objects of a class together, here of "
OF_OBJECTS = (
    "Each object that differs in a size, or in what it holds, has a graph of its own, once. All of one class count "
    "toward `torch._dynamo.config.recompile_limit`: set that to as many as there are, or compile what calls them as a "
    "whole."
)
_TRANSFORMS = "torch/_functorch/"
_NAMED = 3


def shared(event: LimitHit, code: StackFrame) -> tuple[str, str] | None:
    """What functions share that came to the limit together, and what to do; None of one that came to it alone."""
    if event.wrapped:
        names = [each.partition("=")[2].rpartition(".")[2] for each in event.wrapped]
        return _BY_DECORATOR + _listed(names), _OF_TRANSFORMED if _TRANSFORMS in code.path else _OF_DECORATED
    if event.other_object:
        return f"{_BY_OBJECTS}`{event.other_object}`", OF_OBJECTS
    if event.shared:
        return _BY_TORCH, _OF_MODULES if is_of_torch(code) else _OF_FUNCTIONS
    return None


def variable(event: LimitHit) -> str:
    """By what name a wrapper calls the functions that came to the limit together; empty where there are none."""
    return event.wrapped[0].partition("=")[0] if event.wrapped else ""


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(f"`{each}`" for each in names[:_NAMED]) + more
