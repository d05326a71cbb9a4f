"""The page that compares up to six grids of pools, and shows what an article says about one whose charts are gone."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe

from results.charts.options import BadParameterError
from results.compare.grids import GridComparison, GridsForm, find_grids, newest_grids
from results.compare.pairs import DifferentKindsError
from results.core.addresses import address, with_query
from results.core.formats import NOT_STATED, format_number, format_times
from results.core.head import Shared, Social
from results.core.public import public_page
from results.core.subject import subject_of
from results.kinds.dates import date_of_result
from results.kinds.file_grid.charts import Drawn, at_label, band_note, grid_chart, legend
from results.kinds.file_grid.commands import ARTICLE_COMMAND
from results.kinds.file_grid.comparison import MOST_GRIDS, ComparedOperation
from results.kinds.file_grid.grid import RECORD, file_label
from results.kinds.file_grid.operations import OPERATIONS
from results.kinds.file_grid.remarks import (
    CONDITIONS,
    LAYOUTS,
    PUBLISHED_ON,
    RECORD_SIZES,
    SOURCE_URL,
    TITLE,
    Remark,
    read_remarks,
)
from results.kinds.file_grid.words import RETEST_NOTE, partial_records
from results.models import Result

SHOWN_NEWEST = 12
DESCRIPTION = "iozone’s rates by operation and record size, for up to six pool layouts side by side."


@public_page(GridsForm)
def compare_grids_page(request: HttpRequest) -> HttpResponse:
    form = GridsForm(request.GET)
    if not form.is_valid():
        name, errors = next(iter(form.errors.items()))
        raise BadParameterError(name, str(errors[0]))
    ids, chosen = form.cleaned_data["results"], form.cleaned_data["operation"]
    context: dict[str, Any] = {
        "ids": ids,
        "given": " ".join(ids),
        "most": MOST_GRIDS,
        "newest": [_offer(one, ids) for one in newest_grids(SHOWN_NEWEST) if one.public_id not in ids],
    }
    if ids:
        found = comparison_of(ids, form.cleaned_data["baseline"], chosen)
        context |= _comparison(found, chosen)
        title = f"{len(ids)} iozone grids compared" if len(ids) > 1 else "One iozone grid"
    else:
        context |= {"article": _article(), "choices": []}
        title = "Compare iozone grids"
    url = _url(ids, operation=chosen)
    context |= {
        "title": title,
        "share": Shared(title, DESCRIPTION, url).ways if len(ids) > 1 else None,
        "social": Social(title, DESCRIPTION, url),
    }
    return render(request, "results/compare/grids.html", context)


def comparison_of(ids: Sequence[str], baseline: str, operation: str) -> GridComparison:
    """Find the grids; raises Http404 and BadParameterError with a message."""
    try:
        return find_grids(ids, baseline=baseline, operation=operation)
    except DifferentKindsError as error:
        raise BadParameterError("results", "Only iozone grids can be compared here.") from error


def _comparison(found: GridComparison, chosen: str) -> dict[str, Any]:
    ids = [one.public_id for one in found.results]
    names = [
        f"{grid.letter}: {subject_of(one).name}" for grid, one in zip(found.grids, found.results, strict=True)
    ]
    base = ids[found.baseline]
    charts = [_chart(one, names) for one in found.operations]
    runs = {grid.payload["runs"] for grid in found.grids}
    return {
        "grids": [
            {
                "letter": grid.letter,
                "name": subject_of(one).name,
                "url": one.get_absolute_url(),
                "is_baseline": at == found.baseline,
                "baseline_url": _url(ids, one.public_id, chosen),
                "without_url": _url(
                    [other for other in ids if other != one.public_id],
                    base if base != one.public_id else "",
                    chosen,
                ),
                "notes": list(partial_records(grid.payload)),
            }
            for at, (grid, one) in enumerate(zip(found.grids, found.results, strict=True))
        ],
        "choices": [
            {
                "label": label,
                "url": _url(ids, base, name),
                "is_current": name == chosen,
            }
            for name, label in {"": "All operations", **OPERATIONS}.items()
        ],
        "operations": charts,
        "legend": legend(list(enumerate(names, 1))),
        "band": band_note(runs.pop() if len(runs) == 1 else 1),
        "retest": RETEST_NOTE if any(one["has_retest"] for one in charts) else "",
        "conditions": [
            {**one, "values": [value or NOT_STATED for value in one["values"]]} for one in found.conditions
        ],
        "letters": [one.letter for one in found.grids],
        "baseline_letter": found.grids[found.baseline].letter,
        "is_several": len(found.grids) > 1,
    }


def _url(ids: Sequence[str], baseline: str = "", operation: str = "") -> str:
    return with_query(address("compare-grids"), results=",".join(ids), baseline=baseline, operation=operation)


def _chart(one: ComparedOperation, names: Sequence[str]) -> dict[str, Any]:
    drawn = [Drawn(style, names[style - 1], line) for style, line in enumerate(one.lines, 1) if line]
    label = OPERATIONS[one.operation]
    svg = grid_chart(drawn, one.axis, title=f"{label} in MiB/s, one line per grid")
    return {
        "key": one.operation,
        "label": label,
        "svg": mark_safe(svg),  # noqa: S308 - grid_chart escapes every text that it writes
        "sentences": one.sentences,
        "at": "Record" if one.axis == RECORD else "Processes",
        "has_retest": any(any(row.needs_retest) for row in one.rows),
        "files": [
            f"{names[style - 1].partition(':')[0]}: {file_label(line, one.axis)}"
            f"{', fits in memory' if line.is_in_memory else ''}"
            for style, line in enumerate(one.lines, 1)
            if line
        ],
        "rows": [
            {
                "at": at_label(row.at, one.axis),
                "cells": [
                    {
                        "value": format_number(value),
                        "ratio": format_times(ratio) if ratio is not None else "",
                        "needs_retest": needs_retest,
                    }
                    for value, ratio, needs_retest in zip(
                        row.mib_s, row.ratios, row.needs_retest, strict=True
                    )
                ],
            }
            for row in one.rows
        ],
    }


def _offer(one: Result, ids: Sequence[str]) -> dict[str, Any]:
    return {
        "name": subject_of(one).name,
        "url": one.get_absolute_url(),
        "public_id": one.public_id,
        "date": date_of_result(one),
        "add_url": _url([*ids, one.public_id]) if len(ids) < MOST_GRIDS else "",
    }


def _article() -> dict[str, Any]:
    """The empty grid: an operation a row, a record size a column, with what the article says in words."""
    remarks = read_remarks()
    operations = dict.fromkeys(one.operation for one in remarks)
    return {
        "title": TITLE,
        "url": SOURCE_URL,
        "published_on": PUBLISHED_ON,
        "layouts": LAYOUTS,
        "conditions": [{"label": label, "value": value} for label, value in CONDITIONS.items()],
        "command": ARTICLE_COMMAND,
        "operations": [
            {
                "label": OPERATIONS[name],
                "remarks": [_remark(one) for one in remarks if one.operation == name],
            }
            for name in operations
        ],
        "sizes": RECORD_SIZES,
    }


def _remark(one: Remark) -> Mapping[str, Any]:
    about = ", ".join(filter(None, [one.record_size, one.layout]))
    return {
        "about": about[:1].upper() + about[1:] or "All sizes and layouts",
        "figure": one.figure,
        "remark": one.remark,
        "is_doubted": one.is_doubted,
    }
