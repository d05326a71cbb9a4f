"""{% confidence %}: how sure intervals are, in percent."""

from django import template

from results.kinds.curve.metrics import CONFIDENCE_PERCENT

register = template.Library()


@register.simple_tag
def confidence() -> str:
    return CONFIDENCE_PERCENT
