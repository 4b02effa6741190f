"""What a list or a dict holds that has been given something nobody knows: what is written out may be replaced."""

from __future__ import annotations

from textwrap import indent

import pytest

from tests.inspect.make import callees


@pytest.mark.parametrize(
    ("fill", "item"),
    [
        ("d = {'debug': False}\nd.update(o)", "d['debug']"),
        ("d = {'debug': False, **o}", "d['debug']"),
        ("d = {'debug': False}\nd |= o", "d['debug']"),
        ("d = {'debug': False}\nfor n, v in o.items():\n    d[n] = v", "d['debug']"),
        ("d = {'debug': False}\nd.update({'debug': True})", "d['debug']"),
        ("d = {'debug': False}\nd.update(debug=True)", "d['debug']"),
        ("d = {'debug': False, **{'debug': True}}", "d['debug']"),
        ("d = [False]\nd.extend(o)", "d[-1]"),
        ("d = [False]\nd.insert(0, o)", "d[0]"),
        ("d = [False]\nd.append(o)\nd.reverse()", "d[0]"),
    ],
)
def test_what_may_be_otherwise_does_not_decide(fill: str, item: str) -> None:
    assert prints(fill, item)


@pytest.mark.parametrize(
    ("fill", "item"),
    [
        ("d = {'debug': False}", "d['debug']"),
        ("d = {**o, 'debug': False}", "d['debug']"),
        ("d = {'debug': False}\nd.update({'level': o})", "d['debug']"),
        ("d = {'debug': False, **{'level': o}}", "d['debug']"),
        ("d = {'debug': False}\nd['level'] = o", "d['debug']"),
        ("d = {'debug': False}\nd.update(level=o)", "d['debug']"),
    ],
)
def test_what_stays_as_it_is_decides(fill: str, item: str) -> None:
    assert not prints(fill, item)


def prints(fill: str, item: str) -> bool:
    body = indent(f"{fill}\nif {item}:\n    print(x)\nreturn x", "    ")
    return "builtins.print" in callees(f"def f(x, o):\n{body}\n")
