"""IPython's syntax becomes Python; what is Python already keeps its line and column."""

from __future__ import annotations

import ast

import pytest

from compilelint.project.ipython import as_python


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("x = 1\nf(x);", "x = 1\nf(x);"),
        ("%matplotlib inline\nx", "pass\nx"),
        ("!pip install torch\nx", "pass\nx"),
        ("!pip install \\\n  torch\nx", "pass\n\nx"),
        ("if x:\n    %cd ..\n    !ls", "if x:\n    pass\n    pass"),
        ("?x\nx?\nx.y??\n??x\n%time?", "pass\npass\npass\npass\npass"),
        (",f a b\n;f a b\n/f a b", "pass\npass\npass"),
        ("files = !ls\nx", "files = get_ipython()\nx"),
        ("a, b.c = %magic 1\nx", "a, b.c = get_ipython()\nx"),
        ("pip install torch", "pass"),
        ("\n  \n%%time\nf(x)", "\n  \npass\nf(x)"),
        ("%%capture out\n%%time\nf(x)", "pass\npass\nf(x)"),
        ("%%time", "pass"),
        ("%time for x in y: f(x)", "pass"),
        ("%time f(", "pass"),
        ("await f(x)", "await f(x)"),
    ],
)
def test_what_is_no_python_becomes_a_statement_that_does_nothing(cell: str, python: str) -> None:
    assert as_python(cell) == python
    ast.parse(python)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("%time f(x)", "f(x)"),
        ("%time y = await f(x)  # compilelint: ignore", "y = await f(x)  # compilelint: ignore"),
        ("    %timeit -n 10 -r3 -o f(x)", "f(x)"),
        ("%timeit -n10 -q f(x)", "f(x)"),
        ("%prun -s cumulative f(x)", "f(x)"),
        ("%lprun -f f f(x)", "f(x)"),
        ("%time --no-raise-error f(x)", "f(x)"),
    ],
)
def test_the_code_of_a_magic_that_runs_its_line_stays_in_its_columns(line: str, code: str) -> None:
    python = as_python(f"if x:\n{line}" if line.startswith(" ") else line)
    assert python is not None
    ast.parse(python)
    assert python.split("\n")[-1].endswith(code)
    assert python.split("\n")[-1].index(code) == line.index(code)


@pytest.mark.parametrize(
    "cell",
    [
        "x = (a\n% b)",
        "s = '''\n%time x\n!ls\nx?\n'''",
        'f(a,\n  "%d"\n  % b)\n',
        "x = 5  # why?",
        "x %= 3\ny = x % 2",
        "x = a \\\n  % b",
        "pip = 1",
        "ls",
        "cd = {}\ncd[1]",
        "x != y",
    ],
)
def test_python_that_looks_like_a_magic_is_left_alone(cell: str) -> None:
    # A magic after it sends each statement through the scanner.
    assert as_python(cell) == cell
    assert as_python(f"{cell}\n%magic") == f"{cell}\npass"


@pytest.mark.parametrize("magic", ["%%bash", "%%html", "%%writefile model.py", "%%javascript", "%%script bash", "%%"])
def test_cells_of_another_language_are_no_python(magic: str) -> None:
    assert as_python(f"{magic}\nf(x)") is None
    assert as_python(f"%%capture\n{magic}\nf(x)") is None


@pytest.mark.parametrize(
    "cell", ["", "\n", "%time (\n!ls\nx", "s = '''\n%time x", "!echo it's\nx", "if x:\n\t%time f()\n  y"]
)
def test_lines_are_never_more_or_fewer(cell: str) -> None:
    python = as_python(cell)
    assert python is not None
    assert python.count("\n") == cell.count("\n")
