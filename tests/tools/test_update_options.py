"""docs/options.md says what the commands take."""

from __future__ import annotations

import click
import pytest

from compilelint.cli.commands import COMMANDS, cli
from tools.update_options import PAGE, page


def test_the_page_is_as_the_commands_are() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python tools/update_options.py`"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_every_command_is_there(name: str) -> None:
    _, _, section = page().partition(f"\n## compilelint {name}\n")
    section = section.partition("\n## ")[0]
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    options = [each for each in command.params if isinstance(each, click.Option)]
    assert options
    assert [each.opts for each in options if f"`{each.opts[-1]}`" not in section] == []
    assert [each.opts for each in options if not each.help] == []


def test_what_a_help_text_says_of_a_default_is_in_its_column() -> None:
    assert "| `--roots` `all\\|explicit` |" in page()
    assert "[default:" not in page()
