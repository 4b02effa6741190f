"""Settings, stances and the environment.

The positive forms are the examples of the pages CL802, CL803, CL805 to CL807 and CL809.
Here is what must not be taken for them.
"""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, constructs_around


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("under a flag", "import sys\nif sys.argv:\n    torch.compiler.set_stance('force_eager')"),
        ("around a call", "with torch.compiler.set_stance('force_eager'):\n    print(3)"),
        ("set again", "torch.compiler.set_stance('force_eager')\nprint(3)\ntorch.compiler.set_stance('default')"),
        ("after the compilation", "f = torch.compile(Net())\nf(3)\ntorch.compiler.set_stance('fail_on_recompile')"),
        (
            "handed to what runs it",
            "f = torch.compile(Net())\nwarm_up(f)\ntorch.compiler.set_stance('fail_on_recompile')\nf(3)",
        ),
        (
            "handed on before it is called",
            "f = torch.compile(Net())\ntorch.compiler.set_stance('fail_on_recompile')\ng = Runner(f)\nf(3)",
        ),
        (
            "run by a function",
            "@torch.compile\ndef f(x): ...\ndef warm_up():\n    f(3)\nwarm_up()\n"
            "torch.compiler.set_stance('fail_on_recompile')\nf(3)",
        ),
        ("nothing is compiled here", "torch.compiler.set_stance('fail_on_recompile')"),
        ("a setting that is asked for", "if hasattr(torch._dynamo.config, 'a'):\n    torch._dynamo.config.a = 3"),
        ("a setting that may fail", "try:\n    torch._dynamo.config.a = 3\nexcept AttributeError:\n    pass"),
        ("another config", "class C: ...\nconfig = C()\nconfig.a = 3"),
        ("the environment of a child", "import os\nenv = dict(os.environ)\nenv['TORCHDYNAMO_DISABLE'] = '1'"),
        ("switched on", "import os\nos.environ['TORCHDYNAMO_DISABLE'] = '0'"),
    ],
)
def test_nothing_is_switched(why: str, code: str) -> None:
    assert constructs_around(NET + code) == []


def test_a_setting_is_told_with_its_value() -> None:
    code = """
import torch
torch._dynamo.config.a = True
torch._dynamo.config.b = False
torch._dynamo.config.c = 3
"""
    assert constructs_around(code) == ["setting-on", "setting-off", "setting"]


def test_a_setting_that_is_put_back_is_told_once() -> None:
    code = """
import torch
torch._dynamo.config.a = True
torch._dynamo.config.a = False
"""
    assert constructs_around(code) == ["setting-off"]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("f = torch.compile(Net())\ntorch.compiler.set_stance('fail_on_recompile')\nf(3)", ["fail-stance-early"]),
        (
            "f = Net()\nf = torch.compile(f)\ntorch.compiler.set_stance('eager_on_recompile')\nf(3)",
            ["eager-stance-early"],
        ),
        ("@torch.compile\ndef f(x): ...\ntorch.compiler.set_stance('fail_on_recompile')\nf(3)", ["fail-stance-early"]),
    ],
)
def test_a_stance_before_the_first_call_of_what_is_compiled(code: str, found: list[str]) -> None:
    assert constructs_around(NET + code) == found
