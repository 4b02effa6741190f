"""Loops over more functions than a kind can be one of, each of which is compiled."""

from __future__ import annotations

import pytest

from compilelint.inspect import kinds
from compilelint.regions import compiled_roots
from tests.regions.project import inspector

COUNT = 2 * kinds.MAX_OPTIONS + 1
FUNCTIONS = "".join(f"def f{number}(x):\n    return x + {number}\n" for number in range(COUNT))
LISTED = ", ".join(f"f{number}" for number in range(COUNT))
PAIRED = ", ".join(f'("f{number}", f{number})' for number in range(COUNT))
TABLE = "{" + ", ".join(f'"f{number}": f{number}' for number in range(COUNT)) + "}"


@pytest.mark.parametrize(
    "loop",
    [
        f"for f in ({LISTED}):\n    torch.compile(f)(x)",
        f"FUNCTIONS = [{LISTED}]\nfor f in FUNCTIONS:\n    g = torch.compile(f)\n    g(x)",
        f"for name, f in [{PAIRED}]:\n    torch.compile(f)(x)",
        f"for number, f in enumerate([{LISTED}]):\n    torch.compile(f)(x)",
        f"TABLE = {TABLE}\nfor f in TABLE.values():\n    torch.compile(f)(x)",
        f"TABLE = {TABLE}\nfor name, f in TABLE.items():\n    torch.compile(f)(x)",
        f"TABLE = {TABLE}\nfor name in TABLE:\n    torch.compile(TABLE[name])(x)",
        f"def main(x):\n    for f in ({LISTED}):\n        torch.compile(f)(x)",
    ],
)
def test_each_of_many_functions_is_compiled(loop: str) -> None:
    found = inspector(f"{FUNCTIONS}x = torch.ones(2)\n{loop}", "import torch\n")
    roots = {root.function.name for name in found.tree.texts for root in compiled_roots(found, name)}
    assert roots == {f"f{number}" for number in range(COUNT)}


def test_no_loop_over_hundreds_is_walked_so_often() -> None:
    many = ", ".join([LISTED] * 20)
    found = inspector(f"{FUNCTIONS}for f in ({many}):\n    torch.compile(f)(x)", "import torch\n")
    assert not [root for name in found.tree.texts for root in compiled_roots(found, name)]
