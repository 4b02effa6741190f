"""By which parameter a distribution was made."""

from __future__ import annotations

import pytest

from compilelint.inspect import signatures
from compilelint.inspect.events import Event, Mode, Place, Span
from compilelint.inspect.kinds import NONE, TENSOR, UNKNOWN, External, Kind
from compilelint.match.detectors.distributions import (
    between_categorical,
    divergence_from_multivariate_normal,
    divergence_of_several,
    made_of_logits,
    made_of_probs,
)
from compilelint.report.confidence import Confidence

CATEGORICAL = "torch.distributions.Categorical"


def made(cls: str, *args: Kind, **keywords: Kind) -> Kind:
    return signatures.result(cls, None, args, keywords)


def asked(receiver: Kind | None, *args: Kind) -> Event:
    place = Place("example.py", "f", ("example.py:1 f", "f"), Mode())
    return Event("call", Span(2, 5, 2, 20), place, callee=f"{CATEGORICAL}.sample", receiver=receiver, args=args)


def test_the_keyword_says_what_a_distribution_was_made_of() -> None:
    of_logits, of_probs = made(CATEGORICAL, logits=TENSOR), made(CATEGORICAL, probs=TENSOR)
    assert made_of_logits(asked(of_logits))
    assert not made_of_probs(asked(of_logits))
    assert made_of_probs(asked(of_probs))
    assert not made_of_logits(asked(of_probs))


def test_the_first_argument_is_probs() -> None:
    assert made_of_probs(asked(made(CATEGORICAL, TENSOR)))
    assert made_of_logits(asked(made(CATEGORICAL, NONE, logits=TENSOR)))


def test_the_first_argument_of_a_normal_distribution_is_no_probability() -> None:
    normal = made("torch.distributions.Normal", TENSOR, TENSOR)
    assert normal == External("torch.distributions.Normal")
    assert not made_of_probs(asked(normal))


def test_a_divergence_between_normal_distributions_needs_no_other_parameter() -> None:
    normal, categorical = made("torch.distributions.Normal", TENSOR, TENSOR), made(CATEGORICAL, logits=TENSOR)
    assert not between_categorical(asked(None, normal, normal))
    assert between_categorical(asked(None, categorical, categorical))


def test_a_divergence_has_one_formula_or_several() -> None:
    normal, gamma = (made(f"torch.distributions.{name}", TENSOR, TENSOR) for name in ("Normal", "Gamma"))
    laplace = made("torch.distributions.Laplace", TENSOR, TENSOR)
    assert divergence_of_several(asked(None, normal, normal)) == Confidence.MEDIUM
    assert divergence_of_several(asked(None, gamma, gamma)) == Confidence.MEDIUM
    assert divergence_of_several(asked(None, laplace, laplace)) is None
    of_probs, of_logits = (made("torch.distributions.Bernoulli", **{name: TENSOR}) for name in ("probs", "logits"))
    assert divergence_of_several(asked(None, of_probs, of_probs)) == Confidence.MEDIUM
    assert divergence_of_several(asked(None, of_logits, of_logits)) == Confidence.MEDIUM
    assert divergence_of_several(asked(None, normal, gamma)) is None
    assert divergence_of_several(asked(None, normal, UNKNOWN)) is None
    assert divergence_of_several(asked(None)) is None


def test_the_divergence_of_what_is_independent_is_that_of_what_it_is_made_of() -> None:
    normal, laplace = (
        External("torch.distributions.Independent", (External(f"torch.distributions.{name}"),))
        for name in ("Normal", "Laplace")
    )
    twice = External("torch.distributions.Independent", (normal,))
    unknown = External("torch.distributions.Independent")
    assert divergence_of_several(asked(None, normal, normal)) == Confidence.MEDIUM
    assert divergence_of_several(asked(None, twice, twice)) == Confidence.MEDIUM
    assert divergence_of_several(asked(None, laplace, laplace)) is None
    assert divergence_of_several(asked(None, unknown, unknown)) is None


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        ("MultivariateNormal", "MultivariateNormal", True),
        ("LowRankMultivariateNormal", "MultivariateNormal", True),
        ("MultivariateNormal", "LowRankMultivariateNormal", False),
        ("Normal", "Normal", False),
    ],
)
def test_the_divergence_from_a_multivariate_normal(first: str, second: str, found: bool) -> None:
    """Dynamo 2.13.0 fails at `torch._C._infer_size`, which only the formulas for such a second one ask."""
    given = (made(f"torch.distributions.{name}", TENSOR, TENSOR) for name in (first, second))
    assert divergence_from_multivariate_normal(asked(None, *given)) is found
