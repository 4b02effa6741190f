"""Places in SARIF: files as URIs, regions, functions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from compilelint.report.alerts import Alert
from compilelint.report.model import LibraryPlace, Problem
from compilelint.report.stack import StackFrame

SOURCES = "%SRCROOT%"
PACKAGES = "%PACKAGES%"
BASES: Mapping[str, dict[str, Any]] = {
    SOURCES: {"description": {"text": "The root of the repository; of the project where there is no repository."}},
    PACKAGES: {"description": {"text": "Where packages are installed."}},
}
"""What relative URIs are relative to. Where they are is left to the reader: it is another place on another machine."""
_DRIVE = re.compile(r"[A-Za-z]:/")
_STEP = re.compile(r"(?P<path>.+?\.(?:py|ipynb)):(?P<line>\d+) (?P<what>.*)")


def location(alert: Alert) -> dict[str, Any]:
    """Where an alert is."""
    return _located(alert.path, _region(alert), alert.function, _context(alert))


def frame_location(frame: StackFrame) -> dict[str, Any]:
    """A place in a stack."""
    found = _located(frame.path, {"startLine": max(frame.line, 1)}, frame.function)
    return {**found, "message": {"text": frame.function or "?"}}


def library_location(place: LibraryPlace) -> dict[str, Any]:
    """A place in a package."""
    region = {"startLine": place.line, "endLine": place.end_line}
    return {
        "physicalLocation": {"artifactLocation": {"uri": _quoted(place.path), "uriBaseId": PACKAGES}, "region": region},
        **_function(place.function),
        "message": {"text": "It happens here."},
    }


def route_location(step: str) -> dict[str, Any] | None:
    """Where a compiled region begins, of the first step of a route: `train.py:40 torch.compile(Net())`."""
    found = _STEP.match(step)
    if found is None:
        return None
    return {**_located(found["path"], {"startLine": int(found["line"])}), "message": {"text": f"From {found['what']}"}}


def problem_location(problem: Problem) -> dict[str, Any]:
    """A file that could not be read, and the line to blame if there is one."""
    with_line = problem.line is not None and problem.cell is None
    return _located(problem.path, {"startLine": problem.line} if with_line else {})


def is_file(path: str) -> bool:
    """Whether a path names a file: standard input is none, nor is code that was made at run time."""
    return bool(path) and path != "-" and not path.startswith("<")


def artifact(path: str) -> dict[str, Any]:
    """A file: in the repository relative to its root, elsewhere a file URI."""
    if path.startswith("/"):
        return {"uri": f"file://{_quoted(path)}"}
    if _DRIVE.match(path):
        return {"uri": f"file:///{path[:2]}{_quoted(path[2:])}"}
    return {"uri": _quoted(path), "uriBaseId": SOURCES}


def _quoted(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"), safe="/")


def _located(
    path: str, region: Mapping[str, Any], function: str = "", context: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    if not is_file(path):
        return _function(function or path)
    physical: dict[str, Any] = {"artifactLocation": artifact(path)}
    if region:
        physical["region"] = dict(region)
    if context:
        physical["contextRegion"] = dict(context)
    return {"physicalLocation": physical, **_function(function)}


def _function(name: str) -> dict[str, Any]:
    return {"logicalLocations": [{"fullyQualifiedName": name, "kind": "function"}]} if name else {}


def _region(alert: Alert) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": alert.line, "startColumn": alert.column, "endLine": alert.end_line}
    if alert.end_column is None:
        return region
    if alert.line == alert.end_line and alert.source_line:
        marked = alert.source_line[alert.column - 1 : alert.end_column - 1]
        return {**region, "endColumn": alert.end_column, **({"snippet": {"text": marked}} if marked else {})}
    return {**region, "endColumn": alert.end_column}


def _context(alert: Alert) -> dict[str, Any] | None:
    """The whole line, where the region is a part of it."""
    if alert.line != alert.end_line or alert.end_column is None or not alert.source_line:
        return None
    if alert.column == 1 and alert.end_column > len(alert.source_line):
        return None
    return {"startLine": alert.line, "endLine": alert.line, "snippet": {"text": alert.source_line}}
