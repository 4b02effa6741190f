"""The child process of collect.py: builds ONE model, runs it under the recorder, writes what Dynamo did.

`python -m benchmarks.accuracy.run_model RECIPE NAME RAW [MEMORY_BYTES]`

Phases, each with a session of its own: `eval` (two calls with the first inputs, no gradients), `eval_alt1` (one with
others, of the same compiled object) and `train` (Dynamo has forgotten everything; one call, and backward). Eager mode
is asked only where the compiled call fails: what fails there too is no phase of this model, and if that is the first
one, the model is recorded as failed.
"""

from __future__ import annotations

import contextlib
import copy
import importlib.metadata
import importlib.util
import inspect
import json
import platform
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.accuracy.observed import Folder, Phase, describe
from benchmarks.accuracy.recipes import Built, Inputs, Recipe, load
from compilelint.runtime import recording
from compilelint.runtime.session import read_session

BACKEND = "eager"
_LONGEST_ERROR = 500

Target = Callable[..., Any]


class Failed(Exception):
    """The model does not run without torch.compile either."""


def main(recipe: str, name: str, raw: str, memory: str = "") -> None:
    if memory:
        _limit_memory(int(memory))
    started = time.monotonic()
    said: dict[str, Any] = {"name": name, "status": "ok", "error": ""}
    try:
        said["model"] = run(load(recipe), name)
    except Exception as error:
        said |= {"status": "failed", "error": _text(error)}
    said["seconds"] = round(time.monotonic() - started, 1)
    path = Path(raw)
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(said), encoding="utf-8")
    partial.replace(path)  # a file that is there is whole


def run(recipe: Recipe, name: str) -> dict[str, Any]:
    """All of one model: what it is, and what `observed.describe` says. Raises if it cannot be built or does not run."""
    with tempfile.TemporaryDirectory(prefix="compilelint-accuracy-") as folder:
        build = _builder(recipe, name)
        phases = list(_phases(build, Path(folder)))
        target = build().target
    package = Folder(recipe.PACKAGE, _parent(recipe.PACKAGE))
    return {
        "class": type(target).__name__ if _is_module(target) else target.__qualname__,
        "model": name,
        "package": recipe.PACKAGE,
        "root": root(target, package),
        **describe(phases, package),
        "versions": _versions(recipe.PACKAGE),
    }


def root(target: Any, package: Folder) -> str:
    """What is compiled, as `compilelint check --root` takes it: `package/file.py::Class` (or a method, a function)."""
    of = getattr(target, "__self__", None)
    if _is_module(target) or of is not None:
        owner, method = (type(target), "") if of is None or _is_module(target) else (type(of), f".{target.__name__}")
        return f"{package.name(inspect.getfile(owner))}::{owner.__qualname__}{method}"
    function = inspect.unwrap(target)
    return f"{package.name(inspect.getfile(function))}::{function.__qualname__}"


def _phases(build: Callable[[], Built], folder: Path) -> Iterator[Phase]:
    import torch

    made = build()
    compiled = _compiled(_mode(made.target, training=False))
    for name, inputs, calls in (("eval", made.first, 2), ("eval_alt1", made.second, 1)):
        call = partial(_evaluate, inputs=inputs, calls=calls)
        phase = _recorded(name, folder, partial(call, compiled))
        if not phase.error or not (eager := _error(partial(call, _mode(build().target, training=False)))):
            yield phase
        elif name == "eval":
            raise Failed(eager)
    if made.trains:
        torch.compiler.reset()
        made = build()
        compiled = _compiled(_mode(made.target, training=True))
        call = partial(_train, inputs=made.train or made.first)
        phase = _recorded("train", folder, partial(call, compiled))
        if not phase.error or not _error(partial(call, _mode(build().target, training=True))):
            yield phase


def _recorded(name: str, folder: Path, run: Callable[[], object]) -> Phase:
    path = folder / f"{name}.jsonl"
    record = recording.begin(path, (name,), {})
    try:
        error = _error(run)
    finally:
        record.end()
    return Phase(name, read_session(path), error)


def _error(run: Callable[[], object]) -> str:
    """What comes up when this is run; empty if nothing does."""
    try:
        run()
    except Exception as raised:
        return _text(raised)
    return ""


def _evaluate(target: Target, inputs: Inputs, calls: int) -> None:
    import torch

    with torch.no_grad():
        for _ in range(calls):
            _call(target, inputs)


def _train(target: Target, inputs: Inputs) -> None:
    """One step without optimizer; backward fails in eager mode, too, for some, which says nothing of the forward."""
    terms = [each.sum() for each in _tensors(_call(target, inputs)) if each.is_floating_point() and each.requires_grad]
    if terms:
        with contextlib.suppress(RuntimeError):
            sum(terms).backward()


def _call(target: Target, inputs: Inputs) -> Any:
    given = copy.deepcopy(inputs)  # caches grow, and some models write into what they are given
    return target(*given.args, **given.kwargs)


def _tensors(output: Any) -> Iterator[Any]:
    import torch

    if isinstance(output, torch.Tensor):
        yield output
    elif isinstance(output, Mapping):
        for each in output.values():
            yield from _tensors(each)
    elif isinstance(output, (list, tuple)):
        for each in output:
            yield from _tensors(each)
    elif is_dataclass(output):
        for each in fields(output):
            yield from _tensors(getattr(output, each.name))


def _builder(recipe: Recipe, name: str) -> Callable[[], Built]:
    import torch

    def build() -> Built:
        _seed()
        made = recipe.build(name)
        _seed()
        return made

    def _seed() -> None:
        random.seed(0)
        torch.manual_seed(0)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(0)

    return build


def _compiled(target: Target) -> Target:
    import torch

    compiled: Target = torch.compile(target, backend=BACKEND)
    return compiled


def _mode(target: Any, *, training: bool) -> Any:
    """With everything that can be switched in this mode, a module or what a method is bound to."""
    holder = getattr(target, "__self__", target)
    if _is_module(holder):
        holder.train(training)
    return target


def _is_module(target: Any) -> bool:
    import torch

    return isinstance(target, torch.nn.Module)


def _parent(package: str) -> str:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.origin:
        raise ModuleNotFoundError(package)
    origin = Path(spec.origin)
    return str(origin.parents[1] if spec.submodule_search_locations else origin.parent)


def _versions(package: str) -> dict[str, str]:
    import torch

    names = importlib.metadata.packages_distributions().get(package, [])
    return {
        "python": platform.python_version(),
        "torch": torch.__version__,
        **({package: importlib.metadata.version(names[0])} if names else {}),
    }


def _text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:_LONGEST_ERROR]


def _limit_memory(size: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (size, size))


if __name__ == "__main__":
    main(*sys.argv[1:])
