from __future__ import annotations

import ast
from pathlib import Path
from types import SimpleNamespace

from compilelint import runtime
from compilelint.report.stack import StackFrame
from compilelint.runtime.dynamo.metrics import compile_end
from compilelint.runtime.dynamo.torch_adapter import METRICS

RUNTIME = Path(runtime.__file__).parent
CODE = StackFrame("/app/train.py", 10, "step")


def end(failed: BaseException | None = None, backward: bool = False, **metrics: object):  # type: ignore[no-untyped-def]
    return compile_end("0/0", CODE, 1.5, SimpleNamespace(**metrics), failed, backward=backward)


def test_what_dynamo_measured_is_told() -> None:
    found = end(graph_op_count=3, guard_count=8, backend_compile_time_s=0.5, restart_reasons={"b", "a"})
    assert (found.seconds, found.backend_seconds, found.ops, found.guards) == (1.5, 0.5, 3, 8)
    assert found.restart_reasons == ("a", "b")
    assert found.ok


def test_without_metrics_only_what_was_seen_from_outside_is_told() -> None:
    found = compile_end("0/0", CODE, 1.5, None, ValueError("odd"))
    assert (found.ok, found.fail_type, found.fail_reason, found.ops) == (False, "ValueError", "odd", None)


def test_what_the_user_interrupts_is_no_fault_of_the_code() -> None:
    found = end(KeyboardInterrupt(), fail_type="KeyboardInterrupt")
    assert (found.ok, found.fail_type) == (False, None)
    assert (end(fail_type="SystemExit").ok, end(fail_type="SystemExit").fail_type) == (False, None)


def test_a_field_of_another_type_is_left_out() -> None:
    found = end(graph_op_count="3", guard_count=True, fail_user_frame_filename="/a.py")
    assert (found.ops, found.guards, found.fail_place) == (None, None, None)


def test_guarded_code_without_a_graph_has_no_operators() -> None:
    assert end(graph_op_count=None).ops == 0
    assert end(graph_op_count=None, has_guarded_code=False).ops is None
    assert end(graph_op_count=None, backward=True).ops is None


def test_a_frame_without_guarded_code_is_not_compiled_but_a_backward_graph_has_none() -> None:
    assert not end(has_guarded_code=False).ok
    assert end(has_guarded_code=False, backward=True).ok
    assert not end(fail_type="Unsupported", fail_user_frame_filename="/a.py", fail_user_frame_lineno=3).ok


def test_fields_of_torch_are_read_in_the_adapter_only() -> None:
    """By attribute; trace_metrics.py reads them as keys of a log that torch has written."""
    theirs = {field for field, _ in METRICS.values()} - METRICS.keys()
    assert "graph_op_count" in theirs
    for path in sorted(RUNTIME.rglob("*.py")):
        if path.name in ("torch_adapter.py", "trace_metrics.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "value", None)
            assert not (isinstance(name, str) and name in theirs), f"{path.name}:{node.lineno}"
