"""Hooks that a module registers as it is made run with its forward."""

from __future__ import annotations

import pytest

from tests.inspect.make import callees

NET = """
def save(module, inputs, output):
    print(output)

class Net(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.kept = {{}}
        {init}

    def more(self):
        self.fc.register_forward_hook(self.read)

    def read(self, module, inputs, output):
        self.kept["out"] = output.item()

    def before(self, module, inputs):
        inputs[0].tolist()

    def fill(self, module, inputs):
        print(inputs)
        self.handle.remove()

    def make(self, name):
        def hook(module, inputs, output):
            print(name)
        return hook

    def forward(self, x):
        return self.fc(x)

class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net("a")

    def forward(self, x):
        return self.net(x)
"""
READS = ("builtins.print", "torch.Tensor.item", "torch.Tensor.tolist")


def called(init: str, root: str = "Net.forward") -> list[str]:
    found = callees(NET.format(init=init.replace("\n", "\n        ")), root)
    return [name for name in found if name in READS]


@pytest.mark.parametrize("root", ["Net.forward", "Outer.forward"])
@pytest.mark.parametrize(
    ("init", "found"),
    [
        ("self.fc.register_forward_hook(save)", ["builtins.print"]),
        ("self.register_forward_hook(self.read)", ["torch.Tensor.item"]),
        ("self.fc.register_forward_pre_hook(self.before)", ["torch.Tensor.tolist"]),
        ("self.handles = [self.fc.register_forward_hook(self.make('a'))]", ["builtins.print"]),
        (
            "for name, layer in self.named_children():\n    layer.register_forward_hook(self.make(name))",
            ["builtins.print"],
        ),
        ("self.more()", ["torch.Tensor.item"]),
        ("self.fc.register_forward_hook(lambda m, i, o: o.item())", ["torch.Tensor.item"]),
        ("def local(m, i, o):\n    o.item()\nself.fc.register_forward_hook(local)", ["torch.Tensor.item"]),
        (
            "self.fc.register_forward_hook(save)\nself.register_forward_pre_hook(self.before)",
            ["torch.Tensor.tolist", "builtins.print"],
        ),
    ],
)
def test_hooks_are_walked_with_the_forward(init: str, found: list[str], root: str) -> None:
    assert called(init, root) == found


@pytest.mark.parametrize(
    ("why", "init"),
    [
        ("it runs backward", "self.fc.register_full_backward_hook(save)"),
        ("it runs when weights are loaded", "self.fc.register_load_state_dict_post_hook(save)"),
        ("nothing registers it", "self.hook = save"),
        ("it runs once", "self.handle = self.fc.register_forward_pre_hook(self.fill)"),
        ("what is registered is not known", "self.fc.register_forward_hook(name.hook)"),
    ],
)
def test_what_else_a_module_is_told_of_is_not(why: str, init: str) -> None:
    assert called(init) == [], why
