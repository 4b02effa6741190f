"""What a distribution has to compute from the parameter that it was made of."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.inspect.events import Event
from compilelint.report.confidence import Confidence

TWO_PARAMETERS = frozenset({"torch.distributions.Bernoulli", "torch.distributions.Categorical"})

_SEVERAL_DIVERGENCES = frozenset(
    f"torch.distributions.{name}"
    for name in (
        "Bernoulli", "Beta", "Chi2", "ContinuousBernoulli", "Dirichlet", "Exponential", "Gamma", "Gumbel", "HalfNormal",
        "LogNormal", "Normal", "Pareto", "Poisson",
    )
)  # fmt: skip
"""Distributions for two of which torch registers more than one `kl_divergence` (`torch.distributions.kl._KL_REGISTRY`),
or whose divergence is that of such. Dynamo was seen to break at each of them (torch 2.13)."""


def divergence_of_several(event: Event) -> Confidence | None:
    """Both arguments are distributions of one such class.

    Nobody is sure of it: what was asked for before the first compiled call is remembered, and traced. Of those that are
    made of logits CL730 tells, where torch does not trace these at all.
    """
    match event.args:
        case (kinds.External(cls=first) as one, kinds.External(cls=second) as other, *_) if first == second:
            of_logits = any(_made_of(each) == "logits" for each in (one, other))
            return Confidence.MEDIUM if first in _SEVERAL_DIVERGENCES and not of_logits else None
        case _:
            return None


def made_of_logits(event: Event) -> bool:
    """The receiver is a distribution that was made with `logits=`."""
    return _parameter(event) == "logits"


def made_of_probs(event: Event) -> bool:
    """The receiver is a distribution that was made with `probs=`, or its first argument."""
    return _parameter(event) == "probs"


def between_two_parameters(event: Event) -> bool:
    """Some argument is a distribution that has both `logits` and `probs`."""
    return any(isinstance(arg, kinds.External) and arg.cls in TWO_PARAMETERS for arg in event.args)


def _parameter(event: Event) -> object:
    return _made_of(event.receiver)


def _made_of(distribution: kinds.Kind | None) -> object:
    match distribution:
        case kinds.External(args=(kinds.Const(value=parameter), *_)):
            return parameter
        case _:
            return None
