"""What the recorder must not miss, and must not make up."""

from __future__ import annotations

import logging
import os
import sys
import tempfile
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from compilelint.judging.recorder import Run  # noqa: E402
from compilelint.judging.recorder import record as record_modes  # noqa: E402


def record(source: str, mode: str) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        return record_modes(source, [mode], Path(folder))[mode]


def lines(run: Run) -> list[int | None]:
    return [found.line for found in run.breaks]


def test_a_break_is_seen_with_its_line_and_id() -> None:
    run = record("def f(x):\n    y = x + 1\n    print(y)\n    return y * 2\n", "default")
    assert lines(run) == [3]
    assert run.breaks[0].gb_id is not None
    assert not run.breaks[0].drops_frame
    assert run.graphs == 2


def test_a_branch_on_a_tensor_is_a_break() -> None:
    run = record("def f(x):\n    if x.sum() > 0:\n        x = x + 1\n    return x\n", "default")
    assert lines(run) == [2]


def test_a_break_in_a_helper_is_the_helpers_and_counts_once() -> None:
    source = "def g(x):\n    print(1)\n    return x + 1\n\ndef f(x):\n    return g(x) * 2\n"
    assert lines(record(source, "default")) == [2]


def test_a_break_in_a_loop_is_unwrapped_to_its_cause() -> None:
    run = record("def f(x):\n    for _ in range(2):\n        print(1)\n    return x + 1\n", "default")
    assert lines(run) == [3]
    assert "loop" not in run.breaks[0].reason
    assert run.breaks[0].drops_frame
    assert run.graphs == 0


def test_the_same_break_in_a_library_is_seen_on_each_line_that_leads_there() -> None:
    source = (
        "import torch\nm = torch.nn.Linear(4, 4)\n\ndef f(x):\n"
        "    y = x + 1\n    m.half()\n    y = y + 1\n    m.float()\n    return y + 1\n"
    )
    assert lines(record(source, "default")) == [6, 8]


def test_a_break_that_is_told_twice_counts_where_it_has_its_line() -> None:
    """torch 2.13 first tells it of the library's frame alone, where a module's `forward` calls a layer."""
    source = (
        "import torch\nfrom torch import nn\nfrom torch_geometric.nn import GCNConv\n\n"
        "def inputs():\n    return [(torch.randn(3, 4), torch.tensor([[0, 1, 2], [1, 2, 0]]))]\n\n"
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.conv = GCNConv(4, 4)\n\n"
        "    def forward(self, x, edges):\n        y = self.conv(x, edges)\n        return x * 2\n\nf = Net()\n"
    )
    assert lines(record(source, "default")) == [14]


def test_a_generator_function_is_dropped_without_a_word() -> None:
    run = record("def f(x):\n    yield x + 1\n", "default")
    assert (lines(run), run.graphs) == ([1], 0)


def test_nothing_happens_in_clean_code() -> None:
    run = record("def f(x):\n    return x * x.sum()\n", "default")
    assert (run.breaks, run.recompiles, run.failure, run.graphs) == ((), (), None, 1)


def test_recompiles_are_counted_with_their_guard() -> None:
    source = "def f(x, mode):\n    return x + len(mode)\n\ndef inputs():\n    import torch\n"
    source += "    return [(torch.ones(2), mode) for mode in ('a', 'bb', 'bb', 'ccc')]\n"
    run = record(source, "default")
    assert len(run.recompiles) == 2
    assert "mode" in run.recompiles[0]


def test_the_same_shapes_do_not_recompile() -> None:
    source = "import torch\n\ndef f(x):\n    return x + 1\n\ndef inputs():\n    return [(torch.ones(2),)] * 3\n"
    assert record(source, "default").recompiles == ()


@pytest.mark.parametrize(("mode", "breaks"), [("default", [2]), ("capture-scalars", []), ("capture-shapes", [])])
def test_flags_of_the_mode_are_set(mode: str, breaks: list[int]) -> None:
    assert lines(record("def f(x):\n    return x * x.sum().item()\n", mode)) == breaks


def test_a_failure_has_its_line_under_fullgraph() -> None:
    run = record("def f(x):\n    print(1)\n    return x\n", "fullgraph")
    assert run.failure is not None
    assert (run.failure.type, run.failure.line) == ("Unsupported", 2)


def test_an_example_that_fails_without_dynamo_is_broken() -> None:
    run = record("def f(x):\n    return x.no_such_method()\n", "default")
    assert run.broken is not None
    assert "fails without Dynamo: AttributeError at line 2" in run.broken


def test_an_example_that_cannot_be_imported_is_broken() -> None:
    run = record("import no_such_module\n\ndef f(x):\n    return x\n", "default")
    assert run.broken is not None
    assert "ModuleNotFoundError at line 1" in run.broken


def test_a_wrong_result_is_seen() -> None:
    source = "import torch\n\ndef f(x):\n    return x + float(torch.compiler.is_compiling())\n"
    assert record(source, "default").wrong_result


def test_random_numbers_make_no_wrong_result() -> None:
    source = "import torch\n\ndef f(x):\n    return x + torch.rand(4)\n"
    assert not record(source, "default").wrong_result


def test_a_script_runs_once_and_its_assertion_decides() -> None:
    source = "import torch\ng = torch.compile(lambda x: x + 1, backend='eager')\ng(torch.ones(2))\n"
    shown = record(source + "assert True\n", "default")
    assert (shown.script, shown.failure, shown.graphs) == (True, None, 1)
    refuted = record(source + "assert False, 'no'\n", "default")
    assert refuted.failure is not None
    assert (refuted.failure.type, refuted.failure.line) == ("AssertionError", 4)


def test_runs_leave_nothing_behind(capsys: pytest.CaptureFixture[str]) -> None:
    before = (os.getcwd(), list(logging.getLogger().handlers), torch.get_default_dtype())
    source = (
        "import logging, os, sys, torch\nlogging.basicConfig()\nos.environ['LEFT_BEHIND'] = '1'\n"
        "torch.set_default_dtype(torch.float64)\ntorch._dynamo.config.capture_scalar_outputs = True\n"
        "sys.argv = ['x']\nprint('noise')\ntorch.select = None\n\ndef f(x):\n    return x + 1\n"
    )
    record(source, "default")
    assert (os.getcwd(), list(logging.getLogger().handlers), torch.get_default_dtype()) == before
    assert "LEFT_BEHIND" not in os.environ
    assert "example" not in sys.modules
    assert not torch._dynamo.config.capture_scalar_outputs
    assert torch.select is not None
    assert capsys.readouterr() == ("", "")
