"""One way in which code misuses what it compiles."""

from __future__ import annotations

import ast

from msgspec import Struct

from compilelint.inspect.kinds import Kind
from compilelint.report.confidence import Confidence
from compilelint.source.model import ModuleIndex


class Usage(Struct, frozen=True):
    """A node and what happens there; `construct` and `callee` are those of the event that it becomes."""

    construct: str
    node: ast.AST
    callee: str = ""
    receiver: Kind | None = None
    confidence: Confidence = Confidence.HIGH
    function: str = ""
    """Qualified name of the function that holds the node, where it is not the scope."""
    module: ModuleIndex | None = None
    """The file that holds the node, where it is not the scope's."""
    use: str = ""
    used_in: str = ""
    source: str = ""
    """Those of the event, see there; the source is the node's, if none is named."""
