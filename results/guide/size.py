"""The calculator of how big a SLOG must be, from link speed, memory and tuned limits."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from results.advice.link import LINKS, Link
from results.advice.log_size import GIGA, SECONDS_A_GROUP, log_size
from results.core.formats import format_capacity, format_memory
from results.core.forms import NumberField, canonical_redirect, faults, field_rows
from results.core.public import public_page
from results.guide.page import guide_context

HINTS = {
    "link": ("Gbit/s", "the total of all links that carry synchronous writes"),
    "memory": ("GiB", "optional: with less than 40 GiB, ZFS holds less"),
    "seconds": ("s", "zfs_txg_timeout; 5 unless you changed it"),
    "dirty": ("GiB", "zfs_dirty_data_max, if you changed it"),
    "wrlog": ("GiB", "zfs_wrlog_data_max, if you changed it"),
}


class SizeForm(forms.Form):
    """Link speed, the machine's memory, and what was tuned."""

    link = NumberField("Link speed", most=1600, least="0.01", required=True)
    memory = NumberField("Memory", most=65_536, least="0.5")
    seconds = NumberField("Transaction group", most=600, least="1")
    dirty = NumberField("Unwritten data", most=65_536)
    wrlog = NumberField("Log data", most=65_536)


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
        "table": [_table_row(link) for link in LINKS],
    }
    return render(request, "results/guide/how-big.html", context, status=status)


def _answer(data: dict[str, Any]) -> dict[str, Any]:
    seconds = data["seconds"] or SECONDS_A_GROUP
    size = log_size(
        data["link"],
        seconds=seconds,
        memory_gib=data["memory"],
        dirty_gib=data["dirty"],
        wrlog_gib=data["wrlog"],
    )
    return {
        "needed": format_capacity(size.needed),
        "link": f"{data['link'].normalize():f}",
        "second": format_capacity(size.second),
        "seconds": f"{seconds.normalize():f}",
        "arriving": format_capacity(size.arriving),
        "data_limit": format_memory(size.data_limit),
        "space_limit": format_capacity(size.space_limit),
        "is_limited": size.arriving > size.space_limit,
    }


def _table_row(link: Link) -> dict[str, str]:
    """A table row, in the unit of the heading: GB, as vendors count them."""
    return {"link": str(link.gbit_s), "needed": f"{log_size(link.gbit_s).needed / GIGA:.3g}"}
