"""The calculator of how big a SLOG must be, from link speed, memory and tuned limits."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse

from results.advice.link import LINKS
from results.advice.log_size import SECONDS_A_GROUP, LogSize, log_size
from results.core.forms import NumberField, canonical_redirect, faults, field_rows
from results.core.public import public_page
from results.guide.page import render_guide

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
    if moved := canonical_redirect(request, SizeForm):
        return moved
    form = SizeForm(request.GET) if request.GET else SizeForm(initial={"link": "10", "seconds": "5"})
    status = 400 if form.is_bound and not form.is_valid() else 200
    more = {
        "fields": field_rows(form, HINTS),
        "faults": faults(form),
        "answer": _answer(form.cleaned_data) if form.is_bound and status == 200 else None,
        "table": [(link, log_size(link.gbit_s)) for link in LINKS],
    }
    return render_guide(request, "how-big", more, status=status)


@dataclass(frozen=True, slots=True)
class SizeAnswer:
    """A link in Gbit/s, the seconds of a transaction group, and what the log has to hold."""

    link: Decimal
    seconds: Decimal
    size: LogSize


def _answer(data: dict[str, Any]) -> SizeAnswer:
    seconds = data["seconds"] or SECONDS_A_GROUP
    limits = {f"{name}_gib": data[name] for name in ("memory", "dirty", "wrlog")}
    return SizeAnswer(data["link"], seconds, log_size(data["link"], seconds=seconds, **limits))
