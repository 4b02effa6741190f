"""Which names every supported torch has: `hasattr(torch, "compile")` asks for one."""

from __future__ import annotations

import json
import pkgutil
from functools import cache

from compilelint.inspect.signatures.names import canonical

_OF_FUNCTIONS = frozenset(
    {
        "torch.amp",
        "torch.autograd",
        "torch.compiler",
        "torch.distributions",
        "torch.fft",
        "torch.func",
        "torch.jit",
        "torch.library",
        "torch.linalg",
        "torch.nn",
        "torch.nn.functional",
        "torch.nn.init",
        "torch.nn.parallel",
        "torch.nn.utils",
        "torch.nn.utils.parametrizations",
        "torch.optim",
        "torch.overrides",
        "torch.special",
    }
)
"""Modules whose public names are functions, classes and modules: nothing that is switched off, or empty."""


def is_in_every_torch(owner: str, name: str) -> bool:
    """Whether a module or class of torch, by its dotted name, has this name in every release that is supported.

    False is said of what only some of them have, and of what is not known.
    """
    # A module that the table is about is in its package once somebody has imported it: `torch._dynamo` is nothing that
    # `dir(torch)` tells of, and is there where something is compiled.
    return any(name in _names().get(each, ()) or f"{each}.{name}" in _names() for each in (owner, canonical(owner)))


def is_true_in_every_torch(dotted: str) -> bool:
    """Whether this is a function or a class that every supported torch has: `torch.compiler.disable or nothing`."""
    owner, _, name = canonical(dotted).rpartition(".")
    is_public = not name.startswith("_") and not name.isupper()
    return is_public and owner in _OF_FUNCTIONS and is_in_every_torch(owner, name)


@cache
def _names() -> dict[str, frozenset[str]]:
    """Written by tools/generate_names.py from the oldest torch and the one that the tables are of."""
    data = json.loads(pkgutil.get_data(__name__, "names.json") or b"")
    return {namespace: frozenset(names.split()) for namespace, names in data["names"].items()}
