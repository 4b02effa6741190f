"""The `state_dict` of what `torch.compile` gives, in functions of the project that write what they are given."""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, constructs_around

WRITER = """
class Trainer:
    def __init__(self):
        self.net = torch.compile(Net())

    def train(self, step):
        state = self.net.state_dict()
        self.{call}

    def write(self, step, state, metrics=None, name="f"):
        {body}
"""


@pytest.mark.parametrize(
    ("call", "body", "found"),
    [
        ("write(step, state)", "torch.save({'step': step, 'state': state}, name)", ["state-dict-of-compiled"]),
        ("write(step, state=state)", "torch.save(state, name)", ["state-dict-of-compiled"]),
        ("write(step, self.net.state_dict())", "torch.save(state, name)", ["state-dict-of-compiled"]),
        ("write(step, None, state)", "torch.save(state, name)", []),
        ("write(step, state)", "print(state)", []),
        ("write(step, state)", "torch.save({k[10:]: v for k, v in state.items()}, name)", []),
        ("write(step, state)", "torch.save(state, name.removeprefix('_orig_mod.'))", []),
    ],
)
def test_what_a_method_is_given_to_write(call: str, body: str, found: list[str]) -> None:
    assert constructs_around(NET + WRITER.format(call=call, body=body)) == found


LOADER = "net, other = Net(), Net()\nfirst = copy.deepcopy(net.state_dict())\ncompiled = torch.compile(net)\n"


@pytest.mark.parametrize(
    ("load", "found"),
    [
        ("compiled.load_state_dict(other.state_dict())", ["names-of-compiled"]),
        ("compiled.load_state_dict(net.state_dict(), strict=False)", ["names-of-compiled"]),
        ("compiled.load_state_dict(first)", ["names-of-compiled"]),
        ("def load(model):\n    model.load_state_dict(other.state_dict())\nload(compiled)", ["names-of-compiled"]),
        ("compiled.load_state_dict(torch.load('f'))", []),
        ("compiled.load_state_dict(compiled.state_dict())", []),
        ("compiled.load_state_dict(torch.compile(other).state_dict())", []),
        ("compiled.load_state_dict({'x.' + k: v for k, v in other.state_dict().items()})", []),
        ("compiled.load_state_dict(unknown.state_dict())", []),
        ("net.load_state_dict(other.state_dict())", []),
        ("def load(source: nn.Module):\n    compiled.load_state_dict(source.state_dict())", []),
        ("print('_orig_mod')\ncompiled.load_state_dict(other.state_dict())", []),
    ],
)
def test_a_wrapper_is_to_load_what_a_plain_module_gives(load: str, found: list[str]) -> None:
    assert constructs_around(NET + LOADER + load) == found


@pytest.mark.parametrize(
    ("puts", "found"),
    [
        ("stats['net'] = compiled.state_dict()\ntorch.save(stats, 'f')", ["state-dict-of-compiled"]),
        ("stats['net'] = net.state_dict()\ntorch.save(stats, 'f')", []),
        ("torch.save(stats, 'f')\nstats['net'] = compiled.state_dict()", []),
        ("stats['net'] = compiled.state_dict()\nstats = {}\ntorch.save(stats, 'f')", []),
    ],
)
def test_what_is_put_into_a_dict_is_saved_with_it(puts: str, found: list[str]) -> None:
    assert constructs_around(f"{NET}net = Net()\ncompiled = torch.compile(net)\nstats = {{}}\n{puts}") == found


@pytest.mark.parametrize(
    ("wrapper", "found"),
    [
        ("torch.optim.swa_utils.AveragedModel(compiled)", ["state-dict-of-compiled"]),
        ("nn.parallel.DistributedDataParallel(module=compiled)", ["state-dict-of-compiled"]),
        ("nn.DataParallel(compiled)", ["state-dict-of-compiled"]),
        ("torch.optim.swa_utils.AveragedModel(net)", []),
        ("nn.parallel.DistributedDataParallel(net)", []),
        ("nn.Sequential(net)", []),
    ],
)
@pytest.mark.parametrize("saved", ["wrapper", "wrapper.module"])
def test_what_wraps_a_compiled_module_has_its_prefix_inside_each_name(
    wrapper: str, saved: str, found: list[str]
) -> None:
    """`module._orig_mod.weight`, seen on torch 2.13."""
    code = f"net = Net()\ncompiled = torch.compile(net)\nwrapper = {wrapper}\ntorch.save({saved}.state_dict(), 'f')\n"
    assert constructs_around(NET + code) == found
