"""The result page: one run with its conditions, and the masked text that it was read from."""

from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from results.addresses import address
from results.charts.series import Series
from results.core.public import public_page
from results.ingest.own import TOLD_CONDITIONS
from results.ingest.related import same_run
from results.models import Result
from results.models.choices import State
from results.models.fields import SLOT_OF_BLOCK_SIZE
from results.models.submission import split_notices
from results.presentation import format_capacity, format_date
from results.ranking.score import throughput_mib_s
from results.web.chart_view import asked_chart
from results.web.charts import chart_context, curve_points
from results.web.conditions import condition_rows
from results.web.figures import device_name
from results.web.flags import flag_rows, ranking_state
from results.web.measures import measures
from results.web.points import point_rows
from results.web.runs_summary import WERE, runs_summary, without_left_out
from results.web.share import Shared, share_context
from results.web.social import Social, social_context
from results.web.text import text_blocks
from results.web.tombstone import tombstone

BLOCK_128K = 131072


@require_GET
@public_page
def result(request: HttpRequest, public_id: str) -> HttpResponse:
    results = Result.objects.published().select_related("device", "firmware", "submission")
    found = results.named([public_id]).first()
    if found is None:
        return tombstone(request, public_id)
    submission = found.submission
    notices, left_out = split_notices(submission.notices)
    siblings = _siblings(found)
    context = {
        "summary": runs_summary(len(siblings), left_out, WERE) if left_out or len(siblings) > 1 else None,
        "result": _result(found),
        "metrics": _metrics(found),
        "points": point_rows(found.latency_us),
        "conditions": condition_rows(found),
        "flags": flag_rows(found.flags),
        "notices": without_left_out(notices, left_out),
        "text_blocks": text_blocks(
            submission.text,
            [(found.first_line, found.last_line)],
            folds=True,
            kept=[
                *(notice["line"] for notice in notices if notice["line"]),
                *(one["first_line"] for one in left_out),
            ],
        ),
        **share_of_result(found),
        **_social(found),
        "source": _source(submission.source_url),
        "source_quality": submission.get_quality_display().lower(),
        "handle": submission.forum_handle,
        "owner_notes": found.notes,
        "told": _told(found),
        "also_posted": _also_posted(found),
        "siblings": [one for one in siblings if one["public_id"] != public_id],
        "submit_url": address("submit"),
        **chart_context(
            [Series(found.device.model_name, curve_points(found.latency_us))],
            f"{found.device.model_name} in this run",
            asked=asked_chart(request),
            image_url=asked_chart(request).image_url(address("result-chart", public_id)),
        ),
    }
    return render(request, "results/result.html", context)


def _told(found: Result) -> list[dict[str, str]]:
    """What the owner says of how it was measured."""
    told = found.told_conditions
    return [{"label": label, "value": told[name]} for name, label in TOLD_CONDITIONS.items() if name in told]


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


def share_of_result(found: Result) -> dict[str, Any]:
    """What partials/share.html needs."""
    badge = address("device-badge", found.device.slug)
    shared = Shared(device_name(found.device), run_summary(found), found.get_absolute_url(), badge)
    return {"share": share_context(shared), "share_badge_url": badge}


def _social(found: Result) -> dict[str, Any]:
    return social_context(
        Social(
            f"One run of {device_name(found.device)}",
            f"{run_summary(found)}.",
            found.get_absolute_url(),
            address("result-preview", found.public_id),
            has_oembed=True,
        )
    )


def run_summary(found: Result) -> str:
    """A run in one line, without the device's name; what does not count says so."""
    figures = [f"{one['label']} {one['value']} {one['unit']}" for one in _metrics(found)]
    firmware = [f"firmware {found.firmware.version}"] if found.firmware else []
    state = [] if found.is_ranked else [_state(found)]
    return ", ".join(
        [*(figures or ["no figure that is ranked"]), *firmware, f"by {found.get_method_display()}", *state]
    )


def _result(found: Result) -> dict[str, Any]:
    return {
        "public_id": found.public_id,
        "device": found.device.model_name,
        "device_url": found.device.get_absolute_url(),
        "class_label": found.device.get_device_class_display(),
        "capacity": format_capacity(found.device.capacity_bytes),
        "firmware": found.firmware.version if found.firmware else "",
        "method": found.get_method_display(),
        "measured": format_date(found.measured_on) if found.measured_on else "",
        "state": _state(found),
        "state_reason": found.submission.state_reason or found.not_ranked_reason,
    }


def _state(found: Result) -> str:
    if found.submission.state != State.PUBLISHED:
        return found.submission.state
    return ranking_state(found.not_ranked_reason, found.flags)


def _metrics(found: Result) -> list[dict[str, Any]]:
    latency_128k = found.latency_us[SLOT_OF_BLOCK_SIZE[BLOCK_128K]]
    return measures(
        zil_latency_us=found.zil_latency_us,
        latency_4k_us=found.latency_us[SLOT_OF_BLOCK_SIZE[4096]],
        throughput_128k_mib_s=None if latency_128k is None else throughput_mib_s(BLOCK_128K, latency_128k),
        peak_throughput_mib_s=found.peak_throughput_mib_s,
    )


def _source(url: str) -> dict[str, str] | None:
    return {"url": url, "label": urlsplit(url).hostname or url} if url else None


def _siblings(found: Result) -> list[dict[str, str]]:
    """The runs of the same paste, this one too."""
    rows = found.submission.results.order_by("position").values_list("public_id", "device__model_name")
    return [
        {"public_id": public_id, "device": name, "url": address("result", public_id)}
        for public_id, name in rows
    ]
