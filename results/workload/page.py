"""Rank devices for a workload: a mix of block sizes, and the devices in its order."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from parsers.base.device_class import DeviceClass
from results.advice.mix import EXAMPLE, KIB, MIX_SIZES, MixError, parse_mix, size_name, write_mix
from results.core.addresses import PAGE_SIZE, address, with_query
from results.core.formats import format_count, format_number
from results.core.forms import canonical_redirect, faults, field_rows
from results.core.head import page_social
from results.core.public import public_page
from results.models import DeviceRanking
from results.models.choices import DEVICE_CLASSES, METHOD_LABELS, ONLY_PROTECTED, PLP_LABELS, Board
from results.models.fields import SLOT_OF_BLOCK_SIZE
from results.ranking.boards import ClassBoard, ends_of
from results.ranking.leaders import ROW_FIELDS, row_span
from results.ranking.rows import DEVICE_COLUMNS, device_cells
from results.ranking.ties import find_places, format_places
from results.workload.query import only_protected, rank_by_mix

TITLE = "Rank for your workload"
DESCRIPTION = (
    "Weight the block sizes of your sync writes, and see which measured drive writes your mix fastest."
)
EXAMPLES = (
    ("Small writes only", "4k:1"),
    ("Mostly small, some large", EXAMPLE),
    ("All sizes alike", ",".join(f"{size_name(size)}:1" for size in MIX_SIZES)),
    ("Large writes only", "128k:1"),
)


class WorkloadForm(forms.Form):
    """A mix, and the devices to compare."""

    mix = forms.CharField(label="Mix", required=False)
    plp = forms.ChoiceField(
        label="Protection",
        choices=[("", "Any"), (ONLY_PROTECTED, PLP_LABELS[ONLY_PROTECTED])],
        required=False,
    )

    def clean_mix(self) -> dict[int, float]:
        if not self.cleaned_data["mix"]:
            return {}
        try:
            return parse_mix(self.cleaned_data["mix"])
        except MixError as error:
            raise forms.ValidationError(str(error)) from None


WorkloadForm.base_fields["class"] = forms.ChoiceField(
    label="Class", choices=[("", "All classes"), *DEVICE_CLASSES.items()], required=False
)
HINTS = {"mix": ("", f"size and weight, like {EXAMPLE}")}


@public_page(WorkloadForm)
def workload(request: HttpRequest) -> HttpResponse:
    moved = canonical_redirect(request, WorkloadForm)
    if moved is not None:
        return moved
    form = WorkloadForm(request.GET)
    is_valid = form.is_valid()
    weights = form.cleaned_data.get("mix") or {}
    written = write_mix(weights)
    if is_valid and weights and written != request.GET["mix"]:
        return redirect(with_query(request.path, **{**request.GET.dict(), "mix": written}))
    context = {
        "fields": field_rows(form, HINTS),
        "faults": faults(form),
        "examples": [
            {"label": label, "mix": mix, "url": with_query(address("workload"), mix=mix)}
            for label, mix in EXAMPLES
        ],
        **page_social(TITLE, DESCRIPTION, address("workload")),
    }
    if is_valid and weights:
        data = form.cleaned_data
        found = rank_by_mix(weights)
        if data["class"]:
            found = found.filter(device_class=data["class"])
        context |= _ranked(only_protected(found) if data["plp"] else found, weights, data["class"])
        context["api_url"] = with_query(
            address("api-workload"), mix=written, plp=data["plp"], **{"class": data["class"]}
        )
    return render(request, "results/workload/page.html", context, status=200 if is_valid else 400)


def _ranked(
    found: QuerySet[DeviceRanking], weights: Mapping[int, float], device_class: str
) -> dict[str, Any]:
    """The first devices with their latencies at each size, and their places on the board."""
    names = [f"device__{name}" for name in DEVICE_COLUMNS]
    rows = list(found.values("mix_us", "median_us", *ROW_FIELDS, *names)[:PAGE_SIZE])
    places = find_places(ends_of(ClassBoard(Board.ZIL, device_class)), map(row_span, rows))
    total = sum(weights.values())
    return {
        "shares": [
            {"size": _size(size), "share": f"{100 * weight / total:.3g} %"}
            for size, weight in weights.items()
        ],
        "count": format_count(found.count(), "device"),
        "is_cut": len(rows) == PAGE_SIZE,
        "class_label": DeviceClass(device_class).label if device_class else "",
        "rows": [
            {
                **device_cells({name: row[f"device__{name}"] for name in DEVICE_COLUMNS}),
                "number": number,
                "mix": format_number(row["mix_us"]),
                "latencies": [
                    {"size": _size(size), "value": format_number(row["median_us"][SLOT_OF_BLOCK_SIZE[size]])}
                    for size in weights
                ],
                "method": METHOD_LABELS[row["method"]],
                "places": format_places(place),
            }
            for number, (row, place) in enumerate(zip(rows, places, strict=True), start=1)
        ],
    }


def _size(block_size: int) -> str:
    return f"{block_size // KIB} KiB"
