"""Reports for the tests of the page: one with everything in it, and one of a program that wants harm."""

from __future__ import annotations

from compilelint.report.model import FrameCost, LibraryPlace, Moment, Problem, Process, Report, RulePage, Source
from compilelint.report.stack import StackFrame
from tests.report.make import finding, observation, report, run

PAGE = RulePage("CL101", "tensor-item", "graph-break", "warning", "It splits.", "# CL101 tensor-item\n\nSee CL101.\n")
SOURCE = Source(
    "src/model.py", "Net.forward", 10, "def forward(self, x):\n    y = x\n        scale = x.sum().item()\n    return y"
)
EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\" onclick='alert(1)' \u202e\x00\x1b {{ 7*7 }}"


def whole() -> Report:
    """A run with everything in it."""
    confirmed = finding(verdict="confirmed")
    beside = finding(code="CL501", line=30, end_line=30, verdict="not-reached", fingerprint="f" * 16)
    far = finding(code="CL202", library=(LibraryPlace("lib/a.py", 7, 8, "g"),) * 6, line=31, fingerprint="b" * 16)
    process = Process(7, 0, 0.0, 4.0, 1.5, 3, 3, 1, 0.75, "exit code 0", False)
    other = Process(8, 1, 0.5, 4.0, 1.0, 1, 0, 0, None, "killed by SIGKILL", True)
    return report(
        confirmed,
        beside,
        far,
        observations=(
            observation(finding=confirmed.fingerprint, verdict="confirmed", aggravated_by=("inside a `for` loop",)),
            observation(
                type="recompile",
                line=10,
                verdict="runtime-only",
                title="n == 1",
                values=("1", "2"),
                variable="n",
                ranks=(1,),
            ),
            observation(type="recompile-limit", line=10, severity="error", frame=StackFrame("src/model.py", 10, "f")),
            observation(line=40, accepted=True),
            observation(path="/env/lib/python3.11/site-packages/torch/a.py", line=5, severity="info"),
        ),
        errors=(Problem("src/broken.py", "invalid syntax", 3),),
        rules=(PAGE,),
        sources=(SOURCE,),
        run=run(
            ranks=(0, 1),
            per_process=(process, other),
            cut_off=True,
            unreadable=("a hook: changed",),
            timeline=(
                Moment("compile", 1.0, 0, "src/model.py", 10, "Net.forward", seconds=0.5, kind="first"),
                Moment("compile", 1.0, 1, "src/model.py", 10, "Net.forward", seconds=0.5, kind="recompile", ok=False),
                *(
                    Moment(kind, 1.25, 0, "src/model.py", 12, "f")
                    for kind in ("graph-break", "recompile", "compile-error")
                ),
                *(Moment(kind, 2.25, 0, "src/model.py", 12, "f") for kind in ("recompile-limit", "cudagraph-skip")),
                Moment("first-result", 1.0, 0, seconds=2.0),
            ),
        ),
    )


def hostile() -> Report:
    """The same, with all text from a program that wants harm."""
    path = f"src/{EVIL}.py"
    bad = finding(path=path, message=EVIL, function=EVIL, source_line=EVIL, suggestion=EVIL, reached_from=(EVIL, EVIL))
    seen = observation(
        type="recompile", path=path, reason=EVIL, function=EVIL, title=EVIL, context=EVIL, advice=EVIL,
        compiled_by=f"{EVIL}:3 {EVIL}", stack=(StackFrame(EVIL, 3, EVIL),), source_line=EVIL, values=(EVIL,),
        variable=EVIL, change=EVIL,
    )  # fmt: skip
    return report(
        bad,
        observations=(seen, observation(path=path, reason=EVIL, source_line=EVIL)),
        errors=(Problem(EVIL, EVIL),),
        rules=(RulePage("CL101", EVIL, "graph-break", "warning", EVIL, f"# {EVIL}\n\n{EVIL}\n"),),
        sources=(Source(path, EVIL, 10, f"a\nb\n{EVIL}"),),
        run=run(
            program=EVIL, torch=EVIL, ended=EVIL, notes=(EVIL,), unreadable=(EVIL,), root=EVIL,
            frames=(FrameCost(path, 10, EVIL, 1, 1.0, 3),),
            timeline=(Moment("compile", 1.0, 0, path, 10, EVIL, f"{EVIL}:3 {EVIL}", EVIL, 1.0, "first"),),
        ),
    )  # fmt: skip
