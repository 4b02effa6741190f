"""Forward hooks that a script registers on a model that it compiles."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from compilelint.inspect.arguments.items import MODULE
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import INT, TENSOR, UNKNOWN, Instance, tensor_part
from compilelint.inspect.knowledge import Knowledge
from compilelint.regions import Root, compiled_roots
from compilelint.report.confidence import Confidence
from tests.source.make import following, installed, tree

SCRIPT = """
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        return x

def show(module, inputs, output): ...

def before(module, inputs): ...

def once(module, inputs, output):
    HANDLE.remove(show)

class Saver:
    def save(self, module, inputs, output): ...
    def __call__(self, module, inputs, output): ...

def make(name):
    def hook(module, inputs, output): ...
    return hook

"""


def roots(code: str) -> list[Root]:
    found = Inspector(Knowledge(tree({"train.py": SCRIPT + dedent(code)})), lambda type_, callee: True)
    return [root for root in compiled_roots(found, "train.py") if root.function.name != "Net.forward"]


def main(body: str) -> str:
    lines = "\n    ".join(dedent(body).strip().split("\n"))
    return f"def main(what):\n    model = Net()\n    {lines}\n    return torch.compile(model)"


@pytest.mark.parametrize(
    ("registered", "name"),
    [
        ("model.register_forward_hook(show)", "show"),
        ("model.layer4[0].register_forward_hook(show)", "show"),
        ("what.register_forward_pre_hook(before)", "before"),
        ("handle = model.register_forward_hook(make('layer'))", "hook"),
        ("for module in model.modules(): module.register_forward_hook(show)", "show"),
        ("model.register_forward_hook(Saver().save)", "Saver.save"),
        ("model.register_forward_hook(Saver())", "Saver.__call__"),
        ("model.register_forward_hook(lambda m, i, o: print(o))", "<lambda>"),
    ],
)
def test_a_hook_is_compiled_with_its_model(registered: str, name: str) -> None:
    (root,) = roots(main(registered))
    assert (root.function.name, root.ceiling) == (name, Confidence.MEDIUM)


def test_a_hook_is_given_the_module_and_tensors() -> None:
    (root,) = roots(main("model.register_forward_hook(Saver().save)"))
    given = dict(root.accepts)
    assert list(given) == ["module", "inputs", "output"]
    assert given["module"] == UNKNOWN
    assert isinstance(tensor_part(given["output"]), type(TENSOR))


def test_a_hook_may_be_registered_after_the_model_is_compiled() -> None:
    code = "model = torch.compile(Net())\nmodel.register_forward_hook(show)"
    assert [root.function.name for root in roots(code)] == ["show"]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("nothing is compiled", "model = Net()\nmodel.register_forward_hook(show)  # no torch.compile"),
        ("it is taken back", main("handle = model.register_forward_hook(show)\nhandle.remove()")),
        ("it is called with more", main("model.register_forward_hook(show, with_kwargs=True)")),
        ("it runs backwards", main("model.register_full_backward_hook(show)")),
        ("nobody knows it", main("model.register_forward_hook(what)")),
    ],
)
def test_no_hook_is_compiled(why: str, code: str) -> None:
    assert roots(code) == [], why


LIBRARY = """
from diffusers import UNet2DConditionModel
import types
from types import MethodType
from transformers import AttentionInterface, LlamaForCausalLM
from transformers.models.llama import modeling_llama
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

def attend(module, query, key, value, mask, **kwargs): ...

def run(self, x): ...

class Processor:
    def __call__(self, attn, hidden_states, mask=None): ...

llama = torch.compile(LlamaForCausalLM(config))
made = llama.model
"""
"""A model of which nothing is known is compiled, and so is what runs in it."""


HELPERS = """
def attach(model):
    for module in model.modules():
        module.register_forward_hook(show)

class Stats:
    def __init__(self, model=None):
        if model is not None:
            model.register_forward_hook(self.save)

    def attach(self, model):
        model.register_forward_hook(self.save)

    def save(self, module, inputs, output): ...

"""


@pytest.mark.parametrize(
    ("registered", "name"),
    [
        ("attach(model)", "show"),
        ("Stats(model=model)", "Stats.save"),
        ("stats = Stats()\n    stats.attach(model)", "Stats.save"),
    ],
)
@pytest.mark.parametrize("compiled", ["run = torch.compile(model)", "model = torch.compile(model, dynamic=True)"])
def test_a_helper_registers_hooks_on_a_model_of_a_library(registered: str, name: str, compiled: str) -> None:
    code = "def main(other):\n    model = nn.Sequential(nn.Linear(2, 2))\n    {}\n    {}"
    assert name in {root.function.name for root in roots(HELPERS + code.format(registered, compiled))}
    of_another = registered.replace("model)", "other)")
    assert roots(HELPERS + code.format(of_another, compiled)) == []


@pytest.mark.parametrize(
    ("handed", "name", "given"),
    [
        ("llama.model.register_forward_hook(show)", "show", ["module", "inputs", "output"]),
        ("AttentionInterface.register('mine', attend)", "attend", ["module", "query", "key", "value"]),
        ("ALL_ATTENTION_FUNCTIONS.register('mine', attend)", "attend", ["module", "query", "key", "value"]),
        ("unet.set_attn_processor(Processor())", "Processor.__call__", ["attn", "hidden_states"]),
        ("for block in unet: block.attn.set_processor(Processor())", "Processor.__call__", ["attn", "hidden_states"]),
        ("unet.set_attn_processor({n: Processor() for n in unet})", "Processor.__call__", ["attn", "hidden_states"]),
        (
            "all = {}\nfor name in unet:\n    all[name] = Processor()\nunet.set_attn_processor(all)",
            "Processor.__call__",
            ["attn", "hidden_states"],
        ),
        ("modeling_llama.LlamaMLP.forward = run", "run", ["self", "x"]),
        ("llama.model.layers[0].mlp.forward = types.MethodType(run, llama)", "run", ["self", "x"]),
        ("llama.model.layers[0].mlp.forward = MethodType(run, llama)", "run", ["self", "x"]),
        ("llama.model.layers[0].mlp.forward = functools.partial(run, llama)", "run", ["self", "x"]),
        ("def patch():\n    modeling_llama.LlamaMLP.forward = run\npatch()", "run", ["self", "x"]),
        ("for layer in made.layers: layer.mlp.forward = run.__get__(layer.mlp)", "run", ["self", "x"]),
        ("llama.model.layers[0].mlp.__class__.forward = run", "run", ["self", "x"]),
        ("type(llama.model.layers[0].mlp).forward = run", "run", ["self", "x"]),
        ("Net.forward = run", "run", ["self", "x"]),
        ("net = Net()\nnet.forward = MethodType(run, net)", "run", ["self", "x"]),
        ("net = Net()\nnet.forward = lambda x: x", "<lambda>", ["x"]),
        ("made.mlp.forward = lambda x: x", "<lambda>", ["x"]),
        ("model = LlamaForCausalLM(config)\nmodel.forward = MethodType(run, model)", "run", ["self", "x"]),
        ("made.loss_function = lambda logits, labels, **rest: logits", "<lambda>", ["logits", "labels"]),
    ],
)
def test_what_a_model_of_a_library_calls_is_compiled_with_it(handed: str, name: str, given: list[str]) -> None:
    (root,) = roots(LIBRARY + handed)
    assert (root.function.name, root.ceiling) == (name, Confidence.MEDIUM)
    assert [parameter for parameter, _ in root.accepts] == given


def test_what_replaces_a_forward_takes_the_module_with_the_numbers_that_are_set_on_it() -> None:
    (root,) = roots(LIBRARY + "made.mlp.__class__.forward = run\nmade.mlp.calls = 0\nmade.mlp.rate = 0.5")
    assert dict(root.accepts) == {"self": MODULE, "self.calls": INT, "x": dict(root.accepts)["x"]}
    for patch in ("Net.forward = run", "net = Net()\nnet.forward = MethodType(run, net)"):
        (own,) = roots(LIBRARY + patch)
        assert isinstance(dict(own.accepts)["self"], Instance)


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("nothing is compiled", LIBRARY.replace("torch.compile", "len") + "unet.set_attn_processor(Processor())"),
        ("it is no function", LIBRARY + "AttentionInterface.register('mine', attend, 3)"),
        ("another library registers it", LIBRARY + "mylib.AttentionInterface.register('mine', attend)"),
        ("it is no forward", LIBRARY + "modeling_llama.LlamaMLP.prepare = run"),
        ("nobody puts it there", LIBRARY + "def patch():\n    modeling_llama.LlamaMLP.forward = run\n"),
        ("it compiles what was there", LIBRARY + "made.forward = torch.compile(made.forward)"),
        ("it compiles what its class has", LIBRARY + "Net.forward = torch.compile(Net.forward)"),
        ("it is no class of modules", LIBRARY + "Processor.forward = run"),
        ("it is no module", LIBRARY + "each = Processor()\neach.forward = MethodType(run, each)"),
        ("nobody knows it", LIBRARY + "unet.set_attn_processor(what)"),
        (
            "another function compiles",
            "def compiled():\n    return torch.compile(what())\n"
            "def hooked():\n    what().register_forward_hook(show)  # no torch.compile",
        ),
    ],
)
def test_nothing_else_runs_in_a_model_of_a_library(why: str, code: str) -> None:
    assert roots(code) == [], why


@pytest.mark.parametrize("method", ["MethodType(run, net)", "types.MethodType(run, net)", "run.__get__(net)"])
def test_what_replaces_the_forward_of_one_module_of_the_project_is_compiled_with_it(method: str) -> None:
    (root,) = roots(LIBRARY + f"net = Net()\nnet.forward = {method}\nfast = torch.compile(net)")
    given = dict(root.accepts)["self"]
    assert (root.function.name, root.ceiling) == ("run", Confidence.MEDIUM)
    assert isinstance(given, Instance)
    assert given.cls.name == "Net"


def test_a_function_that_is_made_a_method_is_compiled_as_one() -> None:
    (root,) = roots(
        "import types\ndef run(self, x): ...\nnet = Net()\nfast = torch.compile(types.MethodType(run, net))"
    )
    assert (root.function.name, root.ceiling) == ("run", Confidence.HIGH)
    assert isinstance(root.function.receiver, Instance)


@pytest.mark.parametrize(
    ("patch", "given"),
    [
        ("lib.MLP.forward = run", ["self", "x"]),
        ("model.mlp.forward = MethodType(run, model.mlp)", ["self", "x"]),
        ("model.loss_function = run", ["self", "x"]),
    ],
)
def test_what_replaces_methods_of_a_followed_library_is_compiled_with_its_model(
    tmp_path: Path, patch: str, given: list[str]
) -> None:
    library = """
        from torch import nn
        class MLP(nn.Module):
            def forward(self, x): ...
        class Model(nn.Module):
            def __init__(self):
                self.mlp = MLP()
            def forward(self, x): ...
    """
    script = f"""
        import lib, torch
        from types import MethodType
        def run(self, x): ...
        model = lib.Model()
        {patch}
        compiled = torch.compile(model)
    """
    followed = following({"train.py": dedent(script)}, installed(tmp_path, {"lib.py": dedent(library)}))
    found = Inspector(Knowledge(followed), lambda type_, callee: True)
    (root,) = (root for root in compiled_roots(found, "train.py") if root.function.name == "run")
    assert [parameter for parameter, _ in root.accepts] == given
