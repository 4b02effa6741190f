"""What runs models, and is no part of one: it loads them, trains, shows progress or starts threads."""

from __future__ import annotations

import ast
import re

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.regions.around.own_methods import with_own_methods
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import walk

_OF_DRIVERS = frozenset(
    {
        *("tqdm", "trange", "progress_bar", "Thread", "ThreadPoolExecutor", "ProcessPoolExecutor", "set_num_threads"),
        *("load_model", "load_checkpoint", "load_state_dict", "load_state_dict_from_url", "from_pretrained"),
    }
)
"""Names of what is used around models, not in them."""
_AROUND_MODELS = frozenset({"backward", "isend", "irecv", "P2POp", "batch_isend_irecv"})
"""What a trainer calls, or what links the stages of a pipeline: its class is no part of a model."""
_RUN_MODELS = sorted(_OF_DRIVERS | _AROUND_MODELS)
_MAY_RUN_MODELS = re.compile(rf"\b(?:{'|'.join(_RUN_MODELS)})\b")


def runs_models(inspector: Inspector, module: ModuleIndex, info: FunctionInfo) -> bool:
    """Whether it, or what it calls on `self`, runs models."""
    return _may_run_models(inspector, module) and any(map(_runs_models, with_own_methods(inspector, info)))


def calls_what_runs_models(inspector: Inspector, module: ModuleIndex, info: FunctionInfo) -> bool:
    """Whether it calls a function of the package by its name that does: `apply_model(self.model, x)`."""
    called = (
        inspector.evaluate_globally(module, part.func)
        for part in walk(info.node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)
    )
    for kind in called:
        found = inspector.tree.function(kind.key) if isinstance(kind, kinds.Function) else None
        home = inspector.tree.module(found.key[0]) if found is not None else None
        if found is not None and home is not None and _may_run_models(inspector, home) and _runs_models(found):
            return True
    return False


def is_around_models(info: FunctionInfo) -> bool:
    """Whether it does what is done with models, not in them: a backward pass, messages from one stage to the next."""
    return any(
        isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in _AROUND_MODELS
        for part in walk(info.node)
    )


def _may_run_models(inspector: Inspector, module: ModuleIndex) -> bool:
    """Whether the text of a module says it: what it does not say need not be looked for in each function."""

    def answer() -> bool:
        text = inspector.tree.text_of(module)
        # Most texts have none of the words, and to look for one after the other is quicker than for all at once.
        return any(word in text for word in _RUN_MODELS) and _MAY_RUN_MODELS.search(text) is not None

    return inspector.derived(("may run models", module.name), answer)


def _runs_models(info: FunctionInfo) -> bool:
    """Whether it loads a model, trains, shows progress or starts threads: it calls what is compiled, and is no part of
    it."""
    return any(
        (isinstance(part, ast.Name) and part.id in _OF_DRIVERS)
        or (isinstance(part, ast.Attribute) and part.attr in _OF_DRIVERS)
        for part in walk(info.node)
    ) or is_around_models(info)
