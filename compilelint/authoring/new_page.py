"""Begins a rule page: the next free code of a family, in the folder where the project keeps its pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from compilelint import catalog
from compilelint.catalog.scaffold import ScaffoldError, new_page
from compilelint.project.config import Config
from compilelint.project_rules import RulesError, extra_pages

_FOLDER = "lint"


class NewPageError(Exception):
    """The page cannot be begun; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class NewPage:
    """A page that was written, and what its author should know."""

    path: Path
    notes: tuple[str, ...]


def begin_page(family: str, name: str, folder: Path | None, config: Config) -> NewPage:
    """Write a page to be filled in. Raises NewPageError.

    Without `folder` it goes where the project's own pages are. Pages need not be well-formed to take a code.
    """
    built_in = catalog.rules_directory()
    target = folder if folder is not None else _folder(config, built_in)
    pages = [*catalog.page_paths(built_in), *_own_pages(config), *catalog.page_paths(target)]
    codes, names = _codes_and_names(pages)
    if name in names:
        raise NewPageError(f"the name {name!r} is taken by {names[name]}")
    try:
        file, text = new_page(family, name, codes)
    except ScaffoldError as error:
        raise NewPageError(str(error)) from error
    path = target / file
    try:
        target.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise NewPageError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    return NewPage(path, tuple(_notes(path, family, config, built_in)))


def _folder(config: Config, built_in: Path) -> Path:
    """Where the first pattern of `extra-rules` looks; compilelint's own, if this is its checkout; else `lint`."""
    here = Path.cwd()
    if config.extra_rules and config.file is not None:
        folder = Path(config.extra_rules[0]).parent
        if not any(letter in str(folder) for letter in "*?["):
            return config.file.parent / folder
    if _is_checkout(built_in) and built_in.resolve().parent in (here, *here.parents):
        return built_in
    return (config.file.parent if config.file else here) / _FOLDER


def _is_checkout(built_in: Path) -> bool:
    return not built_in.name.startswith("_")


def _own_pages(config: Config) -> tuple[Path, ...]:
    try:
        return extra_pages(config)
    except RulesError:  # the first page is begun before there is one to find
        return ()


def _codes_and_names(pages: Iterable[Path]) -> tuple[set[str], dict[str, str]]:
    stems = {path.stem.partition("-")[::2] for path in pages}
    return {code for code, _ in stems}, {name: code for code, name in stems}


def _notes(path: Path, family: str, config: Config, built_in: Path) -> Iterator[str]:
    if path.parent.resolve() == built_in.resolve():
        return
    try:
        found = {page.resolve() for page in extra_pages(config)}
    except RulesError:
        found = set()
    if path.resolve() not in found:
        base = config.file.parent if config.file else Path.cwd()
        resolved, base = path.parent.resolve(), base.resolve()
        folder = resolved.relative_to(base).as_posix() if resolved.is_relative_to(base) else resolved.as_posix()
        pattern = "*.md" if folder == "." else f"{folder}/*.md"
        yield f'`check` finds it once [tool.compilelint] of pyproject.toml says `extra-rules = ["{pattern}"]`'
    if family.startswith("CL"):
        yield f"codes that begin with CL are compilelint's own: it may come to use {path.stem.partition('-')[0]} itself"
