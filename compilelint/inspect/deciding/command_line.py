"""Options of a command line that are off if nobody names them: `add_argument("--debug", action="store_true")`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compilelint.inspect.importing_files import few_importers

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_OFF = (
    r"(?:action\s*=\s*(?:[\"']store_true[\"']|(?:argparse\.)?BooleanOptionalAction)"
    r"|default\s*=\s*(?:False|0|None)\b|is_flag\s*=\s*True)"
)
"""How argparse and click are told so."""


def is_off_unless_named(inspector: Inspector, file: str, name: str) -> bool:
    """Whether a file, or one that imports it, reads such an option under this name."""
    users = sorted({file, *(few_importers(inspector.tree, file) or ())})
    return any(_reads(inspector, user, name) for user in users)


def _reads(inspector: Inspector, file: str, name: str) -> bool:
    return inspector.derived(("off unless named", file, name), lambda: _says_so(inspector, file, name))


def _says_so(inspector: Inspector, file: str, name: str) -> bool:
    text = inspector.tree.text(file)
    if text is None or "--" not in text.text:
        return False
    spelled = "[-_]".join(map(re.escape, name.split("_")))
    read = rf"(?:add_argument|option)\(\s*[^()]*[\"']--{spelled}[\"'][^()]*?\b{_OFF}"
    return re.search(read, text.text) is not None
