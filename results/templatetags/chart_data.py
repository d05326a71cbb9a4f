"""{{ data|chart_data:"chart-data" }}: json_script without whitespace, which figures would have a lot of."""

from dataclasses import asdict, is_dataclass
from typing import Any

from django import template
from django.core.serializers.json import DjangoJSONEncoder
from django.utils.html import json_script
from django.utils.safestring import SafeString

register = template.Library()


class _Compact(DjangoJSONEncoder):
    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "separators": (",", ":")})


@register.filter
def chart_data(data: object, element_id: str) -> SafeString:
    plain = asdict(data) if is_dataclass(data) and not isinstance(data, type) else data
    return json_script(plain, element_id, _Compact)
