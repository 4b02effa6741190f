"""Write compilelint/inspect/signatures/names.json: the names that every supported torch has.

    python -m tools.generate_names OLDEST_PYTHON [OUTPUT]

OLDEST_PYTHON is the interpreter of an environment with the oldest torch that is supported. What it and the torch that
is installed here both have is taken to be in every release between them.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import torch

OUTPUT = Path(__file__).parent.parent / "compilelint" / "inspect" / "signatures" / "names.json"
NAMESPACES = (
    "torch",
    "torch.Tensor",
    "torch._dynamo",
    "torch._dynamo.config",
    "torch._inductor.config",
    "torch.amp",
    "torch.autograd",
    "torch.autograd.Function",
    "torch.backends",
    "torch.backends.cuda",
    "torch.backends.cudnn",
    "torch.backends.mps",
    "torch.compiler",
    "torch.cuda",
    "torch.cuda.amp",
    "torch.distributed",
    "torch.distributions",
    "torch.fft",
    "torch.func",
    "torch.jit",
    "torch.library",
    "torch.linalg",
    "torch.mps",
    "torch.nested",
    "torch.nn",
    "torch.nn.Module",
    "torch.nn.attention",
    "torch.nn.functional",
    "torch.nn.init",
    "torch.nn.parallel",
    "torch.nn.parameter",
    "torch.nn.utils",
    "torch.nn.utils.parametrizations",
    "torch.nn.utils.parametrize",
    "torch.nn.utils.rnn",
    "torch.optim",
    "torch.optim.lr_scheduler",
    "torch.overrides",
    "torch.sparse",
    "torch.special",
    "torch.utils",
    "torch.utils.checkpoint",
    "torch.utils.data",
    "torch.xpu",
)


def names() -> dict[str, list[str]]:
    """Namespace → what the installed torch has in it, but for the names of Python's own machinery."""
    return {namespace: sorted(filter(_is_wanted, dir(_resolve(namespace)))) for namespace in NAMESPACES}


def _is_wanted(name: str) -> bool:
    return not name.startswith("__")


def _resolve(dotted: str) -> object:
    try:
        return importlib.import_module(dotted)
    except ModuleNotFoundError:
        owner, _, name = dotted.rpartition(".")
        return getattr(_resolve(owner), name)


def main(oldest: str, output: Path = OUTPUT) -> None:
    """Write what both have, namespace by namespace."""
    asked = subprocess.run([oldest, __file__], check=True, capture_output=True, text=True)
    before = json.loads(asked.stdout.splitlines()[-1])
    both = {namespace: sorted({*before["names"][namespace]} & {*found}) for namespace, found in names().items()}
    written = {
        "torch": [before["torch"], _release()],
        "names": {namespace: " ".join(found) for namespace, found in both.items()},
    }
    output.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")


def _release() -> str:
    return torch.__version__.split("+")[0]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1], *map(Path, sys.argv[2:3]))
    else:
        print(json.dumps({"torch": _release(), "names": names()}))
