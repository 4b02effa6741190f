"""What tests/runtime/dynamo/test_listening.py has recorded: each function shows one thing that is to be seen."""

import contextlib

import torch
import torch._dynamo


def counted(x, how):
    y = x.sin()
    if how == "print":
        print("counted")
    return y + 1


def scaled(x, factor):
    return x * factor


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        self.step += 1
        return self.layer(x) + self.step


def halves(x):
    for row in x:
        if row.sum() > 0:
            x = x + 1
    return x


# fmt: off
def picked(x):
    return (
        x.exp()
        if x.bool().any()
        else x.log()
    )
# fmt: on


def whole(x):
    print("whole")
    return x


def failing(x):
    return x.cos()


def produced(x):
    yield x.sin()


def chosen(x, marked):
    for _ in range(2):
        if x.dim() == 2:
            y = x.sinh()
            if marked:
                y = y.asinh()
        else:
            y = x.cosh()
        x = y
        if marked:
            x = x.acosh()
    return x


def untouched(x):
    return x.tan()


def broken_backend(graph, inputs):
    raise NotImplementedError("no such operator")


def main():
    ones = torch.ones(2, 2)
    compiled = torch.compile(counted, backend="eager", dynamic=False)
    compiled(ones, "no")
    compiled(ones, "print")
    times = torch.compile(backend="eager")(scaled)
    for factor in (2, 3.5):
        times(ones, factor)
    net = Net()
    net.compile(backend="aot_eager")
    for _ in range(3):
        net(ones).sum().backward()
    torch.compile(halves, backend="eager")(ones)
    with contextlib.suppress(Exception):
        torch.compile(whole, backend="eager", fullgraph=True)(ones)
    with contextlib.suppress(Exception):
        torch.compile(failing, backend=broken_backend)(ones)
    torch._dynamo.config.suppress_errors = True
    torch.compile(failing, backend=broken_backend)(ones)
    list(torch.compile(produced, backend="eager")(ones))
    torch.compile(chosen, backend="eager")(ones, False)
    torch.compile(picked, backend="eager")(ones)
    limit = "recompile_limit" if hasattr(torch._dynamo.config, "recompile_limit") else "cache_size_limit"
    setattr(torch._dynamo.config, limit, 1)
    limited = torch.compile(lambda x, word: x + len(word), backend="eager")
    for word in ("a", "bc", "def"):
        limited(ones, word)
    untouched(ones)


if __name__ == "__main__":
    main()
