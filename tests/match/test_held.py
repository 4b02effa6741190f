"""Counts on objects: what Dynamo did with each form was tried on 2.13 and 2.15."""

from __future__ import annotations

import pytest

from compilelint.catalog.model import Rule
from compilelint.match.analysis import AnalysisSettings, analyze
from compilelint.report.confidence import Confidence
from tests.match.make import TARGET, match, rule
from tests.source.make import tree

HELD = rule(
    match(
        "attribute-write",
        construct=frozenset({"augmented", "item-augmented"}),
        receiver=frozenset({"object"}),
        detector="origins:held_by_module",
    ),
    code="CL501",
    effect="recompile",
)
OF_GLOBAL = rule(
    match(
        "attribute-write",
        construct=frozenset({"augmented"}),
        receiver=frozenset({"object"}),
        detector="origins:held_by_global",
    ),
    code="CL503",
    effect="recompile",
)
METER = """\
import torch
from torch import nn
class Meter:
    def __init__(self):
        self.total = 0
        self.stats = {{"calls": 0}}
    def update(self, x):
        {count}
        return x + 1
    {more}
class Both:
    def __init__(self):
        self.meter = Meter()
"""


def lines(code: str, count: str = "self.total += 1", more: str = "pass", rule: Rule = HELD) -> list[int]:
    files = {"a.py": METER.format(count=count, more=more) + code}
    found = analyze(tree(files), (rule,), AnalysisSettings((), False, TARGET)).findings
    return [finding.line for finding in found if finding.confidence is not Confidence.LOW]


NET = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.held = {held}
    def forward(self, x):
        return {called}
"""


@pytest.mark.parametrize(
    ("held", "called"),
    [
        ("Meter()", "self.held.update(x)"),
        ("[Meter(), Meter()]", "self.held[0].update(x)"),
        ('{"a": Meter()}', 'self.held["a"].update(x)'),
        ("Both()", "self.held.meter.update(x)"),
    ],
)
def test_an_object_that_a_module_holds_is_guarded_as_the_module_is(held: str, called: str) -> None:
    assert lines(NET.format(held=held, called=called)) == [8]


@pytest.mark.parametrize("count", ['self.stats["calls"] += 1', "self.total = self.total + x.shape[0]"])
def test_counts_have_several_forms(count: str) -> None:
    assert lines(NET.format(held="Meter()", called="self.held.update(x)"), count) == [8]


def test_the_module_may_be_held_itself() -> None:
    outer = "class Trainer:\n    def __init__(self):\n        self.net = Net()\n"
    outer += "        self.step = torch.compile(self.run)\n"
    outer += "    def run(self, x):\n        return self.net(x)\n"
    assert lines(NET.format(held="Meter()", called="self.held.update(x)") + outer) == [8]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("it is made in the call", NET.format(held="3", called="Meter().update(x)")),
        ("no module holds it", "@torch.compile\ndef f(x: torch.Tensor, meter: Meter):\n    return meter.update(x)\n"),
        (
            "an object holds it",
            "class Trainer:\n    def __init__(self):\n        self.meter = Meter()\n"
            "        self.step = torch.compile(self.run)\n    def run(self, x):\n        return self.meter.update(x)\n",
        ),
    ],
)
def test_others_become_dynamic_or_are_gone_with_the_call(why: str, code: str) -> None:
    assert lines(code) == [], why


def test_what_is_set_back_may_be_so_in_each_call() -> None:
    code = NET.format(held="Meter()", called="self.held.update(x)")
    assert lines(code, more="def reset(self):\n        self.total = 0") == []
    assert lines(code.replace("return", "self.held.total = 0\n        return")) == []


def test_a_count_of_what_is_new_in_a_table_does_not_move_in_most_calls() -> None:
    code = NET.format(held="Meter()", called="self.held.update(x)")
    assert lines(code, "if x.dtype not in self.stats: self.total += 1") == []


HANDED = """\
from diffusers import UNet2DConditionModel
unet = UNet2DConditionModel()
class Processor:
    def __init__(self):
        self.step = 0
        self.meter = Meter()
    def __call__(self, attn, hidden_states):
        self.step += 1
        self.meter.update(hidden_states)
        return hidden_states
class Saver:
    def __init__(self):
        self.calls = 0
    def __call__(self, module, args, output):
        self.calls += 1
    def save(self, module, args, output):
        self.calls += 1
torch.compile(unet)
"""


@pytest.mark.parametrize(
    ("handed", "counts"),
    [
        ("unet.set_attn_processor(Processor())", [8, 21]),
        ("unet.set_attn_processor({name: Processor() for name in unet.attn_processors})", [8, 21]),
        ("unet.mid_block.register_forward_hook(Saver())", [28]),
        ("unet.mid_block.register_forward_hook(Saver().save)", [30]),
    ],
)
def test_what_a_script_hands_to_a_model_is_held_by_it(handed: str, counts: list[int]) -> None:
    assert sorted(lines(HANDED + handed)) == counts


LIVES_ON = rule(
    match(
        "attribute-write",
        construct=frozenset({"append", "fill", "fill-by-size", "fill-for-another-size"}),
        detector="functions:lives_on",
    ),
    code="CL520",
    effect="recompile",
)
CACHE = """\
import torch
from torch import nn
class Cache:
    def __init__(self):
        self.last = None
        self.seen = []
        self.tables = {{}}
        self.size = 0
    def update(self, x: torch.Tensor, again=False):
        {body}
        return x
"""
HOLDERS = {
    "module": "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        self.cache = Cache()\n    def forward(self, x):\n        return self.cache.update(x)\n",
    "object": "class Trainer:\n    def __init__(self):\n        self.cache = Cache()\n"
    "        self.step = torch.compile(self.run)\n    def run(self, x):\n        return self.cache.update(x)\n",
}
GIVEN = "@torch.compile\ndef f(x: torch.Tensor, cache: Cache):\n    return cache.update(x)\n"


def fills(code: str) -> list[int]:
    files = {"a.py": code}
    found = analyze(tree(files), (LIVES_ON,), AnalysisSettings((), True, TARGET)).findings
    return [finding.line for finding in found]


@pytest.mark.parametrize("holder", HOLDERS.values(), ids=HOLDERS)
@pytest.mark.parametrize(
    "body",
    [
        "self.last = x if self.last is None else self.last",
        "if self.last is None or again: self.last = x",
        "self.seen.append(x)",
        "if x.shape[0] not in self.tables: self.tables[x.shape[0]] = x",
        "if x.shape[0] != self.size: self.size = x.shape[0]",
    ],
)
def test_what_an_object_is_filled_with_is_there_in_the_next_call(body: str, holder: str) -> None:
    code = CACHE.format(body=body) + holder
    assert fills(code + "torch.compile(Net())\n" * ("Net" in holder)) == [10]


def test_of_what_is_passed_nobody_knows_whether_it_is_the_same_object() -> None:
    assert fills(CACHE.format(body="self.seen.append(x)") + GIVEN) == []


LOOP = """\
cache = Cache()
for x in torch.ones(12, 2, 4):
    {each}
"""


def appended(each: str, given: str = GIVEN) -> list[int]:
    return fills(CACHE.format(body="self.seen.append(x)") + given + LOOP.format(each=each))


@pytest.mark.parametrize("each", ["f(x, cache)", "f(x, cache=cache)", "f(x, cache); print(len(cache.seen))"])
def test_a_loop_that_hands_on_what_was_made_before_it_hands_on_the_same_object(each: str) -> None:
    """Dynamo 2.13 compiles `f` eight times, and then gives up; of the objects below once, or twice."""
    assert appended(each) == [10]


@pytest.mark.parametrize(
    "body",
    [
        "while len(self.tables) > len(self.seen): self.seen.append(x)",
        "if again: self.seen.append(x)",
        "if self.size: return x\n        self.seen.append(x)",
    ],
)
def test_a_cache_is_filled_until_it_holds_one_for_each_layer(body: str) -> None:
    assert fills(CACHE.format(body=body) + GIVEN + LOOP.format(each="f(x, cache)")) == []


def test_a_model_is_given_what_its_forward_declares() -> None:
    model = "class Net(nn.Module):\n    def forward(self, x, cache: Cache):\n        return cache.update(x)\n"
    assert appended("net(x, cache)", f"{model}net = torch.compile(Net())\n") == [10]


@pytest.mark.parametrize(
    ("why", "each"),
    [
        ("another one", "cache = Cache(); f(x, cache)"),
        ("one that is made for the call", "f(x, Cache())"),
        ("its own method may empty it", "f(x, cache); cache.reset()"),
        ("it is emptied", "f(x, cache); cache.__dict__['seen'].clear()"),
        ("a function may empty it", "f(x, cache); print(cache)"),
        ("it gets another list", "f(x, cache); cache.kept = cache.last"),
    ],
)
def test_a_loop_that_renews_an_object_may_hand_on_another_one(why: str, each: str) -> None:
    assert appended(each) == [], why


FUNCTION = """\
METER = Meter()
BOTH = Both()
@torch.compile
def f(x, given: Meter):
    own = Meter()
    return {called}
"""


@pytest.mark.parametrize("called", ["METER.update(x)", "BOTH.meter.update(x)"])
def test_an_object_that_a_global_holds_is_guarded_as_one_that_a_module_holds(called: str) -> None:
    assert lines(FUNCTION.format(called=called), rule=OF_GLOBAL) == [8]
    assert lines(FUNCTION.format(called=called)) == []


@pytest.mark.parametrize("called", ["own.update(x)", "given.update(x)"])
def test_an_object_that_no_global_holds_becomes_dynamic(called: str) -> None:
    assert lines(FUNCTION.format(called=called), rule=OF_GLOBAL) == []


def test_a_count_of_a_global_that_is_set_again_may_be_so_in_each_call() -> None:
    more = "def reset(self):\n        self.total = 0"
    assert lines(FUNCTION.format(called="METER.update(x)"), more=more, rule=OF_GLOBAL) == []
