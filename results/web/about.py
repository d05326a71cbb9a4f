"""What the numbers mean, how to run the test, and how places are made."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from results.presentation import format_date
from results.public import public_page
from results.ranking.score import FORMULA_CHANGES, FORMULA_VERSION


@require_GET
@public_page
def about(request: HttpRequest) -> HttpResponse:
    changes = [
        {"version": change.version, "date": format_date(change.made_on), "text": change.text}
        for change in reversed(FORMULA_CHANGES)
    ]
    formula = {"version": FORMULA_VERSION, "changes": changes}
    return render(request, "results/about.html", {"formula": formula, "nav": "about"})
