"""The preview: exactly what would be public, where it would rank, and why runs are left out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import capfirst

from parsers.base.device_class import DeviceClass
from parsers.base.readings import LeftOut, LeftOutLines, Notice, ParsedPaste
from parsers.privacy.masks import MASK
from results.catalogue.matching.devices import class_with
from results.core.drive_names import part_number
from results.core.formats import format_count
from results.core.subject import POOL_LABEL, describe_layout, short_name
from results.kinds.envelope import Run
from results.kinds.flags import flag_rows
from results.kinds.registry import kind_of, ranked_value
from results.kinds.result_kind import ResultKind
from results.models import Device, Submission
from results.models.choices import Board
from results.models.submission import split_notices
from results.ranking.boards import ClassBoard
from results.ranking.outlook import find_outlook_of_run
from results.ranking.standing import Estimate, estimate_place
from results.ranking.ties import format_places
from results.submissions.intake.receive import Preview, Sender
from results.submissions.line_numbers import sent_left_out, sent_notices
from results.submissions.note import note_beside
from results.submissions.presentation import TextBlock, line_range, sent_blocks, stated_conditions
from results.submissions.questions import Field, Questions

MASK_LABELS = {
    "serial": "Serial numbers",
    "wwn": "World wide names and GUIDs",
    "host": "Host names",
    "user": "User names",
    "address": "Network and mail addresses",
    "key": "Keys and passwords",
    "pool": "Folders, pools and datasets",
}


CUT_OFF = "truncated"  # the code of notices about output that ends early, whichever tool's
SHOWN_LEFT_OUT = 20  # runs of left-out lines; all are in the text


@dataclass(frozen=True, slots=True)
class Unread:
    """The lines that aren't stored; false if there are none."""

    left_out_lines: Sequence[LeftOutLines]

    def __bool__(self) -> bool:
        return bool(self.left_out_lines)

    @property
    def line_count(self) -> int:
        return sum(len(one.lines) for one in self.left_out_lines)

    @property
    def ranges(self) -> list[tuple[str, LeftOutLines]]:
        """The first of them, with their labels."""
        return [
            (line_range(one.first_line, one.last_line), one) for one in self.left_out_lines[:SHOWN_LEFT_OUT]
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
        return [(one, f"{capfirst(one.message).rstrip('.')}.") for one in self.left_out]

    @property
    def sentence(self) -> str:
        published, total = self.published, self.published + len(self.left_out)
        was = "" if self.outcome == WILL_BE else "was " if published == 1 else "were "
        count = f"{published}" if published == total == 1 else f"{published} of {total}"
        return f"{count} {'run' if total == 1 else 'runs'} {was}{self.outcome}"


@dataclass(frozen=True, slots=True)
class PreviewedRun:
    """A run as it would be published; `device` is None for a run on a pool."""

    run: Run
    device: Device | None
    would_rank: str
    keeps_unit: bool
    questions: Sequence[Field] = ()

    @property
    def kind(self) -> ResultKind:
        return kind_of(self.run.method)

    @property
    def title(self) -> str:
        if self.device:
            return short_name(self.device)
        return describe_layout(self.run.pool.layout if self.run.pool else ())

    @property
    def part_number(self) -> str:
        return part_number(self.title, self.run.model_name) if self.device else ""

    @property
    def class_label(self) -> str:
        return DeviceClass(class_with(self.device, self.run)).label if self.device else POOL_LABEL

    @property
    def method(self) -> str:
        return self.kind.methods[self.run.method]

    @property
    def template(self) -> str:
        return self.kind.template("preview")

    @property
    def shown(self) -> dict[str, Any]:
        """The context of `template`."""
        return self.kind.context(self.run.payload, self.title)

    @property
    def conditions(self) -> dict[str, str]:
        return stated_conditions(self.run)

    @property
    def unit(self) -> str:
        """How its serial number is handled."""
        return _unit(self.run, keeps_unit=self.keeps_unit) if self.device else ""

    @property
    def why_not(self) -> str:
        """Why it isn't ranked; "" if a flag says so."""
        reason = self.run.not_ranked_reason
        return "" if reason in {flag.message for flag in self.run.flags} else reason

    @property
    def flags(self) -> list[dict[str, Any]]:
        return flag_rows(flag.stored for flag in self.run.flags)


@dataclass(frozen=True, slots=True)
class PreviewPage:
    """What parts of templates/results/submissions/preview.html show; its lines are those of what was sent."""

    paste: ParsedPaste
    sender: Sender
    runs: Sequence[PreviewedRun]
    summary: RunsSummary
    notices: Sequence[Notice]
    questions: Questions
    seen: str  # what would be published, as a digest
    is_changed: bool

    @property
    def note(self) -> str:
        return note_beside(self.paste, self.sender.note)

    @property
    def cut_off(self) -> list[Notice]:
        return [notice for notice in self.notices if notice.code == CUT_OFF]

    @property
    def warnings(self) -> list[Notice]:
        return [notice for notice in self.notices if notice.code != CUT_OFF]

    @property
    def is_all_read(self) -> bool:
        return not any(notice.code.startswith("unread") for notice in self.notices)

    @property
    def masked(self) -> list[tuple[str, int]]:
        """How many different identifiers of each kind."""
        kinds = Counter(
            kind for kind, _ in {(match[1], match[0]) for match in MASK.finditer(self.paste.text)}
        )
        return [(MASK_LABELS[kind], count) for kind, count in sorted(kinds.items())]

    @property
    def unread(self) -> Unread:
        return Unread(self.paste.left_out_lines)

    @property
    def text_blocks(self) -> list[TextBlock]:
        return sent_blocks(self.paste, [(one.run.first_line, one.run.last_line) for one in self.runs])


def preview_page(
    preview: Preview, sender: Sender, questions: Questions, *, seen: str, is_changed: bool
) -> PreviewPage:
    paste, found = preview.paste, preview.found
    left_out = sent_left_out(paste, found.left_out)
    return PreviewPage(
        paste,
        sender,
        [
            PreviewedRun(run, device, _would_rank(run, device) if device else "", sender.keeps_unit, fields)
            for run, device, fields in zip(found.runs, preview.devices, questions.by_run, strict=True)
        ],
        RunsSummary(len(found.runs), left_out),
        without_left_out(sent_notices(paste, found), left_out),
        questions,
        seen,
        is_changed,
    )


def _unit(run: Run, *, keeps_unit: bool) -> str:
    """A description of how the serial number is handled."""
    if not keeps_unit:
        return "Not stored, so other results of the same unit won’t be recognized."
    if not run.unit:
        return "The text has no serial number, so other results of the same unit won’t be recognized."
    return "Other results of the same unit are recognized by a keyed digest of the serial number, which isn’t shown."


def estimate_run(run: Run, device: Device) -> Estimate | None:
    """The place of a device with this run alone; None if the run has none."""
    score = ranked_value(run) if run.is_ranked else None
    if score is None:
        return None
    board = ClassBoard(Board.SYNC_WRITE, class_with(device, run))
    return estimate_place(board, method=run.method, device_id=device.pk, score=score)


def _would_rank(run: Run, device: Device) -> str:
    estimate = estimate_run(run, device)
    if estimate is None:
        return ""
    device_class = class_with(device, run)
    label = DeviceClass(device_class).label
    place = f"{format_places(estimate.place)} of {estimate.device_count} in the class {label}"
    if estimate.results_before:
        return (
            f"This device already has {format_count(estimate.results_before, 'result')}; "
            f"on its own, this run would rank {place}."
        )
    if estimate.device_count > 1:
        return f"About rank {place}. The range narrows as more units are measured."
    board = ClassBoard(Board.SYNC_WRITE, device_class)
    outlook = find_outlook_of_run(board, method=run.method, score=ranked_value(run) or 0)
    return f"{outlook.headline(device_class) or f'First {label} ranked'}."


def stored_notices(submission: Submission) -> tuple[list[Notice], list[LeftOut]]:
    """The notices of a submission that don't repeat why a run was left out, and the runs that were."""
    notices, left_out = split_notices(submission.notices)
    runs = [LeftOut(**run) for run in left_out]
    return without_left_out((Notice(**notice) for notice in notices), runs), runs


def without_left_out(notices: Iterable[Notice], left_out: Iterable[LeftOut]) -> list[Notice]:
    """The notices that don't repeat why a run was left out."""
    reasons = {(one.code, one.message) for one in left_out}
    return [notice for notice in notices if (notice.code, notice.message) not in reasons]
