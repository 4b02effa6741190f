"""All rules that there are in a project: the built-in ones, and those on its own pages (`extra-rules`)."""

from __future__ import annotations

import glob
from pathlib import Path

from compilelint import catalog
from compilelint.catalog.model import Rule
from compilelint.project.config import Config
from compilelint.project.files import reason


class RulesError(Exception):
    """The project's pages cannot be had; the message is one line for the user."""


def project_rules(config: Config) -> tuple[Rule, ...]:
    """The built-in rules and the project's own, by code. Raises RulesError."""
    try:
        return catalog.load_rules(extra_pages(config))
    except catalog.PageError as error:
        raise RulesError(str(error)) from error
    except OSError as error:
        raise RulesError(f"{error.filename}: {reason(error)}") from error


def extra_pages(config: Config) -> tuple[Path, ...]:
    """The files that `extra-rules` names, each once. Raises RulesError for a pattern that names none."""
    folder = config.file.parent if config.file else Path.cwd()
    pages: list[Path] = []
    for pattern in config.extra_rules:
        found = sorted(Path(each) for each in glob.glob(str(folder / pattern), recursive=True))
        if not found:
            raise RulesError(f"{config.file}: extra-rules: no file matches {pattern!r}")
        pages += (each for each in found if each not in pages)
    return tuple(pages)
