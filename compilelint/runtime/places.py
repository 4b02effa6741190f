"""Where in the user's code something is: frames outside of torch and of the recorder."""

from __future__ import annotations

import os
import sys
from traceback import walk_tb
from types import CodeType, FrameType, TracebackType

from compilelint.report.stack import StackFrame

_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_PYTHON = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_LONGEST = 64


def code_place(code: CodeType) -> StackFrame:
    """File, first line and name of a code object."""
    return StackFrame(code.co_filename, code.co_firstlineno, getattr(code, "co_qualname", code.co_name))


def callers() -> tuple[StackFrame, ...]:
    """The frames of this thread outside of torch, outermost first; of a deep stack only the innermost.

    A function that a library has put in the place of `torch.compile` (Lightning's notes what it is given) is torch's.
    """
    torch = _torch_folder()
    in_its_place = _compile_code()
    stack: list[StackFrame] = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and len(stack) < _LONGEST:
        path = frame.f_code.co_filename
        if not path.startswith((torch, _OWN, "<frozen")) and frame.f_code is not in_its_place:
            name = getattr(frame.f_code, "co_qualname", frame.f_code.co_name)
            stack.append(StackFrame(path, frame.f_lineno, name))
        frame = frame.f_back
    return tuple(reversed(stack))


def asked_by(stack: tuple[StackFrame, ...]) -> tuple[StackFrame, ...]:
    """The callers up to who asked for something: Python does nothing of its own accord (`copy.deepcopy(model)`)."""
    inner = (at for at in range(len(stack), 0, -1) if not _is_python(stack[at - 1].path))
    return stack[: next(inner, len(stack))]


def _is_python(path: str) -> bool:
    """Whether a source file is of Python's own library."""
    return path.startswith(_PYTHON) and "site-packages" not in path and "dist-packages" not in path


def raised_at(traceback: TracebackType | None) -> tuple[StackFrame, ...]:
    """The frames outside of torch that an exception went through, outermost first."""
    through = (StackFrame(each.f_code.co_filename, line, each.f_code.co_name) for each, line in walk_tb(traceback))
    return tuple(frame for frame in through if not is_torch(frame.path))


def is_torch(path: str) -> bool:
    """Whether a source file is torch's or the recorder's."""
    return path.startswith((_torch_folder(), _OWN))


def _compile_code() -> CodeType | None:
    compile_function = getattr(sys.modules.get("torch"), "compile", None)
    return getattr(compile_function, "__code__", None)


def _torch_folder() -> str:
    path = getattr(sys.modules.get("torch"), "__file__", None)
    return os.path.dirname(path) + os.sep if path else _OWN
