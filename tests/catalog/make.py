"""A small, right rule page to bend in tests."""

from __future__ import annotations

PAGE = """\
+++
code = "CL101"
name = "tensor-item"
group = "data-to-python"
effect = "graph-break"
severity = "warning"
message = "`{source}` reads a tensor back into Python"
suggestion = "Keep the value a tensor."

[[match]]
event = "call"
callee = ["torch.Tensor.item", "torch.cuda.*"]
not-callee = ["torch.cuda.synchronize"]
receiver = ["tensor"]
arguments = { "0|dim" = ["int", "none"], out = "absent" }
not-arguments = { any = ["scalar"] }
example = "item"
detector = "shapes:is_odd"
+++

## What it is
A read.

```text
## not a section
```

## Why it costs
Two graphs.

## What to do instead
Nothing.

## When it is fine
Never.

## Examples

```python hazard item
import torch

def f(x):
    return x * x.sum().item()  # <- CL101, CL502 (fullgraph)
```

```python clean keep-tensor
import torch

def f(x):
    return x * x.sum()
```
"""
PATH = "rules/CL101-tensor-item.md"


def page_line(text: str, part: str) -> int:
    """1-based number of the first line of `text` that holds `part`."""
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)
