"""Rank devices for a workload: a mix of block sizes, and the devices in its order."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from results.advice.mix import EXAMPLE, MIX_SIZES, MixError, parse_mix, size_name, write_mix
from results.core.addresses import PAGE_SIZE, address, with_query
from results.core.forms import canonical_redirect, faults, field_rows
from results.core.head import Social
from results.core.public import public_page
from results.core.subject import DEVICE_COLUMNS, ListedDevice
from results.models import DeviceRanking
from results.models.choices import DEVICE_CLASSES, METHOD_LABELS, ONLY_PROTECTED, PLP_LABELS, Board
from results.models.device import of_device
from results.models.fields import SLOT_OF_BLOCK_SIZE
from results.ranking.boards import ClassBoard, ends_of
from results.ranking.leaders import ROW_FIELDS, row_span
from results.ranking.ties import Place, find_places
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
    context: dict[str, Any] = {
        "fields": field_rows(form, HINTS),
        "faults": faults(form),
        "examples": EXAMPLES,
        "social": Social(TITLE, DESCRIPTION, address("workload")),
    }
    if is_valid and weights:
        data, total = form.cleaned_data, sum(weights.values())
        found = rank_by_mix(weights)
        if data["class"]:
            found = found.filter(device_class=data["class"])
        if data["plp"]:
            found = only_protected(found)
        rows = _rows(found, weights, data["class"])
        context |= {
            "shares": [(size, weight / total) for size, weight in weights.items()],
            "count": found.count(),
            "is_cut": len(rows) == PAGE_SIZE,
            "class_label": DEVICE_CLASSES.get(data["class"], ""),
            "rows": rows,
            "api_url": with_query(
                address("api-workload"), mix=written, plp=data["plp"], **{"class": data["class"]}
            ),
        }
    return render(request, "results/workload/page.html", context, status=200 if is_valid else 400)


class MixRow(NamedTuple):
    """A device in the order of a mix: its mean, its latency at each size, and its place on the board."""

    device: ListedDevice
    mix_us: float
    latencies: Sequence[tuple[int, float]]
    method: str
    place: Place


def _rows(found: QuerySet[DeviceRanking], weights: Mapping[int, float], device_class: str) -> list[MixRow]:
    """The first devices."""
    names = of_device(*DEVICE_COLUMNS)
    rows = list(found.values("mix_us", "median_us", *ROW_FIELDS, *names)[:PAGE_SIZE])
    places = find_places(ends_of(ClassBoard(Board.ZIL, device_class)), map(row_span, rows))
    return [
        MixRow(
            ListedDevice(*(row[name] for name in names)),
            row["mix_us"],
            [(size, row["median_us"][SLOT_OF_BLOCK_SIZE[size]]) for size in weights],
            METHOD_LABELS[row["method"]],
            place,
        )
        for row, place in zip(rows, places, strict=True)
    ]
