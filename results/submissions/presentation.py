"""A run for pages: its conditions, its text as numbered lines, and sharing snippets."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from parsers.base.readings import LeftOutLines, ParsedPaste
from parsers.text.samples import is_sample_row
from results.core.addresses import address
from results.core.formats import split_platform, writers_label
from results.core.head import Shared
from results.kinds.conditions import FLUSH_PATH, LABELS, in_words
from results.kinds.envelope import Run
from results.kinds.flags import ranking_state
from results.kinds.pool_io.kind import POOL_IO
from results.kinds.pool_io.stored_sets import run_name, subject_of_run
from results.kinds.registry import kind_of, method_label
from results.kinds.tables import Measure, measures
from results.models import Result
from results.models.choices import State
from results.models.conditions import CONDITION_FIELDS, FLUSH_OFF
from results.submissions.line_numbers import MARKER


def stated_conditions(run: Run | Result) -> dict[str, str]:
    """The known measurement conditions by label; unstated ones are omitted."""
    stated = {name: in_words(name, getattr(run, name)) for name in CONDITION_FIELDS}
    stated["platform"], tool = split_platform(run.platform)
    if source := stated.pop("wear_source"):
        stated["wear_percent"] += f" (derived from {source})"
    by_label = {LABELS[name]: value for name, value in stated.items()}
    by_label |= {"Measured with": tool, "Writers": writers_label(run.writers)}
    return {label: value for label, value in by_label.items() if value}


def flush_path(run: Run | Result) -> str:
    """What is known about a flush's path to the medium, in words; "" if nothing."""
    stated = [words.get(getattr(run, name), "") for name, words in FLUSH_PATH.items()]
    return ", ".join(filter(None, stated))


FEW_LINES = 12  # longer blocks of unread lines are folded
SHOWN_SAMPLES = 20  # at each end of a log

Range = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a stored text; `sent` is the number shown with it, `left_out` the lines that it stands for."""

    number: int
    text: str
    sent: int
    left_out: LeftOutLines | None = None
    anchor: str = ""  # none for the second of several lines that come from one line of what was sent


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Lines of a text that were read as a run, or weren't; or a line that stands for those left out."""

    lines: Sequence[Line]
    is_read: bool
    is_folded: bool = False

    @property
    def left_out(self) -> LeftOutLines | None:
        return self.lines[0].left_out

    @property
    def first(self) -> int:
        return self.lines[0].sent

    @property
    def label(self) -> str:
        return line_range(self.first, self.left_out.last_line if self.left_out else self.lines[-1].sent)


def text_blocks(
    text: str, read: Iterable[Range], *, folds: bool = False, unfolded: Collection[int] = ()
) -> list[TextBlock]:
    """The lines of `text`, numbered from 1, in blocks that were read as a run (ranges are inclusive) or not.

    With `folds` a long unread block is folded, unless it contains one of the lines `unfolded`.
    """
    blocks = _blocks(_shortened(Line(number, line, number) for number, line in _numbered(text)), read)
    if not folds:
        return blocks
    return [
        replace(
            block,
            is_folded=not block.is_read
            and len(block.lines) > FEW_LINES
            and not any(line.number in unfolded for line in block.lines),
        )
        for block in blocks
    ]


def sent_blocks(paste: ParsedPaste, read: Iterable[Range]) -> list[TextBlock]:
    """The same for a paste that isn't stored, with the line numbers of what was sent.

    The lines that a marker stands for are shown in its place.
    """
    left_out: dict[int, list[LeftOutLines]] = defaultdict(list)  # several may come from one line
    for one in paste.left_out_lines:
        left_out[one.first_line].append(one)
    lines = []
    for number, line in _numbered(paste.text):
        sent = paste.sent_line(number) or number
        found = left_out[sent] if line.startswith(MARKER) else []
        lines.append(Line(number, line, sent, found.pop(0) if found else None))
    return _blocks(_shortened(lines), read)


def _shortened(lines: Iterable[Line]) -> list[Line]:
    """The lines, with only the first and the last of a long run of samples, and a line that counts the others."""
    found: list[Line] = []
    for is_sample, group in groupby(lines, key=lambda line: is_sample_row(line.text)):
        run = list(group)
        left_out = len(run) - 2 * SHOWN_SAMPLES
        if is_sample and left_out > 1:
            middle = replace(run[SHOWN_SAMPLES], text=f"… {left_out:,} more samples …")
            run = [*run[:SHOWN_SAMPLES], middle, *run[-SHOWN_SAMPLES:]]
        found += run
    return found


def _numbered(text: str) -> Iterable[tuple[int, str]]:
    # Like the parsers: form feeds don't end a line.
    return enumerate(text.removesuffix("\n").split("\n") if text else [], start=1)


def _blocks(lines: Iterable[Line], read: Iterable[Range]) -> list[TextBlock]:
    numbers = {
        number for first, last in read if first and last is not None for number in range(first, last + 1)
    }
    anchored: set[int] = set()
    found: list[Line] = []
    for line in lines:
        found.append(line if line.sent in anchored else replace(line, anchor=f"L{line.sent}"))
        anchored.add(line.sent)
    blocks = groupby(found, key=lambda line: (line.number in numbers, line.left_out))
    return [TextBlock(list(block), is_read) for (is_read, _), block in blocks]


def line_range(first: int, last: int) -> str:
    return f"Line {first}" if first == last else f"Lines {first} to {last}"


def shared_result(found: Result) -> Shared:
    """A run as other sites show it, with its curve as the picture if it has one."""
    has_curve = found.device and sum(one is not None for one in found.latency_us or ()) > 1
    return Shared(
        subject_of_run(found).name,
        run_summary(found),
        found.get_absolute_url(),
        address("result-picture" if has_curve else "result-preview", found.public_id),
        address("device-badge", found.device.slug) if found.device else "",
    )


def run_summary(found: Result) -> str:
    """A run in one line, without its subject's name; states if the run does not count."""
    figures = [str(measure) for measure in result_figures(found)]
    firmware = [f"firmware {found.firmware.version}"] if found.firmware else []
    state = [] if found.is_ranked or not kind_of(found.method).ranked_by else [shown_state(found)]
    load = [writers_label(found.writers)] if found.writers else []
    load += ["flush off"] if found.sync_method == FLUSH_OFF else []
    by = f"by {method_label(found.method)}"
    if found.method in POOL_IO.methods:  # whose figures say little without the log device and the sync mode
        return f"{', '.join([*figures, by])}: {run_name(found)}"
    return ", ".join([*(figures or ["no figure that is ranked"]), *load, *firmware, by, *state])


def shown_state(found: Result) -> str:
    if found.submission.state != State.PUBLISHED:
        return found.submission.state
    return ranking_state(found.not_ranked_reason, found.flags)


def result_figures(found: Result) -> list[Measure]:
    digits = found.submission.figure_digits
    return measures(found.metrics, kind_of(found.method).metrics.values(), digits=digits)
