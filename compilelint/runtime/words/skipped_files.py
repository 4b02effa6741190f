"""Files of the user's own that Dynamo leaves out, because Python finds them under the name of a library."""

from __future__ import annotations

import re
from pathlib import PurePath

from compilelint.runtime.dynamo.told import Reason, Told

_SKIPPED = re.compile(r"qualname: (?P<name>[\w.<>]+).*skip reason: file is under skip directory \((?P<path>[^()]+)\)")
_OF_NOBODY = re.compile(r"[/\\](?:(?:site|dist)-packages|python3\.\d+|torch)[/\\]")
"""Installed packages and Python's own: those are the libraries that are meant."""


def own_file(context: str) -> tuple[str, str] | None:
    """The function that is left out and the file that it is in; None for all other breaks."""
    found = _SKIPPED.search(context)
    return (found["name"], found["path"]) if found and not _OF_NOBODY.search(found["path"]) else None


def explained(told: Told) -> Reason | None:
    found = own_file(told.context)
    if found is None:
        return None
    name, path = found
    return Reason(
        f"Dynamo leaves out `{name}` and all else in `{PurePath(path).name}`: it is found under the name of a library "
        "that it does not trace",
        "Give the file, or the folder it is in, another name than that of a library (`tree`, `tabulate`, `onnx`, "
        "`networkx`, `hypothesis`, `tensorrt` …): nothing in it is compiled.",
    )
