"""The generated table: what the stubs of torch declare and what calling it has shown.

Written by tools/generate_signatures.py; read once, when first asked.
"""

from __future__ import annotations

import json
import pkgutil
from functools import cache

from msgspec import Struct


class ModuleFacts(Struct, frozen=True):
    """What is known of a class of torch that is an nn.Module."""

    forward: str | None
    """Return code of `forward`, as in `Table.returns`."""
    attributes: dict[str, str]
    """Attribute → "P" (parameter or buffer), "int", "int*" (a tuple of them), a class of module …"""


class Table(Struct, frozen=True):
    """Everything in torch.json, by name."""

    returns: dict[str, dict[str, str]]
    """Namespace (`torch`, `torch.Tensor` …) → function → code: "T", "(T,T)", "T*", "int", "T|T*" …"""
    measured: dict[str, dict[str, str]]
    """Namespace → function → "dtype-rule ndim-rule"."""
    modules: dict[str, ModuleFacts]
    aliases: dict[str, str]


@cache
def table() -> Table:
    """The table of the torch release that it was generated from."""
    data = json.loads(pkgutil.get_data(__name__, "torch.json") or b"")
    return Table(
        returns={name: _by_name(groups) for name, groups in data["returns"].items()},
        measured={name: _by_name(groups) for name, groups in data["measured"].items()},
        modules={
            name: ModuleFacts(facts.get("forward"), _by_name(facts.get("attributes", {})))
            for name, facts in data["modules"].items()
        },
        aliases=data["aliases"],
    )


def _by_name(groups: dict[str, str]) -> dict[str, str]:
    return {name: value for value, names in groups.items() for name in names.split()}


def split_name(dotted: str) -> tuple[str, str]:
    """`torch.nn.functional.relu` → (`torch.nn.functional`, `relu`)."""
    namespace, _, name = dotted.rpartition(".")
    return namespace, name
