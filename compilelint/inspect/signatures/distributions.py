"""torch.distributions: by which of two parameters one was made decides what it must compute when asked."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Many

from compilelint.inspect.kinds import Const, External, Kind
from compilelint.inspect.signatures.calls import is_given

PROBS_FIRST = frozenset({"Bernoulli", "Categorical", "Geometric", "OneHotCategorical"})
"""Classes whose first positional argument is `probs`, and that take `logits` instead."""
INDEPENDENT = "torch.distributions.Independent"
"""What takes dimensions of another distribution together, and leaves all else to that."""
LEFT_TO_BASE = ("sample", "rsample", "log_prob", "entropy")
"""Its methods that call those of the other one. Its `mode` is that of the other one, which may be a method."""


def made(name: str, args: Many[Kind], keywords: Mapping[str, Kind]) -> External:
    """What the constructor of a distribution gives; `args` of the External is the name of the parameter, if known, and
    of `Independent` the distribution that it is made of."""
    if name == INDEPENDENT:
        return External(name, (*args, *(keywords[each] for each in ("base_distribution",) if each in keywords))[:1])
    for parameter in ("logits", "probs"):
        if is_given(keywords.get(parameter)):
            return External(name, (Const(parameter),))
    if args and name.rpartition(".")[2] in PROBS_FIRST:
        return External(name, (Const("probs"),))
    return External(name)
