"""{{ latency_us|latency }}, {{ capacity_bytes|capacity }}, {{ row.price|price }}: figures with their units."""

from django import template

from results.catalogue.prices import is_seen_fresh, seen_in_words
from results.core.formats import format_block_size, format_capacity, format_number, format_price
from results.core.today import today
from results.ranking.rows import SeenPrice

register = template.Library()
register.filter("block_size", format_block_size)
register.filter("capacity", format_capacity)
register.filter("number", format_number)  # {{ value|number:digits }}


@register.filter
def latency(latency_us: float | None, digits: int | None = None) -> str:
    """Microseconds: "17.6 µs"; of a figure computed from one with fewer digits, as many as those: "700 µs"."""
    return f"{format_number(latency_us, digits)} µs"


@register.filter
def price(seen: SeenPrice) -> str:
    """As in "$1,299"."""
    return format_price(seen.amount, seen.currency, decimals=0)


@register.filter
def seen(seen_on: str) -> str:
    """When a price was seen, as in "last seen 3 years ago"."""
    return seen_in_words(seen_on, today())


@register.filter
def is_stale(seen_on: str) -> bool:
    """Whether a price is over a year old."""
    return not is_seen_fresh(seen_on, today())
