"""Methods of `nn.Module` that a module overrides, called on what torch compiles of it."""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, constructs_around

OWN = """
class Own(Net):
    def to(self, device):
        self.anchors = self.anchors.to(device)
        return super().to(device)

    def load_state_dict(self, state, strict=True):
        \"\"\"The same, with another name.\"\"\"
        return super().load_state_dict(state, strict=strict)

    def train(self, mode=True):
        self.norm.eval()
        return self

net = Own()
compiled = torch.compile(net)
plain = torch.compile(Net())
"""


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("compiled.to('cuda')", ["overridden-method"]),
        ("compiled.load_state_dict({})", []),
        ("compiled.train()", []),
        ("compiled.cuda()", []),
        ("net.to('cuda')", []),
        ("plain.to('cuda')", []),
        ("net.compile()\nnet.to('cuda')", []),
    ],
)
def test_the_wrapper_has_methods_of_its_own(code: str, found: list[str]) -> None:
    assert constructs_around(NET + OWN + code) == found
