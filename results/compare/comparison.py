"""What comparisons of results share: their form, how results are found, and what a page shows and shares."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from results.charts.options import BadParameterError
from results.core.head import Shared, Social
from results.models import Result
from results.models.result import no_such_result


def cleaned(form: forms.Form) -> dict[str, Any]:
    """What a form states; raises BadParameterError with its first error."""
    if form.is_valid():
        return form.cleaned_data
    name, errors = next(iter(form.errors.items()))
    raise BadParameterError(name, str(errors[0]))


def find_results(ids: Sequence[str], *related: str) -> list[Result]:
    """The published results with these public ids, in their order. One query; raises Http404 for an unknown one."""
    rows = Result.objects.published().select_related(*related).named(ids).defer("submission__text")
    found = {result.public_id: result for result in rows}
    for public_id in ids:
        if public_id not in found:
            raise no_such_result(public_id)
    return [found[public_id] for public_id in ids]


def render_shared(
    request: HttpRequest,
    template: str,
    shared: Shared,
    *,
    preview_path: str = "",
    has_oembed: bool = False,
    **context: Any,
) -> HttpResponse:
    """A page with what may be shared of it; `preview_path` is that of its picture for link previews."""
    social = Social(shared.name, shared.summary, shared.path, preview_path, has_oembed)
    return render(request, template, {**context, "share": shared.ways, "social": social})
