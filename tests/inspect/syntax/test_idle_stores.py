"""What an `__init__` writes into what it was given is not found out where it tells nothing of the instance."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import Instance, Kind, ProjectClass
from tests.inspect.make import inspector

CODE = """\
import other
class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        {body}
"""


def attributes(body: str) -> tuple[dict[str, Kind], bool]:
    """What instances have, and whether `other.adjusted` was walked for it, which lies in another file."""
    found = inspector(
        CODE.format(body=body.replace("\n", "\n        ")),
        other="import deeper\ndef adjusted(x):\n    return deeper.f(x)",
        deeper="def f(x):\n    return [1]",
    )
    module = found.tree.module("example.py")
    assert module is not None
    (info,) = module.classes.values()
    assigned = found.assigned(Instance(ProjectClass(info.key, "Net"), module=True))
    return assigned, "deeper.py" in found.knowledge.asked().files


def test_a_store_that_nobody_reads_is_not_followed() -> None:
    assigned, is_followed = attributes("self.config.mode = other.adjusted(config)")
    assert "config" in assigned
    assert not is_followed


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("it is an attribute of the instance", "self.mode = other.adjusted(config)"),
        ("it is read", "self.config.mode = other.adjusted(config)\nself.mode = self.config.mode"),
        ("it is read by another name", "self.config.mode = other.adjusted(config)\nself.mode = config.mode"),
        ("it names a value", "self.config.mode = (mode := other.adjusted(config))\nself.mode = mode"),
        ("it fills a list", "found = []\nself.config.mode = found.append(other.adjusted(config))\nself.found = found"),
    ],
)
def test_followed(why: str, body: str) -> None:
    assigned, is_followed = attributes(body)
    assert is_followed, why
    assert set(assigned) & {"mode", "found"} or "read" in why
