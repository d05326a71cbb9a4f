"""What of a text isn't published: lines that aren't stored, runs that were left out, and why."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.text import capfirst

from parsers.base.readings import LeftOut, LeftOutLines, Notice
from results.models import Submission
from results.models.submission import split_notices
from results.submissions.text.blocks import line_range

SHOWN_LEFT_OUT = 20  # runs of left-out lines; all are in the text


@dataclass(frozen=True, slots=True)
class Unread:
    """The lines that aren't stored; false if there are none."""

    left_out_lines: Sequence[LeftOutLines]

    def __bool__(self) -> bool:
        return bool(self.left_out_lines)

    @property
    def line_count(self) -> int:
        return sum(len(line.lines) for line in self.left_out_lines)

    @property
    def ranges(self) -> list[tuple[str, LeftOutLines]]:
        """The first of them, with their labels."""
        return [
            (line_range(line.first_line, line.last_line), line)
            for line in self.left_out_lines[:SHOWN_LEFT_OUT]
        ]

    @property
    def more(self) -> int:
        return len(self.left_out_lines[SHOWN_LEFT_OUT:])


WILL_BE, WERE, READ = "will be published", "published", "read"


@dataclass(frozen=True, slots=True)
class RunsSummary:
    """How many runs of a text are published, and why the others aren't."""

    published: int
    left_out: Sequence[LeftOut]
    outcome: str = WILL_BE

    @property
    def reasons(self) -> list[tuple[LeftOut, str]]:
        """Those left out, each with why, in a sentence."""
        return [(left_out, f"{capfirst(left_out.message).rstrip('.')}.") for left_out in self.left_out]

    @property
    def sentence(self) -> str:
        published, total = self.published, self.published + len(self.left_out)
        was = "" if self.outcome == WILL_BE else "was " if published == 1 else "were "
        count = f"{published}" if published == total == 1 else f"{published} of {total}"
        return f"{count} {'run' if total == 1 else 'runs'} {was}{self.outcome}"


def stored_notices(submission: Submission) -> tuple[list[Notice], list[LeftOut]]:
    """The notices of a submission that don't repeat why a run was left out, and the runs that were."""
    notices, left_out = split_notices(submission.notices)
    runs = [LeftOut(**run) for run in left_out]
    return without_left_out((Notice(**notice) for notice in notices), runs), runs


def without_left_out(notices: Iterable[Notice], left_out: Iterable[LeftOut]) -> list[Notice]:
    """The notices that don't repeat why a run was left out."""
    reasons = {(run.code, run.message) for run in left_out}
    return [notice for notice in notices if (notice.code, notice.message) not in reasons]
