from __future__ import annotations

from dataclasses import replace

import pytest

from compilelint.report.stack import StackFrame
from compilelint.runtime.dynamo.break_text import (
    graph_break,
    is_told_elsewhere,
    marked,
    operation_stack,
    parse_break,
    with_all_frames,
)

IN_LOOP = """\
Graph break in user code at /p/a.py:17
Graph Break Reason: Failed to handle graph break gracefully. Skipping the function and falling back to \
eager. Graph break encountered:

Unsupported Tensor.item() call with capture_scalar_outputs=False
  Explanation: Dynamo does not support tracing `Tensor.item()` with config.capture_scalar_outputs=False.
  Hint: Set `torch._dynamo.config.capture_scalar_outputs = True`
    or export an environment variable.
  Hint: Or do not.

  Developer debug context: call_method TensorVariable() item () {}

 For more details about this graph break, please visit: https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0124.html

*** While handling this graph break, another graph break occurred: ***

graph break in loop
  Explanation: torch.compile detected a graph break in a for/while loop. Skipping the frame and falling back.
  Hint: This graph break may have been caused by an earlier graph break.

  Developer debug context: frame skipped: in_loop (/p/a.py line 14)

 For more details about this graph break, please visit: https://meta-pytorch.github.io/compile-graph-break-site/gb/gb7000.html

Stack variable source attribution:
  RangeIteratorVariable() originated from:
  File "/p/a.py", line 16
        for _ in range(3):
        ^^^^^^^^^^^^^^^^^^

User code traceback:
  File "/p/a.py", line 66, in <module>
    each(torch.ones(2, 3))
  File "/p/a.py", line 17, in in_loop
    x = x + x.sum().item()
            ^^^^^^^^^^^^^^

Traceback (most recent call last):
  File "/torch/_dynamo/symbolic_convert.py", line 1076, in wrapper
    return inner_fn(self, inst)
torch._dynamo.exc.Unsupported: and so on
"""
SPLIT = """\
Graph break (user stack suppressed due to duplicate graph break) in user code at <string>:3
Graph Break Reason: Encountered graph break when attempting to trace CALL: a function call, e.g. f(x, y):

Failed to trace builtin operator
  Explanation: Dynamo does not know how to trace builtin operator `print`.
  Hint: Avoid calling it.

  Developer debug context: builtin print

 For more details about this graph break, please visit: https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0059.html
"""
OLD = """\
Graph break in user code at C:\\work\\a.py:5
Reason: Unsupported: builtin: print [<class 'ConstantVariable'>] False
User code traceback:
  File "C:\\work\\a.py", line 5, in f
    print(1)
"""


def test_the_first_cause_is_told_apart_from_what_came_on_top_of_it() -> None:
    found = parse_break(IN_LOOP)
    assert (found.path, found.line) == ("/p/a.py", 17)
    assert found.gb_type == "Unsupported Tensor.item() call with capture_scalar_outputs=False"
    assert found.gb_id == "GB0124"
    assert found.wrapped_by == ("graph break in loop",)
    assert found.frame_dropped
    assert found.explanation is not None
    assert found.explanation.endswith("capture_scalar_outputs=False.")
    assert found.hints == (
        "Set `torch._dynamo.config.capture_scalar_outputs = True`\nor export an environment variable.",
        "Or do not.",
    )
    assert found.context == "call_method TensorVariable() item () {}"
    assert found.reason.startswith("Unsupported Tensor.item()")
    assert "graph break in loop" not in found.reason
    assert "visit" not in found.reason


def test_only_the_users_stack_is_read() -> None:
    assert parse_break(IN_LOOP).stack == (
        StackFrame("/p/a.py", 66, "<module>"),
        StackFrame("/p/a.py", 17, "in_loop"),
    )


def test_a_duplicate_has_a_place_but_no_stack() -> None:
    found = parse_break(SPLIT)
    assert (found.path, found.line, found.stack) == ("<string>", 3, ())
    assert (found.gb_type, found.gb_id) == ("Failed to trace builtin operator", "GB0059")
    assert found.wrapped_by == ()
    assert not found.frame_dropped


def test_the_place_is_that_of_the_first_line_also_where_the_stack_ends_at_a_caller() -> None:
    assert parse_break(SPLIT).to_place("f") == (StackFrame("<string>", 3, "f"),)
    text = SPLIT + '\nUser code traceback:\n  File "/p/main.py", line 4, in <module>\n    f(x)\n'
    found = parse_break(text)
    assert found.to_place("f") == (StackFrame("/p/main.py", 4, "<module>"), StackFrame("<string>", 3, "f"))
    whole = parse_break(text.replace("<string>:3", "/p/main.py:4"))
    assert whole.to_place("f") == whole.stack


def test_the_one_line_reasons_of_older_torch_are_read() -> None:
    found = parse_break(OLD)
    assert (found.path, found.line) == ("C:\\work\\a.py", 5)
    assert found.gb_type == found.reason == "builtin: print [<class 'ConstantVariable'>] False"
    assert (found.gb_id, found.hints) == (None, ())
    assert found.stack == (StackFrame("C:\\work\\a.py", 5, "f"),)


def test_an_exception_text_has_its_place_in_its_stack() -> None:
    text = SPLIT.partition("\n\n")[2] + '\n\nfrom user code:\n   File "/p/a.py", line 9, in f\n    print(1)\n'
    found = parse_break(text)
    assert (found.path, found.line, found.gb_type) == ("/p/a.py", 9, "Failed to trace builtin operator")


def test_text_without_a_reason_is_refused() -> None:
    with pytest.raises(ValueError, match="no reason"):
        parse_break("Graph break in user code at /p/a.py:17\nGraph Break Reason: \n\nUser code traceback:\n")


def test_what_an_exception_tells_too_is_no_second_break() -> None:
    skipped = "torch.compile cannot properly resume from this graph break, which results in a skip."
    assert is_told_elsewhere(f"Graph break: {skipped}\ntorch.compile will skip tracing the frame f (a.py line 3)")
    assert is_told_elsewhere("WON'T CONVERT f a.py line 3")
    assert not is_told_elsewhere(SPLIT)


def test_all_frames_of_the_same_break_are_taken() -> None:
    outer, inner = StackFrame("a.py", 3, "forward"), StackFrame("a.py", 9, "forward")
    said = replace(parse_break("Graph break in user code at a.py:9\nGraph Break Reason: no\n"), stack=(inner,))
    assert with_all_frames(said, (outer, inner)).stack == (outer, inner)
    assert with_all_frames(said, (inner, outer)) == said, "another break's"
    assert with_all_frames(said, ()) == said


def test_the_call_that_a_line_was_making_is_what_its_traceback_marks() -> None:
    text = """\
User code traceback:
  File "/p/a.py", line 9, in step
    a.zero_grad(); loss.backward(); a.step()
                                    ^^^^^^^^
  File "/env/torch/optim/optimizer.py", line 79, in _use_grad
    torch._dynamo.graph_break()
"""
    assert marked(text, StackFrame("/p/a.py", 9, "step")) == "a.step()"
    assert marked(text, StackFrame("/p/a.py", 8, "step")) == ""
    unmarked = StackFrame("/env/torch/optim/optimizer.py", 79, "_use_grad")
    assert marked(text, unmarked) == "torch._dynamo.graph_break()", "all of it was running"
    assert marked(text.replace("^", " "), unmarked) == "", "of this one no places are known"


BY_BACKEND = """\
Backend compiler exception
  Explanation: Backend compiler `aot_eager` failed with aten._local_scalar_dense.default

    While executing %getitem : [num_users=1] = call_function[target=operator.getitem](args = (%l_y_, %l_i_))
    Original traceback:
      File "/p/a.py", line 7, in forward
        return pick(x, t)
      File "/p/b.py", line 3, in pick
        return TABLE[t]

    Use tlparse to see full graph. Adding a graph break.
  Hint: Report an issue to the backend compiler repo.

  Developer debug context: Backend: aot_eager

User code traceback:
  File "/p/a.py", line 20, in <module>
    compiled(x, t)
  File "/p/a.py", line 6, in forward
    def forward(self, x, t):
"""
BY_BACKEND_OF_OLD = """\
Backend compiler failed with a fake tensor exception at
  File "/p/a.py", line 7, in forward
    return pick(x, t)
  File "/p/b.py", line 3, in pick
    return TABLE[t]
Adding a graph break."""
_OPERATION = (StackFrame("/p/a.py", 7, "forward"), StackFrame("/p/b.py", 3, "pick"))


@pytest.mark.parametrize("text", [BY_BACKEND, BY_BACKEND_OF_OLD])
def test_a_backend_names_the_operation_at_which_it_fails(text: str) -> None:
    assert operation_stack(text) == _OPERATION


@pytest.mark.parametrize(
    "stack",
    [
        (StackFrame("/p/a.py", 20, "<module>"), StackFrame("/p/a.py", 6, "forward")),
        (StackFrame("/p/a.py", 20, "<module>"),),
        (StackFrame("/p/a.py", 20, "<module>"), *_OPERATION),
    ],
)
def test_the_stack_of_what_a_backend_fails_at_ends_there(stack: tuple[StackFrame, ...]) -> None:
    found = graph_break(parse_break(BY_BACKEND), BY_BACKEND, compile_id="0/0", code=None, stack=stack)
    assert found.stack == (StackFrame("/p/a.py", 20, "<module>"), *_OPERATION)


def test_other_breaks_have_no_such_operation() -> None:
    assert operation_stack(IN_LOOP) == ()
