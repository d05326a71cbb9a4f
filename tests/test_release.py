"""A release's number: the same everywhere, with a dated section of the change log that names its tag."""

import re
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path

from slogdb import __version__

ROOT = Path(__file__).resolve().parents[1]
CHANGES = (ROOT / "CHANGELOG.md").read_text()
SECTION = re.compile(r"^## (\S+) \((\S+), tag (\S+)\)\n\n### (.+)$", re.MULTILINE)


def test_the_number_is_the_same_everywhere():
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == __version__
    for word in ("version", "--version"):
        done = subprocess.run(
            [sys.executable, "manage.py", word], cwd=ROOT, env={}, capture_output=True, text=True
        )
        assert (done.stdout, done.stderr) == (f"slogdb {__version__}\n", "")


def test_each_release_has_a_date_a_tag_and_what_to_do_before():
    headings = re.findall(r"^## (.+)$", CHANGES, re.MULTILINE)
    sections = SECTION.findall(CHANGES)
    assert len(headings) - ("Unreleased" in headings) == len(sections) > 0
    assert sections[0][0] == __version__
    days = [date.fromisoformat(day) for _, day, _, _ in sections]
    assert days == sorted(days, reverse=True)
    for number, _, tag, first in sections:
        assert (tag, first) == (f"v{number}", "Before you upgrade"), number
