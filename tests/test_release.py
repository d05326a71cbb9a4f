"""A release's number: the same everywhere."""

import subprocess
import sys
import tomllib
from pathlib import Path

from slogdb import __version__

ROOT = Path(__file__).resolve().parents[1]


def test_the_number_is_the_same_everywhere():
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == __version__
    for word in ("version", "--version"):
        done = subprocess.run(
            [sys.executable, "manage.py", word], cwd=ROOT, env={}, capture_output=True, text=True
        )
        assert (done.stdout, done.stderr) == (f"slogdb {__version__}\n", "")
