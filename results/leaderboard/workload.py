"""Rank devices for a workload: a mix of block sizes, and the devices in its order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from results.advice.mix import EXAMPLE, MIX_SIZES, parse_mix, size_name, write_mix
from results.catalogue.facets import FACETS, filter_by_facets
from results.catalogue.product_facts import RANKINGS
from results.core.addresses import address, with_query
from results.core.forms import CheckedField, canonical_redirect, faults, field_rows
from results.core.head import Social
from results.core.paging import PAGE_SIZE
from results.core.public import public_page
from results.leaderboard.query import ListedRow, rank_by_mix, ranked_rows
from results.models.choices import DEVICE_CLASSES, METHOD_LABELS, ONLY_PROTECTED, Board
from results.models.fields import SLOT_OF_BLOCK_SIZE
from results.ranking.boards import ClassBoard, ends_of
from results.ranking.leaders import FIELDS_WITH_CURVE
from results.ranking.rows import tie_groups

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


# Facets that filter the list, with the options offered on the page and in the API
OPTIONS = {
    "plp": {ONLY_PROTECTED: FACETS["plp"].options[ONLY_PROTECTED]},
    "class": FACETS["class"].options,
}


class WorkloadForm(forms.Form):
    """A mix, and the devices to compare."""

    mix = CheckedField(lambda text: parse_mix(text) if text else {}, label="Mix")


WorkloadForm.base_fields |= {
    key: forms.ChoiceField(label=label, choices=[("", unset), *OPTIONS[key].items()], required=False)
    for key, label, unset in (("plp", "Protection", "Any"), ("class", "Class", "All classes"))
}
HINTS = {"mix": ("", f"size and weight, like {EXAMPLE}")}


@public_page(WorkloadForm)
def workload(request: HttpRequest) -> HttpResponse:
    if moved := canonical_redirect(request, WorkloadForm):
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
        chosen = {key: form.cleaned_data[key] for key in OPTIONS}
        listed = {key: [value] for key, value in chosen.items() if value}
        found = filter_by_facets(rank_by_mix(weights), listed, RANKINGS)
        ends = ends_of(ClassBoard(Board.ZIL, chosen["class"]))
        placed = ranked_rows(found[:PAGE_SIZE], "mix_us", *FIELDS_WITH_CURVE, ends=ends)
        total, count = sum(weights.values()), found.count()
        context |= {
            "shares": [(size, weight / total) for size, weight in weights.items()],
            "count": count,
            "is_cut": count > PAGE_SIZE,
            "class_label": DEVICE_CLASSES.get(chosen["class"], ""),
            "groups": tie_groups([MixRow(row, mix_latencies(row, weights)) for row in placed], by_rank=False),
            "page_size": PAGE_SIZE,
            "api_url": with_query(address("api-workload"), mix=written, **chosen),
            "csv_url": with_query(address("workload-csv"), mix=written, **chosen),
        }
    return render(request, "results/leaderboard/workload.html", context, status=200 if is_valid else 400)


@dataclass(frozen=True, slots=True)
class MixRow(ListedRow):
    """A device in the order of a mix: its mean and its place on the board `zil`, and its latency at each size."""

    latencies: Sequence[tuple[int, float]]

    @property
    def method(self) -> str:
        return METHOD_LABELS[self.row["method"]]


def mix_latencies(row: Mapping[str, Any], sizes: Iterable[int]) -> list[tuple[int, float]]:
    """The latency at each of these block sizes, in µs."""
    return [(size, row["median_us"][SLOT_OF_BLOCK_SIZE[size]]) for size in sizes]
