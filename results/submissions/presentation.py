"""A run for pages: its conditions, its text as numbered lines, and sharing snippets."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from parsers.base.readings import LeftOutLines, ParsedPaste
from parsers.base.units import TERABYTE
from parsers.text.samples import is_sample_row
from results.core.addresses import address
from results.core.formats import format_hours, split_platform, writers_label
from results.core.head import Shared
from results.kinds.conditions import WHERE_STATED
from results.kinds.envelope import Run
from results.kinds.flags import ranking_state
from results.kinds.pool_io.kind import POOL_IO
from results.kinds.pool_io.stored_sets import run_name, subject_of_run
from results.kinds.registry import kind_of, method_label
from results.kinds.tables import Measure, measures
from results.models import Result
from results.models.choices import State
from results.models.result import FLUSH_OFF, FLUSH_OFF_LABEL
from results.submissions.line_numbers import MARKER


def stated_conditions(run: Run | Result) -> dict[str, str]:
    """The known measurement conditions by label; unstated ones are omitted."""
    written = run.host_bytes_written
    platform, tool = split_platform(run.platform)
    stated = {
        "Path": run.path,
        "Platform": platform,
        "Measured with": tool,
        "Attached to": run.attachment,
        "Sector size": f"{run.sector_size} B" if run.sector_size else "",
        "Synced with": FLUSH_OFF_LABEL if run.sync_method == FLUSH_OFF else run.sync_method or "",
        **{one.label: one.shown(getattr(run, name)) for name, one in WHERE_STATED.items()},
        "Writers": writers_label(run.writers),
        "Write cache": {True: "enabled", False: "disabled", None: ""}[run.write_cache_enabled],
        "Power-on time": "" if run.power_on_hours is None else format_hours(run.power_on_hours),
        "Wear": _wear(run),
        "Written by hosts": "" if written is None else f"{float(written) / TERABYTE:,.2f} TB",
        "Raw SMART values": run.raw_wear,
    }
    return {label: value for label, value in stated.items() if value}


def flush_path(run: Run | Result) -> str:
    """What is known about a flush's path to the medium, in words; "" if nothing."""
    cache = {None: "", True: "volatile cache", False: "no volatile cache"}[run.has_volatile_cache]
    enabled = {None: "", True: "write cache on", False: "write cache off"}[run.write_cache_enabled]
    kernel = {
        None: "",
        "write back": "the kernel sends flushes",
        "write through": "the kernel sends no flushes",
    }
    fua = {None: "", True: "FUA used", False: "FUA not used"}[run.has_fua]
    return ", ".join(filter(None, [cache, enabled, kernel[run.kernel_write_cache], fua]))


def _wear(run: Run | Result) -> str:
    if run.wear_percent is None:
        return ""
    source = f" (derived from {run.wear_source})" if run.wear_source else ""
    return f"{run.wear_percent} %{source}"


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
