"""What breaks the graph in what torch puts around a module or an optimizer, whose functions no program names."""

from __future__ import annotations

import re

from compilelint.runtime.dynamo.told import Reason, Told

_OF_DDP = re.compile(r"DistributedDataParallel\._inside_ddp_forward|Variable\(Logger\) set_runtime_stats_and_log")
_SCHEDULERS = re.compile(r"torch[/\\]optim[/\\]lr_scheduler\.py")

_TEXT_OF_LAYER = re.compile(r"call_method StringFormatVariable\(.*'_parameters': .*\) split ", re.DOTALL)


_OBJECT = re.compile(r"UserDefinedObjectVariable\((\w+)\)")
_GENERATOR = "Draw from the global generator (`torch.manual_seed`), or draw the numbers outside and pass the tensor in."
_OF_OBJECT = "Hand the operator tensors and numbers: take out of the object what it needs, or call it outside."


def of_argument(told: Told) -> Reason | None:
    """An object among the arguments of an operator: Dynamo speaks of a method of its own that is missing."""
    found = _OBJECT.search(told.context)
    if found is None:
        return None
    return Reason(
        f"an operator is given an object, a `{found[1]}`, and a graph holds tensors, numbers and sizes only",
        _GENERATOR if found[1] == "Generator" else _OF_OBJECT,
    )


def of_ddp(told: Told) -> Reason | None:
    """What Dynamo names, and its hints, are functions of the wrapper's own."""
    if not _OF_DDP.search(told.context):
        return None
    return Reason(
        "a `DistributedDataParallel` is called inside the compiled code, and its own `forward` breaks the graph",
        "Compile the module that it wraps, `DDP(torch.compile(module))`, and call the wrapper outside.",
    )


def of_module_text(told: Told) -> Reason | None:
    """What layers say of themselves (`{normalized_shape}, eps={eps}`) is taken apart into lines: nobody calls that by
    its name."""
    if not _TEXT_OF_LAYER.match(told.context):
        return None
    return Reason(
        "the text of a module (`repr`) is made, in which Dynamo cannot take apart what a layer says of itself",
        "`torch.vmap(module)` makes one for its messages: give it a function, `torch.vmap(lambda x: module(x))`, or "
        "`module.forward`. Print modules outside the compiled code.",
    )


def of_scheduler(told: Told, module: str, step: str) -> Reason | None:
    """What a scheduler puts around the step of the optimizer that it is given has the name of that step, and of its
    module."""
    if not _SCHEDULERS.search(told.context) or module == "torch.optim.lr_scheduler":
        return None
    return Reason(
        f"a scheduler has put a function around `{step}`, which Dynamo does not trace",
        "The step inside is compiled all the same, on its own: where nothing else is compiled with it, leave it so. "
        "Else call it outside the compiled code.",
    )


def of_compile(told: Told) -> Reason | None:
    """`torch.compile(…)` in the compiled code: Dynamo speaks of too many arguments, and traces it with the function as
    its first one, whatever else it is given."""
    if not told.title.startswith("torch.compile call with") and "qualname: compile.<locals>.fn" not in told.context:
        return None
    return Reason(
        "`torch.compile(…)` without the function that it compiles makes a decorator, which Dynamo does not trace",
        "Decorate the function outside of the compiled code, or hand it over: `f = torch.compile(f, dynamic=True)` is "
        "traced.",
    )
