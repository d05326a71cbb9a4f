"""Public pages: the same for everyone, so that one copy serves all until the data changes."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse

from slogdb.page_cache import MARK, VERSION
from slogdb.replica import ReplicaUnfitError, is_configured, snapshot

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]

# Every parameter that some public page or API list reads; the page cache knows pages apart by no other.
_FILTERS = {"capacity", "form", "interface", "min_units", "plp", "segment", "vendor", "view"}
_LISTS = _FILTERS | {"class", "cursor", "device", "firmware", "method", "page", "protected", "q", "sort"}
_CHARTS = {"chart", "hide", "scale", "sizes", "theme"}
_COMPARISON = {"add", "baseline", "devices", "only"}
_CALCULATORS = {"link", "seconds", "memory", "written", "product", "tbw", "dwpd", "capacity", "years"}
_QUESTIONS = {"sync", "without", "loss", "pool"}
_COMMANDS = {"disk", "sure", "system"}
_API = {"fields", "id", "plp", "segment"}
_EMBEDS = {"format", "maxheight", "maxwidth", "url"}
PARAMETERS = frozenset(
    _CALCULATORS | _QUESTIONS | _EMBEDS | _API | _COMMANDS | _LISTS | _CHARTS | _COMPARISON
)
IS_PUBLIC = "is_public"  # an attribute of such a view, which decorators around it pass on


def public_page(view: View[P]) -> View[P]:
    """Mark what `view` finds as public: it must read nothing but the URL and the data.

    Where there is a replica it is read from there, unless the replica is behind what the page cache knows of. What
    the replica does not have is looked for in the primary: who has just published something may be faster than it.
    """

    @wraps(view)
    def marked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if request.method not in {"GET", "HEAD"}:
            return view(request, *args, **kwargs)
        response = _from_replica(request, lambda: view(request, *args, **kwargs)) if is_configured() else None
        if response is None:
            response = view(request, *args, **kwargs)
        if response.status_code == 200:
            response[MARK] = "1"
        return response

    setattr(marked, IS_PUBLIC, True)
    return marked


def _from_replica(request: HttpRequest, make: Callable[[], HttpResponse]) -> HttpResponse | None:
    """The page as the replica has it; None where the primary is to be asked."""
    try:
        with snapshot(wanted=request.META.get(VERSION)):
            response = make()
    except (ReplicaUnfitError, Http404):
        return None
    return None if response.status_code == 404 else response
