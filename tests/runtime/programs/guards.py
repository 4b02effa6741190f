"""Recompiles for many reasons, one function each."""

from types import SimpleNamespace

import torch

SCALE = 1


def compiled(function):
    return torch.compile(function, backend="eager")


@compiled
def size(x):
    return x.sin()


@compiled
def rank(x):
    return x.sin()


@compiled
def dtype(x):
    return x.sin()


@compiled
def grad(x):
    return x.sin()


@compiled
def mode(x):
    return x.sin()


@compiled
def stride(x):
    return x.sin()


@compiled
def optional(x, mask=None):
    return x if mask is None else x * mask


@compiled
def number(x, factor):
    return x * factor


@compiled
def real(x, factor):
    return x * factor


@compiled
def word(x, how):
    return x.sin() if how == "sin" else x.cos()


@compiled
def listed(xs):
    return sum(xs)


@compiled
def keyed(xs):
    return sum(xs.values())


@compiled
def called(x, function):
    return function(x)


@compiled
def of_global(x):
    return x * SCALE


@compiled
def config(x, options):
    return x * options.gain


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0
        self.drop = torch.nn.Dropout(0.5)
        self.linear = torch.nn.Linear(3, 3)

    def forward(self, x):
        self.step += 1
        return self.drop(self.linear(x)) * self.step


class Wide(torch.Tensor):
    pass


x = torch.ones(3)
for each in (x, torch.ones(4), torch.ones(1)):
    size(each)
for each in (x, torch.ones(3, 3)):
    rank(each)
for each in (x, x.double(), x.half()):
    dtype(each)
for each in (x, torch.ones(3, requires_grad=True)):
    grad(each)
mode(x)
with torch.no_grad():
    mode(x)
with torch.inference_mode():
    mode(x)
for each in (torch.ones(3, 4), torch.ones(4, 3).t()):
    stride(each)
for mask in (None, x, None):
    optional(x, mask)
for each in (1, 2, 3):
    number(x, each)
for each in (0.1, 0.2, 0.3):
    real(x, each)
for how in ("sin", "cos"):
    word(x, how)
for count in (1, 2, 3):
    listed([x] * count)
keyed({"a": x})
keyed({"b": x})
called(x, torch.sin)
called(x, torch.cos)
called(x, lambda value: value + 1)
of_global(x)
SCALE = 2
of_global(x)
for gain in (1, "2", 3):
    config(x, SimpleNamespace(gain=int(gain)))
net = compiled(Net())
for _ in range(3):
    net(x)
net.eval()
net(x)
torch.set_default_dtype(torch.float64)
size(x)
torch.set_default_dtype(torch.float32)
with torch.autocast("cpu", dtype=torch.bfloat16):
    net(x)
torch.use_deterministic_algorithms(True)
size(x)
