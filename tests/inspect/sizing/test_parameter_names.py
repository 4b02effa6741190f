import ast

import pytest

from compilelint.inspect.kinds import Dictionary, Sequence, Tensor
from compilelint.inspect.sizing.parameter_names import spelled
from tests.inspect.make import callees, events, returned


@pytest.mark.parametrize(
    "loop",
    [
        "for p in model.parameters(): pass",
        "for n, p in self.named_parameters(): pass",
        "for p, n in zip(model.parameters(), others): pass",
        "for n, p in enumerate(list(self.buffers())): pass",
        "for p in group['params']: n = p.grad",
        "sizes = [p.shape for n, p in m.named_buffers()]",
    ],
)
def test_what_is_bound_to_parameters(loop: str) -> None:
    assert spelled(ast.parse(loop)) - {"n"} == {"p"}


def test_gradients_and_data_are_as_large() -> None:
    body = "for p in group['params']:\n    g = p.grad\n    d = p.data\n    s = p.shape\n    o = batch.data"
    assert spelled(ast.parse(body)) == {"p", "g", "d"}


@pytest.mark.parametrize(
    "loop", ["for x in batches: g = x.grad", "for x in group['lr']: pass", "for x in parameters(): pass"]
)
def test_other_loops_bind_none(loop: str) -> None:
    assert spelled(ast.parse(loop)) == frozenset()


STEP = """
class Mine(torch.optim.Optimizer):
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                g = p.grad
                {statement}
    def groups(self):
        return self.param_groups
"""


def test_an_optimizer_has_groups_of_parameters() -> None:
    groups = returned(STEP.format(statement="pass"), "Mine.groups")
    assert isinstance(groups, Sequence)
    assert isinstance(groups.item, Dictionary)
    assert dict(groups.item.entries)["params"] == Sequence("list", Tensor(parameter=True))


def test_a_branch_on_a_gradient_is_one_on_a_tensor() -> None:
    (event,) = events(STEP.format(statement="if g.norm() > 1: pass"), "Mine.step", "branch")
    assert isinstance(event.receiver, Tensor)


@pytest.mark.parametrize("size", ["g.shape[1]", "p.size(1)", "s[1]"])
def test_the_size_of_a_parameter_is_the_same_in_each_call(size: str) -> None:
    code = STEP.format(statement=f"s = p.shape; str({size})")
    assert [event.construct for event in events(code, "Mine.step", "call") if event.construct == "of-size"] == []
    assert "builtins.str" in callees(code, "Mine.step")
