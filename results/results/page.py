"""The result page: one run with its conditions and its text, or a notice that it was removed."""

from typing import Any
from urllib.parse import urlsplit

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from results.charts.options import VIEW_PARAMETERS, chart_options
from results.core.addresses import address, with_query
from results.core.drive_names import part_number
from results.core.formats import NOT_STATED, format_capacity, write_cache_label, writers_label
from results.core.head import Social, social_context
from results.core.public import public_page
from results.core.subject import SUBJECT_FIELDS, subject_of, subject_of_row
from results.kinds.dates import DATE_FIELDS, date_of_result, date_of_run
from results.kinds.flags import Effect, flag_rows
from results.kinds.latency_curve.commands import overwrites_a_disk
from results.kinds.latency_curve.metrics import ranked_metric
from results.kinds.pool_io.kind import POOL_IO
from results.kinds.pool_io.stored_sets import run_name, subject_of_run
from results.kinds.registry import PAYLOADS, kind_of, method_label
from results.models import Result, Submission
from results.models.choices import Board, State
from results.models.conditions import FLUSH_OFF
from results.models.result import submission_id_of
from results.models.submission import split_notices
from results.ranking.boards import ClassBoard
from results.ranking.indexed import is_indexed
from results.ranking.outlook import find_outlook_of_run
from results.submissions.edit import ERASED_BY_OWNER, OWNER_CONDITIONS
from results.submissions.intake.other_results import same_run
from results.submissions.presentation import (
    flush_path,
    result_figures,
    run_summary,
    share_of_result,
    shown_state,
    stated_conditions,
    text_blocks,
)
from results.submissions.preview import WERE, runs_summary, without_left_out

SHOWN_COMPARABLE = 5


@public_page(*VIEW_PARAMETERS)
def result(request: HttpRequest, public_id: str) -> HttpResponse:
    results = Result.objects.published().select_related(
        "device__product__vendor", "pool", "firmware", "submission", *PAYLOADS
    )
    found = results.named([public_id]).first()
    if found is None:
        return tombstone(request, public_id)
    submission = found.submission
    notices, left_out = split_notices(submission.notices)
    siblings, kind_section = _siblings(found), _kind_section(found)
    kind, subject = kind_of(found.method), subject_of(found)
    options = chart_options(request)
    context = {
        "summary": runs_summary(len(siblings), left_out, WERE) if left_out or len(siblings) > 1 else None,
        "result": _result(found),
        "verdict": _verdict(found),
        "metrics": result_figures(found),
        "summary_template": kind.template("summary"),
        "result_template": kind.template("result"),
        "conditions": stated_conditions(found),
        "flush_path": "" if subject.is_pool else flush_path(found) or NOT_STATED,
        "protection_fault": found.protection_fault or "",
        "flags": flag_rows(found.flags),
        "notices": without_left_out(notices, left_out),
        "overwrites_a_disk": overwrites_a_disk(submission.text),
        "text_blocks": text_blocks(
            submission.text,
            [(found.first_line, found.last_line)],
            folds=True,
            unfolded=[
                *(notice["line"] for notice in notices if notice["line"]),
                *(one["first_line"] for one in left_out),
            ],
        ),
        **share_of_result(found),
        **_social(found),
        "source": _source(submission.source_url),
        "is_from_elsewhere": submission.is_from_elsewhere,
        "source_quality": submission.get_quality_display().lower(),
        "figure": submission.figure,
        "precision_percent": submission.precision_percent,
        "handle": submission.forum_handle,
        "note": submission.note,
        "owner_notes": found.notes,
        "owner_conditions": _owner_conditions(found),
        "also_posted": _also_posted(found),
        "siblings": [
            one
            for one in siblings
            if one["public_id"] != public_id and not (kind_section and one["is_of_pool"])
        ],
        "pair": _other_half(found),
        "comparable": _comparable(found),
        "submit_url": address("submit"),
        "kind_section": kind_section,
        **kind.context(
            kind.payload_of_result(found),
            subject.short_name,
            options=options,
            image_url=options.image_url(address("result-chart", public_id)),
            **({"digits": submission.figure_digits} if submission.figure_digits else {}),
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


def _kind_section(found: Result) -> dict[str, Any] | None:
    kind = kind_of(found.method)
    section = kind.on_paste(found) if kind.on_paste else {}
    return {"template": kind.template("paste"), **section} if section else None


def _owner_conditions(found: Result) -> list[dict[str, str]]:
    """The owner's statements about how it was measured."""
    conditions = found.told_conditions
    return [
        {"label": label, "value": conditions[name]}
        for name, label in OWNER_CONDITIONS.items()
        if name in conditions
    ]


def _also_posted(found: Result) -> list[dict[str, Any]]:
    """The other results of the same run."""
    return [
        {
            "url": one.get_absolute_url(),
            "public_id": one.public_id,
            "source": _source(one.submission.source_url),
        }
        for one in same_run(found.pk, found.copy_of_id)
    ]


def _social(found: Result) -> dict[str, Any]:
    return social_context(
        Social(
            f"One run of {subject_of_run(found).in_text}",
            f"{run_summary(found)}.",
            found.get_absolute_url(),
            address("result-preview", found.public_id),
            has_oembed=True,
            is_indexed=found.device is None or found.is_ranked or is_indexed(found.device),
        )
    )


def _result(found: Result) -> dict[str, Any]:
    subject = subject_of_run(found)
    return {
        "public_id": found.public_id,
        "subject": subject.short_name,
        "subject_in_text": subject.in_text if subject.is_pool else subject.short_name,
        "subject_url": subject.url,
        "is_of_pool": subject.is_pool,
        "class_label": subject.class_label,
        "part_number": part_number(subject.short_name, found.device.model_name) if found.device else "",
        "capacity": format_capacity(found.device.capacity_bytes) if found.device else "",
        "firmware": found.firmware.version if found.firmware else "",
        "method": method_label(found.method),
        "writers": writers_label(found.writers),
        "date": date_of_result(found),
        "state": shown_state(found) if kind_of(found.method).ranked_by else "",
        "state_reason": found.submission.state_reason or found.not_ranked_reason,
    }


def _source(url: str) -> dict[str, str] | None:
    return {"url": url, "label": urlsplit(url).hostname or url} if url else None


def _siblings(found: Result) -> list[dict[str, Any]]:
    """The runs of the same paste, including this one."""
    rows = found.submission.results.order_by("position").values(
        "public_id", "writers", "method", *SUBJECT_FIELDS
    )
    return [
        {
            "public_id": row["public_id"],
            "subject": method_label(row["method"])
            if row["pool__public_id"]
            else subject_of_row(row).short_name,
            "writers": writers_label(row["writers"]),
            "url": address("result", row["public_id"]),
            "is_of_pool": row["method"] in POOL_IO.methods,
        }
        for row in rows
    ]


def _other_half(found: Result) -> dict[str, str] | None:
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
    return {
        "url": with_query(address("compare-results"), a=found.public_id, b=public_id),
        "label": f"with the {write_cache_label(not found.write_cache_enabled)}",
    }


def _comparable(found: Result) -> list[dict[str, str]]:
    """The newest other runs of the subject with a method of the same kind, each with the URL of the comparison."""
    others = Result.objects.published().filter(
        device=found.device_id, pool=found.pool_id, method__in=kind_of(found.method).methods, copy_of=None
    )
    if found.pool_id:  # figures of memory are compared only if somebody asks
        others = others.exclude(flags__contains=[{"effect": Effect.NOT_RANKED}])
    if found.method in POOL_IO.methods:
        work = {f"{POOL_IO.key}__{name}": getattr(found.pool_io, name) for name in ("work", "block_size")}
        alike = others.filter(pattern=found.pattern, **work).exclude(pk=found.pk)
        of_pool = alike.select_related("pool", POOL_IO.key).order_by("-id")
        return [
            {
                "url": with_query(address("compare-results"), a=found.public_id, b=one.public_id),
                "label": run_name(one),
            }
            for one in of_pool[:SHOWN_COMPARABLE]
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
        {
            "url": with_query(address("compare-results"), a=found.public_id, b=row["public_id"]),
            "label": ", ".join(
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
        }
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
