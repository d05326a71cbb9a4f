"""The version of this code: its release, and how many commits it is past it. `python3 -m slogdb.version` prints it.

It comes from git, in an image from SLOGDB_VERSION, which its build sets; without both it is the release alone.
"""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from slogdb import __version__

ROOT = Path(__file__).resolve().parents[1]


@cache
def version(root: Path = ROOT) -> str:
    """As "1.0.0+455.7a6f52f4": the release, the commits since, and the last one's hash; "1.0.0" is the release."""
    if given := os.environ.get("SLOGDB_VERSION"):
        return given
    head = _git(root, "rev-parse", "--short=8", "HEAD") if (root / ".git").exists() else ""
    if not head:
        return __version__
    released = release_commit(__version__, root)
    count = _git(root, "rev-list", "--count", f"{released}..HEAD") if released else ""
    if count == "0":
        return __version__
    return f"{__version__}+{count}.{head}" if count else f"{__version__}+{head}"


def release_commit(number: str, root: Path = ROOT) -> str:
    """The commit of a release: its tag's, or the one that gave the change log its heading; "" in a shallow clone."""
    tagged = _git(root, "rev-parse", "--verify", "--quiet", f"refs/tags/v{number}^{{commit}}")
    named = tagged or _git(root, "log", "--format=%H", f"-S## {number} (", "--", "CHANGELOG.md")
    first = named.rpartition("\n")[2]
    is_complete = _git(root, "rev-parse", "--is-shallow-repository") == "false"
    # The oldest commit of a shallow clone seems to add everything
    return first if tagged or is_complete else ""


def _git(root: Path, *arguments: str) -> str:
    """What git prints; "" if it fails, as in a folder of somebody else, or isn't there."""
    try:
        done = subprocess.run(  # noqa: S603 - our own arguments
            ["git", "-C", str(root), *arguments],  # noqa: S607 - whichever comes first
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


if __name__ == "__main__":
    sys.stdout.write(f"{version()}\n")
