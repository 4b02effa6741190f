"""Takes the pictures of docs/html-report.md: of the HTML report of a trace of examples/train.py, in Chromium.

python tools/screenshots.py               # writes docs/images/*.png; takes a minute or more
python tools/screenshots.py REPORT.html   # of a report that is there already

Needs torch with a C++ compiler for Inductor, playwright and a Chromium in /usr/bin/chromium.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
WIDTH, HEIGHT = 1200, 700


def main(report: Path | None) -> None:
    """Write the pictures, of a trace that is made now if there is no report.

    Raises subprocess.CalledProcessError if the trace gives none.
    """
    with tempfile.TemporaryDirectory() as temporary:
        report = report or _traced(Path(temporary))
        IMAGES.mkdir(parents=True, exist_ok=True)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            for scheme, suffix in (("light", ""), ("dark", "-dark")):
                page = browser.new_context(
                    viewport={"width": WIDTH, "height": HEIGHT},
                    color_scheme=scheme,  # type: ignore[arg-type]
                ).new_page()
                page.goto(report.as_uri())
                page.screenshot(path=IMAGES / f"html-report{suffix}.png")
                if not suffix:
                    _parts(page)
            browser.close()


def _traced(folder: Path) -> Path:
    """The report of a trace: of a copy, so that it is of no project."""
    script, report = folder / "train.py", folder / "report.html"
    shutil.copy(ROOT / "examples" / "train.py", script)
    command = [sys.executable, "-m", "compilelint", "trace", "--exit-zero", "--output", f"html={report}", script.name]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, env=_environment(folder))
    return report


def _environment(folder: Path) -> dict[str, str]:
    # What was compiled before would hide what compiling costs.
    return {**os.environ, "PYTHONPATH": str(ROOT), "TORCHINDUCTOR_CACHE_DIR": str(folder / "cache")}


def _parts(page: Any) -> None:
    page.locator("#timeline").screenshot(path=IMAGES / "html-timeline.png")
    page.locator("details.function", has_text="Classifier.forward").first.screenshot(path=IMAGES / "html-function.png")
    first = page.locator("#fix > ol > li").nth(1)
    first.locator("summary").first.click()
    first.screenshot(path=IMAGES / "html-cause.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None)
