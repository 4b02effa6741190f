"""What the compiled code made and Dynamo cannot make again: where the graph breaks, or ends, it is to be handed on."""

from __future__ import annotations

import re

from compilelint.runtime.dynamo.told import Reason, Told
from compilelint.runtime.words import outer_reasons


def not_made_again(told: Told) -> Reason | None:
    """Dynamo blames the line on which the value is in use: what broke the graph is called there, or further on."""
    if outer_reasons.ITERATOR.search(told.context.lower()):
        what = "an iterator, as a comprehension or a loop has one under way"
    elif "LambdaVariable" in told.context:
        return Reason(
            "the graph breaks where something is in use of which Dynamo makes a function of its own, as of an "
            "`nn.CrossEntropyLoss()` that the compiled code makes: it cannot hand that on",
            "Make the loss outside of the compiled code, or call `F.cross_entropy`; and mend the break on this line.",
        )
    elif "WithExitFunctionVariable" in told.context:
        return Reason(
            "the graph breaks inside a `with` block whose end Dynamo cannot hand on",
            "Mend the break on this line, or do what breaks before the block or after it.",
        )
    elif told.context == "UserFunctionVariable()":
        return Reason(
            "the graph breaks or ends where an object is in use that the compiled code made, and that keeps a function "
            "which is the default of a parameter of its method: Dynamo cannot hand that on",
            "Name the function in the method (`self.act = tanh if act is None else act`), or give it where the object "
            "is made.",
        )
    elif method := re.search(r"UserMethodVariable\(<function ([\w.<>]+)", told.context):
        what = f"`{method[1]}`, a method of an object that the compiled code made"
    else:
        return None
    return Reason(
        f"the graph breaks or ends where {what}, is in use: Dynamo cannot hand that on",
        "Mend the break in what this line calls; of what is returned, return what it was made of (a list, the object).",
    )
