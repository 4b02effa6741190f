"""Training loops around compiled steps. The positive forms are the examples of CL510 and CL516 to CL518."""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around

PRELUDE = """
import torch
import torch._dynamo
from torch import nn
from torch.utils.data import DataLoader

net = nn.Linear(4, 4)
"""


def constructs(code: str) -> list[str]:
    return constructs_around(PRELUDE + code)


STEP = "optimizer = torch.optim.Adam(net.parameters(), {})\n{}\nstep = torch.compile(optimizer.step)\nstep()\n"
SCHEDULER = "scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)"


@pytest.mark.parametrize("rate", ["1e-3", "lr=1e-3", "lr=args.lr", "lr=float(rate)", "", "weight_decay=0.1"])
def test_a_scheduler_changes_a_float(rate: str) -> None:
    assert constructs(STEP.format(rate, SCHEDULER)) == ["learning-rate"]


@pytest.mark.parametrize(
    "scheduler",
    [
        "import transformers\ns = transformers.get_linear_schedule_with_warmup(optimizer, 2, 10)",
        "import transformers\ns = transformers.get_scheduler('linear', optimizer, num_warmup_steps=2)",
        "from diffusers.optimization import get_scheduler\ns = get_scheduler('cosine', optimizer=optimizer)",
        "from timm.scheduler import CosineLRScheduler\ns = CosineLRScheduler(optimizer, t_initial=10)",
    ],
)
def test_so_do_the_schedulers_of_other_packages(scheduler: str) -> None:
    assert constructs(STEP.format("lr=1e-3", scheduler)) == ["learning-rate"]


@pytest.mark.parametrize(
    ("why", "rate", "scheduler"),
    [
        ("a tensor", "lr=torch.tensor(1e-3)", SCHEDULER),
        ("a tensor made elsewhere", "lr=make_rate()", SCHEDULER),
        ("no scheduler", "lr=1e-3", "pass"),
        (
            "a rate that stays the same",
            "lr=1e-3",
            "from transformers import get_constant_schedule\ns = get_constant_schedule(optimizer)",
        ),
        (
            "a scheduler called constant",
            "lr=1e-3",
            "from diffusers.optimization import get_scheduler\ns = get_scheduler('constant', optimizer=optimizer)",
        ),
        ("something else that takes the optimizer", "lr=1e-3", "import lib\nlib.prepare(optimizer)"),
        ("a scheduler of another optimizer", "lr=1e-3", SCHEDULER.replace("optimizer", "other")),
        ("the rate is only read", "lr=1e-3", "for group in optimizer.param_groups:\n    print(group['lr'])"),
        ("set once", "lr=1e-3", "optimizer.param_groups[0]['lr'] = 0.1"),
    ],
)
def test_the_rate_stays_what_it_is(why: str, rate: str, scheduler: str) -> None:
    assert constructs(STEP.format(rate, scheduler)) == [], why


LOOP = "loader = {}\nmodel = torch.compile(net{})\nfor i, (x, y) in enumerate(loader):\n    {}\n"
TRAIN = "model(x).sum().backward()"


@pytest.mark.parametrize(
    "loader", ["DataLoader(data, batch_size=8)", "DataLoader(data, 8)", "DataLoader(data, batch_size=n)"]
)
def test_the_last_batch_is_smaller(loader: str) -> None:
    assert constructs(LOOP.format(loader, "", TRAIN)) == ["ragged-last-batch"]


@pytest.mark.parametrize(
    ("made", "whole"),
    [
        ("torch.randn(64, 4)", True),
        ("torch.zeros((64, 4))", True),
        ("torch.randint(0, 9, (64,))", True),
        ("torch.randn(size, 4)", True),
        ("torch.randn(60, 4)", False),
        ("torch.randn(n, 4)", False),
        ("torch.load('x.pt')", False),
    ],
)
@pytest.mark.parametrize("data", ["TensorDataset(first, first)", "data", "first"])
def test_data_that_is_made_up_may_be_a_multiple_of_the_batch(made: str, whole: bool, data: str) -> None:
    before = f"size = 64\nfirst = {made}\ndata = TensorDataset(first)\n"
    before = f"from torch.utils.data import TensorDataset\n{before}"
    code = before + LOOP.format(f"DataLoader({data}, batch_size=16)", "", TRAIN)
    assert constructs(code) == ([] if whole else ["ragged-last-batch"])


@pytest.mark.parametrize(
    ("why", "loader", "options", "body"),
    [
        ("dropped", "DataLoader(data, batch_size=8, drop_last=True)", "", TRAIN),
        ("decided elsewhere", "DataLoader(data, batch_size=8, drop_last=args.drop_last)", "", TRAIN),
        ("batches made elsewhere", "DataLoader(data, batch_sampler=sampler)", "", TRAIN),
        ("options made elsewhere", "DataLoader(data, batch_size=8, **options)", "", TRAIN),
        ("batches of one", "DataLoader(data, batch_size=1)", "", TRAIN),
        ("dynamic", "DataLoader(data, batch_size=8)", ", dynamic=True", TRAIN),
        ("every sample counts", "DataLoader(data, batch_size=8)", "", "total += model(x).sum()"),
        ("left out by hand", "DataLoader(data, 8)", "", f"if x.shape[0] != 8:\n        continue\n    {TRAIN}"),
        ("left out at the end", "DataLoader(data, 8)", "", f"if len(x) < 8:\n        break\n    {TRAIN}"),
        ("padded by hand", "DataLoader(data, 8)", "", f"x = F.pad(x, (0, 0, 0, 8 - x.size(0)))\n    {TRAIN}"),
        ("not compiled", "DataLoader(data, batch_size=8)", "", "net(x).sum().backward()\n    continue\nmodel(x)"),
        ("another loader", "make_loader(data, batch_size=8)", "", TRAIN),
    ],
)
def test_all_batches_are_alike(why: str, loader: str, options: str, body: str) -> None:
    assert constructs(LOOP.format(loader, options, body)) == [], why


HANDED_ON = """
from torch.utils.data import DataLoader

def train(model, loader):
    for step, (x, y) in enumerate(loader):
        model(x).sum().backward()

def evaluate(model, loader):
    for x, y in loader:
        model(x)

def main():
    net = nn.Linear(2, 2)
    loader = DataLoader({})
    for epoch in range(3):
        {}
"""


@pytest.mark.parametrize(
    ("loader", "call", "expected"),
    [
        ("data, 8", "train(torch.compile(net), loader)", 1),
        ("data, 8", "train(loader=loader, model=torch.compile(net))", 1),
        ("data, 8, drop_last=True", "train(torch.compile(net), loader)", 0),
        ("data, 8", "train(torch.compile(net, dynamic=True), loader)", 0),
        ("data, 8", "train(net, loader)", 0),
        ("data, 8", "evaluate(torch.compile(net), loader)", 0),
    ],
)
def test_a_loader_is_handed_to_what_trains(loader: str, call: str, expected: int) -> None:
    assert constructs(HANDED_ON.format(loader, call)).count("ragged-last-batch") == expected


TRAINER = """
from torch.utils.data import DataLoader

class Trainer:
    def __init__(self):
        self.model = torch.compile(nn.Linear(2, 2))

    def epoch(self, loader):
        for x, y in loader:
            self.model(x).sum().backward()

    def fit(self, data, given):
        self.epoch(DataLoader(data, 8))
        self.epoch(given)
"""


def test_a_trainer_is_handed_its_loader() -> None:
    assert constructs(TRAINER) == ["ragged-last-batch"]


KEEPER = """
from torch.utils.data import DataLoader

class Trainer:
    def __init__(self, {init}):
        self.model = torch.compile(nn.Linear(2, 2){options})
        self.loader = {loader}

    def step(self, x):
        {step}

    def show(self, x):
        return self.model(x)

    def fit(self):
        for x, y in tqdm(self.loader):
            {body}

trainer = Trainer({given})
"""
KEEPING = {
    "init": "n", "options": "", "loader": "DataLoader(data, n)", "step": "...", "given": "8",
    "body": "self.model(x).sum().backward()",
}  # fmt: skip
KEPT_LOADERS = [
    ("it makes it", {}),
    ("it is given it", {"init": "loader", "loader": "loader", "given": "DataLoader(data, 8)"}),
    ("by its name", {"init": "n, loader=None", "loader": "loader", "given": "8, loader=DataLoader(data, 8)"}),
    ("a method trains on a batch", {"step": "self.model(x).sum().backward()", "body": "self.step(x)"}),
    ("a method runs the model", {"step": "return self.model(x)", "body": "self.step(x).sum().backward()"}),
]


@pytest.mark.parametrize(("why", "changes"), KEPT_LOADERS)
def test_a_trainer_keeps_its_loader(why: str, changes: dict[str, str]) -> None:
    assert constructs(KEEPER.format(**(KEEPING | changes))) == ["ragged-last-batch"], why


@pytest.mark.parametrize(
    ("why", "changes"),
    [
        ("the last is dropped", {"loader": "DataLoader(data, n, drop_last=True)"}),
        ("it is dynamic", {"options": ", dynamic=True"}),
        ("it is made elsewhere", {"loader": "make(n)"}),
        ("it is given one that is made elsewhere", {"init": "loader", "loader": "loader", "given": "make()"}),
        ("it does not train", {"body": "self.model(x)"}),
        ("a method does not train", {"step": "self.model(x)", "body": "self.step(x)"}),
        (
            "a method trains where it is asked to",
            {"step": "y = self.model(x)\n        if self.training:\n            y.backward()", "body": "self.step(x)"},
        ),
        ("another method runs the model", {"step": "return net(x)", "body": "self.step(x).sum().backward()"}),
        ("a method that is never called runs it", {"body": "net(x).sum().backward()"}),
    ],
)
def test_a_trainer_keeps_what_ends_with_no_small_batch(why: str, changes: dict[str, str]) -> None:
    assert constructs(KEEPER.format(**(KEEPING | changes))) == [], why


def test_a_trainer_is_given_a_compiled_model_and_keeps_its_loader() -> None:
    code = """
from torch.utils.data import DataLoader

class Trainer:
    def __init__(self, model, loader):
        self.model = model
        self.loader = loader

    def fit(self):
        for x, y in self.loader:
            self.model(x).sum().backward()

model = torch.compile(nn.Linear(2, 2))
loader = DataLoader(data, 8)
Trainer(model, loader).fit()
"""
    assert constructs(code) == ["ragged-last-batch"]


@pytest.mark.parametrize(
    "code",
    [
        "torch._dynamo.config.recompile_limit = 8",
        "torch._dynamo.config.recompile_limit = 64  # one for each image size",
        "# One for each image size.\ntorch._dynamo.config.recompile_limit = 64",
        "torch._dynamo.config.recompile_limit = args.limit",
        "config.recompile_limit = 64",
    ],
)
def test_the_limit_is_not_raised_or_the_reason_is_given(code: str) -> None:
    assert "recompile-limit-raised" not in constructs(code)


@pytest.mark.parametrize(
    "code",
    [
        "torch._dynamo.config.recompile_limit = 64",
        "torch._dynamo.config.cache_size_limit = 64  # noqa",
        "import torch._dynamo.config as config\nconfig.accumulated_cache_size_limit = 1000",
    ],
)
def test_the_limit_is_raised(code: str) -> None:
    assert "recompile-limit-raised" in constructs(code)


PADDED = "model = torch.compile(net, dynamic={})\nfor texts in batches:\n    model(tokenizer(texts, {}))"


@pytest.mark.parametrize(
    ("dynamic", "options", "found"),
    [
        ("False", "padding=True", True),
        ("False", "padding='longest'", True),
        ("False", "padding='max_length'", False),
        ("False", "padding=True, pad_to_multiple_of=64", False),
        ("None", "padding=True", False),
    ],
)
def test_padding_to_the_longest_counts_for_static_shapes(dynamic: str, options: str, found: bool) -> None:
    assert ("padded-to-longest" in constructs(PADDED.format(dynamic, options))) is found


KEPT = """
class Trainer:
    def __init__(self):
        self.opt = torch.optim.AdamW(net.parameters(), {rate})
        self.other = torch.optim.AdamW(net.parameters(), 1e-3)
        self.step = torch.compile({compiled})
    def update(self):
        self.opt.step()
    def run(self):
        for e in range(9):
            {change}
            self.step()
"""
GROUPS = "for g in self.opt.param_groups:\n                g['lr'] = 1e-3 * e"


@pytest.mark.parametrize("compiled", ["self.opt.step", "self.update"])
@pytest.mark.parametrize(
    "change",
    [
        GROUPS,
        "self.opt.param_groups[0]['lr'] = 1e-3 * e",
        "self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 10)",
    ],
)
def test_a_class_changes_the_rate_of_the_optimizer_that_it_keeps(compiled: str, change: str) -> None:
    assert constructs(KEPT.format(rate="lr=1e-3", compiled=compiled, change=change)) == ["learning-rate"]


@pytest.mark.parametrize(
    ("rate", "compiled", "change"),
    [
        ("lr=torch.tensor(1e-3)", "self.opt.step", GROUPS),
        ("lr=1e-3", "self.other.step", GROUPS),
        ("lr=1e-3", "self.opt.step", "pass"),
        ("lr=1e-3", "self.opt.step", GROUPS.replace("1e-3 * e", "0.1")),
        ("lr=1e-3", "net.forward", GROUPS),
    ],
)
def test_a_class_keeps_the_rate_or_has_a_tensor(rate: str, compiled: str, change: str) -> None:
    assert constructs(KEPT.format(rate=rate, compiled=compiled, change=change)) == []
