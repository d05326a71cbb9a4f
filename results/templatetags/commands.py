"""{{ notice.message|with_link }}: a notice whose mention of the page of commands is a link."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from parsers.base.advice import COMMANDS_PAGE

register = template.Library()


@register.filter
def with_link(message: str) -> SafeString:
    before, page, after = message.partition(COMMANDS_PAGE)
    if not page:
        return format_html("{}", message)
    return format_html('{}<a href="{}">the page of commands</a>{}', before, page, after)
