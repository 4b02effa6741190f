"""What a distribution has to compute from the parameter that it was made of."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.inspect.events import Event

TWO_PARAMETERS = frozenset({"torch.distributions.Bernoulli", "torch.distributions.Categorical"})


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
    match event.receiver:
        case kinds.External(args=(kinds.Const(value=parameter), *_)):
            return parameter
        case _:
            return None
