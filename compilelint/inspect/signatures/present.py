"""Which names every supported torch has: `hasattr(torch, "compile")` asks for one."""

from __future__ import annotations

import json
import pkgutil
from functools import cache

from compilelint.inspect.signatures.names import canonical


def is_in_every_torch(owner: str, name: str) -> bool:
    """Whether a module or class of torch, by its dotted name, has this name in every release that is supported.

    False is said of what only some of them have, and of what is not known.
    """
    # A module that the table is about is in its package once somebody has imported it: `torch._dynamo` is nothing that
    # `dir(torch)` tells of, and is there where something is compiled.
    return any(name in _names().get(each, ()) or f"{each}.{name}" in _names() for each in (owner, canonical(owner)))


@cache
def _names() -> dict[str, frozenset[str]]:
    """Written by tools/generate_names.py from the oldest torch and the one that the tables are of."""
    data = json.loads(pkgutil.get_data(__name__, "names.json") or b"")
    return {namespace: frozenset(names.split()) for namespace, names in data["names"].items()}
