"""A release's number: the same everywhere, with a dated section of the change log that names its tag."""

import re
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path

import pytest

from slogdb import __version__
from slogdb.version import release_commit, version

ROOT = Path(__file__).resolve().parents[1]
CHANGES = (ROOT / "CHANGELOG.md").read_text()
SECTION = re.compile(r"^## (\S+) \((\S+), tag (\S+)\)\n\n### (.+)$", re.MULTILINE)


def test_the_number_is_the_same_everywhere():
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == __version__
    for word in ("version", "--version"):
        done = subprocess.run(
            [sys.executable, "manage.py", word], cwd=ROOT, env={}, capture_output=True, text=True
        )
        assert (done.stdout, done.stderr) == (f"slogdb {version()}\n", "")


def git(folder, *arguments):
    committer = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    done = subprocess.run(
        ["git", *committer, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A clone in which version() looks, with a commit before the release, the release, and two after it."""
    git(tmp_path, "init", "--quiet")
    for text in (
        "## Unreleased",
        f"## {__version__} (2026-11-26)",
        f"## Unreleased\n## {__version__} (2026-11-26)",
        "",
    ):
        changes = tmp_path / "CHANGELOG.md"
        changes.write_text(text or f"{changes.read_text()}, more")
        git(tmp_path, "add", "CHANGELOG.md")
        git(tmp_path, "commit", "--quiet", "--message=one")
    monkeypatch.delenv("SLOGDB_VERSION", raising=False)
    return tmp_path


def test_the_version_has_the_commits_since_the_release(clone):
    head = git(clone, "rev-parse", "--short=8", "HEAD")
    assert version(clone) == f"{__version__}+2.{head}"
    assert release_commit(__version__, clone) == git(clone, "rev-parse", "HEAD~2")


def test_the_version_of_the_release_itself_is_its_number(clone):
    git(clone, "checkout", "--quiet", "HEAD~2")
    assert version(clone) == __version__


def test_a_tag_takes_precedence_over_the_heading(clone):
    git(clone, "tag", f"v{__version__}", "HEAD~1")
    assert version(clone).startswith(f"{__version__}+1.")


def test_a_shallow_clone_has_the_hash_alone(clone, tmp_path_factory):
    shallow = tmp_path_factory.mktemp("shallow")
    git(shallow, "clone", "--quiet", "--depth=1", f"file://{clone}", ".")
    assert version(shallow) == f"{__version__}+{git(shallow, 'rev-parse', '--short=8', 'HEAD')}"


def test_without_git_it_is_that_of_the_image_or_the_number(tmp_path, monkeypatch):
    monkeypatch.delenv("SLOGDB_VERSION", raising=False)
    assert version(tmp_path) == __version__
    monkeypatch.setenv("SLOGDB_VERSION", "1.2.0+3.abc")
    version.cache_clear()
    assert version(tmp_path) == "1.2.0+3.abc"


def test_each_release_has_a_date_a_tag_and_what_to_do_before():
    headings = re.findall(r"^## (.+)$", CHANGES, re.MULTILINE)
    sections = SECTION.findall(CHANGES)
    assert len(headings) - ("Unreleased" in headings) == len(sections) > 0
    assert sections[0][0] == __version__
    days = [date.fromisoformat(day) for _, day, _, _ in sections]
    assert days == sorted(days, reverse=True)
    for section in CHANGES.split("\n## ")[1:]:
        assert "\n### Roll back\n" in section, section[:40]
    for number, _, tag, first in sections:
        assert (tag, first) == (f"v{number}", "Before you upgrade"), number
