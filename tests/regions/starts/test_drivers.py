"""What runs models is no root, though it takes and gives tensors."""

from __future__ import annotations

import pytest

from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.regions import offered_roots
from tests.source.make import tree

IMPORTS = "import torch\nfrom torch import Tensor\n"


def offered(code: str) -> list[str]:
    """The functions that a package offers whose module has this code."""
    files = {"lib/__init__.py": "", "lib/ops.py": IMPORTS + code}
    inspector = Inspector(Knowledge(tree(files)), lambda *_: False)
    return [root.function.name for root in offered_roots(inspector, "lib/ops.py")]


@pytest.mark.parametrize(
    "code",
    [
        "def predict(x: Tensor) -> Tensor:\n    for part in tqdm(x): ...\n",
        "def predict(x: Tensor, name: str) -> Tensor:\n    return load_model(name)(x)\n",
        "def apply_in_parts(net, x):\n    for part in tqdm(x): ...\n"
        "class S:\n    def separate(self, x: Tensor) -> Tensor:\n        return apply_in_parts(self.net, x)\n",
        "def score(x: Tensor, name: str) -> Tensor:\n    return Net.from_pretrained(name)(x)\n",
        "class S:\n    def run(self, x: Tensor) -> Tensor:\n        with self.progress_bar(total=3): ...\n",
        "def predict(x: Tensor) -> Tensor:\n    torch.set_num_threads(4)\n",
        "def perturb(x: Tensor) -> Tensor:\n    x.sum().backward()\n",
        "class S:\n    def step(self, x: Tensor) -> Tensor:\n        self.fit(x)\n"
        "    def fit(self, x):\n        x.sum().backward()\n",
        "class Agent:\n    def act(self, x: Tensor) -> Tensor: ...\n    def learn(self, x):\n        x.backward()\n",
        "class Link:\n    def go(self, x: Tensor) -> Tensor: ...\n    def to(self, x):\n        dist.isend(x, 1)\n",
    ],
)
def test_what_runs_models_is_none(code: str) -> None:
    assert offered(code) == []


@pytest.mark.parametrize(
    "code",
    [
        "def tqdm_like(x: Tensor) -> Tensor:\n    return x\n",
        "class S:\n    def step(self, x: Tensor) -> Tensor: ...\n    def fit(self, x):\n        self.tqdm_of(x)\n",
    ],
)
def test_a_word_that_only_begins_alike_says_nothing(code: str) -> None:
    assert len(offered(code)) == 1
