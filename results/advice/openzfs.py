"""What is true of OpenZFS, from which release on, and where that can be checked: results/data/openzfs.csv.

Guide, questions, search and flags read releases and sources here, and no page may name a release that isn't here.
`checked` says what was looked at, in one word each:
- "notes": the release notes of the first release list the change.
- "tags": `git tag --contains` of the commit named the first release; a reviewer ran it.
- "code": the code of 2.4.3, and for earlier behavior that of 2.1.11 and 2.3.2 (Debian's release tarballs).
- "manual": OpenZFS's manual pages or documentation.
- "issue": a report or an announcement.
"""

from dataclasses import dataclass
from datetime import date
from functools import cache

from results.core.lines import DATA, FileLine, read_lines


@dataclass(frozen=True, slots=True)
class Fact(FileLine):
    """A line of the file; `since` is empty if it isn't known that an older release differs."""

    key: str
    fact: str
    since: str  # the first release of each branch that has it
    released: str  # year and month of the first one
    read_in: str
    page: str  # slug of the guide page that is about it
    words: str  # that people type
    source: str  # in a word or two, for a link
    where: str  # the function, macro or section of it
    url: str
    commit: str
    checked: str

    @property
    def releases(self) -> str:
        """In words: "2.3.8 and 2.4.3"."""
        return " and ".join(self.since.split())

    @property
    def in_release(self) -> str:
        """ "from OpenZFS 2.2.1"; "as of OpenZFS 2.4.4" if the first one isn't known."""
        return f"from OpenZFS {self.releases}" if self.since else f"as of OpenZFS {self.read_in}"


@cache
def facts() -> dict[str, Fact]:
    """All facts by key, in the order of the file."""
    return {fact.key: fact for _, fact in read_lines(DATA / "openzfs.csv", Fact)}


def branch_of(version: str) -> tuple[int, int] | None:
    """The branch of a release: (2, 3) of "2.3.4"; None if the version isn't stated."""
    parts = version.split(".")
    return (int(parts[0]), int(parts[1])) if len(parts) > 1 and all(map(str.isdigit, parts[:2])) else None


def bypasses_log(version: str, *, day: date | None, block_size: int | None, record_size: int | None) -> bool:
    """Whether data that was written to a file on Linux with O_DIRECT may have bypassed the log device.

    An unknown version may be any that was out by then.
    """
    first, from_a_block = facts()["direct"], facts()["direct_blocks"]
    branch = branch_of(version)
    if branch is None:
        return day is None or f"{day:%Y-%m}" >= first.released
    if branch < (branch_of(first.since) or branch):
        return False
    is_part = bool(block_size and record_size and block_size < record_size)
    return not (is_part and branch >= (branch_of(from_a_block.since) or branch))
