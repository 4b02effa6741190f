"""An nn.LSTM, nn.GRU or nn.RNN that is all there is to compile."""

from __future__ import annotations

from collections.abc import Iterator

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import classes
from compilelint.inspect.signatures.modules import RECURRENT
from compilelint.regions.around import scope_kinds
from compilelint.regions.around.callers import kind_by_callers
from compilelint.regions.around.queries import calls, text_of
from compilelint.regions.around.scopes import Scope
from compilelint.regions.usage import Usage

_COMPILE = "torch.compile"
_SETTING = "allow_rnn"
"""Of torch._dynamo.config; a file that speaks of it knows what it does."""


def _compiled_alone(scope: Scope) -> Iterator[Usage]:
    """`self.rnn = torch.compile(nn.LSTM(80, 256))`."""
    for call in calls(scope):
        target = scope_kinds.compile_target(scope, call)
        if target is not None and _SETTING not in text_of(scope):
            kind = kind_by_callers(scope, target)
            if _is_recurrent(scope, kind):
                yield Usage("recurrent-alone", call, _COMPILE, kind)


def _is_recurrent(scope: Scope, kind: Kind) -> bool:
    match kind:
        case kinds.External(cls=cls):
            return cls in RECURRENT
        case kinds.Instance(cls=cls):
            return any(base in RECURRENT for base in classes.external_bases(scope.inspector, cls))
        case kinds.Union(options=options):
            return all(_is_recurrent(scope, option) for option in options)
        case _:
            return False


FINDERS = (_compiled_alone,)
