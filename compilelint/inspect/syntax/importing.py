"""Imports inside functions: what names they bind, and which of them bring in what is no part of the project."""

from __future__ import annotations

import ast

from compilelint.inspect import names
from compilelint.inspect.deciding.complaining import reports_trouble
from compilelint.inspect.frame import Frame
from compilelint.inspect.syntax.raising import IN_TRY
from compilelint.source.index import absolute_import, statement_bindings
from compilelint.source.nodes import walk


def walk_import(frame: Frame, node: ast.Import | ast.ImportFrom) -> None:
    for name, binding in statement_bindings(node, frame.module.name, frame.module.package):
        frame.env[name] = names.import_kind(frame.inspector, getattr(binding, "target", ""), frame.module.name)
    targets = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [
        absolute_import(node, frame.module.package)
    ]  # fmt: skip
    construct = "guarded" if IN_TRY in frame.aggravators and not _is_needed(frame, node) else "import"
    for target in targets:
        # What a package of the project has besides its sources (extensions in C) is there once it is installed.
        if frame.inspector.tree.find(target.partition(".")[0], frame.module.name) is None:
            frame.emit("import", node, callee=target, construct=construct)


def _is_needed(frame: Frame, node: ast.Import | ast.ImportFrom) -> bool:
    """Whether the `try` around an import only says what is missing: without it the program ends, compiled or not."""
    return any(
        isinstance(around, ast.Try)
        and node in around.body
        and all(reports_trouble(frame, each.body) for each in around.handlers)
        for around in (walk(frame.function.node) if frame.function is not None else ())
    )
