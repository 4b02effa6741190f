"""What `partial` gives a function that is compiled."""

from __future__ import annotations

from compilelint.inspect.kinds import Const, Function
from compilelint.regions.roots import compiled_roots
from tests.regions.project import inspector

SIMULATE = """
from functools import partial

def payoff(y): ...

def simulate(ctx, x, how, train=True, *, only=False): ...

"""


def accepted(code: str) -> list[dict[str, object]]:
    found = inspector(code, prelude=f"import torch\n{SIMULATE}")
    return [
        {name: kind.value if isinstance(kind, Const) else kind for name, kind in root.accepts}
        for root in compiled_roots(found, "train.py")
    ]


def test_constants_and_objects_are_given_by_name() -> None:
    (given,) = accepted("step = torch.compile(partial(simulate, how=payoff, train=False, only=True))")
    assert isinstance(given.pop("how"), Function)
    assert given == {"train": False, "only": True}


def test_what_comes_first_goes_to_the_first_parameters() -> None:
    (given,) = accepted("step = torch.compile(partial(simulate, None, 3))")
    assert given == {"ctx": None, "x": 3}


def test_a_partial_of_a_partial_gives_what_both_give() -> None:
    code = "half = partial(simulate, None, train=False)\nstep = torch.compile(partial(half, 2, train=True))"
    assert accepted(code) == [{"ctx": None, "x": 2, "train": True}]


def test_of_a_method_the_object_is_no_parameter_to_be_given() -> None:
    code = """
    class Engine:
        def run(self, x, train=True): ...

    step = torch.compile(partial(Engine().run, train=False))
    """
    assert accepted(code) == [{"train": False}]


def test_a_tensor_is_left_to_the_function_to_tell() -> None:
    assert accepted("step = torch.compile(partial(simulate, x=torch.ones(3)))") == [{}]


def test_the_function_alone_is_given_nothing() -> None:
    assert accepted("step = torch.compile(simulate)\nother = torch.compile(partial(simulate, train=False))") == [
        {},
        {"train": False},
    ]
