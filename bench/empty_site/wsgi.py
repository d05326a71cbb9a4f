"""The floor of the stack: Django with the site's middleware and an empty view."""

import os

from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bench.empty_site.settings")


def empty(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - a view gets its request
    return HttpResponse(b"ok")


urlpatterns = [path("", empty)]
application = get_wsgi_application()
