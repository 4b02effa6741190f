"""What functions, and the parts that go on after a break, are called."""

from __future__ import annotations

import pytest

from compilelint.report.stack import StackFrame
from compilelint.runtime.seen import parts


@pytest.mark.parametrize(
    ("name", "origin", "part"),
    [
        ("forward", "forward", "forward"),
        ("Net.torch_dynamo_resume_in_forward_at_62", "Net.forward", "Net.forward (after line 62)"),
        (
            "torch_dynamo_resume_in_torch_dynamo_resume_in_f_at_3_at_5",
            "f",
            "f (after line 5)",
        ),
    ],
)
def test_parts_after_a_break_have_the_name_of_their_function(name: str, origin: str, part: str) -> None:
    assert parts.origin(name) == origin
    assert parts.part(name) == part


@pytest.mark.parametrize(
    ("path", "function", "expected"),
    [
        ("net.py", "forward", True),
        ("net.py", "Net.forward", True),
        ("net.py", "torch_dynamo_resume_in_forward_at_62", True),
        ("net.py", "Block.forward", False),
        ("net.py", "Net.torch_dynamo_resume_in_forward_at_62", True),
        ("net.py", "step", False),
        ("other.py", "forward", False),
    ],
)
def test_a_frame_is_of_a_function_or_of_a_part_of_it(path: str, function: str, expected: bool) -> None:
    code = StackFrame("net.py", 60, "Net.forward")
    assert parts.is_of(StackFrame(path, 62, function), code) is expected
    assert parts.is_of(code, StackFrame(path, 62, function)) is expected


@pytest.mark.parametrize(
    ("frame", "given", "expected"),
    [
        ("generate", "generate", True),
        ("Engine.generate", "generate", False),
        ("generate", "Engine.generate", True),
        ("Engine.generate", "Engine.generate", True),
        ("torch_dynamo_resume_in_generate_at_62", "generate", True),
        ("sample", "generate", False),
    ],
)
def test_a_method_is_no_compiled_function_of_its_name(frame: str, given: str, expected: bool) -> None:
    assert parts.is_entry(StackFrame("net.py", 62, frame), StackFrame("net.py", 60, given)) is expected
