"""Pages for what went wrong that Django's own handlers don't cover."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form was sent without the cookie that belongs to it."""
    return render(request, "403.html", {"reason": reason}, status=403)
