"""Compiled methods of all kinds, called on several objects that change in between."""

import functools

import torch

compiled = functools.partial(torch.compile, backend="eager")


class Step:
    factor = 1

    @compiled
    def method(self, x):
        print("method")
        return x + self.factor

    @staticmethod
    @compiled
    def static(x):
        print("static")
        return x

    @classmethod
    @compiled
    def of_class(cls, x):
        if x.sum() > 0:
            return x + cls.factor
        return x

    @property
    @compiled
    def total(self):
        return torch.ones(2).sum().item()

    @compiled
    def __call__(self, x):
        return x.tolist()


class Net(torch.nn.Module):
    def forward(self, x, flag=None):
        if flag is not None:
            print("flag")
        return x.sin()


for step in (Step(), Step()):
    for size in (2, 3):
        x = torch.ones(size)
        step.method(x), step.static(x), step.of_class(x), step.total, step(x)
        step.factor += 1
net = Net()
net.compile(backend="eager")
net(torch.ones(2)), net(torch.ones(2), 1)
replaced = Net()
replaced.forward = compiled(replaced.forward)
replaced(torch.ones(2)), replaced(torch.ones(2), 3)
hooked = Net()
hooked.register_forward_hook(lambda module, given, result: print("hook"))
compiled(hooked)(torch.ones(2))
compiled(torch.nn.Sequential(net, hooked))(torch.ones(2))
