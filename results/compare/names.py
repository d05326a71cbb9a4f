"""What people call devices and products, as the slugs that a comparison shows."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import F, Q

from results.catalogue.matching.names import normalize_name, without_capacity
from results.compare.query import Compared, UnknownDevicesError, compare_devices, current_slugs
from results.core.drive_names import drive_name
from results.core.formats import format_capacity, format_device
from results.models import Device, Product
from results.ranking.standing import with_main_row
from results.search.products import find_products

MOST_CANDIDATES = 12
LONGEST_NAME = 100  # characters; the rest is ignored
_MOST_ROWS = 200


class Candidate(NamedTuple):
    """A device or product that a name may mean."""

    slug: str
    name: str


class Meant(NamedTuple):
    """What a name may mean, best first; `is_similar`: nothing is called that."""

    candidates: Sequence[Candidate]
    is_similar: bool = False

    @property
    def slug(self) -> str:
        """The only device or product that is called that; else empty."""
        return self.candidates[0].slug if len(self.candidates) == 1 and not self.is_similar else ""


@dataclass(frozen=True, slots=True)
class Resolved:
    """Names as slugs of devices and products, without duplicates.

    `unknown` has what the names may mean that aren't resolved. `is_lasting`: all names are slugs of devices.
    """

    slugs: tuple[str, ...]
    unknown: Mapping[str, Meant]
    is_lasting: bool


class _Row(NamedTuple):
    """A measured device; `unit_count` is that of its row on the default board."""

    slug: str
    model_name: str
    capacity_bytes: int | None
    product_id: int | None
    unit_count: int | None
    result_count: int
    vendor: str | None
    line: str | None

    @property
    def measured(self) -> tuple[int, int]:
        """How much it has been measured."""
        return self.unit_count or 0, self.result_count

    @property
    def candidate(self) -> Candidate:
        name = drive_name(self.vendor, self.line, self.model_name)
        part_number = f" ({self.model_name})" if name != self.model_name else ""
        return Candidate(self.slug, f"{format_device(name, self.capacity_bytes)}{part_number}")


def no_such(unknown: Iterable[str]) -> str:
    """Says in a sentence that there are no such devices or products."""
    *first, last = (f"“{name}”" for name in unknown)
    names = f"{', '.join(first)} and {last}" if first else last
    return f"There {'are no devices or products' if first else 'is no device or product'} {names}."


class Others(NamedTuple):
    """The measured devices of one name, those with most units first; `is_clear`: the first has most of them."""

    candidates: Sequence[Candidate]
    is_clear: bool


def find_others(devices: Iterable[Device]) -> dict[str, Others]:
    """All measured devices of the same product or model name, by the slug of the device, which is one of them.

    Only for names of several devices. One query.
    """
    known = list(devices)
    products = {one.product_id for one in known if one.product_id}
    models = {one.model_name for one in known if not one.product_id}
    rows = _measured(Q(product__in=products) | Q(product=None, model_name__in=models), "")
    found = {}
    for device in known:
        same = [
            row
            for row in rows
            if row.product_id == device.product_id and (row.product_id or row.model_name == device.model_name)
        ]
        if len(same) > 1:
            first, second, *_ = same
            is_clear = first.measured != second.measured
            found[device.slug] = Others([row.candidate for row in same], is_clear)
    return found


def resolve_names(names: Iterable[str]) -> Resolved:
    """Resolve slugs, or names as people type them, in order. The queries of `current_slugs`, and find_meant's."""
    current = current_slugs(names)
    meant = {name: find_meant(name[:LONGEST_NAME]) for name, slug in current.items() if not slug}
    slugs = (slug or meant[name].slug for name, slug in current.items())
    return Resolved(
        slugs=tuple(dict.fromkeys(slug for slug in slugs if slug)),
        unknown={name: found for name, found in meant.items() if not found.slug},
        is_lasting=not meant,
    )


def compare_slugs(slugs: Iterable[str]) -> list[Compared]:
    """The devices and products that have these slugs, without their conditions and unknown ones."""
    resolved = (slug or _of_slug(requested).slug for requested, slug in current_slugs(slugs).items())
    try:
        return compare_devices([slug for slug in dict.fromkeys(resolved) if slug])
    except UnknownDevicesError as error:
        return compare_devices(error.resolved.slugs)


def find_meant(text: str, *, except_slugs: Collection[str] = ()) -> Meant:
    """The devices and products that `text` may mean. Up to eleven queries.

    Of several devices of one name it is the one with most units. A product stands for itself if none of its devices
    has been measured.
    """
    called = Q(slug=text.lower()) | Q(model_name__iexact=text) | Q(searched__iexact=text)
    if rows := _measured(called, text):
        return Meant([one.candidate for one in rows if one.slug not in except_slugs][:1])
    if (of_slug := _of_slug(text, except_slugs)).candidates:
        return of_slug
    found = find_products(text)
    ids = list(found.ids[:MOST_CANDIDATES])
    if found.match is not None:
        return Meant(_of_products(ids, text, except_slugs))
    with_words = [one for one in _measured(_has_words(text), "") if one.slug not in except_slugs]
    if found.is_similar and not with_words:
        return Meant(_of_products(ids, text, except_slugs), is_similar=True)
    of_products = [] if found.is_similar else _of_products(ids, text, except_slugs)
    others = [one for one in with_words if found.is_similar or one.product_id not in ids]
    others.sort(key=lambda one: (one.model_name, one.capacity_bytes or 0))
    return Meant([*of_products, *(one.candidate for one in others)][:MOST_CANDIDATES])


def _of_slug(slug: str, except_slugs: Collection[str] = ()) -> Meant:
    """The product with this slug. One query, three if there is one."""
    ids = list(Product.objects.filter(slug=slug.lower()).values_list("pk", flat=True))
    return Meant(_of_products(ids, "", except_slugs) if ids else ())


def _has_words(text: str) -> Q:
    """The devices with all words of the text in their names or their vendors'."""
    has_all = Q()
    for word in text.split():
        has_all &= Q(searched__icontains=word) | Q(product__vendor__name__icontains=word)
    return has_all


def _measured(condition: Q, text: str) -> list[_Row]:
    """The measured devices: those first whose capacity or name is in `text`, then those with most units."""
    devices = with_main_row(Device.objects.shown().filter(condition))
    most_measured = (
        F("main__unit_count").desc(nulls_last=True),
        "-result_count",
        "model_name",
        "capacity_bytes",
    )
    columns = (
        *("slug", "model_name", "capacity_bytes", "product_id", "main__unit_count", "result_count"),
        *("product__vendor__name", "product__name"),
    )
    rows = [_Row(*row) for row in devices.order_by(*most_measured).values_list(*columns)[:_MOST_ROWS]]
    typed, name = normalize_name(text), without_capacity(text)
    return sorted(
        rows,
        key=lambda one: (
            one.capacity_bytes is None or normalize_name(format_capacity(one.capacity_bytes)) not in typed,
            not normalize_name(one.model_name).endswith(name),
        ),
    )


def _of_products(ids: Sequence[int], text: str, except_slugs: Collection[str]) -> list[Candidate]:
    """The products, each as its first measured device that isn't excepted. Two queries."""
    products = Product.objects.select_related("vendor").in_bulk(ids)
    measured = _measured(Q(product__in=ids), text)
    slugs = {pk: [one.slug for one in measured if one.product_id == pk] or [products[pk].slug] for pk in ids}
    left = {pk: [slug for slug in slugs[pk] if slug not in except_slugs] for pk in ids}
    names = {pk: drive_name(one.vendor.name, one.name) for pk, one in products.items()}
    return [Candidate(left[pk][0], names[pk]) for pk in ids if left[pk]]
