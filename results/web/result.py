"""The result page: one run with its conditions, and the masked text that it was read from."""

from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from results.charts.series import Series
from results.models import Result
from results.models.choices import State
from results.models.fields import SLOT_OF_BLOCK_SIZE
from results.presentation import format_capacity, format_date, format_hours
from results.public import public_page
from results.ranking.score import throughput_mib_s
from results.web.charts import chart_context, curve_points
from results.web.flags import flag_rows, is_held
from results.web.measures import measures
from results.web.points import point_rows
from results.web.text import numbered_lines

BLOCK_128K = 131072
BYTES_A_TERABYTE = 10**12


@require_GET
@public_page
def result(request: HttpRequest, public_id: str) -> HttpResponse:
    found = get_object_or_404(
        Result.objects.select_related("device", "firmware", "submission"), public_id=public_id
    )
    submission = found.submission
    context = {
        "result": _result(found),
        "metrics": _metrics(found),
        "points": point_rows(found.latency_us),
        "conditions": _conditions(found),
        "flags": flag_rows(found.flags),
        "notices": submission.notices,
        "text_lines": numbered_lines(submission.text, [(found.first_line, found.last_line)]),
        "source": _source(submission.source_url),
        "handle": submission.forum_handle,
        "siblings": [one for one in _siblings(found) if one["public_id"] != public_id],
        "submit_url": reverse("submit"),
        **chart_context(
            [Series(found.device.model_name, curve_points(found.latency_us))],
            f"Latency of {found.device.model_name} in this run",
        ),
    }
    return render(request, "results/result.html", context)


def _result(found: Result) -> dict[str, Any]:
    return {
        "public_id": found.public_id,
        "device": found.device.model_name,
        "device_url": found.device.get_absolute_url(),
        "class_label": found.device.get_device_class_display(),
        "capacity": format_capacity(found.device.capacity_bytes),
        "firmware": found.firmware.version if found.firmware else "",
        "method": found.get_method_display(),
        "measured": format_date(found.measured_on),
        "state": _state(found),
        "state_reason": found.submission.state_reason or found.not_ranked_reason,
    }


def _state(found: Result) -> str:
    if found.submission.state != State.PUBLISHED:
        return found.submission.state
    if found.is_ranked:
        return "published"
    return "held" if is_held(found.flags) else "not ranked"


def _metrics(found: Result) -> list[dict[str, Any]]:
    latency_128k = found.latency_us[SLOT_OF_BLOCK_SIZE[BLOCK_128K]]
    return measures(
        zil_latency_us=found.zil_latency_us,
        latency_4k_us=found.latency_us[SLOT_OF_BLOCK_SIZE[4096]],
        throughput_128k_mib_s=None if latency_128k is None else throughput_mib_s(BLOCK_128K, latency_128k),
        peak_throughput_mib_s=found.peak_throughput_mib_s,
    )


def _conditions(found: Result) -> list[dict[str, str]]:
    """What is known of how it was measured; what the text does not state is left out."""
    written = found.host_bytes_written
    stated = {
        "Path": found.path,
        "System": found.platform,
        "Attached to": found.attachment,
        "Sector size": f"{found.sector_size} B" if found.sector_size else "",
        "Write cache": {True: "enabled", False: "disabled", None: ""}[found.write_cache_enabled],
        "Power-on time": "" if found.power_on_hours is None else format_hours(found.power_on_hours),
        "Endurance used": "" if found.percentage_used is None else f"{found.percentage_used} %",
        "Written by hosts": "" if written is None else f"{float(written) / BYTES_A_TERABYTE:,.2f} TB",
    }
    return [{"label": label, "value": value} for label, value in stated.items() if value]


def _source(url: str) -> dict[str, str] | None:
    return {"url": url, "label": urlsplit(url).hostname or url} if url else None


def _siblings(found: Result) -> list[dict[str, str]]:
    """The other runs of the same paste."""
    rows = found.submission.results.order_by("position").values_list("public_id", "device__model_name")
    return [
        {"public_id": public_id, "device": name, "url": reverse("result", args=[public_id])}
        for public_id, name in rows
    ]
