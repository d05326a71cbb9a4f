"""{{ latency_us|latency }}, {{ capacity_bytes|capacity }}: figures with their units (results.core.formats)."""

from django import template

from results.core.formats import format_capacity, format_number

register = template.Library()
register.filter("capacity", format_capacity)
register.filter("number", format_number)  # {{ value|number:digits }}


@register.filter
def latency(latency_us: float | None, digits: int | None = None) -> str:
    """Microseconds: "17.6 µs"; of a figure computed from one with fewer digits, as many as those: "700 µs"."""
    return f"{format_number(latency_us, digits)} µs"
