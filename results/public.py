"""Public pages: the same for everyone, so that one copy serves all until the data changes."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse

from slogdb.page_cache import MARK

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]

# Every parameter that some public page or API list reads; the page cache knows pages apart by no other.
PARAMETERS = frozenset({"class", "cursor", "device", "firmware", "method", "page", "protected", "q", "sort"})


def public_page(view: View[P]) -> View[P]:
    """Mark what `view` finds as public: it must read nothing but the URL and the data."""

    @wraps(view)
    def marked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if response.status_code == 200 and request.method in {"GET", "HEAD"}:
            response[MARK] = "1"
        return response

    return marked
