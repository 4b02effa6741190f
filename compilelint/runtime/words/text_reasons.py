"""What a text with a number in it comes to that was another one in an earlier call: Dynamo lets such a number vary."""

from __future__ import annotations

import re

from compilelint.runtime.dynamo.told import Reason, Told

FORMAT_CODE = re.compile(r"ValueError: Unknown format code '\w' for object of type 'str'")
"""What `f"{n:03d}"` raises within Dynamo, which takes the program down."""
FORMAT_CODE_ERROR = (
    'If the text is an f-string with a format code (`f"{n:03d}"`) for a number that is another one in each call: '
    'write `"{:03d}".format(n)`, which is traced, or make the text outside the compiled code.'
)
_OF_NUMBER = Reason(
    "an f-string holds a number that was another one in an earlier call, and varies since",
    'Write `"layer {}".format(n)`, which is traced, or make the text outside the compiled code. Where something is '
    "looked up by the text, pass what is found there, and not the number.",
)
_KEY_OF_SYMBOL = re.compile(r"raised exception KeyError\((['\"])(.*s\d{2,}.*)\1\)")


def of_number(told: Told) -> Reason | None:
    """Of an f-string, and of `"n" + f"{n}"`, whose second text is that number and no more."""
    if told.title.startswith("BUILD_STRING"):
        return _OF_NUMBER if "SymNodeVariable" in told.context else None
    return _OF_NUMBER if "concatenating 'str' and 'int'" in told.explanation else None


def of_key(told: Told) -> Reason | None:
    """Dynamo's symbol for a number (`s86`) stands in the text by which something is looked up."""
    found = _KEY_OF_SYMBOL.search(told.context)
    if found is None:
        return None
    return Reason(
        "something is looked up by a text that is made of a number that varies between calls, for which Dynamo puts "
        f"its symbol: it does not find `{found[2]}`",
        "Look it up outside the compiled code, and pass what is found there in place of the number.",
    )
