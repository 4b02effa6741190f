"""Findings and reports for the tests of the formats, with a sensible default for every field."""

from __future__ import annotations

from dataclasses import replace

from compilelint.report.confidence import Confidence
from compilelint.report.model import Budget, Finding, FrameCost, Moment, Observation, Process, Report, Run
from compilelint.report.stack import StackFrame

ITEM = Finding(
    code="CL101",
    name="tensor-item",
    effect="graph-break",
    severity="warning",
    confidence=Confidence.HIGH,
    path="src/model.py",
    line=12,
    column=17,
    end_line=12,
    end_column=31,
    function="Net.forward",
    message="`x.sum().item()` reads a tensor back into Python",
    suggestion="Keep the value a tensor (drop `.item()`).",
    gb_ids=("GB0124",),
    reached_from=("src/model.py:40 torch.compile(Net())", "Net.forward"),
    aggravated_by=(),
    source_line="        scale = x.sum().item()",
    fingerprint="0123456789abcdef",
)


OBSERVATION = Observation(
    type="graph-break",
    reason="`.item()` reads a tensor's value back into Python",
    gb_id="GB0124",
    path="src/model.py",
    line=12,
    function="Net.forward",
    hits=3,
    compile_seconds=0.12345,
    ranks=(0,),
    stack=(StackFrame("train.py", 40, "main"), StackFrame("src/model.py", 12, "forward")),
    finding=None,
    advice="Keep the value a tensor.",
    title="Unsupported Tensor.item() call with capture_scalar_outputs=False",
    context="call_method TensorVariable() item () {}",
    owner=StackFrame("src/model.py", 12, "forward"),
    inside=1,
    compiled_by="train.py:40 torch.compile(Net)",
    hits_after_warmup=3,
    source_line="        scale = x.sum().item()",
)

RUN = Run(
    program="train.py --steps 4",
    torch="2.13.0",
    processes=1,
    ranks=(0,),
    ended="exit code 0",
    cut_off=False,
    compile_calls=1,
    compiled_frames=2,
    compilations=3,
    compile_seconds=1.5,
    first_result_seconds=0.75,
    cache_hits=1,
    cache_misses=2,
    frames=(FrameCost("src/model.py", 10, "Net.forward", 2, 1.25, 7), FrameCost("a.py", 1, "f", 1, 0.25)),
    started=1_700_000_000.0,
    wall_seconds=4.0,
    per_process=(Process(7, None, 0.0, 4.0, 1.5, 3, 3, 1, 0.75, "exit code 0", False),),
    timeline=(
        Moment("first-result", 1.0, 0, compiled_by="train.py:40 torch.compile(Net)", seconds=0.75),
        Moment("compile", 1.0, 0, "src/model.py", 10, "Net.forward", seconds=0.5, kind="first"),
        Moment("graph-break", 1.25, 0, "src/model.py", 12, "Net.forward"),
    ),
    budgets=(Budget("max-breaks", 0, 1),),
    notes=("--backend eager instead of inductor",),
)


def observation(**changes: object) -> Observation:
    """The break of a `.item()` call, with these fields changed."""
    return replace(OBSERVATION, **changes)  # type: ignore[arg-type]


def run(**changes: object) -> Run:
    """A run of one process that ended well, with these fields changed."""
    return replace(RUN, **changes)  # type: ignore[arg-type]


def finding(**changes: object) -> Finding:
    """The finding of a `.item()` call, with these fields changed."""
    return replace(ITEM, **changes)  # type: ignore[arg-type]


def report(*findings: Finding, **changes: object) -> Report:
    """A report of these findings over three files."""
    base = Report(target_torch="2.13", files=3, functions_in_regions=12, duration_s=0.3141592, findings=findings)
    return replace(base, **changes)  # type: ignore[arg-type]
