"""What an article states in words about a grid whose charts are gone: remarks on empty cells.

Facts of the article in our words, with the figures that its text gives; no figure is read off or filled in.
"""

from dataclasses import dataclass
from functools import cache

from results.core.lines import DATA, FileLine, YesOrNo, read_lines

TITLE = "FreeNAS ZFS Benchmarks: 1 Data Drive"
SOURCE_URL = "https://savagedlight.me/2013/12/27/freenas-zfs-benchmarks-1-data-drive/"
PUBLISHED_ON = "2013-12-27"
LAYOUTS = ("a single drive", "a 2-way mirror", "a 3-way mirror")
CONDITIONS = {"recordsize": "128 KiB", "File size": "6 GiB", "ARC size": "2 GiB", "Expected error": "±10 %"}
RECORD_SIZES = ("64 KiB", "128 KiB", "256 KiB", "512 KiB", "1 MiB", "2 MiB", "4 MiB", "8 MiB")


@dataclass(frozen=True, slots=True)
class Remark(FileLine):
    """A statement about an operation; record size, layout and figure are empty where it names none."""

    operation: str
    record_size: str
    layout: str
    figure: str
    remark: str
    is_doubted: YesOrNo


@cache
def read_remarks() -> tuple[Remark, ...]:
    """All remarks, in the order of the article."""
    return tuple(line for _, line in read_lines(DATA / "grid_remarks.csv", Remark))
