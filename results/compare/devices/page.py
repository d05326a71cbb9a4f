"""The comparison page: its URL, its context, suggestions, and text to share."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from results.charts.description import LETTERS, Series
from results.charts.options import VIEW_PARAMETERS, BadParameterError, ChartOptions, chart_options
from results.compare.devices.cards import Bars, Column, compare_bars, compare_columns
from results.compare.devices.names import (
    MAX_NAME_LENGTH,
    NO_OTHERS,
    Meanings,
    Others,
    describe_unknown,
    find_meanings,
    find_others,
    resolve_names,
    split_devices,
)
from results.compare.devices.query import (
    ComparedDevice,
    UnknownDevicesError,
    compare_devices,
    find_differences,
    has_one_method,
)
from results.compare.devices.start import Start, compare_start, suggest_devices
from results.compare.devices.table import Row, Section, compare_sections, same_rows
from results.compare.devices.verdict import compare_title, headline, safety_verdict, verdict
from results.core.addresses import MAX_COMPARED, address, full_url, with_query
from results.core.forms import quoted
from results.core.head import (
    Social,
    Way,
    bbcode_picture,
    bbcode_table,
    bbcode_text,
    markdown_table,
    markdown_text,
    picture_ways,
)
from results.core.public import public_page
from results.kinds.curve.charts import Chart, draw_chart, interval_points
from results.models.choices import METHOD_LABELS, Method
from results.ranking.standing import RankedDevice
from results.search.comparisons import split_names

ONLY_DIFFERENCES = "differences"


@dataclass(frozen=True, slots=True)
class ComparisonQuery:
    """A comparison as its URL names it.

    `given` is the parameter `devices` unchanged; `slugs` are unique and not empty.
    """

    given: str
    slugs: tuple[str, ...]
    chart: ChartOptions
    method: str = ""
    baseline: str = ""
    added: str = ""
    is_differences_only: bool = False

    def url(self, **changes: str) -> str:
        """The URL with these parameters changed, without the search text."""
        return self.chart.url(**{"add": "", **changes})

    def url_of(self, slugs: Iterable[str]) -> str:
        """The URL for other devices, dropping a baseline or hidden curves not among them."""
        chosen = list(dict.fromkeys(slugs))
        hidden = [slug for slug in self.chart.hidden if slug in chosen]
        baseline = self.baseline if self.baseline in chosen else ""
        return self.url(devices=",".join(chosen), baseline=baseline, hide=",".join(hidden))

    def url_with(self, slug: str, replaced: str) -> str:
        """The URL with a device in the place of another, or at the end if that isn't compared."""
        return self.url_of(slug if other == replaced else other for other in (*self.slugs, replaced))


def comparison_query(request: HttpRequest) -> ComparisonQuery:
    """Parse the parameters; raises BadParameterError for unknown choices."""
    query = request.GET
    _refuse_unknown("method", query.get("method", ""), Method.values)
    _refuse_unknown("only", query.get("only", ""), [ONLY_DIFFERENCES])
    given = query.get("devices", "")
    return ComparisonQuery(
        given=given,
        slugs=tuple(dict.fromkeys(split_devices(given))),
        chart=chart_options(request),
        method=query.get("method", ""),
        baseline=query.get("baseline", ""),
        added=query.get("add", "").strip()[:MAX_NAME_LENGTH],
        is_differences_only=query.get("only", "") == ONLY_DIFFERENCES,
    )


def _refuse_unknown(name: str, value: str, known: Iterable[str]) -> None:
    if value and value not in known:
        raise BadParameterError(name, f"{quoted(value)} is not one of: {', '.join(known)}.")


_MARKS = {"best": " (best)", "tie": " (tie)", "": ""}


def compare_share(
    query: ComparisonQuery, compared: Sequence[ComparedDevice], table_rows: Iterable[Row]
) -> list[Way]:
    """The ways of parts/share.html."""
    url = full_url(query.url())
    picture = with_query(address("compare-preview"), devices=",".join(query.slugs))
    drawn = _drawn(compared)
    drawing = full_url(query.chart.image_url(address("compare-chart"), devices=drawn)) if drawn else ""
    rows = [
        ["", *(drive.name for drive in compared)],
        *([row.label, *(f"{cell.text}{_MARKS[cell.mark]}" for cell in row.cells)] for row in table_rows),
    ]
    as_bbcode, as_markdown = (
        [[escape(text) for text in row] for row in rows] for escape in (bbcode_text, markdown_text)
    )
    ways = (
        ("Link", url),
        ("Picture, BBCode", bbcode_picture(query.url(), picture)),
        ("Chart as SVG", drawing),
        ("Table, BBCode", f"{bbcode_table(as_bbcode)}\n[url={url}]{url}[/url]"),
        ("Table, Markdown", f"{markdown_table(as_markdown, on_left={0})}\n\n<{url}>"),
    )
    title = compare_title([drive.name for drive in compared])
    return [*(Way(label, text) for label, text in ways if text), *picture_ways(title, query.url(), picture)]


class Link(NamedTuple):
    """A link to another comparison."""

    label: str
    url: str
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class NameChoices:
    """What a name may mean, each with its comparison; the context of compare/devices/candidates.html."""

    name: str
    links: Sequence[Link] = ()
    is_similar: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """Why there is no comparison, and a link to one that works."""

    title: str
    text: str
    link: Link
    names: Sequence[NameChoices] = ()


_ROWS = (("All rows", ""), ("Differences only", ONLY_DIFFERENCES))
_METHODS = (("As measured", ""), *((f"{METHOD_LABELS[method]} only", method) for method in Method))


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparePage:
    """The context of compare/devices/page.html; a `problem` or `start` excludes everything else."""

    query: ComparisonQuery
    problem: Problem | None = None
    start: Start | None = None
    compared: Sequence[ComparedDevice] = ()
    columns: Sequence[Column] = ()
    sections: Sequence[Section] = ()  # of two devices and more
    others: Mapping[str, Others] = field(default_factory=dict)
    meanings: Meanings = field(default_factory=lambda: Meanings(()))  # what is to be added
    suggested: Sequence[RankedDevice] = ()

    @property
    def title(self) -> str:
        return compare_title([drive.name for drive in self.compared]) or "Compare devices"

    @property
    def is_comparison(self) -> bool:
        return len(self.columns) > 1

    @property
    def verdict(self) -> str:
        return f"{safety_verdict(self.compared)} {verdict(self.compared)}"

    @property
    def bars(self) -> Bars | None:
        return compare_bars(self.columns)

    @property
    def cards(self) -> Sequence["CompareCard"]:
        return [self._card(column, self.others.get(column.slug, NO_OTHERS)) for column in self.columns]

    def _card(self, column: Column, same_name: Others) -> "CompareCard":
        query, slug = self.query, column.slug
        is_baseline = slug == query.baseline
        left = [other for other in same_name.candidates if other.slug not in query.slugs]
        return CompareCard(
            column,
            is_baseline,
            query.url(baseline="" if is_baseline else slug),
            query.url_of(other for other in query.slugs if other != slug),
            same_name,
            [Link(other.name, query.url_with(other.slug, slug)) for other in left],
        )

    @property
    def is_full(self) -> bool:
        return len(self.columns) >= MAX_COMPARED

    @property
    def choices(self) -> NameChoices | None:
        return _choices(self.query, self.query.added, self.meanings) if self.query.added else None

    @property
    def open_sections(self) -> Sequence[Section]:
        """What differs, and isn't on the cards."""
        return [section for section in self._different if not section.is_folded]

    @property
    def folded_sections(self) -> Sequence[Section]:
        same = same_rows(self.sections)
        return [section for section in (*self._different, same) if section.is_folded and section.rows]

    @property
    def _different(self) -> Sequence[Section]:
        found = (replace(section, rows=section.different) for section in self.sections)
        return [section for section in found if section.rows]

    @property
    def differences(self) -> Sequence[tuple[str, Sequence[tuple[str, str]]]]:
        """The conditions that differ, each with what devices state, by letter."""
        letters = {column.slug: column.letter for column in self.columns}
        found = find_differences(self.compared)
        return [
            (row.condition, [(letters[slug], text) for slug, text in row.stated.items()]) for row in found
        ]

    @property
    def is_one_method(self) -> bool:
        return has_one_method(self.compared)

    @property
    def is_one_path(self) -> bool:
        return len({drive.path_of_writes for drive in self.compared if drive.path_of_writes}) < 2

    @property
    def baseline(self) -> str:
        """The name of the device that others are multiples of, or ""."""
        return next((column.name for column in self.columns if column.slug == self.query.baseline), "")

    @property
    def row_links(self) -> Sequence[Link]:
        return _links(self.query, "only", _ROWS, ONLY_DIFFERENCES if self.query.is_differences_only else "")

    @property
    def method_links(self) -> Sequence[Link]:
        return _links(self.query, "method", _METHODS, self.query.method)


class CompareCard(NamedTuple):
    """A column at the head of the page, with links that change the comparison."""

    column: Column
    is_baseline: bool
    baseline_url: str
    remove_url: str
    same_name: Others
    others: Sequence[Link]  # with another device of its name

    @property
    def is_most_measured(self) -> bool:
        return self.same_name.is_clear and self.same_name.candidates[0].slug == self.column.slug


TEMPLATE = "results/compare/devices/page.html"


@public_page("devices", "add", "baseline", "method", "only", *VIEW_PARAMETERS)
def compare(request: HttpRequest) -> HttpResponse:
    query = comparison_query(request)
    if len(query.slugs) > MAX_COMPARED:
        return _refuse(request, query, _too_many(query))
    resolved = resolve_names(query.slugs)
    if resolved.unknown:
        return _refuse(request, query, _unknown(query, resolved.slugs, resolved.unknown))
    if ",".join(resolved.slugs) != query.given:
        return redirect(query.url_of(resolved.slugs), permanent=resolved.is_lasting)
    if query.baseline and query.baseline not in query.slugs:
        return _refuse(request, query, _no_baseline(query))
    meanings, added = _added(query)
    if added:
        return redirect(query.url_of([*query.slugs, *added]))
    try:
        compared = compare_devices(query.slugs, method=query.method) if query.slugs else []
    except UnknownDevicesError as error:
        unknown = dict.fromkeys(error.resolved.unknown, Meanings(()))
        return _refuse(request, query, _unknown(query, error.resolved.slugs, unknown))
    page = _page(query, compared, meanings)
    context: dict[str, Any] = {"page": page, "social": compare_social(compared) if compared else None}
    if page.is_comparison:
        rows = [row for section in page.sections for row in section.rows]
        context |= {"share": compare_share(query, compared, rows), "chart": _chart(query, compared)}
    return render(request, TEMPLATE, context)


def _refuse(request: HttpRequest, query: ComparisonQuery, problem: Problem) -> HttpResponse:
    return render(request, TEMPLATE, {"page": ComparePage(query=query, problem=problem)}, status=400)


def _added(query: ComparisonQuery) -> tuple[Meanings, Sequence[str]]:
    """What the text to add may mean, and what to add: the only device or product it means, or several names."""
    names = split_names(query.added)
    if len(names) != 1:
        return Meanings(()), names
    meanings = find_meanings(names[0], except_slugs=query.slugs)
    return meanings, [meanings.slug] if meanings.slug else []


def _page(query: ComparisonQuery, compared: Sequence[ComparedDevice], meanings: Meanings) -> ComparePage:
    """The page of these devices; a single one has no comparison."""
    device_class = compared[0].device.device_class if compared else ""
    is_full = len(compared) >= MAX_COMPARED
    sections: Sequence[Section] = ()
    if len(compared) > 1:
        sections = compare_sections(
            compared,
            baseline=query.baseline,
            is_throughput=query.chart.view.is_throughput,
            is_differences_only=query.is_differences_only,
        )
    return ComparePage(
        query=query,
        start=None if query.slugs or query.added else compare_start(),
        compared=compared,
        columns=compare_columns(compared),
        sections=sections,
        others=find_others([drive.device for drive in compared]) if compared else {},
        meanings=meanings,
        suggested=() if is_full else suggest_devices(device_class, except_slugs=query.slugs),
    )


def _chart(query: ComparisonQuery, compared: Sequence[ComparedDevice]) -> Chart | None:
    slugs = _drawn(compared)
    return draw_chart(
        compared_series(compared),
        "The compared devices",
        options=query.chart,
        image_url=query.chart.image_url(address("compare-chart"), devices=slugs),
    )


def _drawn(compared: Sequence[ComparedDevice]) -> str:
    """The slugs of the devices, for their chart: it draws no products."""
    return ",".join(drive.device.slug for drive in compared if not drive.is_product)


def compared_series(compared: Sequence[ComparedDevice]) -> list[Series]:
    """A curve per ranked device, marked with its letter."""
    return [
        Series(
            label=drive.name,
            points=interval_points(row.median_us, row.score, ends=(row.low, row.high)),
            mark=letter,
            key=drive.device.slug,
            is_assumed=row.assumed_spread,
            digits=row.digits,
        )
        for letter, drive in zip(LETTERS, compared, strict=False)
        if (row := drive.ranking)
    ]


def _links(query: ComparisonQuery, name: str, choices: Iterable[tuple[str, str]], current: str) -> list[Link]:
    """Links to the same comparison with each value of a parameter."""
    return [Link(label, query.url(**{name: value}), value == current) for label, value in choices]


def _choices(query: ComparisonQuery, name: str, meanings: Meanings) -> NameChoices:
    """What a name may mean, with the comparison that has it in the name's place, or at the end."""
    links = [Link(candidate.name, query.url_with(candidate.slug, name)) for candidate in meanings.candidates]
    return NameChoices(name, links, meanings.is_similar)


def _too_many(query: ComparisonQuery) -> Problem:
    return Problem(
        f"{len(query.slugs)} devices are too many",
        f"You can compare at most {MAX_COMPARED} devices.",
        Link(f"Compare the first {MAX_COMPARED}", query.url_of(query.slugs[:MAX_COMPARED])),
    )


def _unknown(query: ComparisonQuery, slugs: Sequence[str], unknown: Mapping[str, Meanings]) -> Problem:
    back = f"Compare the other{'s' if len(slugs) > 1 else ''}" if slugs else "Start over"
    rest = replace(query, baseline="")
    lost = [name for name, meanings in unknown.items() if not meanings.candidates]
    return Problem(
        "We don’t know all names in this link" if lost else "Which one do you mean?",
        describe_unknown(lost) if lost else "",
        Link(back, rest.url_of(slugs)),
        [_choices(rest, name, meanings) for name, meanings in unknown.items() if meanings.candidates],
    )


def _no_baseline(query: ComparisonQuery) -> Problem:
    return Problem(
        "The baseline isn’t one of the devices",
        f"{quoted(query.baseline)} isn’t part of this comparison.",
        Link("Compare without a baseline", query.url(baseline="")),
    )


def compare_social(compared: Sequence[ComparedDevice]) -> Social:
    """The social metadata of a comparison, the same for every order of its devices."""
    ordered = sorted(compared, key=lambda drive: drive.device.slug)
    chosen = ",".join(drive.device.slug for drive in ordered)
    return Social(
        " vs. ".join(drive.name for drive in ordered),
        ". ".join(f"{drive.name}: {headline(drive)}" for drive in ordered) + ".",
        with_query(address("compare"), devices=chosen),
        with_query(address("compare-preview"), devices=chosen),
        has_oembed=True,
    )
