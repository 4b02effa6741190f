"""Found by every Python process under `compilelint trace`, before the sitecustomize it may have itself.

It leaves no trace in sys.path and sys.modules, and whatever goes wrong here is not the program's problem.
"""

import os
import sys


def _start() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    home = os.path.dirname(os.path.dirname(os.path.dirname(here)))
    known = home in sys.path
    if not known:
        sys.path.append(home)
    try:
        from compilelint.runtime import bootstrap

        bootstrap.start()
    except Exception as error:
        print(f"compilelint: this process is not recorded: {error!r}", file=sys.stderr)
    finally:
        if not known:
            sys.path.remove(home)


def _import_the_programs_own() -> None:
    ours = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # type: ignore[import-not-found]  # noqa: F401
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
        if ours is not None:
            sys.modules.setdefault("sitecustomize", ours)  # what is importing this expects to find it


_start()
_import_the_programs_own()
