"""What to do where a number, a text or another plain value has changed, for which the code was compiled."""

from __future__ import annotations

import re
from collections.abc import Callable

from compilelint.runtime.words.guard_names import (
    class_of,
    is_argument,
    is_default,
    is_of_another_kind,
    is_of_closure,
    literal_kind,
)
from compilelint.runtime.words.guards import GuardFailure

_OF_LEARNING_RATE = (
    "Give the optimizer a tensor, one for each group of parameters (`lr=torch.tensor(0.1)`), and change it in place "
    "with `fill_`."
)
_OF_OPTION = (
    "The optimizer, or who schedules it, writes a new number in each step, and each is a graph of its own. Step it "
    "without torch.compile, or let it keep a tensor there and change that in place."
)
_OF_COUNT = (
    "The optimizer counts there. Once is normal: from its second value on, Dynamo lets an int or a float vary where it "
    "can. If it goes on, let it keep a tensor there and change that in place, or step it without torch.compile."
)
_OF_FLOAT_ATTRIBUTE = (
    "Once is normal: from its second value on, Dynamo lets a float vary where it can. If it goes on, an operator wants "
    "the number itself (`dropout`, `bernoulli_`, `clamp`, `lerp`, `add(alpha=…)`). If it differs from module to "
    "module, compile what holds them all: there each is a constant of one graph. If it changes with time, compute with "
    "a tensor of it."
)
ASKED = (
    "What asks this of a number or a size (a branch, or an operator) makes one graph per answer: decide outside "
    "the compiled code, or pad."
)
OF_ASKED = (
    "From its second value on, Dynamo lets an int or a float vary, but {asked} asks for the value itself, so that each "
    "is a graph of its own. Give it a tensor where it takes one (`torch.tensor(value)`); else do that outside of the "
    "compiled code; of a loop, compile one round."
)
_OF_DEFAULT = (
    "An int that is the default of an argument is a constant to Dynamo, and each is a graph of its own. Let the "
    "function close over a variable of the function around it (`lambda v: v * k`), where an int varies from its second "
    "value on, or make it a tensor (`k=torch.tensor(k)`)."
)
_OF_HANDED_FUNCTION = (
    "Once is normal: from its second value on, Dynamo lets a number vary that a function holds which is handed on. If "
    "it goes on, something asks for the value itself (`range`, a branch, a size): keep that out of the compiled code, "
    "or pass a tensor."
)
_OF_SET = (
    "Each set is a graph of its own, whatever is asked of it: fine for two or three. Else ask it outside of the "
    "compiled code, or pass a tensor that is made of it (`mask[list(chosen)] = True`)."
)
_EQUAL_TO_FLOAT = re.compile(r"== -?\d+\.\d")
_OF_OPTIMIZERS = ("param_groups[", ".state[list(dict.keys(")
"""What the name of a number that an optimizer keeps holds: in its options, or in the state of one of its tensors."""


def value_advice(failure: GuardFailure) -> str:
    subject, kind = failure.subject, literal_kind(failure.old)
    if subject.endswith("training"):
        return "One graph for training and one for evaluation is as it should be; more are not."
    if failure.new == "None":
        return "One graph with a value and one without is normal; to have only one, always pass one."
    if is_of_another_kind(failure):
        return kept_or("One graph for each kind is normal; to have only one, always pass the same kind.")(failure)
    if "param_groups" in subject and kind == "float":
        return _OF_LEARNING_RATE if subject.endswith("['lr']") else _OF_OPTION
    if kind in ("int", "float") and any(part in subject for part in _OF_OPTIMIZERS):
        return _OF_COUNT
    if kind in ("int", "float") and failure.resumed and not subject.startswith("self."):
        return (
            "The part of the function after a graph break depends on it: mend that break first. Once is normal: from "
            "its second value on, Dynamo lets an int or a float vary where it can."
        )
    if kind in ("bool", "str"):
        return "Each value is a graph of its own: fine for two or three, else decide outside the compiled code."
    if kind == "int" and is_default(subject):
        return _OF_DEFAULT
    if kind in ("int", "float") and (is_default(subject) or is_of_closure(subject)):
        return _OF_HANDED_FUNCTION
    if kind in ("int", "float") and not subject.startswith("self.") and not is_argument(subject):
        return "Set it once, before the first compiled call, or keep it in a tensor."
    if kind == "int" and subject.startswith("self."):
        return (
            "If it counts calls, count outside the compiled code, or keep the number in a tensor: a buffer that is "
            "changed in place does not recompile. If it differs from module to module, each value is a graph of its "
            "own."
        )
    if kind == "float" and subject.startswith("self."):
        return _OF_FLOAT_ATTRIBUTE
    if kind in ("int", "float"):
        return (
            "Once is normal: from its second value on, Dynamo lets an int or a float vary where it can "
            "(`dynamic=True`: from the first). If it goes on, an operator wants the number itself (`clamp`, `lerp`, "
            "`add(alpha=…)`), and gets a graph per value from Inductor: pass a tensor (`torch.tensor(value)`), and for "
            "`add(y, alpha=value)` write `x + value * y`."
        )
    if subject.startswith("self.") and class_of(failure.old) == class_of(failure.new) == "tuple":
        return (
            "Each value is a graph of its own: fine for two or three. If it differs from module to module, compile "
            "what holds them all: there each is a constant of one graph."
        )
    return _OF_SET if class_of(failure.old) in ("set", "frozenset") else ""


def asked_of_number(failure: GuardFailure) -> str:
    """Advice where a condition on a number holds no more: to be equal to one is how an operator holds a float."""
    is_held_float = failure.subject.startswith("self.") and _EQUAL_TO_FLOAT.search(failure.condition)
    return _OF_FLOAT_ATTRIBUTE if is_held_float else ASKED


def kept_or(text: str) -> Callable[[GuardFailure], str]:
    """Advice for what is passed; what the module keeps, its own code has set."""
    kept = (
        "What the first calls find in the attribute is of another kind than what they leave there: one more graph. "
        "Make it in `__init__` as it will be."
    )
    return lambda failure: kept if failure.subject.startswith("self.") else text


def of_set_or(text: str) -> Callable[[GuardFailure], str]:
    """Advice where something is in a container or no longer: of a set that is passed all of it is guarded besides."""

    def advice(failure: GuardFailure) -> str:
        is_passed = not failure.subject.startswith(("self.", "G["))
        return _OF_SET if is_passed and "set.__contains__(" in failure.condition else text

    return advice
