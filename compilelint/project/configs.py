"""Which configuration holds where: that of the run, and what directories say of the files in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from compilelint.project.config import CONFIG_NAME, Config, has_table, key_place, read_config
from compilelint.project.root import run_config

PER_FILE = frozenset(
    {
        "select",
        "ignore",
        "extend_select",
        "per_file_ignores",
        "exclude",
        "extend_exclude",
        "min_confidence",
    }
)
"""What a directory may say of its files; all else belongs to the whole run."""


@dataclass(frozen=True, slots=True)
class Configs:
    """The configuration of a run, and those of directories further in, read when somebody asks."""

    top: Config
    nested: bool = False
    """Directories may have their own."""
    adapt: Callable[[Config], Config] = lambda config: config
    """Puts the command line's word above what a file says."""
    _known: dict[Path, Config] = field(default_factory=dict, repr=False, compare=False)

    def of(self, directory: Path) -> Config:
        """What holds for the files in a directory (absolute): the nearest at or above it. Raises ConfigError."""
        if not self.nested or directory == self.top.base or directory.parent == directory:
            return self.top
        if directory not in self._known:
            file = directory / CONFIG_NAME
            self._known[directory] = self.adapt(read_config(file)) if has_table(file) else self.of(directory.parent)
        return self._known[directory]

    def files(self) -> frozenset[Path]:
        """All that were read: of the run, of the directories that were asked for, and what these extend."""
        read = (self.top, *self._known.values())
        return frozenset(file for each in read if each.file is not None for file in (each.file, *each.extended))

    def warnings(self) -> Iterator[str]:
        """What directories say that has no effect there, of those that were asked for."""
        found = {config.file: config for config in self._known.values() if config.file not in (None, self.top.file)}
        for file, config in sorted(found.items(), key=lambda item: str(item[0])):
            for key in config.keys:
                if file is not None and key not in PER_FILE:
                    name = key.replace("_", "-")
                    yield f"{key_place(file, name)}: {name} has no effect here: it is for the whole run{_top(self.top)}"


def find_configs(file: Path | None, isolated: bool, start: Path) -> Configs:
    """The configurations of a run that starts at a directory: those that are found, or `file` alone, or none.

    Raises ConfigError.
    """
    if file is not None:
        # It may lie anywhere: what it says is about where it is used, as in ruff.
        return Configs(replace(read_config(file), base=Path.cwd()))
    if isolated:
        return Configs(Config())
    found = run_config(start)
    return Configs(read_config(found) if found is not None else Config(), nested=True)


def _top(config: Config) -> str:
    return f", which {config.file} configures" if config.file is not None else ""
