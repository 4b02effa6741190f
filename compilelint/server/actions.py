"""What an editor offers to do about a finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lsprotocol import types
from pygls.workspace import PositionCodec

from compilelint.project.ignore_comments import ignore_comments
from compilelint.project.ipython import as_python
from compilelint.project.suppressions import UNUSED_CODE
from compilelint.report.model import Finding
from compilelint.server.diagnostics import SOURCE
from compilelint.server.documents import Part
from compilelint.server.pages import page
from compilelint.server.session import Known


def ignoring(
    part: Part, findings: Iterable[Finding], codec: PositionCodec, diagnostics: Sequence[types.Diagnostic]
) -> Iterator[types.CodeAction]:
    """For each rule that found something, a comment that accepts it. `diagnostics` are those the client asks about."""
    text = "\n".join(part.lines)
    python = text if part.cell is None else as_python(text)
    # A line that was changed since the last check may be another one by now.
    present = (each for each in findings if part.lines[each.line - 1 : each.line] == (each.source_line,))
    hazards = (each for each in present if each.code != UNUSED_CODE)
    for finding in {(each.code, each.line): each for each in hazards}.values():
        for insertion in ignore_comments(python, [finding]) if python is not None else ():
            line = part.lines[insertion.line - 1]
            at = types.Position(insertion.line - 1, codec.client_num_units(line[: insertion.column - 1]))
            yield types.CodeAction(
                title=f"compilelint: ignore {finding.code} ({finding.name}) here",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[each for each in diagnostics if (each.source, each.code) == (SOURCE, finding.code)]
                or None,
                edit=types.WorkspaceEdit(changes={part.uri: [types.TextEdit(types.Range(at, at), insertion.text)]}),
            )


def showing(command: str, uri: str, findings: Iterable[Finding], known: Known) -> Iterator[types.Command]:
    """For each rule that found something, its page. `command` takes `uri` and the code of the rule."""
    for code in dict.fromkeys(finding.code for finding in findings):
        if page(code, known):
            yield types.Command(f"compilelint: show the page of {code}", command, arguments=[uri, code])
