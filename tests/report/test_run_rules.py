from __future__ import annotations

from compilelint.report.run_rules import rule_of
from tests.report.make import ITEM, finding, observation

FINDINGS = {ITEM.fingerprint: finding()}


def test_what_a_finding_predicted_is_of_its_rule() -> None:
    assert rule_of(observation(finding=ITEM.fingerprint), FINDINGS) == "CL101"


def test_what_nothing_predicted_is_of_the_rule_for_its_type() -> None:
    assert rule_of(observation(), FINDINGS) == "CL901"
    assert rule_of(observation(type="cudagraph-skip"), {}) == "CL906"


def test_what_a_finding_predicted_that_is_accepted_and_not_shown_is_of_the_rule_for_its_type() -> None:
    assert rule_of(observation(finding=ITEM.fingerprint), {}) == "CL901"
