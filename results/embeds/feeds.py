"""The newest submissions as Atom feeds, each with its own id: all, per class, per device."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from html import escape
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed

from parsers.base.device_class import DeviceClass
from results.api.middleware import ALLOW_ORIGIN
from results.core.addresses import full_url, with_query
from results.core.formats import ELSEWHERE, format_count, writers_label
from results.core.public import public_page
from results.core.subject import SUBJECT_FIELDS, subject_of_row
from results.devices.query import find_device
from results.kinds.pool_io.found_sets import submissions_with_sets
from results.kinds.pool_io.stored_sets import FoundSet, find_sets
from results.kinds.registry import kind_of
from results.kinds.tables import measures
from results.models import AuditEntry, Device, Result, ResultPair
from results.models.choices import DEVICE_CLASSES, Action

NEWEST = 50
NEWEST_RESULTS = 4 * NEWEST  # as a submission may have several
_FIELDS = (
    "public_id",
    "position",
    *SUBJECT_FIELDS,
    "firmware__version",
    "method",
    "metrics",
    "writers",
    "is_ranked",
    "not_ranked_reason",
    "submission__public_id",
    "submission__created_at",
    "submission__survey_id",
    "submission__forum_handle",
    "submission__figure_digits",
)
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Feed(Atom1Feed):
    """An Atom feed. An empty one has a day, too: Django dates it now, so no two copies of it would be equal."""

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else datetime(2000, 1, 1, tzinfo=UTC)


@public_page("class", "device")
def feed(request: HttpRequest) -> HttpResponse:
    device_class, slug = request.GET.get("class", ""), request.GET.get("device", "")
    if device_class and device_class not in DEVICE_CLASSES:
        raise BadRequest(f"There is no device class “{device_class}”.")
    device = find_device(slug) if slug else None
    address = full_url(with_query(reverse("feed"), **{"class": device_class, "device": slug}))
    return _answer(
        map(_item, _entries(device_class, device)),
        title=_title(device_class, device),
        subtitle="SLOG devices and pools with them, from owners and published tests.",
        link=full_url(reverse("leaderboard")),
        address=address,
    )


@public_page()
def pair_feed(_request: HttpRequest) -> HttpResponse:
    """The newest pairs of results before and after one change."""
    found = ResultPair.objects.published().select_related("before__submission", "after__submission")
    pairs = found.defer("before__submission__text", "after__submission__text").order_by("-pk")[:NEWEST]
    return _answer(
        map(_pair_item, pairs),
        title="slogdb: before and after",
        subtitle="Results before and after one change: firmware, a driver, a log device.",
        link=full_url(reverse("compare-sets")),
        address=full_url(reverse("pair-feed")),
    )


@public_page()
def set_feed(_request: HttpRequest) -> HttpResponse:
    """The newest comparison sets of pools."""
    newest = list(submissions_with_sets().values_list("pk", flat=True)[:NEWEST])
    found = find_sets(newest)
    return _answer(
        (_set_item(found[pk]) for pk in newest),
        title="slogdb: pools with and without a log device",
        subtitle="How much a SLOG helped in real pools, by sync mode and threads.",
        link=full_url(reverse("compare-sets")),
        address=full_url(reverse("set-feed")),
    )


def _set_item(found: FoundSet) -> dict[str, Any]:
    link = full_url(reverse("compare-set", args=[found.key]))
    (submission,) = found.submissions
    return {
        "title": xml_text(found.title),
        "link": link,
        "unique_id": link,
        "description": _summary(" ".join(found.runs.sentences)),
        "author_name": _author(submission.is_from_elsewhere, submission.forum_handle),
        "pubdate": submission.created_at,
        "updateddate": submission.created_at,
    }


def _author(is_from_elsewhere: bool, handle: str) -> str:
    return ELSEWHERE if is_from_elsewhere else xml_text(handle) or "an owner"


def _answer(
    items: Iterable[dict[str, Any]], *, title: str, subtitle: str, link: str, address: str
) -> HttpResponse:
    """A feed with an id of its own: its address."""
    made = Feed(
        title=title,
        link=link,
        description="",
        subtitle=subtitle,
        feed_url=address,
        feed_guid=address,
        author_name="slogdb",
    )
    for item in items:
        made.add_item(**item)
    return HttpResponse(
        made.writeString("utf-8"),
        content_type="application/atom+xml; charset=utf-8",
        headers={ALLOW_ORIGIN: "*"},
    )


def _pair_item(pair: ResultPair) -> dict[str, Any]:
    before, after = pair.before_value or "not stated", pair.after_value or "not stated"
    link = with_query(reverse("compare-results"), a=pair.before.public_id, b=pair.after.public_id)
    submission = pair.after.submission
    return {
        "title": xml_text(f"{pair.get_change_display()}: {before}, then {after}"),
        "link": full_url(link),
        "unique_id": full_url(link),
        "description": _summary(pair.sentence),
        "author_name": _author(submission.is_from_elsewhere, submission.forum_handle),
        "pubdate": pair.created_at,
        "updateddate": pair.created_at,
    }


def xml_text(text: str) -> str:
    """The text without characters that XML doesn't allow."""
    return _NOT_XML.sub("", text)


def _summary(text: str) -> str:
    """A text as a summary, which Atom1Feed declares to be HTML."""
    return escape(xml_text(text), quote=False)


def _title(device_class: str, device: Device | None) -> str:
    of = [DeviceClass(device_class).label] if device_class else []
    of += [xml_text(device.model_name)] if device else []
    return f"slogdb: new results{' of ' if of else ''}{', '.join(of)}"


def _entries(device_class: str, device: Device | None) -> list[list[dict[str, Any]]]:
    """The rows of each submission, the last sent or approved first. Two queries, three if any was approved."""
    results = Result.objects.published()
    if device_class:
        results = results.filter(device__device_class=device_class)
    if device:
        results = results.filter(device=device)
    approvals = AuditEntry.objects.filter(action=Action.APPROVED).order_by("-id")
    approved_at = dict(approvals.values_list("submission", "at")[:NEWEST][::-1])
    rows: list[Any] = list(results.order_by("-id").values(*_FIELDS)[:NEWEST_RESULTS])
    if approved_at:
        rows += results.filter(submission__public_id__in=approved_at).values(*_FIELDS)
    submissions: dict[str, dict[int, dict[str, Any]]] = {}
    for row in rows:
        approved = approved_at.get(row["submission__public_id"], row["submission__created_at"])
        published_at = max(approved, row["submission__created_at"])
        found = submissions.setdefault(row["submission__public_id"], {})
        found[row["position"]] = {**row, "published_at": published_at}
    entries = [[found[position] for position in sorted(found)] for found in submissions.values()]
    return sorted(entries, key=lambda entry: entry[0]["published_at"], reverse=True)[:NEWEST]


def _item(rows: list[dict[str, Any]]) -> dict[str, Any]:
    first, *others = rows
    more = f" (and {format_count(len(others), 'more run')})" if others else ""
    return {
        "title": xml_text(f"{_headline(first)}{more}"),
        "link": full_url(reverse("result", args=[first["public_id"]])),
        "unique_id": full_url(reverse("result", args=[first["submission__public_id"]])),
        "description": _summary("; ".join([_description(first), *map(_headline, others)])),
        "author_name": _author(first["submission__survey_id"] is not None, first["submission__forum_handle"]),
        "pubdate": first["published_at"],
        "updateddate": first["published_at"],
        "categories": [subject_of_row(first).class_label],
    }


def _headline(row: dict[str, Any]) -> str:
    return f"{subject_of_row(row).name}: {_figure(row)}"


def _figure(row: dict[str, Any]) -> str:
    """The result's first metric."""
    found = measures(
        row["metrics"], kind_of(row["method"]).metrics.values(), digits=row["submission__figure_digits"]
    )
    return str(found[0]) if found else "incomplete"


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
