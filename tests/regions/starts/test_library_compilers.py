"""What a library compiles for the program that asks it to."""

from __future__ import annotations

import pytest

from tests.regions.test_roots import compiled, names

TRAINING = "from transformers import Trainer, TrainingArguments\n"
PREPARING = "from accelerate import Accelerator\n"


@pytest.mark.parametrize(
    "code",
    [
        TRAINING + "args = TrainingArguments('out', torch_compile=True)\nTrainer(model=Net(), args=args).train()",
        TRAINING + "def main(flag):\n    args = TrainingArguments(torch_compile=flag)\n    Trainer(Net(), args)",
        TRAINING + "args = TrainingArguments('out')\nargs.torch_compile = True\nTrainer(Net(), args)",
        TRAINING + "class Mine(Trainer):\n    pass\nMine(Net(), TrainingArguments(torch_compile_backend='inductor'))",
        "import trl\nnet = Net()\ntrl.SFTTrainer(net, args=trl.SFTConfig('out', torch_compile=True))",
        "Net().generate(3, cache_implementation='static')",
        "net = Net()\nnet.generation_config.cache_implementation = 'static'\nnet.generate(3)",
        PREPARING + "net, other = Accelerator(dynamo_backend='inductor').prepare(Net(), 3)",
        PREPARING + "accelerator = Accelerator(dynamo_plugin=plugin)\nnet = accelerator.prepare_model(Net())",
    ],
)
def test_a_model_that_is_handed_over_is_a_root(code: str) -> None:
    assert names(compiled(code)) == ["Net.forward"]


@pytest.mark.parametrize(
    "code",
    [
        TRAINING + "Trainer(model=Net(), args=TrainingArguments('out'))",
        TRAINING + "Trainer(model=Net(), args=TrainingArguments('out', torch_compile=False))",
        TRAINING + "Trainer(model=None, args=TrainingArguments('out', torch_compile=True))",
        TRAINING + "args = TrainingArguments('out', torch_compile=True)\nprint(Net())",
        "from mine import Trainer\nTrainer(Net(), torch_compile=True)",
        PREPARING + "Accelerator(dynamo_backend='no').prepare(Net())",
        PREPARING + "Accelerator().prepare(Net())",
        "Net().generate(3, cache_implementation='dynamic')",
    ],
)
def test_without_the_option_nothing_is_compiled(code: str) -> None:
    assert compiled(code) == []
