"""The result page: one run with its conditions and its text, or a notice that it was removed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from parsers.base.readings import LeftOut, Notice
from results.charts.options import VIEW_PARAMETERS, chart_options
from results.core.addresses import address, with_query
from results.core.formats import NOT_STATED, write_cache_label, writers_label
from results.core.head import Social
from results.core.public import public_page
from results.core.subject import SUBJECT_FIELDS, Subject, drive_name, subject_of, subject_of_row
from results.kinds.commands.disks import overwrites_a_disk
from results.kinds.curve.metrics import ranked_metric
from results.kinds.dates import DATE_FIELDS, date_of_result, date_of_run
from results.kinds.flags import Effect, FlagRow, flag_rows
from results.kinds.registry import PAYLOADS, kind_of, method_label, run_name
from results.kinds.result_kind import ResultKind
from results.kinds.tables import Measure
from results.models import Result, Submission
from results.models.choices import Board, State
from results.models.conditions import FLUSH_OFF
from results.models.result import submission_id_of
from results.ranking.boards import ClassBoard
from results.ranking.indexed import is_indexed
from results.ranking.outlook import find_outlook_of_run
from results.submissions.edit import ERASED_BY_OWNER, OWNER_CONDITIONS
from results.submissions.intake.other_results import same_run
from results.submissions.result_summary import (
    flush_path,
    result_figures,
    run_summary,
    shared_result,
    shown_state,
    stated_conditions,
)
from results.submissions.text.blocks import TextBlock, text_blocks
from results.submissions.text.left_out import WERE, RunsSummary, stored_notices

SHOWN_COMPARABLE = 5


class Sibling(NamedTuple):
    """A run of the same paste."""

    public_id: str
    subject: str
    writers: str
    is_of_set: bool  # that the kind's section about the paste shows


class Comparable(NamedTuple):
    """Another run that the result can be compared with, and how that differs."""

    public_id: str
    other_id: str
    label: str

    @property
    def url(self) -> str:
        return with_query(address("compare-results"), a=self.public_id, b=self.other_id)


@dataclass(frozen=True, slots=True)
class ResultPage:
    """What templates/results/results/page.html says of a result."""

    found: Result
    notices: Sequence[Notice]
    left_out: Sequence[LeftOut]
    siblings: Sequence[Sibling]  # with itself
    section: object | None  # of the kind, about the paste

    @property
    def submission(self) -> Submission:
        return self.found.submission

    @property
    def kind(self) -> ResultKind:
        return kind_of(self.found.method)

    @property
    def subject(self) -> Subject:
        return self.kind.subject_of(self.found)

    @property
    def name(self) -> str:
        """What it is a run of, within a sentence."""
        return self.subject.in_text if self.subject.is_pool else self.subject.short_name

    @property
    def part_number(self) -> str:
        device = self.found.device
        return drive_name(device).part_number if device else ""

    @property
    def method(self) -> str:
        return method_label(self.found.method)

    @property
    def writers(self) -> str:
        return writers_label(self.found.writers)

    @property
    def date(self) -> str:
        return date_of_result(self.found)

    @property
    def state(self) -> str:
        """ "ranked", "waiting" or "not ranked"; "" of a kind without a ranking."""
        return shown_state(self.found) if self.kind.ranked_by else ""

    @property
    def state_reason(self) -> str:
        return self.submission.state_reason or self.found.not_ranked_reason

    @property
    def summary(self) -> RunsSummary | None:
        if not self.left_out and len(self.siblings) < 2:
            return None
        return RunsSummary(len(self.siblings), self.left_out, WERE)

    @property
    def verdict(self) -> str:
        return _verdict(self.found)

    @property
    def figures(self) -> list[Measure]:
        return result_figures(self.found)

    @property
    def conditions(self) -> dict[str, str]:
        return stated_conditions(self.found)

    @property
    def owner_conditions(self) -> dict[str, str]:
        """The owner's statements about how it was measured."""
        stated = self.found.told_conditions
        return {label: stated[name] for name, label in OWNER_CONDITIONS.items() if name in stated}

    @property
    def flush_path(self) -> str:
        return "" if self.subject.is_pool else flush_path(self.found) or NOT_STATED

    @property
    def flags(self) -> list[FlagRow]:
        return flag_rows(self.found.flags)

    @property
    def others(self) -> list[Sibling]:
        """The other runs of the paste, without those that the kind's own section shows."""
        own = self.found.public_id
        return [
            sibling
            for sibling in self.siblings
            if sibling.public_id != own and not (self.section and sibling.is_of_set)
        ]

    @property
    def same_run(self) -> list[Result]:
        return list(same_run(self.found.pk, self.found.copy_of_id))

    @property
    def pair(self) -> Comparable | None:
        return _other_half(self.found)

    @property
    def comparable(self) -> list[Comparable]:
        return _comparable(self.found)

    @property
    def overwrites_a_disk(self) -> bool:
        return overwrites_a_disk(self.submission.text)

    @property
    def text_blocks(self) -> list[TextBlock]:
        found = self.found
        shown = [
            *(notice.line for notice in self.notices if notice.line),
            *(run.first_line for run in self.left_out),
        ]
        return text_blocks(
            self.submission.text, [(found.first_line, found.last_line)], folds=True, unfolded=shown
        )


@public_page(*VIEW_PARAMETERS)
def result(request: HttpRequest, public_id: str) -> HttpResponse:
    results = Result.objects.published().select_related(
        "device__product__vendor", "pool", "firmware", "submission", *PAYLOADS
    )
    found = results.named([public_id]).first()
    if found is None:
        return tombstone(request, public_id)
    kind, options = kind_of(found.method), chart_options(request)
    section = kind.on_paste(found) if kind.on_paste else None
    context = {
        "result": ResultPage(found, *stored_notices(found.submission), _siblings(found), section),
        "summary_template": kind.template("summary"),
        "result_template": kind.template("result"),
        "section_template": kind.template("paste"),
        "section": section,
        "share": shared_result(found).ways,
        "social": _social(found),
        "shown": kind.shown(
            kind.payload_of_result(found),
            subject_of(found).short_name,
            options,
            options.image_url(address("result-chart", public_id)),
            found.submission.figure_digits,
        ),
    }
    return render(request, "results/results/page.html", context)


def _verdict(found: Result) -> str:
    """How the run compares by its ranked figure; "" if it isn't ranked."""
    metric = ranked_metric(Board.SYNC_WRITE)
    score = found.metrics.get(metric.key)
    if not found.is_ranked or found.device is None or score is None:
        return ""
    board = ClassBoard(Board.SYNC_WRITE, found.device.device_class)
    outlook = find_outlook_of_run(board, method=found.method, score=score, device_id=found.device.pk)
    if not outlook.other_count:
        return ""
    return f"{metric.with_unit(score, found.submission.figure_digits)}: {outlook.faster}."


def _social(found: Result) -> Social:
    return Social(
        f"One run of {kind_of(found.method).subject_of(found).in_text}",
        f"{run_summary(found)}.",
        found.get_absolute_url(),
        address("result-preview", found.public_id),
        has_oembed=True,
        is_indexed=found.device is None or found.is_ranked or is_indexed(found.device),
    )


def _siblings(found: Result) -> list[Sibling]:
    """The runs of the same paste, including this one."""
    kind = kind_of(found.method)
    rows = found.submission.results.order_by("position").values(
        "public_id", "writers", "method", *SUBJECT_FIELDS
    )
    return [
        Sibling(
            row["public_id"],
            method_label(row["method"]) if row["pool__public_id"] else subject_of_row(row).short_name,
            writers_label(row["writers"]),
            kind.name_run is not None and kind_of(row["method"]) is kind,
        )
        for row in rows
    ]


def _other_half(found: Result) -> Comparable | None:
    """The comparison with the same run at the other state of the write cache, from its paste or published source."""
    if found.write_cache_enabled is None:
        return None
    submission = found.submission
    from_there = Q(submission=submission, ranking_unit=found.ranking_unit)
    if submission.is_from_elsewhere:
        from_there |= Q(submission__survey_id__isnull=False, submission__source_url=submission.source_url)
    other = Result.objects.published().filter(
        from_there,
        device=found.device_id,
        pool=None,
        method=found.method,
        writers=found.writers,
        write_cache_enabled=not found.write_cache_enabled,
    )
    public_id = other.order_by("-id").values_list("public_id", flat=True).first()
    if public_id is None:
        return None
    return Comparable(
        found.public_id, public_id, f"with the {write_cache_label(not found.write_cache_enabled)}"
    )


def _comparable(found: Result) -> list[Comparable]:
    """The newest other runs of the subject with a method of the same kind, each with the URL of the comparison."""
    kind = kind_of(found.method)
    others = Result.objects.published().filter(
        device=found.device_id, pool=found.pool_id, method__in=kind.methods, copy_of=None
    )
    if found.pool_id:  # figures of memory are compared only if somebody asks
        others = others.exclude(flags__contains=[{"effect": Effect.NOT_RANKED}])
    if kind.alike:
        payload = kind.payload_of_result(found)
        work = {f"{kind.key}__{name}": payload[name] for name in kind.alike}
        alike = others.filter(pattern=found.pattern, **work).exclude(pk=found.pk)
        for_pool = alike.select_related("pool", kind.key).order_by("-id")
        return [
            Comparable(found.public_id, result.public_id, run_name(result))
            for result in for_pool[:SHOWN_COMPARABLE]
        ]
    rows = (
        others.exclude(pk=found.pk)
        .order_by("-id")
        .values(
            *("public_id", "method", "writers", "sync_method", "write_cache_enabled", "firmware__version"),
            *DATE_FIELDS,
        )
    )
    return [
        Comparable(
            found.public_id,
            row["public_id"],
            ", ".join(
                filter(
                    None,
                    [
                        method_label(row["method"]),
                        writers_label(row["writers"]),
                        write_cache_label(row["write_cache_enabled"]),
                        "flush off" if row["sync_method"] == FLUSH_OFF else "",
                        row["firmware__version"],
                        date_of_run(row),
                    ],
                )
            ),
        )
        for row in rows[:SHOWN_COMPARABLE]
    ]


_GONE = 410
_STATES = {
    State.HELD: ("Held", "A moderator has to approve it before it is shown."),
    State.REJECTED: ("Not accepted", "A moderator has decided not to show it."),
    State.WITHDRAWN: ("Withdrawn", "Its owner has withdrawn this result."),
    State.ERASED: ("Erased", "Its text and figures were permanently removed."),
}


def tombstone(request: HttpRequest, public_id: str) -> HttpResponse:
    """The page of a result whose submission is not published; raises Http404 if it never existed.

    It shows neither figures nor text. Later results of a paste have the paste's id followed by their number.
    """
    submission = get_object_or_404(
        Submission.objects.filter(state__in=_STATES), public_id=submission_id_of(public_id)
    )
    label, meaning = _STATES[State(submission.state)]
    is_by_owner = submission.state_reason == ERASED_BY_OWNER
    context = {
        "public_id": public_id,
        "label": label,
        "meaning": "Its owner permanently removed its text and figures." if is_by_owner else meaning,
        "reason": "" if is_by_owner else submission.state_reason,
        "is_erased": submission.state == State.ERASED,
    }
    return render(
        request,
        "results/results/tombstone.html",
        context,
        status=200 if submission.state == State.HELD else _GONE,
    )
