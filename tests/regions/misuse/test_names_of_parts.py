"""Names asked of what `torch.compile` gives, where all begin with `_orig_mod.`."""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, constructs_around

COMPILED = "net = Net()\ncompiled = torch.compile(net)\n"


@pytest.mark.parametrize(
    "asks",
    [
        "for name, p in compiled.named_parameters():\n    if name.startswith('head'):\n        p.requires_grad = False",
        "for name, p in compiled.named_parameters():\n    if not name.startswith(('head', 'neck')):\n        freeze(p)",
        "for name, part in compiled.named_modules():\n    if name == 'head':\n        part.eval()",
        "for name, part in compiled.named_children():\n    if name in {'head', 'neck'}:\n        part.eval()",
        "slow = [p for name, p in compiled.named_parameters() if name.split('.')[0] != 'head']",
        "slow = {name: name == 'head.bias' for name, p in compiled.named_parameters()}",
        "slow = ['head.weight', 'head.bias']\n"
        "for name, p in compiled.named_parameters():\n    if name in slow:\n        freeze(p)",
        "def groups(model):\n    return [p for name, p in model.named_parameters() if name.startswith('head')]\n"
        "groups(compiled)",
    ],
)
def test_how_a_name_begins_is_another_matter_in_a_wrapper(asks: str) -> None:
    assert constructs_around(NET + COMPILED + asks) == ["names-of-compiled"]


@pytest.mark.parametrize(
    ("why", "asks"),
    [
        ("of the original", "slow = [p for name, p in net.named_parameters() if name.startswith('head')]"),
        ("how it ends", "slow = [p for name, p in compiled.named_parameters() if name.endswith('bias')]"),
        ("what is in it", "slow = [p for name, p in compiled.named_parameters() if 'head' in name]"),
        ("how something else begins", "slow = [p for name, p in compiled.named_parameters() if mode == 'head']"),
        ("a name that is not written out", "slow = [p for name, p in compiled.named_parameters() if name == chosen]"),
        ("names that are not written out", "slow = [p for name, p in compiled.named_parameters() if name in chosen]"),
        ("the last part", "slow = [p for name, p in compiled.named_parameters() if name.split('.')[-1] == 'bias']"),
        (
            "somebody else takes the prefix off",
            "for name, p in compiled.named_parameters():\n    name = plain(name)\n"
            "    if name.startswith('head'):\n        freeze(p)",
        ),
        (
            "the file knows the prefix",
            "for name, p in compiled.named_parameters():\n    name = name.removeprefix('_orig_mod.')\n"
            "    if name.startswith('head'):\n        freeze(p)",
        ),
    ],
)
def test_what_holds_of_a_wrapper_as_well(why: str, asks: str) -> None:
    assert constructs_around(NET + COMPILED + asks) == []


def test_what_is_compiled_in_place_has_its_own_names() -> None:
    asks = "slow = [p for name, p in net.named_parameters() if name.startswith('head')]"
    assert constructs_around(NET + "net = Net()\nnet.compile()\n" + asks) == []
