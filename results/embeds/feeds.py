"""The newest published results as Atom feeds: all, per class, per device."""

import re
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import require_GET

from parsers.base.device_class import DeviceClass
from results.core.formats import ELSEWHERE, writers_label
from results.core.links import full_url, with_query
from results.core.public import public_page
from results.core.subject import SUBJECT_FIELDS, subject_of_row
from results.devices.query import find_device
from results.kinds.registry import kind_of
from results.kinds.tables import measures
from results.models import Device, Result
from results.models.choices import DEVICE_CLASSES

NEWEST = 50
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@require_GET
@public_page
def feed(request: HttpRequest) -> HttpResponse:
    device_class, slug = request.GET.get("class", ""), request.GET.get("device", "")
    if device_class and device_class not in DEVICE_CLASSES:
        raise BadRequest(f"There is no device class “{device_class}”.")
    device = find_device(slug) if slug else None
    made = Atom1Feed(
        title=_title(device_class, device),
        link=full_url(reverse("leaderboard")),
        description="",
        subtitle="SLOG devices and pools with them, from owners and published tests.",
        feed_url=full_url(with_query(reverse("feed"), **{"class": device_class, "device": slug})),
        author_name="slogdb",
    )
    for row in _rows(device_class, device):
        made.add_item(**_item(row))
    return HttpResponse(made.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8")


def xml_text(text: str) -> str:
    """The text without characters that XML doesn't allow."""
    return _NOT_XML.sub("", text)


def _title(device_class: str, device: Device | None) -> str:
    of = [DeviceClass(device_class).label] if device_class else []
    of += [xml_text(device.model_name)] if device else []
    return f"slogdb: new results{' of ' if of else ''}{', '.join(of)}"


def _rows(device_class: str, device: Device | None) -> list[dict[str, Any]]:
    results = Result.objects.published().order_by("-id")
    if device_class:
        results = results.filter(device__device_class=device_class)
    if device:
        results = results.filter(device=device)
    rows: list[Any] = list(
        results.values(
            "public_id",
            *SUBJECT_FIELDS,
            "firmware__version",
            "method",
            "metrics",
            "writers",
            "is_ranked",
            "not_ranked_reason",
            "submission__created_at",
            "submission__survey_id",
            "submission__forum_handle",
        )[:NEWEST]
    )
    return rows


def _item(row: dict[str, Any]) -> dict[str, Any]:
    url = full_url(reverse("result", args=[row["public_id"]]))
    subject = subject_of_row(row)
    return {
        "title": xml_text(f"{subject.name}: {_figure(row)}"),
        "link": url,
        "unique_id": url,
        "description": xml_text(_description(row)),
        "author_name": _author(row),
        "pubdate": row["submission__created_at"],
        "updateddate": row["submission__created_at"],
        "categories": [subject.class_label],
    }


def _author(row: dict[str, Any]) -> str:
    if row["submission__survey_id"] is not None:
        return ELSEWHERE
    return xml_text(row["submission__forum_handle"]) or "an owner"


def _figure(row: dict[str, Any]) -> str:
    """The result's first metric."""
    found = measures(row["metrics"], kind_of(row["method"]).metrics.values())
    return f"{found[0]['label']} {found[0]['value']} {found[0]['unit']}" if found else "incomplete"


def _description(row: dict[str, Any]) -> str:
    parts = [
        subject_of_row(row).class_label,
        kind_of(row["method"]).methods[row["method"]],
    ]
    parts += [writers_label(row["writers"])] if row["writers"] else []
    parts += [f"firmware {row['firmware__version']}"] if row["firmware__version"] else []
    parts += [] if row["submission__survey_id"] is None else [ELSEWHERE]
    parts += (
        []
        if row["is_ranked"] or not kind_of(row["method"]).ranked_by
        else [f"not ranked: {row['not_ranked_reason']}"]
    )
    return ", ".join(parts)
