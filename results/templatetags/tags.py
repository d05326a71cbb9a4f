"""{% tag row.plp %}, {% tag "Recommended" "main" %}: a word or two, filled, with the icon of its tone (parts.css)."""

from collections.abc import Mapping

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def tag(what: Mapping[str, str] | str, tone: str = "") -> SafeString:
    """`what` is a text, or a badge: its `label`, and its tone as `tag`, such as results.models.choices.plp_badge."""
    label, shown = (what, tone) if isinstance(what, str) else (what["label"], what["tag"])
    css = f"tag tag-{shown}" if shown else "tag"
    return format_html('<span class="{}">{}</span>', css, label)
