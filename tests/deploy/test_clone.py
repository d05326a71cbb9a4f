"""A site's clone: what the docs and the containers put into it is never committed."""

import re
import subprocess

import yaml

from tests.deploy.compose import BESIDE, FILE, ROOT

# Where a command of the docs writes: redirections, and the words after these options and programs.
WRITTEN = re.compile(
    r"(?:(?<!\S)>>? ?|-keyout |-out |--output |\binstall -d(?: -[a-z] \S+)* |\bcp \S+ |\bmkdir (?:-p )?|\$PWD/)"
    r"([\w.][\w./-]*)"
)
BLOCKS = re.compile(r"(?:^ {4,}.*\n)+", re.MULTILINE)


def test_git_ignores_what_the_docs_and_the_containers_put_into_the_clone():
    made = written_by_the_docs() | mounted() | {"docker-compose.override.yml"}
    assert {".env", "deploy/tls", "archive", "database.key", "database.crt"} <= made
    tracked = set(git("ls-files").splitlines())
    untracked = [
        path for path in made if path not in tracked and not any(t.startswith(f"{path}/") for t in tracked)
    ]
    ignored = set(git("check-ignore", *(with_slash(path) for path in untracked)).splitlines())
    assert {with_slash(path) for path in untracked} - ignored == set()


def written_by_the_docs():
    blocks = [block for path in (ROOT / "docs").glob("*.md") for block in BLOCKS.findall(path.read_text())]
    return {path.rstrip("/") for block in blocks for path in WRITTEN.findall(block)}


def mounted():
    """What containers mount from the clone."""
    files = [yaml.safe_load(path.read_text())["services"].values() for path in (FILE, *BESIDE)]
    volumes = [volume for services in files for service in services for volume in service.get("volumes", [])]
    return {volume.split(":")[0][2:] for volume in volumes if volume.startswith("./")}


def with_slash(path):
    """A folder as git's patterns name it; those of the docs have no dot."""
    return path if "." in path else f"{path}/"


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout  # noqa: S607
