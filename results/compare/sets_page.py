"""The pages of comparison sets: the list, one of them, and their pictures."""

from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django import forms
from django.core.paginator import InvalidPage, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe

from results.charts.bars import Bar, Group, Plot, bar_plot, bars_image, style_of
from results.charts.cards import Labels, image_foot, png
from results.charts.options import BadParameterError
from results.charts.preview import Head, plots_preview
from results.core.addresses import address, pager, with_query
from results.core.formats import format_count, format_number, format_times
from results.core.forms import ResultIdsField
from results.core.head import Shared, Social
from results.core.public import public_page
from results.kinds.metric import Metric
from results.kinds.pool_io.found_sets import submissions_with_sets
from results.kinds.pool_io.models import NO_LOG
from results.kinds.pool_io.read import TIMED
from results.kinds.pool_io.sets import (
    ABOUT_EQUAL,
    LATENCY,
    P99,
    Arm,
    Cell,
    Compared,
    Comparison,
    Panel,
    RunSet,
    summary_of,
)
from results.kinds.pool_io.stored_sets import (
    CHOSEN,
    MOST_RUNS,
    FoundSet,
    find_chosen,
    find_set,
    find_sets,
)
from results.kinds.registry import method_label
from results.ranking.bands import SOURCE_URL

SETS_A_PAGE = 20
SHOWN_SENTENCES = 2  # of a set in the list
RAM_DISK = "RAM disk"  # in names of log devices
NO_SENTENCE = "No two of its runs differ only in the log device or the sync mode, so there is no ratio."


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A published arrangement whose figures nobody has published: what was measured, and in which arms."""

    slug: str
    title: str
    source_url: str
    source: str
    published: str
    meaning: str
    workloads: tuple[str, ...]
    arms: tuple[tuple[str, str], ...]  # with what each shows
    threads: str


TALK = Arrangement(
    slug="sdc-2018",
    title="Log devices compared by threads, as in a 2018 talk",
    source_url=SOURCE_URL,
    source="a talk by Nick Principe of iXsystems at the Storage Developer Conference 2018",
    published="2018",
    meaning="One pool: first with sync=standard, so that nothing waits for the log, then with sync=always and one "
    "log device after another, then without a log device. Every thread writes as fast as it can.",
    workloads=("random 4 KiB writes", "sequential 128 KiB writes"),
    arms=(
        ("Baseline: sync=standard", "The ZIL isn’t used: this is the ceiling."),
        ("sync=always, each log device", "Every write waits for the log device."),
        (
            "sync=always, no log device",
            "Every write waits for the data disks, which also store the data itself.",
        ),
    ),
    threads="Three different thread counts.",
)
ARRANGEMENTS = {TALK.slug: TALK}


class ChosenForm(forms.Form):
    """The ids of chosen results, separated by commas or blanks."""

    results = ResultIdsField(most=MOST_RUNS, noun="results make a set")


@public_page("page")
def sets(request: HttpRequest) -> HttpResponse:
    """All sets, newest first; on each page those with and without a log device before the others."""
    number = request.GET.get("page", "1")
    try:
        page = Paginator(submissions_with_sets().values_list("pk", flat=True), SETS_A_PAGE).page(number)
    except InvalidPage as error:
        raise Http404(f"There is no page {number[:20]}.") from error
    found = find_sets(list(page.object_list))
    rows = [_listed(found[pk]) for pk in page.object_list if pk in found]
    title = "Pools with and without a log device"
    context = {
        "sets": sorted(rows, key=lambda row: row["order"]),
        "count": page.paginator.count,
        "pager": pager(page),
        "arrangements": [
            {"title": one.title, "url": address("compare-set", one.slug), "published": one.published}
            for one in ARRANGEMENTS.values()
        ],
        "commands_url": f"{address('commands')}#pool",
        "social": Social(
            title, "How much a SLOG helped in real pools, by sync mode and threads.", address("compare-sets")
        ),
    }
    return render(request, "results/compare/sets.html", context)


class InShort(NamedTuple):
    """A set in a plain sentence, and where it is in the list: what shows how much a SLOG helps comes first."""

    order: int
    sentence: str


def in_short(runs: RunSet) -> InShort:
    compared = [one for panel in runs.panels for one in panel.comparisons if one.is_of_log]
    with_and_without = [one for one in compared if one.base.log == NO_LOG]
    sound = [one for one in with_and_without if not one.is_doubted]
    ratios = [at.ratio for one in sound if one.is_of_one_thing for at in one.at]
    if ratios:
        return InShort(int(max(ratios) < ABOUT_EQUAL), gain(min(ratios), max(ratios)))
    if with_and_without and not sound:
        return InShort(3, "One of the runs is doubtful, so this doesn’t show what the SLOG does.")
    if with_and_without:
        return InShort(2, "More than the log device differs, so it isn’t clear what the SLOG alone does.")
    if any(arm.log_name.startswith(RAM_DISK) for one in compared for arm in (one.base, one.other)):
        return InShort(4, "An experiment with a RAM disk, which loses everything in a power cut.")
    if compared:
        return InShort(3, "Log devices against each other; there is no run without one.")
    return InShort(4, "No comparison of a SLOG with none.")


def gain(least: float, most: float) -> str:
    if most < 1 / ABOUT_EQUAL:
        return "Writes were slower with the log device."
    if most < ABOUT_EQUAL:
        return (
            "The log device made no difference." if least > 1 / ABOUT_EQUAL else "The log device didn’t help."
        )
    slower = "" if least > 1 / ABOUT_EQUAL else ", but some were slower"
    return f"Writes were up to {format_times(most)} as fast with the log device{slower}."


def _listed(found: FoundSet) -> dict[str, Any]:
    sentences, short = found.runs.sentences, in_short(found.runs)
    return {
        "order": short.order,
        "in_short": short.sentence,
        "title": found.title,
        "url": address("compare-set", found.key),
        "sentences": sentences[:SHOWN_SENTENCES] or [NO_SENTENCE],
        "runs": format_count(len(found.results), "run"),
        "source": _host(found),
        "day": _day(found),
    }


@public_page(ChosenForm)
def compare_set(request: HttpRequest, public_id: str) -> HttpResponse:
    if public_id in ARRANGEMENTS:
        return _arrangement(request, ARRANGEMENTS[public_id])
    if public_id == CHOSEN and not request.GET.get("results", "").strip():
        social = Social(
            "Compare runs on pools",
            "Compare several runs on one pool side by side.",
            address("compare-set", CHOSEN),
        )
        return render(request, "results/compare/set_form.html", {"social": social})
    found = requested_set(request, public_id)
    return render(request, "results/compare/set.html", _context(found))


@public_page(ChosenForm)
def set_picture(request: HttpRequest, public_id: str) -> HttpResponse:
    """The charts of a set as PNG, for forums."""
    found = requested_set(request, public_id)
    panels = [panel for panel in found.runs.panels if _plots(panel, found)]
    if not panels:
        raise Http404("There is nothing to draw.")
    return HttpResponse(png(_image(found, panels[0])), content_type="image/png")


@public_page(ChosenForm)
def set_preview(request: HttpRequest, public_id: str) -> HttpResponse:
    """The card of a set: its first workload."""
    if public_id in ARRANGEMENTS:
        one = ARRANGEMENTS[public_id]
        return _card(Head(one.title, "Nobody has published these figures yet", foot=image_foot()), [], [])
    found = requested_set(request, public_id)
    head = Head(found.title, summary_of(found.runs), foot=image_foot())
    plots = next((drawn for panel in found.runs.panels if (drawn := _plots(panel, found))), [])
    return _card(head, plots, _names(found))


def requested_set(request: HttpRequest, public_id: str) -> FoundSet:
    """The set of a submission, or of the chosen results; raises Http404 and BadParameterError."""
    if public_id != CHOSEN:
        return find_set(public_id)
    form = ChosenForm({"results": request.GET.get("results", "").replace("\0", "")})
    if not form.is_valid():
        raise BadParameterError("results", str(form.errors["results"][0]))
    return find_chosen(form.cleaned_data["results"])


def set_url(found: FoundSet, name: str = "compare-set") -> str:
    path = address(name, found.key)
    if found.key != CHOSEN:
        return path
    return with_query(
        path, results=",".join([*(one.public_id for one in found.results), *found.missing, *found.others])
    )


def _card(head: Head, plots: list[Plot], names: list[tuple[int, str]]) -> HttpResponse:
    return HttpResponse(png(plots_preview(head, plots, names)), content_type="image/png")


def _context(found: FoundSet) -> dict[str, Any]:
    url, summary = set_url(found), summary_of(found.runs)
    is_drawn = any(_plots(panel, found) for panel in found.runs.panels)
    picture = set_url(found, "compare-set-picture") if is_drawn else ""
    return {
        "title": found.title,
        "sentences": found.runs.sentences,
        "problems": found.problems,
        "noise": _noise(found),
        "arms": [
            {"number": number, "style": style_of(number), "label": arm_label(arm, found)}
            for arm, number in found.runs.arm_numbers.items()
        ],
        "panels": [_panel(panel, found, at) for at, panel in enumerate(found.runs.panels, 1)],
        "pools": [
            {"url": one.get_absolute_url()}
            for one in {one.pool_id: one.pool for one in found.results if one.pool}.values()
        ],
        "sources": [_source(one) for one in found.submissions],
        "notes": [
            note["message"]
            for one in found.submissions
            for note in one.notices
            if note.get("code") == "source_note"
        ],
        "commands_url": f"{address('commands')}#pool",
        "share": Shared(found.title, summary, url, picture).ways,
        "social": Social(found.title, summary, url, set_url(found, "compare-set-preview")),
    }


def _source(one: Any) -> dict[str, str]:
    return {
        "url": one.source_url,
        "host": urlsplit(one.source_url).hostname or "",
        "quality": one.get_quality_display(),
        "day": one.posted_on.isoformat() if one.posted_on else "",
        "text_url": address("result", one.public_id),
    }


def _host(found: FoundSet) -> str:
    return next((urlsplit(one.source_url).hostname or "" for one in found.submissions if one.source_url), "")


def _day(found: FoundSet) -> str:
    one = found.submissions[0]
    day = one.posted_on or (None if one.survey_id else one.created_at.date())
    return day.isoformat() if day else ""


def _noise(found: FoundSet) -> str:
    factor = found.runs.noise_factor
    return (
        ""
        if factor is None
        else f"Nine in ten pairs of repeated runs in this set differ by less than {format_times(factor)}."
    )


def arm_label(arm: Arm, found: FoundSet) -> str:
    """The label of an arm; of several pools with the number of its pool."""
    label = f"{arm.label[:1].upper()}{arm.label[1:]}"
    if not found.runs.is_of_several_pools:
        return label
    pools = list(dict.fromkeys(one.pool for one in found.runs.runs))
    return f"Pool {pools.index(arm.pool) + 1}: {label}"


def _panel(panel: Panel, found: FoundSet, at: int) -> dict[str, Any]:
    metric = panel.metric
    name = panel.workload.name
    plots = _plots(panel, found)
    return {
        "id": f"workload-{at}",
        "name": f"{name[:1].upper()}{name[1:]}",
        "tool": method_label(panel.workload.method),
        "plots": [
            {
                "title": plot.title,
                "svg": _drawn(plot, name),
            }
            for plot in plots
        ],
        "metric": metric.label,
        "threads": [_threads(panel, number) or metric.label for number in panel.threads],
        "is_of_threads": panel.threads != (1,),
        "rows": [_row(arm, panel, found) for arm in panel.arms],
        "ratios": [row for one in panel.comparisons for row in _ratios(one)],
        "unknowns": ", ".join(
            dict.fromkeys(name for one in panel.comparisons for at in one.at for name in at.unknowns)
        ),
    }


def _drawn(plot: Plot, name: str) -> SafeString:
    drawn = bar_plot(plot, description=f"{name}, bars by threads; the table has all figures.")
    return mark_safe(drawn)  # noqa: S308 - results.charts escapes every text that it writes


def _threads(panel: Panel, number: int) -> str:
    """ "4 threads"; "" for work timed by hand, which has none."""
    return "" if panel.workload.method == TIMED else format_count(number, "thread")


def _row(arm: Arm, panel: Panel, found: FoundSet) -> dict[str, Any]:
    number = found.runs.arm_numbers[arm]
    return {
        "number": number,
        "style": style_of(number),
        "label": arm_label(arm, found),
        "cells": [_cell(panel.cells.get((arm, threads)), panel.metric, threads) for threads in panel.threads],
    }


def _cell(cell: Cell | None, metric: Metric, threads: int) -> dict[str, Any]:
    if cell is None:
        return {"name": format_count(threads, "thread"), "value": ""}
    return {
        "name": format_count(threads, "thread"),
        "value": metric.with_unit(cell.value_of(metric)),
        "details": ", ".join(
            f"{one.short_label.lower() if one is LATENCY else one.short_label} {format_number(value)} {one.unit}"
            for one in (LATENCY, P99)
            if (value := cell.value_of(one)) is not None
        ),
        "url": address("result", cell.first.public_id),
        "repeats": format_count(len(cell.runs), "run") if len(cell.runs) > 1 else "",
        "is_doubted": any(one.doubts for one in cell.runs),
    }


def _ratios(one: Comparison) -> list[dict[str, Any]]:
    return [
        {
            "label": one.label,
            "threads": format_count(at.threads, "thread"),
            "ratio": format_times(at.ratio),
            "certainty": at.certainty,
            "differences": "; ".join(at.differences),
            "url": pair_url_of(at),
        }
        for at in one.at
    ]


def pair_url_of(one: Compared) -> str:
    return with_query(address("compare-results"), a=one.base.first.public_id, b=one.other.first.public_id)


def _plots(panel: Panel, found: FoundSet) -> list[Plot]:
    """Throughput, and latency beside it where it is known."""
    metrics = [panel.metric] if panel.metric is not LATENCY else []
    plots = [_plot(panel, found, metric) for metric in (*metrics, LATENCY)]
    return [plot for plot in plots if any(bar.value for group in plot.groups for bar in group.bars)]


def _plot(panel: Panel, found: FoundSet, metric: Metric) -> Plot:
    better = "lower" if metric.is_lower_better else "higher"
    groups = []
    for threads in panel.threads:
        bars = []
        for arm in panel.arms:
            cell = panel.cells.get((arm, threads))
            value = cell.value_of(metric) if cell else None
            if value is None:
                continue
            number = found.runs.arm_numbers[arm]
            text = metric.with_unit(value)
            label = ", ".join(filter(None, [arm_label(arm, found), _threads(panel, threads)]))
            bars.append(Bar(number, value, text, f"{number}: {label}: {text}"))
        if bars:
            groups.append(Group(_threads(panel, threads), bars))
    return Plot(f"{metric.label} ({better} is better)", groups)


def _names(found: FoundSet) -> list[tuple[int, str]]:
    return [(number, arm_label(arm, found)) for arm, number in found.runs.arm_numbers.items()]


def _image(found: FoundSet, panel: Panel) -> str:
    arms = found.runs.arm_numbers
    names = [(arms[arm], arm_label(arm, found)) for arm in panel.arms]
    name = panel.workload.name
    labels = Labels(found.title, f"{name[:1].upper()}{name[1:]}", image_foot())
    return bars_image(_plots(panel, found), names, labels, theme="light")


def _arrangement(request: HttpRequest, one: Arrangement) -> HttpResponse:
    url = address("compare-set", one.slug)
    summary = "Nobody has published these figures yet. Here are the commands that measure them."
    context = {
        "arrangement": one,
        "commands_url": f"{address('commands')}#pool",
        "share": Shared(one.title, summary, url).ways,
        "social": Social(one.title, summary, url, address("compare-set-preview", one.slug)),
    }
    return render(request, "results/compare/arrangement.html", context)
