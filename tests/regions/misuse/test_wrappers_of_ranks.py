"""DistributedDataParallel and FSDP around what is compiled.

The positive forms are the examples of the pages CL622 and CL623.
Here is what must not be taken for them.
"""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, constructs_around


@pytest.mark.parametrize(
    ("why", "code"),
    [
        (
            "DDP before",
            "from torch.nn.parallel import DistributedDataParallel as DDP\nm = torch.compile(DDP(Net()))\nm(3)",
        ),
        (
            "one graph inside",
            "from torch.nn.parallel import DistributedDataParallel as DDP\n"
            "m = torch.compile(Net(), fullgraph=True)\n"
            "d = m(3)",
        ),
        (
            "original parameters",
            "from torch.distributed.fsdp import FullyShardedDataParallel as FSDP\n"
            "m = torch.compile(FSDP(Net(), use_orig_params=True))\n"
            "m(3)",
        ),
        (
            "a choice",
            "from torch.distributed.fsdp import FullyShardedDataParallel as FSDP\n"
            "def g(o):\n"
            "    m = torch.compile(FSDP(Net(), use_orig_params=o))\n"
            "    m(3)",
        ),
        (
            "options that source does not show",
            "from torch.distributed.fsdp import FullyShardedDataParallel as FSDP\n"
            "def g(o):\n"
            "    m = torch.compile(FSDP(Net(), **o))\n"
            "    m(3)",
        ),
        (
            "not compiled",
            "from torch.distributed.fsdp import FullyShardedDataParallel as FSDP\n"
            "m = FSDP(Net())\n"
            "n = torch.compile(Net())\n"
            "n(m)",
        ),
        (
            "FSDP2 of compiled blocks",
            "from torch.distributed.fsdp import fully_shard\nm = Net()\nm.compile()\nfully_shard(m)",
        ),
    ],
)
def test_ranks_and_compilation_agree(why: str, code: str) -> None:
    assert constructs_around(NET + code) == []
