"""What people call devices and products, as the slugs that a comparison shows."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import F, Q

from results.catalogue.matching.names import normalize_name, without_capacity
from results.compare.devices.query import ComparedDevice, UnknownDevicesError, compare_devices, current_slugs
from results.core.addresses import MAX_COMPARED
from results.core.drive_names import DriveName
from results.core.formats import format_capacity, join_words
from results.core.forms import quoted
from results.core.subject import product_name
from results.models import Device, Product
from results.ranking.standing import with_main_row
from results.search.products import find_products

MAX_CANDIDATES = 12
MAX_NAME_LENGTH = 100  # characters; the rest is ignored
_MAX_ROWS = 200


class Candidate(NamedTuple):
    """A device or product that a name may mean."""

    slug: str
    name: str


class Meanings(NamedTuple):
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
    unknown: Mapping[str, Meanings]
    is_lasting: bool


class _MeasuredDevice(NamedTuple):
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
        name = DriveName(self.model_name, self.capacity_bytes, self.vendor, self.line)
        part_number = f" ({self.model_name})" if name.short != self.model_name else ""
        return Candidate(self.slug, f"{name.full}{part_number}")


def describe_unknown(unknown: Iterable[str]) -> str:
    """Says in a sentence that there are no such devices or products."""
    names = [quoted(name) for name in unknown]
    noun = "is no device or product" if len(names) == 1 else "are no devices or products"
    return f"There {noun} {join_words(names)}."


class Others(NamedTuple):
    """The measured devices of one name, those with most units first; `is_clear`: the first has most of them."""

    candidates: Sequence[Candidate]
    is_clear: bool


NO_OTHERS = Others((), is_clear=False)


def find_others(devices: Iterable[Device]) -> dict[str, Others]:
    """All measured devices of the same product or model name, by the slug of the device, which is one of them.

    Only for names of several devices. One query.
    """
    known = list(devices)
    products = {device.product_id for device in known if device.product_id}
    models = {device.model_name for device in known if not device.product_id}
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
    """Resolve slugs, or names as people type them, in order. The queries of `current_slugs`, and find_meanings's."""
    current = current_slugs(names)
    meanings = {name: find_meanings(name[:MAX_NAME_LENGTH]) for name, slug in current.items() if not slug}
    slugs = (slug or meanings[name].slug for name, slug in current.items())
    return Resolved(
        slugs=tuple(dict.fromkeys(slug for slug in slugs if slug)),
        unknown={name: found for name, found in meanings.items() if not found.slug},
        is_lasting=not meanings,
    )


def split_devices(devices: str) -> list[str]:
    """The names in the parameter `devices`."""
    return [name for name in devices.replace("\0", "").split(",") if name]  # an oEmbed address can have a NUL


def compare_slugs(devices: str) -> list[ComparedDevice]:
    """The devices and products whose slugs are in the parameter `devices`, without unknown ones."""
    found = current_slugs(split_devices(devices)[:MAX_COMPARED])
    resolved = (slug or _for_slug(requested).slug for requested, slug in found.items())
    try:
        return compare_devices([slug for slug in dict.fromkeys(resolved) if slug])
    except UnknownDevicesError as error:
        return compare_devices(error.resolved.slugs)


def find_meanings(text: str, *, except_slugs: Collection[str] = ()) -> Meanings:
    """The devices and products that `text` may mean. Up to eleven queries.

    Of several devices of one name it is the one with most units. A product stands for itself if none of its devices
    has been measured.
    """
    called = Q(slug=text.lower()) | Q(model_name__iexact=text) | Q(searched__iexact=text)
    if rows := _measured(called, text):
        return Meanings([row.candidate for row in rows if row.slug not in except_slugs][:1])
    if (for_slug := _for_slug(text, except_slugs)).candidates:
        return for_slug
    found = find_products(text)
    ids = list(found.ids[:MAX_CANDIDATES])
    if found.match is not None:
        return Meanings(_for_products(ids, text, except_slugs))
    with_words = [row for row in _measured(_has_words(text), "") if row.slug not in except_slugs]
    if found.is_similar and not with_words:
        return Meanings(_for_products(ids, text, except_slugs), is_similar=True)
    for_products = [] if found.is_similar else _for_products(ids, text, except_slugs)
    others = [row for row in with_words if found.is_similar or row.product_id not in ids]
    others.sort(key=lambda row: (row.model_name, row.capacity_bytes or 0))
    return Meanings([*for_products, *(row.candidate for row in others)][:MAX_CANDIDATES])


def _for_slug(slug: str, except_slugs: Collection[str] = ()) -> Meanings:
    """The product with this slug. One query, three if there is one."""
    ids = list(Product.objects.filter(slug=slug.lower()).values_list("pk", flat=True))
    return Meanings(_for_products(ids, "", except_slugs) if ids else ())


def _has_words(text: str) -> Q:
    """The devices with all words of the text in their names or their vendors'."""
    has_all = Q()
    for word in text.split():
        has_all &= Q(searched__icontains=word) | Q(product__vendor__name__icontains=word)
    return has_all


def _measured(condition: Q, text: str) -> list[_MeasuredDevice]:
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
    rows = [
        _MeasuredDevice(*row) for row in devices.order_by(*most_measured).values_list(*columns)[:_MAX_ROWS]
    ]
    typed, name = normalize_name(text), without_capacity(text)
    return sorted(
        rows,
        key=lambda row: (
            row.capacity_bytes is None or normalize_name(format_capacity(row.capacity_bytes)) not in typed,
            not normalize_name(row.model_name).endswith(name),
        ),
    )


def _for_products(ids: Sequence[int], text: str, except_slugs: Collection[str]) -> list[Candidate]:
    """The products, each as its first measured device that isn't excepted. Two queries."""
    products = Product.objects.select_related("vendor").in_bulk(ids)
    measured = _measured(Q(product__in=ids), text)
    slugs = {pk: [row.slug for row in measured if row.product_id == pk] or [products[pk].slug] for pk in ids}
    left = {pk: [slug for slug in slugs[pk] if slug not in except_slugs] for pk in ids}
    return [Candidate(left[pk][0], product_name(products[pk]).short) for pk in ids if left[pk]]
