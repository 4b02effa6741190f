"""What anyone would try first."""

from __future__ import annotations

from benchmarks.accuracy.baselines import every_if, grep

FORWARD = """\
class A:
    def forward(self, x, training):
        if x > 0:
            y = x.item()
        if self.training:
            print(y)
        if (training
                and y):
            return np.abs(x)
        return x.items()

    def other(self, x):
        if x:
            return fnp.numpy()
        return blueprint(x)
"""


def test_grep_takes_every_line_with_a_word_in_files_with_a_forward() -> None:
    assert [each.line for each in grep({"a.py": FORWARD})] == [4, 6, 9, 14]
    assert grep({"a.py": FORWARD.replace("forward", "backward")}) == ()


def test_every_if_takes_conditions_with_names_in_forward() -> None:
    assert [(each.line, each.end_line) for each in every_if({"a.py": FORWARD})] == [(3, 3), (7, 8)]


def test_what_is_not_python_has_no_ifs() -> None:
    assert every_if({"a.py": "def forward(:\n    if x: pass\n"}) == ()
