"""{% tag row.plp %}, {% tag "Recommended" "main" %}: a word or two, filled, with the icon of its tone (parts.css)."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from results.models.choices import Badge

register = template.Library()


@register.simple_tag
def tag(what: Badge | str, tone: str = "") -> SafeString:
    """A text with a tone, or a badge, such as results.models.choices.plp_badge."""
    label, shown = (what, tone) if isinstance(what, str) else (what.label, what.tone)
    css = f"tag tag-{shown}" if shown else "tag"
    return format_html('<span class="{}">{}</span>', css, label)
