"""The pages of comparison sets: the list, one of them, and their pictures."""

from collections.abc import Mapping
from dataclasses import dataclass

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from results.charts.bars import Bar, BarPlot, Group, bar_plot, bars_image, style_of
from results.charts.cards import Labels, image_foot, png
from results.charts.preview import Head, plots_preview
from results.charts.svg import draw
from results.compare.comparison import cleaned, render_shared
from results.compare.sets.words import SetSummary, summarize
from results.core.addresses import address, with_query
from results.core.formats import format_count, format_number
from results.core.forms import ResultIdsField
from results.core.head import Shared
from results.core.paging import find_page, pager
from results.core.public import public_page
from results.kinds.metric import Metric
from results.kinds.pool.found_sets import submissions_with_sets
from results.kinds.pool.models import TIMED
from results.kinds.pool.sets import LATENCY, P99, Cell, Configuration, Panel, summary_of
from results.kinds.pool_sets import CHOSEN, MAX_RUNS, FoundSet, find_chosen, find_set, find_sets
from results.kinds.registry import method_label
from results.models import Pool
from results.ranking.bands import SOURCE_URL

SETS_A_PAGE = 20


# Published arrangements of configurations, with their titles, whose figures nobody has published
ARRANGEMENTS = {"sdc-2018": "Log devices compared by threads, as in a 2018 talk"}


class ChosenForm(forms.Form):
    """The ids of chosen results, separated by commas or blanks."""

    results = ResultIdsField(most=MAX_RUNS, noun="results make a set")


@dataclass(frozen=True, slots=True)
class ListedSet:
    """A set of the list."""

    found: FoundSet
    summary: SetSummary


@public_page("page")
def sets(request: HttpRequest) -> HttpResponse:
    """All sets, newest first; on each page those with and without a log device before the others."""
    ids = submissions_with_sets().values_list("pk", flat=True)
    page = find_page(ids, request.GET.get("page", "1"), SETS_A_PAGE)
    found = find_sets(list(page.object_list))
    listed = [ListedSet(found[pk], summarize(found[pk].runs)) for pk in page.object_list if pk in found]
    shared = Shared(
        "Pools with and without a log device",
        "How much a SLOG helped in real pools, by sync mode and threads.",
        address("compare-sets"),
    )
    return render_shared(
        request,
        "results/compare/sets/list.html",
        shared,
        sets=sorted(listed, key=lambda row: row.summary.order),
        pager=pager(page),
        arrangements=ARRANGEMENTS.items(),
    )


@dataclass(frozen=True, slots=True)
class Named:
    """A configuration as the page names it, with its number in the set."""

    number: int
    label: str

    @property
    def style(self) -> int:
        return style_of(self.number)

    @property
    def key(self) -> tuple[int, str]:
        """As legends of pictures need it."""
        return self.number, self.label


@dataclass(frozen=True, slots=True)
class ShownCell:
    """The figures of a configuration at a number of threads; without a cell it wasn't measured."""

    threads: int
    cell: Cell | None
    value: str = ""
    details: str = ""


@dataclass(frozen=True, slots=True)
class ShownPanel:
    """A workload of a set, with its configurations as the page names them."""

    panel: Panel
    named: Mapping[Configuration, Named]

    @property
    def tool(self) -> str:
        return method_label(self.panel.workload.method)

    @property
    def name(self) -> str:
        return str(capfirst(self.panel.workload.name))

    @property
    def threads(self) -> list[str]:
        """ "4 threads"; "" for work timed by hand, which has none."""
        is_timed = self.panel.workload.method == TIMED
        return ["" if is_timed else format_count(number, "thread") for number in self.panel.threads]

    @property
    def is_of_threads(self) -> bool:
        return self.panel.threads != (1,)

    @property
    def configurations(self) -> list[tuple[Configuration, Named]]:
        return [(configuration, self.named[configuration]) for configuration in self.panel.configurations]

    @property
    def rows(self) -> list[tuple[Named, list[ShownCell]]]:
        return [
            (named, [self._cell(configuration, threads) for threads in self.panel.threads])
            for configuration, named in self.configurations
        ]

    def _cell(self, configuration: Configuration, threads: int) -> ShownCell:
        cell, metric = self.panel.cells.get((configuration, threads)), self.panel.metric
        if cell is None:
            return ShownCell(threads, None)
        latencies = [("latency", cell.value_of(LATENCY)), ("p99", cell.value_of(P99))]
        details = [f"{label} {format_number(value)} µs" for label, value in latencies if value is not None]
        return ShownCell(threads, cell, metric.with_unit(cell.value_of(metric)), ", ".join(details))

    @property
    def plots(self) -> list[BarPlot]:
        """Throughput, and latency beside it where it is known."""
        plots = [self._plot(metric) for metric in dict.fromkeys([self.panel.metric, LATENCY])]
        return [plot for plot in plots if plot.groups]

    def _plot(self, metric: Metric) -> BarPlot:
        headings = zip(self.panel.threads, self.threads, strict=True)
        groups = [Group(heading, self._bars(threads, heading, metric)) for threads, heading in headings]
        better = "lower" if metric.is_lower_better else "higher"
        return BarPlot(f"{metric.label} ({better} is better)", [group for group in groups if group.bars])

    def _bars(self, threads: int, heading: str, metric: Metric) -> list[Bar]:
        bars = []
        for configuration, named in self.configurations:
            cell = self.panel.cells.get((configuration, threads))
            value = cell.value_of(metric) if cell else None
            if value is not None:
                text, label = metric.with_unit(value), ", ".join(filter(None, [named.label, heading]))
                bars.append(Bar(named.number, value, text, f"{named.number}: {label}: {text}"))
        return bars

    @property
    def drawn(self) -> list[tuple[str, SafeString]]:
        """The plots with their titles."""
        description = f"{self.panel.workload.name}, bars by threads; the table has all figures."
        return [
            (plot.title, draw(bar_plot(plot), title=plot.title, description=description))
            for plot in self.plots
        ]


@dataclass(frozen=True, slots=True)
class SetPage:
    """The context of compare/sets/page.html."""

    found: FoundSet

    @property
    def named(self) -> dict[Configuration, Named]:
        """The configurations in their order; of several pools with the number of their pool."""
        runs = self.found.runs
        pools = list(dict.fromkeys(run.pool for run in runs.runs))
        prefixes = {pool: f"Pool {at}: " if len(pools) > 1 else "" for at, pool in enumerate(pools, 1)}
        return {
            configuration: Named(number, f"{prefixes[configuration.pool]}{capfirst(configuration.label)}")
            for configuration, number in runs.numbers.items()
        }

    @property
    def panels(self) -> list[ShownPanel]:
        named = self.named
        return [ShownPanel(panel, named) for panel in self.found.runs.panels]

    @property
    def pools(self) -> list[Pool]:
        return list({result.pool_id: result.pool for result in self.found.results if result.pool}.values())

    @property
    def notes(self) -> list[str]:
        notices = [notice for submission in self.found.submissions for notice in submission.notices]
        return [notice["message"] for notice in notices if notice.get("code") == "source_note"]


@public_page(ChosenForm)
def compare_set(request: HttpRequest, public_id: str) -> HttpResponse:
    if title := ARRANGEMENTS.get(public_id):
        summary = "Nobody has published these figures yet. Here are the commands that measure them."
        shared = Shared(title, summary, address("compare-set", public_id))
        preview, template = address("compare-set-preview", public_id), "results/compare/sets/arrangement.html"
        return render_shared(request, template, shared, preview_path=preview, source_url=SOURCE_URL)
    if public_id == CHOSEN and not request.GET.get("results", "").strip():
        summary = "Compare several runs on one pool side by side."
        shared = Shared("Compare runs on pools", summary, address("compare-set", CHOSEN))
        return render_shared(request, "results/compare/sets/form.html", shared)
    page = SetPage(found := requested_set(request, public_id))
    is_drawn = any(panel.plots for panel in page.panels)
    picture = set_url(found, "compare-set-picture") if is_drawn else ""
    shared = Shared(found.title, summary_of(found.runs), set_url(found), picture)
    preview = set_url(found, "compare-set-preview")
    return render_shared(request, "results/compare/sets/page.html", shared, preview_path=preview, page=page)


@public_page(ChosenForm)
def set_picture(request: HttpRequest, public_id: str) -> HttpResponse:
    """The charts of a set as PNG, for forums."""
    found = requested_set(request, public_id)
    panel = next((panel for panel in SetPage(found).panels if panel.plots), None)
    if panel is None:
        raise Http404("There is nothing to draw.")
    names = [named.key for _, named in panel.configurations]
    labels = Labels(found.title, panel.name, image_foot())
    return _png(bars_image(panel.plots, names, labels, theme="light"))


@public_page(ChosenForm)
def set_preview(request: HttpRequest, public_id: str) -> HttpResponse:
    """The card of a set: its first workload."""
    if title := ARRANGEMENTS.get(public_id):
        head = Head(title, "Nobody has published these figures yet", foot=image_foot())
        return _png(plots_preview(head, [], []))
    page = SetPage(found := requested_set(request, public_id))
    plots = next((panel.plots for panel in page.panels if panel.plots), [])
    head = Head(found.title, summary_of(found.runs), foot=image_foot())
    return _png(plots_preview(head, plots, [named.key for named in page.named.values()]))


def _png(svg: str) -> HttpResponse:
    return HttpResponse(png(svg), content_type="image/png")


def requested_set(request: HttpRequest, public_id: str) -> FoundSet:
    """The set of a submission, or of the chosen results; raises Http404 and BadParameterError."""
    if public_id != CHOSEN:
        return find_set(public_id)
    form = ChosenForm({"results": request.GET.get("results", "")})
    return find_chosen(cleaned(form)["results"])


def set_url(found: FoundSet, name: str = "compare-set") -> str:
    path = address(name, found.key)
    if found.key != CHOSEN:
        return path
    ids = [*(result.public_id for result in found.results), *found.missing, *found.others]
    return with_query(path, results=",".join(ids))
