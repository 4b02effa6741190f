from __future__ import annotations

import pytest
from msgspec.structs import replace

from compilelint.match.detectors import bodies
from tests.match.make import EVENT, event


@pytest.mark.parametrize(("body", "inside"), [("branch", True), ("checkpoint", False), ("", False)])
def test_only_what_cond_and_while_loop_are_given_is_a_branch(body: str, inside: bool) -> None:
    assert bodies.in_branch(event(place=replace(EVENT.place, body=body))) is inside
