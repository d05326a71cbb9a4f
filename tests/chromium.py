"""The Chromium that tests and screenshots run in. `python -m tests.chromium` installs one where none runs."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests import system_packages

# The first is without windows: the others draw one that nobody sees.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DEBIANS = NAMES[0]
SCRIPTS = Path(__file__).with_name("browser") / "scripts"


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium: the machine's own, else the one that `playwright install chromium` brought."""
    # Its sandbox works neither for root nor in most containers, and it is shown our own pages only. Optimizing
    # scripts takes longer than it saves: a page lives for a second.
    options = ["--no-sandbox", "--js-flags=--no-opt"]
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=_own_chromium(), args=options, timeout=240_000) as browser,
    ):
        yield browser


def script(name: str) -> str:
    """A function for a page to evaluate, of tests/browser/scripts/."""
    return (SCRIPTS / f"{name}.js").read_text()


def _own_chromium() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def _has_chromium() -> bool:
    with sync_playwright() as playwright:
        return _runs(_own_chromium() or playwright.chromium.executable_path)


def _runs(path: str) -> bool:
    """A downloaded one may be there and still lack libraries of the system."""
    if not Path(path).exists():
        return False
    return subprocess.run([path, "--version"], capture_output=True).returncode == 0


def _install() -> None:
    """By playwright, which needs no rights; else, as root, Debian's, which brings its libraries along."""
    sys.stdout.write("Installing Chromium\n")
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"])
    if not _has_chromium():
        system_packages.install(DEBIANS)


def main() -> int:
    """Install one where none runs; exit code 1 when that fails."""
    if not _has_chromium():
        _install()
    if not _has_chromium():
        sys.stderr.write("no Chromium runs here, so browser tests will fail: install one, or its libraries\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
