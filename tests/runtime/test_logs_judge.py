"""The judge reads what torch 2.5 to the newest write: the older forms, which no installed torch shows."""

from __future__ import annotations

from tests.runtime.logs_judge import read

HEAD = "V1120 13:19:08.292000 24113 torch/_dynamo/convert_frame.py:1689] [0/0] [__graph_breaks]"


def log(text: str, head: str = HEAD) -> str:
    return "".join(f"{head} {line}\n" for line in text.split("\n"))


def test_a_break_is_the_innermost_frame_of_an_old_log() -> None:
    text = """\
Graph break: from user code at:
  File "/p/a.py", line 15, in outer
    y = inner(x)
  File "/p/b.py", line 3, in inner
    return x.item()
Traceback (most recent call last):
  File "/torch/_dynamo/symbolic_convert.py", line 582, in wrapper
    return inner_fn(self, inst)"""
    assert read(log(text)).breaks == {("/p/b.py", 3)}


def test_a_frame_that_an_old_torch_drops_is_a_break_and_given_up() -> None:
    text = """\
Graph break: skip: from user code at:
  File "/p/a.py", line 12, in raising
    raise RuntimeError("always")
Traceback (most recent call last):
  File "/torch/_dynamo/convert_frame.py", line 1625, in __call__
    result = self._inner_convert("""
    given_up = log("WON'T CONVERT raising /p/a.py line 9 \ndue to: ", "I1120 13:19:08.294000 1 torch/_dynamo/x.py:1]")
    said = read(log(text) + given_up)
    assert said.breaks == {("/p/a.py", 12)}
    assert said.given_up == {("/p/a.py", 9, "raising")}


def test_two_breaks_in_one_moment_are_two() -> None:
    one = (
        'Graph break: from user code at:\n  File "/p/a.py", line {}, in f\n    f(x)\nTraceback (most recent call last):'
    )
    assert read(log(one.format(1)) + log(one.format(2))).breaks == {("/p/a.py", 1), ("/p/a.py", 2)}


def test_a_new_log_names_the_place_in_its_first_line() -> None:
    text = (
        'Graph break in user code at /p/a.py:5\nUser code traceback:\n  File "/p/c.py", line 15, in <module>\n    f(x)'
    )
    assert read(log(text)).breaks == {("/p/a.py", 5)}
