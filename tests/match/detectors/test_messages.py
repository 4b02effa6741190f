from __future__ import annotations

from compilelint.match.detectors import messages
from compilelint.report.confidence import Confidence
from tests.match.make import event


def test_a_message_for_developers_may_be_off() -> None:
    assert messages.shown_by_default(event()) == Confidence.MEDIUM
