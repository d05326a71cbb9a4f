"""{{ notice.message|with_command }}: a notice with its fio command, a dozen lines on a phone, collapsed."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from parsers.fio.slog import RIGHT_COMMAND

register = template.Library()


@register.filter
def with_command(message: str) -> SafeString:
    before, command, after = message.partition(RIGHT_COMMAND)
    if not command:
        return format_html("{}", message)
    return format_html(
        "{} <details><summary>The fio command</summary><pre>{}</pre></details>{}",
        before.rstrip(),
        command,
        after.lstrip("."),
    )
