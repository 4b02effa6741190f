"""A `try` around torch.compile alone, for failures of the first call.

The positive forms that all have in common are the examples of the page CL632.
"""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.regions.constructs import NET, events_around

MODEL = NET + "def model_of(model, options, backend):\n"


def _guards(code: str) -> list[Confidence]:
    return [event.confidence for event in events_around(MODEL + code) if event.construct == "failure-uncaught"]


def _tried(body: str, handler: str, error: str = "Exception") -> str:
    return f"""
    try:
        {body}
    except {error}:
        {handler}
    return model
"""


FAILED = "print('torch.compile failed, going on uncompiled')"


@pytest.mark.parametrize(
    ("why", "code", "confidence"),
    [
        ("bound", _tried("model = torch.compile(model)", FAILED), Confidence.HIGH),
        ("handed back", _tried("return torch.compile(model)", FAILED), Confidence.HIGH),
        ("set", _tried("setattr(options, 'net', torch.compile(model))", FAILED), Confidence.HIGH),
        ("of self", _tried("options.net = torch.compile(model)", FAILED), Confidence.HIGH),
        ("all that is raised", _tried("model = torch.compile(model)", FAILED, "BaseException"), Confidence.HIGH),
        ("one of two", _tried("model = torch.compile(model)", FAILED, "(ValueError, Exception)"), Confidence.HIGH),
        (
            "its version",
            _tried("model = torch.compile(model)", "print('compile failed: eager version')"),
            Confidence.HIGH,
        ),
        (
            "an error of the first call",
            _tried("model = torch.compile(model)", "pass", "torch._dynamo.exc.Unsupported"),
            Confidence.HIGH,
        ),
        ("a known backend", _tried("model = torch.compile(model, backend='eager')", FAILED), Confidence.HIGH),
        ("any backend", _tried("model = torch.compile(model, backend=backend)", FAILED), Confidence.MEDIUM),
        ("any option", _tried("model = torch.compile(model, **options)", FAILED), Confidence.MEDIUM),
        ("says nothing", _tried("model = torch.compile(model)", "pass"), Confidence.LOW),
        (
            "who is handed it does not guard the calls",
            _tried("model = torch.compile(model)", FAILED)
            + "\ndef run(net, x):\n    step = model_of(net, None, None)\n    return step(x)\n",
            Confidence.HIGH,
        ),
        (
            "another call is guarded",
            _tried("model = torch.compile(model)", FAILED)
            + "\ndef run(net, x):\n    step = other(net)\n    try:\n        return step(x)\n"
            "    except Exception:\n        return net(x)\n",
            Confidence.HIGH,
        ),
        (
            "what is tried next says another thing",
            "    try:\n        return torch.compile(model)\n"
            "    except Exception as error:\n        print('compiling failed', error)\n"
            "        try:\n            return torch.compile(model, mode='max-autotune')\n"
            "        except Exception:\n            print('another PyTorch version may help')\n            raise\n",
            Confidence.HIGH,
        ),
    ],
)
def test_failures_come_later(why: str, code: str, confidence: Confidence) -> None:
    assert _guards(code) == [confidence]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("an old torch", _tried("model = torch.compile(model)", FAILED, "AttributeError")),
        ("a Python that is not supported", _tried("model = torch.compile(model)", FAILED, "RuntimeError")),
        ("says so", _tried("model = torch.compile(model)", "print('failed to compile, you may need PyTorch 2.0')")),
        ("not there", _tried("model = torch.compile(model)", "print('compile failed: backend is not available')")),
        ("unknown backend", _tried("model = torch.compile(model, backend=backend)", "pass")),
        ("wrong backend", _tried("model = torch.compile(model)", FAILED, "torch._dynamo.exc.InvalidBackend")),
        ("raised again", _tried("model = torch.compile(model)", f"{FAILED}\n        raise")),
        ("called", _tried("fast = torch.compile(model)\n        fast(3)\n        model = fast", FAILED)),
        ("handed to who calls it", _tried("fast = torch.compile(model)\n        warm_up(fast)", FAILED)),
        ("wrapped", _tried("model = guarded(torch.compile(model))", FAILED)),
        ("an import", _tried("import triton\n        model = torch.compile(model)", FAILED)),
        ("asks whether it can", _tried("torch.compile(model)", FAILED)),
        ("no torch.compile", _tried("model = options.compile(model)", FAILED)),
        (
            "called in another one",
            _tried("model = torch.compile(model)", FAILED)
            + "def run(x):\n    pass\n"
            + "def both(model, x):\n"
            + _tried("model = torch.compile(model)", FAILED)
            + "\n    try:\n        model(x)\n    except Exception:\n        pass\n",
        ),
        (
            "each call is guarded",
            _tried(
                "fast = torch.compile(model)\n\n"
                "        def call(x):\n            try:\n                return fast(x)\n"
                "            except Exception:\n                return model(x)\n\n        return call",
                FAILED,
            ),
        ),
        (
            "who is handed it guards each call",
            _tried("model = torch.compile(model)", FAILED)
            + "\ndef run(net, x):\n    step = model_of(net, None, None)\n"
            "    try:\n        return step(x)\n    except Exception:\n        return net(x)\n",
        ),
        (
            "who is handed it at once guards each call",
            _tried("return torch.compile(model)", FAILED) + "\ndef run(net, x):\n    step = model_of(net, None, None)\n"
            "    try:\n        return step(x)\n    except Exception:\n        return net(x)\n",
        ),
        (
            "failures are suppressed",
            "    torch._dynamo.config.suppress_errors = options\n" + _tried("model = torch.compile(model)", FAILED),
        ),
    ],
)
def test_it_does_what_it_is_there_for(why: str, code: str) -> None:
    expected = [Confidence.HIGH] if why == "called in another one" else []
    assert _guards(code) == expected
