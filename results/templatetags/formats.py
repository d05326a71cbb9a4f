"""{{ latency_us|latency }}, {{ capacity_bytes|capacity }}, {{ sighting|price }}: figures with their units."""

from typing import Protocol
from urllib.parse import urlsplit

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from results.catalogue.lists import number_text
from results.core.formats import (
    format_block_size,
    format_capacity,
    format_count,
    format_hours,
    format_memory,
    format_number,
    format_positive,
    format_price,
    format_range,
    format_rounded,
    format_site,
    format_source,
    format_times,
    latency_label,
    writers_label,
)
from results.core.prices import Sighting
from results.core.subject import product_name
from results.models import PriceReport, Product
from results.ranking.ties import format_places

register = template.Library()


class HasInterval(Protocol):
    """What has an interval."""

    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


register.filter("capacity", format_capacity)
register.filter("count", format_count)  # {{ number|count:"device" }}: "2 devices"
register.filter("number", format_number)  # {{ value|number:digits }}
register.filter("places", format_places)  # of a Place: "3–7"
register.filter("shortest", number_text)  # 100.50: "100.5"
register.filter("memory", format_memory)
register.filter("times", format_times)  # of a ratio: "5.6×"
register.filter("rounded", format_rounded)
register.filter("source_name", format_source)
register.filter("axis_label", latency_label)  # at an end of an axis: "20 µs"
register.filter("block_size", format_block_size)
register.filter("hours", format_hours)
register.filter("writers", writers_label)


@register.filter("drive_name")
def name_of_product(product: Product) -> str:
    """As people call it."""
    return product_name(product).short


@register.filter
def latency(latency_us: float | None, digits: int | None = None) -> str:
    """Microseconds: "17.6 µs"; of a figure computed from one with fewer digits, as many as those: "700 µs"."""
    return f"{format_number(latency_us, digits)} µs"


@register.filter
def megabytes(size: int) -> str:
    return format_positive(size / 1_000_000)


@register.filter
def share(part: float) -> str:
    """A part of 1 in percent: "33.3 %"."""
    return f"{100 * part:.3g} %"


@register.filter("range")
def interval(ends: HasInterval, digits: int | None = None) -> str:
    """As in "9.8–10.4"."""
    return format_range(ends.low, ends.high, digits)


@register.filter
def price(seen: Sighting | PriceReport) -> str:
    """As in "$1,299"."""
    return format_price(seen.amount, seen.currency)


@register.filter
def host(url: str) -> str:
    return urlsplit(url).hostname or url


@register.filter
def source(url: str) -> SafeString:
    """A link to the page that states something, with its site as the text."""
    return format_html('<a href="{}" rel="nofollow">{}</a>', url, format_site(url))
