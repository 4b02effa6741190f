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
    return name in _names().get(owner, ()) or name in _names().get(canonical(owner), ())


@cache
def _names() -> dict[str, frozenset[str]]:
    """Written by tools/generate_names.py from the oldest torch and the one that the tables are of."""
    data = json.loads(pkgutil.get_data(__name__, "names.json") or b"")
    return {namespace: frozenset(names.split()) for namespace, names in data["names"].items()}
