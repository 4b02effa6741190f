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
        "def groups(model):\n    return [p for name, p in model.named_parameters() if name.startswith('head')]\n"
        "groups(compiled)",
    ],
)
def test_how_a_name_begins_is_another_matter_in_a_wrapper(asks: str) -> None:
    assert constructs_around(NET + COMPILED + asks) == ["names-of-compiled"]


LOOP = "for name, p in compiled.named_parameters():\n    p.data = first[name]\n"


@pytest.mark.parametrize(
    ("first", "found"),
    [
        ("copy.deepcopy(net.state_dict())", ["names-of-compiled"]),
        ("dict(net.named_parameters())", ["names-of-compiled"]),
        ("{n: p.clone() for n, p in net.named_parameters()}", ["names-of-compiled"]),
        ("{n: p.clone() for n, p in net.state_dict().items()}", ["names-of-compiled"]),
        ("{n: p.clone() for n, p in compiled.named_parameters()}", []),
        ("{n + '_mean': p.clone() for n, p in net.named_parameters()}", []),
        ("{'_'.join(('', n)): p for n, p in net.named_parameters()}", []),
        ("dict(other.named_parameters())", []),
        ("dict(net.named_modules())", []),
        ("{}", []),
    ],
)
def test_the_names_of_a_wrapper_are_none_of_the_original(first: str, found: list[str]) -> None:
    assert constructs_around(f"{NET}{COMPILED}first = {first}\n{LOOP}") == found


def test_what_was_taken_before_the_name_was_compiled_is_of_the_original() -> None:
    code = f"{NET}compiled = Net()\nfirst = compiled.state_dict()\ncompiled = torch.compile(compiled)\n{LOOP}"
    assert constructs_around(code) == ["names-of-compiled"]


def test_a_name_of_a_wrapper_is_not_among_those_of_the_original() -> None:
    loop = "for name, p in compiled.named_parameters():\n    if name in first:\n        p.requires_grad = False\n"
    assert constructs_around(f"{NET}{COMPILED}first = net.state_dict()\n{loop}") == ["names-of-compiled"]


@pytest.mark.parametrize(
    ("why", "asks"),
    [
        ("of the original", "slow = [p for name, p in net.named_parameters() if name.startswith('head')]"),
        ("how it ends", "slow = [p for name, p in compiled.named_parameters() if name.endswith('bias')]"),
        ("what is in it", "slow = [p for name, p in compiled.named_parameters() if 'head' in name]"),
        ("how something else begins", "slow = [p for name, p in compiled.named_parameters() if mode == 'head']"),
        ("a name that is not written out", "slow = [p for name, p in compiled.named_parameters() if name == chosen]"),
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


@pytest.mark.parametrize(
    ("asks", "found"),
    [
        ("compiled.state_dict()['linear.weight']", ["names-of-compiled"]),
        ("dict(compiled.named_parameters())['linear.weight']", ["names-of-compiled"]),
        ("state = compiled.state_dict()\nstate['linear.weight'].add_(1)", ["names-of-compiled"]),
        ("state = net.state_dict()\nstate['linear.weight'].add_(1)", []),
        ("state = compiled.state_dict()\nstate['linear.weight'] = 3\nstate['linear.weight']", []),
        ("state = compiled.state_dict()\nstate['epoch']", []),
        ("print('_orig_mod')\ncompiled.state_dict()['linear.weight']", []),
    ],
)
def test_a_key_that_is_written_out(asks: str, found: list[str]) -> None:
    assert constructs_around(NET + COMPILED + asks) == found
