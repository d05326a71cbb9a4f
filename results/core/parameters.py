"""The GET parameters of a page: those that its view declares, each once and with a value.

An address with others, with a repeated or an empty one is redirected to the address without them, so that nothing is
rendered under two addresses that differ only in that. The redirect is temporary (302): browsers remember a permanent
one, and a later version may give the parameter a meaning. Images, like the API (results.api.views), refuse what they
don't know.
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

DECLARED = "parameters"  # an attribute of views that declare theirs, which decorators pass on
IMAGES = (".svg", ".png")  # how their paths end


@dataclass(frozen=True, slots=True)
class Parameters:
    """Names of parameters: of all, and of those that may be repeated, whose values are joined by commas."""

    names: frozenset[str]
    plural: frozenset[str]

    def canonical(self, given: QueryDict) -> dict[str, str]:
        """The declared parameters with their values: as in Django, the last one of a name, unless it is plural."""
        values = {name: str(given[name]) for name in given if name in self.names - self.plural}
        for name in self.plural.intersection(given):
            parts = (part for text in given.getlist(name) for part in text.split(","))
            values[name] = ",".join(dict.fromkeys(filter(None, parts)))
        return {name: values[name] for name in given if values.get(name)}


def parameters_of(*sources: Source) -> Parameters:
    """The parameters of these names and of the fields of these forms; a field with several values may be repeated."""
    fields: dict[str, forms.Field | None] = {}
    for source in sources:
        fields |= {source: None} if isinstance(source, str) else source.base_fields
    several = (name for name, field in fields.items() if isinstance(field, forms.MultipleChoiceField))
    return Parameters(frozenset(fields), frozenset(several))


def takes(*sources: Source) -> Callable[[View[P]], View[P]]:
    """Declare the parameters of a view, as names or as forms whose fields they are; it is called with no others."""
    declared = parameters_of(*sources)

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def clean(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if request.method in {"GET", "HEAD"} and request.META.get("QUERY_STRING"):
                found = declared.canonical(request.GET)
                if request.path.endswith(IMAGES) and not declared.names.issuperset(request.GET):
                    return _refused(declared)
                if dict(request.GET.lists()) != {name: [value] for name, value in found.items()}:
                    return _moved(request, found)
            return view(request, *args, **kwargs)

        setattr(clean, DECLARED, declared)
        return clean

    return decorate


def _refused(declared: Parameters) -> HttpResponse:
    names = ", ".join(sorted(declared.names)) or "no parameters"
    return HttpResponseBadRequest(f"This image takes {names}.\n", content_type="text/plain; charset=utf-8")


def _moved(request: HttpRequest, found: dict[str, str]) -> HttpResponse:
    """A redirect that scripts of other sites can follow, as they can read feeds, images and oEmbed."""
    target = with_query(request.path, **found)
    return HttpResponseRedirect(target, headers={"Access-Control-Allow-Origin": "*"})
