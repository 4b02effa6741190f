"""Of how many dimensions the tensors are that calls give to what is compiled, which iterators they give, and
whether tensors are sparse."""

from __future__ import annotations

import pytest

from compilelint.inspect import kinds
from compilelint.regions import compiled_roots
from compilelint.report.confidence import Confidence
from tests.inspect.make import inspector

CODE = """
class Net(nn.Module):
    def forward(self, x{}):
        return x

def run(model, x):
    return model(x)

def main(loader, other):
    net = Net()
    {}
"""


def x_given(how: str, annotation: str = "") -> kinds.Tensor:
    code = CODE.format(annotation, how.replace("\n", "\n    "))
    (given,) = {dict(root.accepts)["x"] for root in compiled_roots(inspector(code), "example.py")}
    assert isinstance(given, kinds.Tensor)
    return given


def dimensions_of_x(how: str, annotation: str = "") -> int | None:
    return x_given(how, annotation).ndim


@pytest.mark.parametrize("annotation", ["", ": torch.Tensor"])
@pytest.mark.parametrize(
    ("how", "sparse"),
    [
        ("fast = torch.compile(net)\nfast(torch.eye(4).to_sparse())", True),
        ("fast = torch.compile(net)\nadj = torch.eye(loader.size).to_sparse()\nadj = adj.to('cpu')\nfast(adj)", True),
        ("fast = torch.compile(net)\nfast(torch.eye(4))", False),
        ("fast = torch.compile(net)\nfast(torch.eye(4))\nfast(torch.eye(4).to_sparse())", False),
    ],
)
def test_whether_it_is_sparse_is_known_where_all_calls_agree(how: str, sparse: bool, annotation: str) -> None:
    assert x_given(how, annotation).sparse is sparse


@pytest.mark.parametrize("annotation", ["", ": torch.Tensor"])
@pytest.mark.parametrize(
    "how",
    [
        "fast = torch.compile(net)\nfast(torch.rand(2, 4, 8))",
        "fast = torch.compile(net)\nx = torch.rand(2, 4, 8).to('cpu')\nfor _ in range(3):\n    fast(x)",
        "fast = torch.compile(net)\nfast(torch.rand(2, 4, 8))\nfast(x=torch.rand(4, 4, 8))",
    ],
)
def test_dimensions_are_known_where_all_calls_are_seen_and_agree(how: str, annotation: str) -> None:
    assert dimensions_of_x(how, annotation) == 3


@pytest.mark.parametrize(
    ("why", "how"),
    [
        ("calls differ", "fast = torch.compile(net)\nfast(torch.rand(2, 4))\nfast(torch.rand(2, 4, 8))"),
        ("one gives what is not known", "fast = torch.compile(net)\nfast(torch.rand(2, 4))\nfast(loader)"),
        ("somebody else may call it", "fast = torch.compile(net)\nfast(torch.rand(2, 4))\nother(fast)"),
        (
            "one that it is handed to differs",
            "fast = torch.compile(net)\nfast(torch.rand(2))\nrun(fast, torch.rand(2, 4))",
        ),
        (
            "it is compiled a second time",
            "fast = torch.compile(net)\nfast(torch.rand(2, 4))\nother(torch.compile(net, dynamic=True))",
        ),
    ],
)
def test_dimensions_are_not_known(why: str, how: str) -> None:
    assert dimensions_of_x(how) is None, why


@pytest.mark.parametrize(
    ("how", "sureness"),
    [
        ("fast = torch.compile(net)\nfast(torch.rand(2, 4))\nfast(torch.rand(3))", Confidence.HIGH),
        ("fast = torch.compile(net)\nfast(torch.rand(2, 4))\nfast(other)", Confidence.MEDIUM),
        ("fast = torch.compile(net)\nfast(torch.rand(2, 4))\nrun(fast, other)", Confidence.MEDIUM),
    ],
)
def test_it_is_a_tensor_for_sure_where_all_calls_are_seen_and_give_one(how: str, sureness: Confidence) -> None:
    assert x_given(how).confidence == sureness


def test_one_number_stays_one_wherever_else_it_is_called() -> None:
    assert dimensions_of_x("fast = torch.compile(net)\nfast(torch.tensor(3))\nother(fast)") == 0


def given_to_step(call: str, annotation: str = "") -> kinds.Kind | None:
    code = f"@torch.compile\ndef step(x, rows{annotation}):\n    for row in rows:\n        x = x + row\n    return x\n"
    (root,) = compiled_roots(inspector(f"{code}net = nn.Linear(2, 3)\n{call}\n"), "example.py")
    return dict(root.accepts).get("rows")


@pytest.mark.parametrize("annotation", ["", ": list[torch.Tensor]", ": Iterable[torch.Tensor]"])
@pytest.mark.parametrize(
    "call",
    [
        "step(2, net.parameters())",
        "rows = zip([1], [2])\nstep(2, rows)",
        "step(2, rows=(row for row in [1, 2]))",
        "step(2, {'a': 1}.items())",
        "step(2, net.parameters())\nstep(2, net.parameters())",
    ],
)
def test_an_iterator_is_one_whatever_is_declared(call: str, annotation: str) -> None:
    given = given_to_step(call, annotation)
    assert isinstance(given, kinds.Sequence)
    assert given.given


@pytest.mark.parametrize(
    "call", ["step(2, list(net.parameters()))", "step(2, range(3))", "step(2, {'a': 1}.keys())", "step(2, [1, 2])"]
)
def test_what_can_be_gone_through_again_is_no_iterator(call: str) -> None:
    given = given_to_step(call)
    assert not (isinstance(given, kinds.Sequence) and given.given)


def test_an_iterator_of_unknown_things_holds_what_is_declared() -> None:
    given = given_to_step("step(2, iter(read()))", ": Iterable[int]")
    assert given == kinds.Sequence("iterator", kinds.INT, given=True)


@pytest.mark.parametrize(
    ("given", "known"),
    [
        ("lambda x: x + 1", True),
        ("lambda x: x * scale", True),
        ("lambda x, run: run(x)", True),
        ("lambda x: run(x)", False),
        ("lambda x: sum(x)", False),
    ],
)
def test_a_lambda_that_is_given_may_use_locals(given: str, known: bool) -> None:
    """But for one by whose name the lambda would be taken to use a global, or a builtin."""
    code = f"""
def run(x):
    return x

def apply(x, fn):
    return fn(x)

def main(scale, run, sum):
    fast = torch.compile(apply)
    ask = {given}
    fast(torch.ones(2), ask)
"""
    (root,) = compiled_roots(inspector(code), "example.py")
    assert isinstance(dict(root.accepts).get("fn"), kinds.Function) is known


@pytest.mark.parametrize(
    ("call", "known"),
    [
        ("options = create(scale)\n    fast(torch.ones(2), **options)", True),
        ("options, start = create_both(scale)\n    fast(torch.ones(2), **options)", True),
        ("fast(torch.ones(2), **{'fn': twice, 'perturb': 1})", True),
        ("fast(torch.ones(2), **scale)", False),
        ("options = {'other': twice}\n    fast(torch.ones(2), **options)", False),
    ],
)
def test_what_a_dict_of_arguments_holds_is_given(call: str, known: bool) -> None:
    code = f"""
def twice(x):
    return x * 2

def create(scale):
    return {{"fn": lambda x: twice(x) * scale, "perturb": 1.0}}

def create_both(scale):
    return create(scale), 0

def apply(x, fn=None, **options):
    return fn(x)

def main(scale):
    fast = torch.compile(apply)
    {call}
"""
    (root,) = compiled_roots(inspector(code), "example.py")
    assert isinstance(dict(root.accepts).get("fn"), kinds.Function) is known
