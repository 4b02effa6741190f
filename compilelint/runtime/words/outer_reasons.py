"""What breaks the graph of an object that was made outside of the compiled code, of which Dynamo knows no more."""

from __future__ import annotations

import re

from compilelint.runtime.dynamo.told import Reason, Told

ITERATOR = re.compile(r"\b(?:\w*iterator|zip|enumerate|map|filter|chain|islice)\b")
_VIEW = re.compile(r"\b(?:o?dict)_(values|items)\b")


def iterator(told: Told) -> Reason | None:
    if ITERATOR.search(told.said):
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
    return view(told)


def view(told: Told) -> Reason | None:
    """The values or items of a dict that are kept for themselves: its keys Dynamo knows."""
    found = _VIEW.search(told.said)
    if found is None:
        return None
    return Reason(
        f"what `.{found[1]}()` of a dict gave outside of the compiled code is used in it",
        f"Keep the dict, or a list: `list(d.{found[1]}())`.",
    )


def function_object(told: Told) -> Reason | None:
    """Dynamo stumbles in `apply` itself, over a method that it does not find on the object."""
    if "GetAttrVariable(AutogradFunctionVariable(), setup_context)" not in told.context:
        return None
    return Reason(
        "`apply` of an object of a `torch.autograd.Function` is called that was made outside of the compiled code",
        "Call `apply` of the class: an object of it holds nothing that is needed.",
    )


def of_super(told: Told) -> Reason | None:
    """Python says this of a property only where a class is asked for it, which nobody does in a loop."""
    if "'property'" not in told.context:
        return None
    return Reason(
        "a property of a base class is used that was read by `super()`: Dynamo takes it for the property itself",
        "Let the property call a method, and override that: `super().method()` is traced.",
    )
