"""The preview: exactly what would be public, where it would rank, and why runs are left out."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.utils.text import capfirst

from parsers.base.device_class import DeviceClass
from parsers.base.readings import LeftOutLines
from parsers.privacy.masks import MASK
from results.catalogue.matching.devices import class_with
from results.core.drive_names import part_number
from results.core.formats import format_capacity, format_count, format_date
from results.core.subject import POOL_LABEL, describe_layout, short_name
from results.kinds.envelope import Run
from results.kinds.flags import flag_rows
from results.kinds.registry import kind_of, ranked_value
from results.models import Device
from results.models.choices import Board
from results.ranking.boards import ClassBoard
from results.ranking.outlook import find_outlook_of_run
from results.ranking.standing import Estimate, estimate_place
from results.ranking.ties import format_places
from results.submissions.intake.receive import Preview, Sender
from results.submissions.line_numbers import sent_left_out, sent_notices
from results.submissions.note import note_beside
from results.submissions.presentation import line_range, sent_blocks, stated_conditions

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


def preview_context(preview: Preview, sender: Sender) -> dict[str, Any]:
    """The context of templates/results/submissions/preview.html; its lines are those of what was sent."""
    paste, found = preview.paste, preview.found
    left_out = [asdict(one) for one in sent_left_out(paste, found.left_out)]
    notices = without_left_out((asdict(one) for one in sent_notices(paste, found)), left_out)
    return {
        "summary": runs_summary(len(found.runs), left_out),
        "devices": [
            {"number": number, **_run(run, device, keeps_unit=sender.keeps_unit)}
            for number, (run, device) in enumerate(zip(found.runs, preview.devices, strict=True), 1)
        ],
        "handle": sender.forum_handle,
        "source_url": sender.source_url,
        "note": note_beside(paste, sender.note),
        "cut_off": [notice for notice in notices if notice["code"] == CUT_OFF],
        "warnings": [notice for notice in notices if notice["code"] != CUT_OFF],
        "is_all_read": not any(notice["code"].startswith("unread") for notice in notices),
        "masked": _masked(paste.text),
        "own_words": paste.own_words,
        "unread": left_out_ranges(paste.left_out_lines),
        "text_blocks": sent_blocks(paste, [(run.first_line, run.last_line) for run in found.runs]),
        "can_publish": bool(found.runs),
    }


def _run(run: Run, device: Device | None, *, keeps_unit: bool) -> dict[str, Any]:
    kind = kind_of(run.method)
    name = short_name(device) if device else describe_layout(run.pool.layout if run.pool else ())
    device_class = class_with(device, run) if device else ""
    return {
        "title": name,
        "part_number": part_number(name, run.model_name) if device else "",
        "class_label": DeviceClass(device_class).label if device else POOL_LABEL,
        "firmware": run.firmware_version,
        "capacity": format_capacity(run.capacity_bytes),
        "method": kind.methods[run.method],
        "date": format_date(run.measured_on) if run.measured_on else "day unknown",
        "is_of_ranked_kind": bool(kind.ranked_by),
        "template": kind.template("preview"),
        "conditions": stated_conditions(run),
        "unit": _unit(run, keeps_unit=keeps_unit) if device else "",
        "is_rankable": run.is_ranked,
        "why_not": ""
        if run.not_ranked_reason in {flag.message for flag in run.flags}
        else run.not_ranked_reason,
        "flags": flag_rows(flag.stored for flag in run.flags),
        "would_rank": _would_rank(run, device, device_class) if device else "",
        **kind.context(run.payload, name),
    }


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


def _would_rank(run: Run, device: Device, device_class: str) -> str:
    estimate = estimate_run(run, device)
    if estimate is None:
        return ""
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


def _masked(text: str) -> list[dict[str, Any]]:
    kinds = Counter(kind for kind, _ in {(match[1], match[0]) for match in MASK.finditer(text)})
    return [{"kind": MASK_LABELS[kind], "count": count} for kind, count in sorted(kinds.items())]


def left_out_ranges(left_out_lines: Sequence[LeftOutLines]) -> dict[str, Any] | None:
    """Where the lines are that aren't stored: the first ranges, and how many others there are; None without any."""
    if not left_out_lines:
        return None
    return {
        "count": format_count(sum(len(one.lines) for one in left_out_lines), "line"),
        "ranges": [
            {
                "label": line_range(one.first_line, one.last_line),
                "first_line": one.first_line,
                "tool": one.tool,
            }
            for one in left_out_lines[:SHOWN_LEFT_OUT]
        ],
        "more": len(left_out_lines[SHOWN_LEFT_OUT:]),
    }


WILL_BE, WERE, READ = "will be published", "published", "read"


def runs_summary(
    published: int, left_out: Iterable[Mapping[str, Any]], outcome: str = WILL_BE
) -> dict[str, Any]:
    """The context of parts/runs_summary.html; `left_out` comes from results.models.submission.split_notices."""
    rows = [
        {
            "lines": _lines(one["first_line"], one["last_line"]),
            "first_line": one["first_line"],
            "message": f"{capfirst(one['message']).rstrip('.')}.",
        }
        for one in left_out
    ]
    return {"sentence": _run_sentence(published, published + len(rows), outcome), "left_out": rows}


def without_left_out(
    notices: Iterable[Mapping[str, Any]], left_out: Iterable[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """The notices that don't repeat why a run was left out."""
    reasons = {(one["code"], one["message"]) for one in left_out}
    return [notice for notice in notices if (notice["code"], notice["message"]) not in reasons]


def _run_sentence(published: int, total: int, outcome: str) -> str:
    if outcome != WILL_BE:
        outcome = f"{'was' if published == 1 else 'were'} {outcome}"
    count = f"{published}" if published == total == 1 else f"{published} of {total}"
    return f"{count} {'run' if total == 1 else 'runs'} {outcome}"


def _lines(first: int, last: int) -> str:
    return f"Line {first}" if first == last else f"Lines {first}–{last}"
