"""What a distribution has to compute from the parameter that it was made of."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.inspect.events import Event
from compilelint.report.confidence import Confidence

_MULTIVARIATE_NORMAL = "torch.distributions.MultivariateNormal"
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

    Nobody is sure of it: what was asked for before the first compiled call is remembered, and traced.
    """
    match tuple(map(_independent_of, event.args)):
        case (kinds.External(cls=first), kinds.External(cls=second), *_) if first == second:
            return Confidence.MEDIUM if first in _SEVERAL_DIVERGENCES else None
        case _:
            return None


def divergence_from_multivariate_normal(event: Event) -> bool:
    """The second distribution is a `MultivariateNormal`: torch asks for the common size (`_infer_size`), with
    a tuple that Dynamo puts in the place of a `torch.Size`."""
    match event.args:
        case (_, asked, *_):
            options = map(_independent_of, kinds.options(asked))
            return any(isinstance(each, kinds.External) and each.cls == _MULTIVARIATE_NORMAL for each in options)
        case _:
            return False


def _independent_of(kind: kinds.Kind) -> kinds.Kind:
    """The distribution that an `Independent` is made of: of two such torch asks for the divergence of those."""
    while isinstance(kind, kinds.External) and kind.cls == "torch.distributions.Independent" and kind.args:
        kind = kind.args[0]
    return kind


def made_of_logits(event: Event) -> bool:
    """The receiver is a distribution that was made with `logits=`."""
    return _parameter(event) == "logits"


def made_of_probs(event: Event) -> bool:
    """The receiver is a distribution that was made with `probs=`, or its first argument."""
    return _parameter(event) == "probs"


def between_categorical(event: Event) -> bool:
    """Some argument is a categorical distribution, whose divergence needs both `logits` and `probs`."""
    return any(isinstance(arg, kinds.External) and arg.cls == "torch.distributions.Categorical" for arg in event.args)


def _parameter(event: Event) -> object:
    match event.receiver:
        case kinds.External(args=(kinds.Const(value=parameter), *_)):
            return parameter
        case _:
            return None
