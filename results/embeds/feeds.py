"""The newest results, products and prices as Atom feeds, each with its own id; results also per class or device."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from html import escape

from django.core.exceptions import BadRequest
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils.feedgenerator import Atom1Feed

from parsers.base.device_class import DeviceClass
from results.api.middleware import ALLOW_ORIGIN
from results.core.addresses import address, full_url, with_query
from results.core.formats import ELSEWHERE, format_count, writers_label
from results.core.prices import SIGHTING_COLUMNS, Sighting
from results.core.public import public_page
from results.core.subject import drive_name, product_name, subject_of
from results.devices.query import find_device
from results.kinds.pool.found_sets import submissions_with_sets
from results.kinds.pool_sets import FoundSet, find_sets
from results.kinds.registry import kind_of, method_label
from results.models import AuditEntry, Device, PriceSighting, Product, Result, ResultPair, Submission
from results.models.choices import DEVICE_CLASSES, Action
from results.submissions.result_summary import result_figures

NEWEST = 50
NEWEST_RESULTS = 4 * NEWEST  # as a submission may have several
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class FeedItem:
    """An entry of a feed; `link` and `path` (by which it is known) are paths of the site."""

    title: str
    link: str
    summary: str
    author: str
    at: datetime
    path: str = ""
    categories: Sequence[str] = ()


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
    return _answer(
        _entries(device_class, device),
        title=_title(device_class, device),
        subtitle="SLOG devices and pools with them, from owners and published tests.",
        link=address("leaderboard"),
        path=with_query(address("feed"), **{"class": device_class, "device": slug}),
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
        link=address("compare-sets"),
        path=address("pair-feed"),
    )


@public_page()
def set_feed(_request: HttpRequest) -> HttpResponse:
    """The newest comparison sets of pools."""
    newest = list(submissions_with_sets().values_list("pk", flat=True)[:NEWEST])
    found = find_sets(newest)
    return _answer(
        (_set_item(found[pk]) for pk in newest if pk in found),
        title="slogdb: pools with and without a log device",
        subtitle="How much a SLOG helped in real pools, by sync mode and threads.",
        link=address("compare-sets"),
        path=address("set-feed"),
    )


@public_page()
def product_feed(_request: HttpRequest) -> HttpResponse:
    """The products of the catalogue that were added or changed last."""
    newest = Product.objects.select_related("vendor").order_by("-changed_at", "-pk")[:NEWEST]
    return _answer(
        map(_product_item, newest),
        title="slogdb: products",
        subtitle="Possible SLOG devices, newest additions and changes first.",
        link=address("products"),
        path=address("product-feed"),
    )


@public_page()
def price_feed(_request: HttpRequest) -> HttpResponse:
    """The prices that were seen last."""
    rows = PriceSighting.objects.order_by("-seen_on", "-pk").annotate(launched=F("product__launch_year"))
    columns = rows.values_list("pk", *SIGHTING_COLUMNS, "launched")
    found = {pk: Sighting(*row) for pk, *row in columns[:NEWEST]}
    products = Product.objects.select_related("vendor").in_bulk(
        {price.product_id for price in found.values()}
    )
    return _answer(
        (_price_item(pk, price, products[price.product_id]) for pk, price in found.items()),
        title="slogdb: prices",
        subtitle="Prices seen for possible SLOG devices.",
        link=address("products"),
        path=address("price-feed"),
    )


def _product_item(product: Product) -> FeedItem:
    summary = ", ".join(
        filter(None, [product.get_device_class_display(), product.plp_badge.label, product.form_factors])
    )
    return FeedItem(product.full_name, product.get_absolute_url(), summary, "slogdb", product.changed_at)


def _price_item(pk: int, price: Sighting, product: Product) -> FeedItem:
    """A price has no address: it is known by its id, which the API has, too."""
    name = replace(product_name(product), capacity_bytes=price.capacity_bytes).full
    return FeedItem(
        f"{name}: {price.text}, {price.offered_as}",
        product.get_absolute_url(),
        ", ".join(filter(None, [f"seen {price.seen_on}", price.offered_by, price.source_url])),
        "slogdb",
        datetime.fromisoformat(f"{price.seen_on}-01-01"[:10]).replace(tzinfo=UTC),  # the period's first day
        f"{product.get_absolute_url()}#price-{pk}",
    )


def _set_item(found: FoundSet) -> FeedItem:
    (submission,) = found.submissions
    summary, sent_at = " ".join(found.runs.sentences), submission.created_at
    return FeedItem(found.title, address("compare-set", found.key), summary, _author(submission), sent_at)


def _author(submission: Submission) -> str:
    return ELSEWHERE if submission.is_from_elsewhere else xml_text(submission.forum_handle) or "an owner"


def _answer(items: Iterable[FeedItem], *, title: str, subtitle: str, link: str, path: str) -> HttpResponse:
    """A feed with an id of its own: its address."""
    made = Feed(
        title=title,
        link=full_url(link),
        description="",
        subtitle=subtitle,
        feed_url=full_url(path),
        feed_guid=full_url(path),
        author_name="slogdb",
    )
    for item in items:
        made.add_item(
            xml_text(item.title),
            full_url(item.link),
            escape(xml_text(item.summary), quote=False),  # Atom1Feed declares it to be HTML
            author_name=item.author,
            unique_id=full_url(item.path or item.link),
            pubdate=item.at,
            updateddate=item.at,
            categories=item.categories,
        )
    return HttpResponse(
        made.writeString("utf-8"),
        content_type="application/atom+xml; charset=utf-8",
        headers={ALLOW_ORIGIN: "*"},
    )


def _pair_item(pair: ResultPair) -> FeedItem:
    before, after = pair.before_value or "not stated", pair.after_value or "not stated"
    return FeedItem(
        f"{pair.get_change_display()}: {before}, then {after}",
        with_query(address("compare-results"), a=pair.before.public_id, b=pair.after.public_id),
        pair.sentence,
        _author(pair.after.submission),
        pair.created_at,
    )


def xml_text(text: str) -> str:
    """The text without characters that XML doesn't allow."""
    return _NOT_XML.sub("", text)


def _title(device_class: str, device: Device | None) -> str:
    subjects = [DeviceClass(device_class).label] if device_class else []
    subjects += [xml_text(drive_name(device).full)] if device else []
    return f"slogdb: new results{' of ' if subjects else ''}{', '.join(subjects)}"


def _entries(device_class: str, device: Device | None) -> Iterator[FeedItem]:
    """An item for each submission, the last sent or approved first. Two queries, three if any was approved."""
    results = Result.objects.published().select_related(
        "device__product__vendor", "pool", "firmware", "submission"
    )
    results = results.defer("submission__text")
    if device_class:
        results = results.filter(device__device_class=device_class)
    if device:
        results = results.filter(device=device)
    approvals = AuditEntry.objects.filter(action=Action.APPROVED).order_by("-id")
    approved_at = dict(approvals.values_list("submission", "at")[:NEWEST][::-1])
    found = list(results.order_by("-id")[:NEWEST_RESULTS])
    if approved_at:
        found += results.filter(submission__public_id__in=approved_at)
    runs: dict[Submission, dict[int, Result]] = defaultdict(dict)
    for result in found:
        runs[result.submission][result.position] = result
    shown_at = {
        submission: max(approved_at.get(submission.public_id, submission.created_at), submission.created_at)
        for submission in runs
    }
    for submission in sorted(runs, key=shown_at.__getitem__, reverse=True)[:NEWEST]:
        yield _item([run for _, run in sorted(runs[submission].items())], shown_at[submission])


def _item(runs: Sequence[Result], at: datetime) -> FeedItem:
    first, *others = runs
    more = f" (and {format_count(len(others), 'more run')})" if others else ""
    return FeedItem(
        f"{_headline(first)}{more}",
        first.get_absolute_url(),
        "; ".join([_description(first), *map(_headline, others)]),
        _author(first.submission),
        at,
        first.submission.get_absolute_url(),
        [subject_of(first).class_label],
    )


def _headline(run: Result) -> str:
    """What it is about, and its first metric."""
    figures = result_figures(run)
    return f"{subject_of(run).name}: {figures[0] if figures else 'incomplete'}"


def _description(run: Result) -> str:
    parts = [
        subject_of(run).class_label,
        method_label(run.method),
        writers_label(run.writers),
        f"firmware {run.firmware.version}" if run.firmware else "",
        ELSEWHERE if run.submission.is_from_elsewhere else "",
    ]
    is_unranked = kind_of(run.method).ranked_by and not run.is_ranked
    parts += [f"not ranked: {run.not_ranked_reason}"] if is_unranked else []
    return ", ".join(filter(None, parts))
