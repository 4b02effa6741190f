"""Functions of a library that are roots because they take and give tensors."""

from __future__ import annotations

import pytest

from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.regions import Root, named_roots, offered_roots
from compilelint.report.confidence import Confidence
from tests.source.make import tree

IMPORTS = "import torch\nfrom torch import Tensor\n"


def roots(files: dict[str, str]) -> list[Root]:
    """The roots of a package `lib` with these files."""
    tree_ = tree({"lib/__init__.py": "", **{name: IMPORTS + code for name, code in files.items()}})
    found = Inspector(Knowledge(tree_), lambda *_: False)
    return [root for name in sorted(found.tree.texts) for root in offered_roots(found, name)]


def names(code: str, file: str = "lib/ops.py") -> list[str]:
    return [root.function.name for root in roots({file: code})]


def test_what_takes_and_gives_tensors_is_a_root_at_medium_confidence() -> None:
    (root,) = roots({"lib/ops.py": "def nms(boxes: Tensor, limit: float = 0.5) -> Tensor: ...\n"})
    assert (root.function.name, root.ceiling, root.explicit) == ("nms", Confidence.MEDIUM, False)


@pytest.mark.parametrize(
    "gives", ["tuple[Tensor, int]", "Tensor | None", "list[Tensor]", "dict[str, Tensor]", "Output"]
)
def test_tensors_may_be_given_in_something(gives: str) -> None:
    output = "class Output:\n    sample: Tensor\n"
    assert names(f"{output}\ndef step(x: Tensor) -> {gives}: ...\n") == ["step"]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def gain(x: torch.Tensor, db: Tensor):\n    return x * 10 ** (db / 20)\n", ["gain"]),
        ("def gain(x: Tensor, rate: int):\n    return x.view(-1), rate\n", ["gain"]),
        ("def gain(x, db):\n    return x * 10 ** (db / 20)\n", []),
        ("def count(x: Tensor):\n    return x.numel()\n", []),
        ("def note(x: Tensor):\n    print(x)\n", []),
        ("class Terms:\n    def stop(self, x: Tensor):\n        return x.abs()\n", []),
    ],
)
def test_what_a_function_gives_that_says_only_what_it_takes_tells_its_body(code: str, expected: list[str]) -> None:
    assert names(code) == expected


def test_what_gives_a_sample_of_data_is_none() -> None:
    output = "class Output:\n    node: Tensor\n"
    code = "from lib.{0} import Output\n\ndef step(x: Tensor) -> Output: ...\n"
    for place, expected in (("nn", ["step"]), ("sampler", [])):
        files = {f"lib/{place}/__init__.py": "", f"lib/{place}/base.py": output}
        found = roots({**files, "lib/ops.py": code.format(f"{place}.base")})
        assert [root.function.name for root in found] == expected


def test_methods_of_plain_classes_are_roots() -> None:
    assert names("class Scheduler:\n    def step(self, x: Tensor) -> Tensor: ...\n") == ["Scheduler.step"]


def test_what_an_object_does_when_it_is_called_is_a_root() -> None:
    called = "    def __call__(self, ids: Tensor, scores: Tensor) -> Tensor: ...\n"
    assert names(f"class Watermark:\n{called}") == ["Watermark.__call__"]
    assert names(f"class _Watermark:\n{called}") == []
    assert names(f"class NeighborLoader:\n{called}") == []
    assert names(f"class WatermarkLogitsProcessor:\n{called}") == []
    assert names(f"class MaxTimeCriteria:\n{called}") == []


def test_what_searches_the_best_sequence_is_around_a_model() -> None:
    """Between two calls of the model it keeps lists of hypotheses in Python, as `generate` calls it."""
    method = "    def process(self, scores: Tensor) -> Tensor:\n        return scores[scores.argmax().item()]\n"
    assert names(f"class ConstrainedBeamSearchScorer:\n{method}") == []
    assert names("def beam_search(scores: Tensor) -> Tensor:\n    return scores[scores.argmax().item()]\n") == []
    assert names(f"class BoxScorer:\n{method}") == ["BoxScorer.process"]


def test_what_says_that_it_fits_weights_as_they_are_loaded_is_not_compiled() -> None:
    """An embedding of positions is resized as a checkpoint is loaded: `resize_pos_embed(v, model.pos_embed)`."""
    code = 'def resize(old: Tensor, new: Tensor) -> Tensor:\n    """{}."""\n    return old + new\n'
    assert names(code.format("Rescale the grid of positions when loading from state_dict")) == []
    assert names(code.format("Rescale the grid of positions")) == ["resize"]


def test_what_steers_a_beam_searches_nothing() -> None:
    method = "    def process(self, x: Tensor) -> Tensor:\n        return x.mean(0)\n"
    assert names(f"class Beamformer:\n{method}") == ["Beamformer.process"]


@pytest.mark.parametrize("method", ["__call__", "run"])
def test_what_is_made_with_modules_does_is_none(method: str) -> None:
    """A pipeline runs models one after the other: they are what is compiled."""
    net = "class Net(torch.nn.Module):\n    def forward(self, x): ...\n"
    init = "    def __init__(self, net: Net, steps: int = 4) -> None:\n        self.register(net=net)\n"
    called = f"    def {method}(self, x: Tensor) -> Tensor: ...\n"
    assert names(f"{net}\nclass Pipeline:\n{init}{called}") == ["Net.forward"]
    assert names(f"{net}\nclass Scheme:\n{init.replace('net: Net', 'net: int')}{called}") == [
        "Net.forward",
        f"Scheme.{method}",
    ]


def test_what_is_made_with_a_module_that_nobody_calls_may_be_compiled() -> None:
    pose = "class Pose(torch.nn.Module):\n    def matrix(self) -> Tensor: ...\n"
    named = "class Named:\n    def __init__(self, pose: Pose): ...\n    def apply(self, x: Tensor) -> Tensor: ...\n"
    assert names(f"{pose}\n{named}") == ["Named.apply"]


def test_methods_of_a_module_that_nobody_calls_are_roots() -> None:
    ball = "class Ball(torch.nn.Module):\n    def expmap(self, x: Tensor) -> Tensor: ...\n"
    called = "class Net(torch.nn.Module):\n    def forward(self, x): ...\n"
    inherited = "class Own(Net):\n    def expmap(self, x: Tensor) -> Tensor: ...\n"
    assert names(ball) == ["Ball.expmap"]
    assert names(f"{called}\n{inherited}").count("Own.expmap") == 0


@pytest.mark.parametrize("held", ["torch.nn.Linear(3, 3)", "model"])
def test_methods_of_a_module_that_runs_others_are_none(held: str) -> None:
    init = f"    def __init__(self, model, size: int):\n        super().__init__()\n        self.held = {held}\n"
    driver = f"class Driver(torch.nn.Module):\n{init}    def step(self, x: Tensor) -> Tensor: ...\n"
    assert names(driver) == []
    assert names(driver.replace(held, "size")) == ["Driver.step"]


@pytest.mark.parametrize(
    "code",
    [
        "def nms(boxes: Tensor) -> int: ...\n",
        "def nms(boxes) -> Tensor: ...\n",
        "@op.register_fake\ndef nms(boxes: Tensor) -> Tensor: ...\n",
        "@torch.library.register_fake('a::b')\ndef nms(boxes: Tensor) -> Tensor: ...\n",
        "def nms(ctx, grad: Tensor) -> Tensor: ...\nop.register_autograd(nms, setup_context=setup)\n",
        "def nms(boxes: Tensor) -> Tensor: ...\ntorch.library.register_autograd('a::b', backward=nms)\n",
        "def nms(count: int) -> Tensor: ...\n",
        "def _nms(boxes: Tensor) -> Tensor: ...\n",
        "def load_boxes(boxes: Tensor) -> Tensor: ...\n",
        "def linspace_init_(weight: Tensor) -> Tensor: ...\n",
        "def optimize_boxes(boxes: Tensor) -> Tensor: ...\n",
        "def gen_candidates(start: Tensor) -> Tensor: ...\n",
        "async def nms(boxes: Tensor) -> Tensor: ...\n",
        "from typing import Iterator\n\ndef tokens(x: Tensor) -> Iterator[Tensor]:\n    yield from x\n",
        "class Words:\n    pass\n\ndef nms(boxes: Tensor, words: Words) -> Tensor: ...\n",
        "class S:\n    @property\n    def step(self, x: Tensor) -> Tensor: ...\n",
        "class M(torch.nn.Module):\n    def encode(self, x: Tensor) -> Tensor: ...\n",
    ],
)
def test_others_are_none(code: str) -> None:
    assert names(code) == []


@pytest.mark.parametrize(
    "imports", ["import argparse", "from argparse import ArgumentParser", "from absl import flags"]
)
def test_a_program_has_no_such_roots(imports: str) -> None:
    assert names(f"{imports}\n\ndef run(x: Tensor) -> Tensor: ...\n") == []
    assert names("from absl import logging\n\ndef run(x: Tensor) -> Tensor: ...\n") == ["run"]


@pytest.mark.parametrize(
    "file",
    [
        "ops.py",
        "lib/datasets/ops.py",
        "lib/image_processing_x.py",
        "lib/tests/ops.py",
        "lib/visualize/ops.py",
        "lib/init.py",
        "lib/weight_init.py",
        "lib/initialization.py",
    ],
)
def test_code_around_models_has_no_such_roots(file: str) -> None:
    package = {f"{file.rpartition('/')[0]}/__init__.py": ""} if file.count("/") > 1 else {}
    assert [each.function.name for each in roots({file: "def f(x: Tensor) -> Tensor: ...\n", **package})] == []


BASE = "class Base:\n    pass\n"
NARROW = "from lib.base import Base\nclass A(Base):\n    def step(self, x: Tensor, t: int) -> Tensor: ...\n"
WIDE = "from lib.base import Base\nclass B(Base):\n    def step(self, x: Tensor, t: int | Tensor) -> Tensor: ...\n"


def accepted(**files: str) -> dict[str, list[str]]:
    found = roots({"lib/base.py": BASE, **{f"lib/{name}.py": code for name, code in files.items()}})
    return {root.function.name: [name for name, _ in root.accepts] for root in found}


def test_a_method_accepts_what_the_same_method_of_a_sibling_declares() -> None:
    assert accepted(a=NARROW, b=WIDE) == {"A.step": ["t"], "B.step": []}


def test_without_a_common_base_nobody_is_a_sibling() -> None:
    assert accepted(a=NARROW, b=WIDE.replace("(Base)", "")) == {"A.step": [], "B.step": []}


TABLE = "def a(x):\n    return torch.relu(x)\n\ndef b(other):\n    return other\n"


def test_functions_of_a_table_are_roots() -> None:
    assert names(TABLE + 'ACTIVATIONS = {"a": a, "b": b}\n') == ["a", "b"]


def test_a_table_of_a_class_counts_too() -> None:
    assert names(TABLE + 'class Interface:\n    _functions = {"a": a, "b": b}\n') == ["a", "b"]


def test_tensors_may_be_any_of_what_functions_of_a_table_take() -> None:
    masks = (
        "def a(length: int, mask: Tensor | None = None):\n    return mask\n\ndef b(length: int):\n    return length\n"
    )
    assert names(masks + 'MASKS = {"a": a, "b": b}\n') == ["a", "b"]


@pytest.mark.parametrize("table", ['{"a": a}', '{"b": b, "c": b}', '{"a": a(1), "b": b(2)}', "[a, b]"])
def test_no_table_of_functions_that_take_tensors(table: str) -> None:
    assert names(TABLE + f"ACTIVATIONS = {table}\n") == []


def test_what_stands_for_functions_of_torch_is_no_function_of_a_table() -> None:
    """Who traces a model with shapes alone looks there for what to call: `{torch.cat: cat_of_meta, …}`."""
    assert names(TABLE + "OVERRIDES = {torch.relu: a, torch.nn.functional.gelu: b}\n") == []
    assert names(TABLE + "OVERRIDES = {torch.nn.ReLU: a, torch.Tensor.relu: b}\n") == []


def test_what_is_chosen_by_dtype_is_a_function_of_a_table() -> None:
    assert names(TABLE + "ACTIVATIONS = {torch.float16: a, torch.float32: b}\n") == ["a", "b"]


def test_what_makes_models_is_no_function_of_a_table() -> None:
    """An estimator is built by its name, `{"maf": build_maf, …}`, and nobody compiles that."""
    makers = "def build_a(x):\n    return nn.Linear(x.shape[1], 4)\n\ndef scale(x):\n    return x.sum()\n"
    assert names(makers + 'MODELS = {"a": build_a, "b": scale}\n') == ["scale"]


def test_what_takes_arrays_of_numpy_is_no_function_of_a_table() -> None:
    """p-values of a forecast are put together by `{"mean": mean, …}`, of what the model gave before."""
    code = (
        "import numpy as np\n\ndef a(x: np.ndarray):\n    return np.nansum(x.sum(0))\n\ndef b(x):\n    return x.sum()\n"
    )
    assert names(code + 'WAYS = {"a": a, "b": a}\n') == []
    assert names(code + 'WAYS = {"a": a, "b": b}\n') == ["b"]


def test_a_root_that_is_named_accepts_the_same() -> None:
    files = {"lib/__init__.py": "", "lib/base.py": BASE, "lib/a.py": IMPORTS + NARROW, "lib/b.py": IMPORTS + WIDE}
    found = Inspector(Knowledge(tree(files)), lambda *_: False)
    (root,) = named_roots(found, ["lib/a.py::A.step"])
    assert [name for name, _ in root.accepts] == ["t"]
