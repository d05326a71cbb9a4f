"""The API's documentation page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from results.public import public_page


@require_GET
@public_page
def api_docs(request: HttpRequest) -> HttpResponse:
    return render(request, "results/api_docs.html", {"schema_url": reverse("api-schema"), "nav": "api"})
