"""The preview: exactly what would be public, where it would rank, and why runs are left out."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from parsers.base.device_class import DeviceClass
from parsers.base.readings import Notice, ParsedPaste
from parsers.privacy.masks import MASK
from results.catalogue.matching.devices import class_with
from results.core.formats import format_count
from results.core.subject import POOL_LABEL, describe_layout, drive_name
from results.kinds.envelope import Run
from results.kinds.flags import FlagRow, flag_rows
from results.kinds.registry import kind_of, method_label, ranked_value
from results.kinds.result_kind import ResultKind, Shown
from results.models import Device
from results.models.choices import Board
from results.ranking.boards import ClassBoard
from results.ranking.outlook import find_outlook_of_run, only_of_class
from results.ranking.standing import Estimate, estimate_place
from results.ranking.ties import format_places
from results.submissions.form.questions import QuestionField, Questions
from results.submissions.intake.receive import Preview, Sender
from results.submissions.note import note_beside
from results.submissions.result_summary import stated_conditions
from results.submissions.text.blocks import TextBlock, sent_blocks
from results.submissions.text.left_out import RunsSummary, Unread, without_left_out
from results.submissions.text.sent_lines import sent_left_out, sent_notices

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


@dataclass(frozen=True, slots=True)
class PreviewedRun:
    """A run as it would be published; `device` is None for a run on a pool."""

    run: Run
    device: Device | None
    would_rank: str
    keeps_unit: bool
    questions: Sequence[QuestionField] = ()

    @property
    def kind(self) -> ResultKind:
        return kind_of(self.run.method)

    @property
    def title(self) -> str:
        if self.device:
            return drive_name(self.device).short
        return describe_layout(self.run.pool.layout if self.run.pool else ())

    @property
    def part_number(self) -> str:
        return drive_name(self.device).part_number if self.device else ""

    @property
    def class_label(self) -> str:
        return DeviceClass(class_with(self.device, self.run)).label if self.device else POOL_LABEL

    @property
    def method(self) -> str:
        return method_label(self.run.method)

    @property
    def template(self) -> str:
        return self.kind.template("preview")

    @property
    def shown(self) -> Shown:
        """What `template` needs."""
        return self.kind.shown(self.run.payload, self.title)

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
    def flags(self) -> list[FlagRow]:
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
        return sent_blocks(self.paste, [(run.run.first_line, run.run.last_line) for run in self.runs])


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
    return f"{outlook.headline(device_class) or only_of_class(device_class)}."
