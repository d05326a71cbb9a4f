"""The GET parameters of a page: those that its view declares, each once and with a value.

An address with others, with a repeated or an empty one is redirected to the address without them, so that nothing is
rendered under two addresses that differ only in that; so is one with a NUL, which PostgreSQL refuses in texts. The
redirect is temporary (302): browsers remember a permanent one, and a later version may give the parameter a meaning.
Images, like the API (results.api.views), refuse what they don't know.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec

from django import forms
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseBase,
    HttpResponseRedirect,
    QueryDict,
)

from results.core.addresses import with_query

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]
Source = str | type[forms.Form]

MAX_DIGITS = 9
# Attributes of views that declare their parameters, which decorators pass on
DECLARED, IN_SITEMAP = "parameters", "in_sitemap"
IMAGES = (".svg", ".png")  # how their paths end


def parse_whole_number(text: str, *, max_digits: int = MAX_DIGITS) -> int | None:
    """The number in plain digits; None for any other text, and for more digits than anybody means."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= max_digits else None


@dataclass(frozen=True, slots=True)
class Parameters:
    """Names of parameters: of all, and of those that may be repeated, whose values are joined by commas."""

    names: frozenset[str]
    plural: frozenset[str]

    def canonical(self, given: QueryDict) -> dict[str, str]:
        """The declared parameters with their values: as in Django, the last one of a name, unless it is plural."""
        values = {
            name: str(given[name]).replace("\0", "") for name in given if name in self.names - self.plural
        }
        for name in self.plural.intersection(given):
            parts = (part for text in given.getlist(name) for part in text.replace("\0", "").split(","))
            values[name] = ",".join(dict.fromkeys(filter(None, parts)))
        return {name: values[name] for name in given if values.get(name)}


def parameters_of(*sources: Source) -> Parameters:
    """The parameters of these names and of the fields of these forms; a field with several values may be repeated."""
    fields: dict[str, forms.Field | None] = {}
    for source in sources:
        fields |= {source: None} if isinstance(source, str) else source.base_fields
    several = (name for name, field in fields.items() if isinstance(field, forms.MultipleChoiceField))
    return Parameters(frozenset(fields), frozenset(several))


def takes(*sources: Source, in_sitemap: bool = False) -> Callable[[View[P]], View[P]]:
    """Declare the parameters of a view, as names or as forms whose fields they are; it is called with no others.

    `in_sitemap` lists its address, which has no arguments, in the sitemap.
    """
    declared = parameters_of(*sources)

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def clean(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if request.method in {"GET", "HEAD"} and request.META.get("QUERY_STRING"):
                found = declared.canonical(request.GET)
                if request.path.endswith(IMAGES) and not declared.names.issuperset(request.GET):
                    return _refused(declared)
                if dict(request.GET.lists()) != {name: [value] for name, value in found.items()}:
                    # scripts of other sites can follow it, as they can read feeds, images and oEmbed
                    headers = {"Access-Control-Allow-Origin": "*"}
                    return HttpResponseRedirect(with_query(request.path, **found), headers=headers)
            return view(request, *args, **kwargs)

        setattr(clean, DECLARED, declared)
        setattr(clean, IN_SITEMAP, in_sitemap)
        return clean

    return decorate


def _refused(declared: Parameters) -> HttpResponse:
    names = ", ".join(sorted(declared.names)) or "no parameters"
    return HttpResponseBadRequest(f"This image takes {names}.\n", content_type="text/plain; charset=utf-8")
