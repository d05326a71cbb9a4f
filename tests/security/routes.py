"""Every address of the site, read off the URL configuration, so that none can be forgotten."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLResolver, get_resolver

from results.core.parameters import DECLARED

_PLACE = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>[^()]*\)")


@dataclass(frozen=True, slots=True)
class Route:
    """A pattern of the URL configuration; `name` is the pattern itself where it has none."""

    name: str
    pattern: str
    view: Any

    @property
    def parameters(self) -> list[str]:
        return declared_parameters(self.view)

    @property
    def area(self) -> str:
        """The first part of the address: "api", "admin", "account", "moderation", or "" for the rest."""
        first = self.pattern.partition("/")[0]
        return first if first in {"api", "admin", "account", "moderation"} else ""

    def path(self, values: dict[str, Any]) -> str:
        """An address of this route; raises KeyError for a part that `values` lack."""
        filled = _PLACE.sub(lambda match: str(values[match[1] or match[2]]), self.pattern)
        if "sitemap-(" in filled:
            return "/sitemap-results-1.xml"
        return "/" + filled.replace("^", "").replace("$", "").replace("\\", "")


def declared_parameters(view: Any) -> list[str]:
    """The GET parameters that a page or an endpoint of the API says it takes; none where it says nothing."""
    if hasattr(view, DECLARED):
        return sorted(getattr(view, DECLARED).names)
    known = getattr(getattr(view, "cls", None), "known_parameters", None)
    return sorted(known(view.cls())) if known else []


def every_route() -> list[Route]:
    return list(_walk(get_resolver(), "", ""))


def _walk(resolver: Any, prefix: str, namespace: str) -> Iterator[Route]:
    for entry in resolver.url_patterns:
        pattern = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            inner = f"{namespace}{entry.namespace}:" if entry.namespace else namespace
            yield from _walk(entry, pattern, inner)
        else:
            name = f"{namespace}{entry.name}" if entry.name else pattern
            yield Route(name, pattern, entry.callback)
