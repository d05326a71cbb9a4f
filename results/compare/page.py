"""The comparison page: its URL, its context, suggestions, and text to share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from parsers.base.device_class import DeviceClass
from results.charts.description import LETTERS, Series
from results.charts.options import VIEW_PARAMETERS, BadParameterError, ChartOptions, chart_options
from results.compare.columns import Bars, Column, compare_bars, compare_columns
from results.compare.headline import compare_title, headline, safety_verdict, verdict
from results.compare.names import (
    LONGEST_NAME,
    Meant,
    Others,
    find_meant,
    find_others,
    no_such,
    resolve_names,
)
from results.compare.query import (
    Compared,
    Rival,
    UnknownDevicesError,
    best_of_classes,
    compare_devices,
    find_differences,
    has_one_method,
    most_measured,
    suggest_devices,
)
from results.compare.table import Row, Section, compare_sections, same_rows
from results.core.addresses import MOST_COMPARED, address, compare_url, full_url, with_query
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
from results.kinds.latency_curve.charts import chart_context, interval_points
from results.models.choices import DEVICE_CLASSES, Board, Method
from results.ranking.boards import factor_of
from results.ranking.ties import Span, surely_better, sureness
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
        return self.url_of(slug if one == replaced else one for one in (*self.slugs, replaced))


def comparison_query(request: HttpRequest) -> ComparisonQuery:
    """Parse the parameters; raises BadParameterError for unknown choices."""
    query = request.GET
    _refuse_unknown("method", query.get("method", ""), Method.values)
    _refuse_unknown("only", query.get("only", ""), [ONLY_DIFFERENCES])
    given = query.get("devices", "").replace("\0", "")  # PostgreSQL refuses NUL in text
    return ComparisonQuery(
        given=given,
        slugs=tuple(dict.fromkeys(slug for slug in given.split(",") if slug)),
        chart=chart_options(request),
        method=query.get("method", ""),
        baseline=query.get("baseline", ""),
        added=query.get("add", "").replace("\0", "").strip()[:LONGEST_NAME],
        is_differences_only=query.get("only", "") == ONLY_DIFFERENCES,
    )


def _refuse_unknown(name: str, value: str, known: Iterable[str]) -> None:
    if value and value not in known:
        raise BadParameterError(name, f"“{value}” is not one of: {', '.join(known)}.")


@dataclass(frozen=True, slots=True)
class Offer:
    """A suggested comparison of several devices; `names` are of them or of their classes."""

    title: str
    rivals: Sequence[Rival]
    names: Sequence[str]

    @property
    def url(self) -> str:
        return compare_url(one.slug for one in self.rivals)


@dataclass(frozen=True, slots=True)
class Pair:
    """The best two devices of a class; `factor` is that between methods."""

    rivals: Sequence[Rival]
    factor: float

    @property
    def url(self) -> str:
        return compare_url(one.slug for one in self.rivals)

    @property
    def class_label(self) -> str:
        return str(DeviceClass(self.rivals[0].device_class).label)

    @property
    def verdict(self) -> str:
        spans = [Span(one.method, one.low, one.high) for one in self.rivals]
        if not any(surely_better(one, other, self.factor) for one, other in permutations(spans, 2)):
            return "too close to call"
        return f"{sureness(is_assumed=any(one.assumed_spread for one in self.rivals))} different"


@dataclass(frozen=True, slots=True)
class Start:
    """The context of compare/offers.html."""

    offers: Sequence[Offer]
    pairs: Sequence[Pair]


def compare_start() -> Start:
    """The suggestions while no device is chosen. Four queries."""
    classes, factor = best_of_classes(2), factor_of(Board.SYNC_WRITE)
    best = sorted((rivals[0] for rivals in classes.values()), key=lambda one: one.high)[:MOST_COMPARED]
    common = most_measured(MOST_COMPARED)
    labels = [str(DeviceClass(one.device_class).label) for one in best]
    offers = [
        Offer(f"The best choices in {len(best)} classes", best, labels),
        Offer("Measured most often", common, [one.full_name for one in common]),
    ]
    return Start(
        [offer for offer in offers if len(offer.rivals) > 1],
        [Pair(classes[one], factor) for one in DEVICE_CLASSES if len(classes.get(one, ())) == 2],
    )


_MARKS = {"best": " (best)", "tie": " (tie)", "": ""}


def compare_share(
    query: ComparisonQuery, compared: Sequence[Compared], sections: Iterable[Section]
) -> list[Way]:
    """The ways of parts/share.html."""
    url = full_url(query.url())
    picture = with_query(address("compare-preview"), devices=",".join(query.slugs))
    drawn = _drawn(compared)
    drawing = full_url(query.chart.image_url(address("compare-chart"), devices=drawn)) if drawn else ""
    rows = _rows(compared, sections)
    ways = (
        ("Link", url),
        ("Picture, BBCode", bbcode_picture(query.url(), picture)),
        ("Chart as SVG", drawing),
        ("Table, BBCode", f"{bbcode_table(_escaped(rows, bbcode_text))}\n[url={url}]{url}[/url]"),
        ("Table, Markdown", f"{markdown_table(_escaped(rows, markdown_text), on_left={0})}\n\n<{url}>"),
    )
    title = compare_title([one.name for one in compared])
    return [*(Way(label, text) for label, text in ways if text), *picture_ways(title, query.url(), picture)]


def _rows(compared: Sequence[Compared], sections: Iterable[Section]) -> list[Sequence[str]]:
    """The table as text cells, header first."""
    head = ["", *(one.name for one in compared)]
    rows = [row for section in sections for row in section.rows]
    return [head, *([_label(row), *(f"{one.text}{_MARKS[one.mark]}" for one in row.cells)] for row in rows)]


def _label(row: Row) -> str:
    return f"{row.label}, {row.unit}" if row.unit else row.label


def _escaped(rows: Iterable[Sequence[str]], escape: Callable[[str], str]) -> list[Sequence[str]]:
    return [[escape(text) for text in row] for row in rows]


class Link(NamedTuple):
    """A link to another comparison."""

    label: str
    url: str
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class NameChoices:
    """What a name may mean, each with its comparison; the context of compare/candidates.html."""

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
_METHODS = (("As measured", ""), ("diskinfo only", Method.DISKINFO), ("fio only", Method.FIO))


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparePage:
    """The context of compare/page.html; a `problem` or `start` excludes everything else."""

    query: ComparisonQuery
    problem: Problem | None = None
    start: Start | None = None
    compared: Sequence[Compared] = ()
    columns: Sequence[Column] = ()
    sections: Sequence[Section] = ()  # of two devices and more
    others: Mapping[str, Others] = field(default_factory=dict)
    meant: Meant = field(default_factory=lambda: Meant(()))  # what is to be added
    suggested: Sequence[Rival] = ()

    @property
    def title(self) -> str:
        return compare_title([one.name for one in self.compared]) or "Compare devices"

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
        nothing = Others((), is_clear=False)
        return [CompareCard(self.query, one, self.others.get(one.slug, nothing)) for one in self.columns]

    @property
    def is_full(self) -> bool:
        return len(self.columns) >= MOST_COMPARED

    @property
    def choices(self) -> NameChoices | None:
        return _choices(self.query, self.query.added, self.meant) if self.query.added else None

    @property
    def open_sections(self) -> Sequence[Section]:
        """What differs, and isn't on the cards."""
        return [one for one in self._different if not one.is_folded]

    @property
    def folded_sections(self) -> Sequence[Section]:
        same = same_rows(self.sections)
        return [one for one in (*self._different, same) if one.is_folded and one.rows]

    @property
    def _different(self) -> Sequence[Section]:
        found = (replace(one, rows=one.different) for one in self.sections)
        return [one for one in found if one.rows]

    @property
    def differences(self) -> Sequence[tuple[str, Sequence[tuple[str, str]]]]:
        """The conditions that differ, each with what devices state, by letter."""
        letters = {column.slug: column.letter for column in self.columns}
        found = find_differences(self.compared)
        return [
            (one.condition, [(letters[slug], text) for slug, text in one.stated.items()]) for one in found
        ]

    @property
    def is_one_method(self) -> bool:
        return has_one_method(self.compared)

    @property
    def is_one_path(self) -> bool:
        return len({one.path_of_writes for one in self.compared if one.path_of_writes}) < 2

    @property
    def baseline(self) -> str:
        """The name of the device that others are multiples of, or ""."""
        return next((one.name for one in self.columns if one.slug == self.query.baseline), "")

    @property
    def row_links(self) -> Sequence[Link]:
        return _links(self.query, "only", _ROWS, ONLY_DIFFERENCES if self.query.is_differences_only else "")

    @property
    def method_links(self) -> Sequence[Link]:
        return _links(self.query, "method", _METHODS, self.query.method)


@dataclass(frozen=True, slots=True)
class CompareCard:
    """A column at the head of the page, with links that change the comparison."""

    query: ComparisonQuery
    column: Column
    same_name: Others

    @property
    def is_baseline(self) -> bool:
        return self.column.slug == self.query.baseline

    @property
    def baseline_url(self) -> str:
        return self.query.url(baseline="" if self.is_baseline else self.column.slug)

    @property
    def remove_url(self) -> str:
        return self.query.url_of(slug for slug in self.query.slugs if slug != self.column.slug)

    @property
    def is_most_measured(self) -> bool:
        return self.same_name.is_clear and self.same_name.candidates[0].slug == self.column.slug

    @property
    def others(self) -> Sequence[Link]:
        """The same comparison with another device of its name."""
        left = (one for one in self.same_name.candidates if one.slug not in self.query.slugs)
        return [Link(one.name, self.query.url_with(one.slug, self.column.slug)) for one in left]


TEMPLATE = "results/compare/page.html"


@public_page("devices", "add", "baseline", "method", "only", *VIEW_PARAMETERS)
def compare(request: HttpRequest) -> HttpResponse:
    query = comparison_query(request)
    if len(query.slugs) > MOST_COMPARED:
        return _refuse(request, query, _too_many(query))
    resolved = resolve_names(query.slugs)
    if resolved.unknown:
        return _refuse(request, query, _unknown(query, resolved.slugs, resolved.unknown))
    if ",".join(resolved.slugs) != query.given:
        return redirect(query.url_of(resolved.slugs), permanent=resolved.is_lasting)
    if query.baseline and query.baseline not in query.slugs:
        return _refuse(request, query, _no_baseline(query))
    meant, added = _added(query)
    if added:
        return redirect(query.url_of([*query.slugs, *added]))
    try:
        compared = compare_devices(query.slugs, method=query.method) if query.slugs else []
    except UnknownDevicesError as error:
        unknown = dict.fromkeys(error.resolved.unknown, Meant(()))
        return _refuse(request, query, _unknown(query, error.resolved.slugs, unknown))
    page = _page(query, compared, meant)
    context: dict[str, Any] = {"page": page, "social": compare_social(compared) if compared else None}
    if page.is_comparison:
        context |= {"share": compare_share(query, compared, page.sections), **_chart(query, compared)}
    return render(request, TEMPLATE, context)


def _refuse(request: HttpRequest, query: ComparisonQuery, problem: Problem) -> HttpResponse:
    return render(request, TEMPLATE, {"page": ComparePage(query=query, problem=problem)}, status=400)


def _added(query: ComparisonQuery) -> tuple[Meant, Sequence[str]]:
    """What the text to add may mean, and what to add: the only device or product it means, or several names."""
    names = split_names(query.added)
    if len(names) != 1:
        return Meant(()), names
    meant = find_meant(names[0], except_slugs=query.slugs)
    return meant, [meant.slug] if meant.slug else []


def _page(query: ComparisonQuery, compared: Sequence[Compared], meant: Meant) -> ComparePage:
    """The page of these devices; a single one has no comparison."""
    device_class = compared[0].device.device_class if compared else ""
    is_full = len(compared) >= MOST_COMPARED
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
        others=find_others([one.device for one in compared]) if compared else {},
        meant=meant,
        suggested=() if is_full else suggest_devices(device_class, except_slugs=query.slugs),
    )


def _chart(query: ComparisonQuery, compared: Sequence[Compared]) -> dict[str, Any]:
    slugs = _drawn(compared)
    return chart_context(
        compared_series(compared),
        "The compared devices",
        options=query.chart,
        image_url=query.chart.image_url(address("compare-chart"), devices=slugs),
    )


def _drawn(compared: Sequence[Compared]) -> str:
    """The slugs of the devices, for their chart: it draws no products."""
    return ",".join(one.device.slug for one in compared if not one.is_product)


def compared_series(compared: Sequence[Compared]) -> list[Series]:
    """A curve per ranked device, marked with its letter."""
    return [
        Series(
            label=one.name,
            points=interval_points(
                one.ranking.median_us,
                one.ranking.score,
                ends=(one.ranking.low, one.ranking.high),
            ),
            mark=letter,
            key=one.device.slug,
            is_assumed=one.ranking.assumed_spread,
            digits=one.ranking.digits,
        )
        for letter, one in zip(LETTERS, compared, strict=False)
        if one.ranking
    ]


def _links(query: ComparisonQuery, name: str, choices: Iterable[tuple[str, str]], current: str) -> list[Link]:
    """Links to the same comparison with each value of a parameter."""
    return [Link(label, query.url(**{name: value}), value == current) for label, value in choices]


def _choices(query: ComparisonQuery, name: str, meant: Meant) -> NameChoices:
    """What a name may mean, with the comparison that has it in the name's place, or at the end."""
    links = [Link(one.name, query.url_with(one.slug, name)) for one in meant.candidates]
    return NameChoices(name, links, meant.is_similar)


def _too_many(query: ComparisonQuery) -> Problem:
    return Problem(
        f"{len(query.slugs)} devices are too many",
        f"You can compare at most {MOST_COMPARED} devices.",
        Link(f"Compare the first {MOST_COMPARED}", query.url_of(query.slugs[:MOST_COMPARED])),
    )


def _unknown(query: ComparisonQuery, slugs: Sequence[str], unknown: Mapping[str, Meant]) -> Problem:
    back = f"Compare the other{'s' if len(slugs) > 1 else ''}" if slugs else "Start over"
    rest = replace(query, baseline="")
    lost = [name for name, meant in unknown.items() if not meant.candidates]
    return Problem(
        "We don’t know all names in this link" if lost else "Which one do you mean?",
        no_such(lost) if lost else "",
        Link(back, rest.url_of(slugs)),
        [_choices(rest, name, meant) for name, meant in unknown.items() if meant.candidates],
    )


def _no_baseline(query: ComparisonQuery) -> Problem:
    return Problem(
        "The baseline isn’t one of the devices",
        f"“{query.baseline}” isn’t part of this comparison.",
        Link("Compare without a baseline", query.url(baseline="")),
    )


def compare_social(compared: Sequence[Compared]) -> Social:
    """The social metadata of a comparison, the same for every order of its devices."""
    ordered = sorted(compared, key=lambda one: one.device.slug)
    chosen = ",".join(one.device.slug for one in ordered)
    return Social(
        " vs. ".join(one.name for one in ordered),
        ". ".join(f"{one.name}: {headline(one)}" for one in ordered) + ".",
        with_query(address("compare"), devices=chosen),
        with_query(address("compare-preview"), devices=chosen),
        has_oembed=True,
    )
