"""What the files hold that a report names, for formats that need more of them than single lines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from compilelint.project.files import Unreadable, read_data
from compilelint.report.model import Report


def with_texts(report: Report, directory: Path) -> Report:
    """The report with the text of each file below `directory`, which its paths are relative to.

    They are read as services read them: as UTF-8, whatever a coding comment says. A file that cannot be read (any more)
    is left out.
    """
    places = {each.path for each in report.findings}
    for each in report.observations:
        places.add(each.path)
        if each.owner is not None:
            places.add(each.owner.path)
    texts = {name: _text(directory / name) for name in sorted(places) if not Path(name).is_absolute()}
    return replace(report, texts={name: text for name, text in texts.items() if text is not None})


def _text(path: Path) -> str | None:
    try:
        return read_data(path).decode("utf-8", "replace")
    except (Unreadable, ValueError):  # ValueError: a null byte in the name
        return None
