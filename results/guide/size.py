"""The calculator of how big a SLOG must be, from link speed and memory."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from results.advice.link import LINKS, Link
from results.advice.log_size import (
    DIRTY_MOST_BYTES,
    FEWEST_GROUPS,
    GIGA,
    MOST_GROUPS,
    SECONDS_A_GROUP,
    LogSize,
    log_size,
)
from results.core.formats import format_capacity
from results.core.forms import NumberField, canonical_redirect, faults, field_rows
from results.core.public import public_page
from results.guide.page import guide_context

HINTS = {
    "link": ("Gbit/s", "the total of all links that carry synchronous writes"),
    "seconds": ("s", "zfs_txg_timeout; 5 unless you changed it"),
    "memory": ("GiB", "optional; limits how much unwritten data ZFS holds"),
}


class SizeForm(forms.Form):
    """Link speed, seconds per transaction group, and the machine's memory."""

    link = NumberField("Link speed", most=1600, least="0.01", required=True)
    seconds = NumberField("Transaction group", most=600, least="1")
    memory = NumberField("Memory", most=65_536, least="0.5")


@public_page(SizeForm)
def guide_size(request: HttpRequest) -> HttpResponse:
    moved = canonical_redirect(request, SizeForm)
    if moved is not None:
        return moved
    form = SizeForm(request.GET) if request.GET else SizeForm(initial={"link": "10", "seconds": "5"})
    status = 400 if form.is_bound and not form.is_valid() else 200
    context = {
        **guide_context("how-big"),
        "fields": field_rows(form, HINTS),
        "faults": faults(form),
        "answer": _answer(form.cleaned_data) if form.is_bound and status == 200 else None,
        "usual_limit": format_capacity(DIRTY_MOST_BYTES),
        "table": [_table_row(link) for link in LINKS],
    }
    return render(request, "results/guide/how-big.html", context, status=status)


def _answer(data: dict[str, Any]) -> dict[str, Any]:
    seconds = data["seconds"] or SECONDS_A_GROUP
    size = log_size(data["link"], seconds=seconds, memory_gib=data["memory"])
    return {
        **_shown(size),
        "needed": format_capacity(size.needed),
        "link": f"{data['link'].normalize():f}",
        "seconds": f"{seconds.normalize():f}",
        "is_above_usual": size.memory_limit is None and size.high > DIRTY_MOST_BYTES,
        "groups": f"{FEWEST_GROUPS} to {MOST_GROUPS}",
        "memory": "" if data["memory"] is None else f"{data['memory'].normalize():f}",
        "memory_limit": format_capacity(size.memory_limit),
        "is_memory_narrower": size.memory_limit is not None and size.memory_limit < size.high,
    }


def _shown(size: LogSize) -> dict[str, str]:
    return {
        "second": format_capacity(size.second),
        "low": format_capacity(size.low),
        "high": format_capacity(size.high),
    }


def _table_row(link: Link) -> dict[str, str]:
    """A table row, all sizes in the unit of the heading: GB, as vendors count them."""
    size = log_size(link.gbit_s, seconds=SECONDS_A_GROUP)
    sizes = {"second": size.second, "low": size.low, "high": size.high}
    return {"link": str(link.gbit_s), **{name: f"{float(value) / GIGA:.3g}" for name, value in sizes.items()}}
