"""Objects that calls make of classes that nobody follows, as far as their names tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.kinds import External
from compilelint.inspect.members.settled import set_in

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call
    from compilelint.inspect.frame import Frame

_MANAGERS = frozenset({"contextlib.suppress", "torch.nn.attention.sdpa_kernel", "tqdm.tqdm", "functools.partialmethod"})
"""Callees that are spelled like functions and give objects to enter, to iterate or to call methods of."""
_DISTRIBUTIONS = """norm truncnorm uniform beta gamma expon lognorm t laplace cauchy poisson binom bernoulli geom
multivariate_normal dirichlet randint weibull_min pareto rayleigh logistic gumbel_r halfnorm triang chi2
zipf vonmises"""
_OF_STATS = tuple(f"scipy.stats.{name}" for name in _DISTRIBUTIONS.split())
_LIKE_CLASSES = frozenset(("scipy.interpolate.interp1d", *_OF_STATS))
"""Callees in lower case that give an object with methods of its own: `stats.truncnorm(-2, 2).rvs(1)`."""
_NAMESPACES = frozenset({"types.SimpleNamespace", "argparse.Namespace"})
"""Classes whose objects hold what they are made with, by name."""


def made(frame: Frame, callee: str, call: Call) -> External | None:
    """The object that a call makes, if its callee is spelled like a class, or known to make one."""
    if not _is_class_name(callee) and callee not in _MANAGERS and callee not in _LIKE_CLASSES:
        return None
    if callee not in _NAMESPACES or call.args or call.open_ended:
        return External(callee)
    # What the file sets by such a name may be another value later on.
    reset = set_in(frame.inspector, frame.module)
    values = (kinds.widen(kind) if name in reset else kind for name, kind in call.keywords.items())
    return External(callee, tuple(values), tuple(call.keywords))


def _is_class_name(name: str) -> bool:
    """Whether a name from outside is spelled like a class."""
    return name.rpartition(".")[2].lstrip("_")[:1].isupper()
