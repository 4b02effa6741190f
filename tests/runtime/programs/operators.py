"""Custom operators, autograd functions, checkpoints, torch.func and control flow, with breaks inside of them."""

import contextlib

import torch
from torch.func import grad, vmap
from torch.utils.checkpoint import checkpoint


@torch.library.custom_op("programs::scaled", mutates_args=())
def scaled(x: torch.Tensor, factor: int) -> torch.Tensor:
    return x * factor


@scaled.register_fake
def _(x, factor):
    return torch.empty_like(x)


@torch.library.custom_op("programs::without_fake", mutates_args=())
def without_fake(x: torch.Tensor) -> torch.Tensor:
    return x * 2


class Loud(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        print("forward")
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Block(torch.nn.Module):
    def forward(self, x):
        print("block")
        return x.relu()


def loud(x):
    print("in a branch")
    return x.sin()


def inner(x):
    print("in vmap")
    return x.sin()


def compiled(function):
    return torch.compile(function, backend="aot_eager")


CASES = (
    lambda x: scaled(x, 2) + 1,
    lambda x: without_fake(x.sin()).cos(),
    lambda x: Loud.apply(x).sum(),
    lambda x: checkpoint(Block(), x, use_reentrant=False).sum(),
    lambda x: vmap(grad(lambda y: (y**2).sum()))(x),
    lambda x: vmap(inner)(x),
    lambda x: torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,)),
    lambda x: torch.cond(x.sum() > 0, loud, torch.cos, (x,)),
)
for case in map(compiled, CASES):
    for size in (2, 3):
        with contextlib.suppress(Exception):
            case(torch.ones(size, 2, requires_grad=True))
