from __future__ import annotations

import pytest

from compilelint.report.model import Problem
from compilelint.report.summary import summary
from tests.report.make import finding, observation, report, run


def test_a_check_is_summed_up_by_effect() -> None:
    found = report(finding(), finding(effect="recompile", path="src/a.py"), finding(effect="none"), suppressed=2)
    assert summary(found) == (
        "Found 2 hazards (1 graph break, 1 recompile) in 2 of 3 files; 12 functions in compiled regions; "
        "1 suppression comment to mend; 2 suppressed."
    )


@pytest.mark.parametrize(
    ("packages", "named"),
    [
        (("torchdiffeq",), "torchdiffeq"),
        (("kornia", "torchsde"), "kornia and torchsde"),
        (("a", "b", "c"), "a, b and c"),
        (("a", "b", "c", "d", "e"), "a, b, c and 2 more"),
    ],
)
def test_what_was_not_looked_into_is_said(packages: tuple[str, ...], named: str) -> None:
    told = summary(report(unfollowed=packages))
    assert told.endswith(f"; what they call of {named} was not looked into (--follow {packages[0]}).")


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"net.py": 1}, "1 hazard in what is compiled of net.py, which was not named"),
        ({"a.py": 1, "b.py": 2}, "3 hazards in what is compiled of a.py and 1 other file, which were not named"),
    ],
)
def test_what_was_not_named_is_said(files: dict[str, int], told: str) -> None:
    assert summary(report(in_other_files=files)).endswith(f"; {told}.")


def test_where_only_models_of_packages_are_compiled_these_are_named() -> None:
    told = summary(report(functions_in_regions=0, unfollowed=("vocos",)))
    assert told == (
        "No hazards found: nothing that 3 files define is compiled; "
        "what is compiled of vocos was not looked into (--follow vocos)."
    )


def test_a_run_is_summed_up_by_cause_without_what_is_accepted_or_inside_of_torch() -> None:
    observations = (
        observation(verdict="runtime-only"),
        observation(line=20, accepted=True),
        observation(line=30, severity="info"),
    )
    told = report(finding(verdict="refuted"), observations=observations, run=run(), errors=(Problem("b.py", "bad"),))
    assert summary(told) == (
        "Found 1 cause (1 graph break); 1 accepted; hazards in source: 1 refuted; 1 that no rule predicted; 1 error."
    )


def test_what_happened_in_files_that_nobody_checked_is_told_apart() -> None:
    unchecked = report(observations=(observation(verdict=None),), run=run())
    assert summary(unchecked).endswith("; 1 in files that were not checked (see --check).")
    without_check = report(observations=(observation(verdict=None),), run=run(), files=0)
    assert "not checked" not in summary(without_check)


def test_a_run_that_compiled_nothing_found_nothing_out() -> None:
    assert summary(report(run=run(compilations=0, compile_calls=0))) == (
        "Nothing was compiled: no call of `torch.compile` was seen (`compilelint rule CL908`)."
    )
    assert summary(report(run=run())) == "Nothing broke: no graph break, no recompile, no function left out."
