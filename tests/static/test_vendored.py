"""Vendored files are what static/vendor/VENDORED.md says that they are."""

import hashlib
import re
from pathlib import Path

VENDOR = Path(__file__).parents[2] / "static" / "vendor"
LISTED = dict(
    re.findall(r"^\| (\S+/\S+) \|.*\| ([0-9a-f]{64}) \|$", (VENDOR / "VENDORED.md").read_text(), re.M)
)


def test_every_vendored_file_has_the_sum_that_is_written_down():
    files = [path for path in VENDOR.rglob("*") if path.is_file() and path.name != "VENDORED.md"]
    sums = {
        path.relative_to(VENDOR).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }
    assert sums == LISTED
