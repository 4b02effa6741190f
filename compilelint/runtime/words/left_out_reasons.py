"""Why Dynamo leaves out what is compiled: nothing breaks there, as it compiles nothing."""

from __future__ import annotations

from compilelint.runtime.dynamo.told import Reason

COMPILED_ALONE = "what is compiled is the layer itself"
"""The context of the break of a recurrent layer that is compiled alone."""
NOTHING_TRACED = Reason(
    "its first call had no tensor operation, and Dynamo leaves it out from then on",
    "Decide outside of the compiled function whether there is work to do, or make the first call one that does it.",
)
ALONE = Reason(
    "an RNN, LSTM or GRU is all that is compiled here, and Dynamo refuses to look at it: it runs as it is",
    "Take this `torch.compile` out, or loop over `nn.LSTMCell` or `nn.GRUCell`.",
)
NEVER_ASKED = Reason(
    "it was called, and Dynamo was not asked: a dispatch mode (`FlopCounterMode` is one) or a switch was on",
    "Call it outside of `TorchDispatchMode`s, and without what turns compiling off (a stance, `torch._dynamo.config`).",
)
NEVER_ASKED_AFTER_ANOTHER = Reason(
    "it was called, and Dynamo was not asked: it compiles torch's own layers through one function, which it has "
    "dropped for another of them",
    "Take out the `torch.compile` of that other layer (an RNN, LSTM or GRU, mostly), or compile a module or function "
    "of your own that calls this one.",
)
UNDER_TRANSFORM = Reason(
    "it is called inside a transform of `torch.func` (`vmap`, `grad` …), where Dynamo compiles nothing",
    "Compile the transformed function, not the one that is transformed: `torch.compile(torch.vmap(f))`.",
)
