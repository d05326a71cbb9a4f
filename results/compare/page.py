"""The comparison page: its URL, its context, suggestions, and text to share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from parsers.base.device_class import DeviceClass
from results.catalogue.product_facts import FACTS
from results.charts.description import LETTERS, Series
from results.charts.options import VIEW_PARAMETERS, BadParameterError, ChartOptions, chart_options
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
    SPEED_CLAIMS,
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
from results.compare.table import compare_sections
from results.core.addresses import MOST_COMPARED, address, compare_url, full_url, with_query
from results.core.formats import DASH, format_capacity, format_device, format_number
from results.core.head import (
    Social,
    bbcode_table,
    bbcode_text,
    markdown_table,
    markdown_text,
    social_context,
)
from results.core.public import public_page
from results.core.today import today
from results.kinds.latency_curve.charts import chart_context, interval_points
from results.models.choices import DEVICE_CLASSES, Board, ClaimQuantity, Method
from results.ranking.boards import factor_of
from results.ranking.ties import Span, surely_better, sureness
from results.search.comparisons import split_names

ONLY_DIFFERENCES = "differences"
MOST_OTHERS = 4  # links to other devices of a name


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


def compare_start() -> dict[str, Any]:
    """The context of compare/offers.html. Four queries."""
    classes, factor = best_of_classes(2), factor_of(Board.SYNC_WRITE)
    best = sorted((rivals[0] for rivals in classes.values()), key=lambda one: one.high)[:MOST_COMPARED]
    offers = [
        _offer(
            f"The best choices in {len(best)} classes",
            best,
            [DeviceClass(one.device_class).label for one in best],
        ),
        _offer(
            "Measured most often",
            common := most_measured(MOST_COMPARED),
            [format_device(one.name, one.capacity_bytes) for one in common],
        ),
    ]
    return {
        "offers": [offer for offer in offers if offer["count"] > 1],
        "pairs": [_pair(classes[one], factor) for one in DEVICE_CLASSES if len(classes.get(one, ())) == 2],
    }


def _offer(title: str, rivals: Sequence[Rival], names: Sequence[str]) -> dict[str, Any]:
    url = compare_url(one.slug for one in rivals)
    return {"title": title, "url": url, "summary": ", ".join(names), "count": len(rivals)}


def _pair(rivals: Sequence[Rival], factor: float) -> dict[str, str]:
    first, second = rivals
    spans = [Span(one.method, one.low, one.high) for one in rivals]
    surely = sureness(is_assumed=any(one.assumed_spread for one in rivals))
    is_tied = not any(surely_better(one, other, factor) for one, other in permutations(spans, 2))
    return {
        "title": " vs. ".join(" ".join(filter(None, _name(one))) for one in rivals),
        "url": compare_url([first.slug, second.slug]),
        "class_label": str(DeviceClass(first.device_class).label),
        "latencies": " and ".join(format_number(one.score, one.digits) for one in rivals),
        "summary": "too close to call" if is_tied else f"{surely} different",
    }


def _name(rival: Rival) -> tuple[str, str]:
    return rival.name, format_capacity(rival.capacity_bytes)


Row = Sequence[str]
_MARKS = {"best": " (best)", "tie": " (tie)"}


def compare_share(
    query: ComparisonQuery, compared: Sequence[Compared], sections: Iterable[dict[str, Any]]
) -> list[dict[str, str]]:
    """The context of parts/share.html: a label and a text for each format."""
    url = full_url(query.url())
    picture = full_url(ChartOptions(address("compare-preview"), {"devices": ",".join(query.slugs)}).url())
    drawn = _drawn(compared)
    drawing = full_url(query.chart.image_url(address("compare-chart"), devices=drawn)) if drawn else ""
    rows = _rows(compared, sections)
    formats = (
        ("Link", url),
        ("Picture, BBCode", f"[url={url}][img]{picture}[/img][/url]"),
        ("Chart as SVG", drawing),
        ("Table, BBCode", f"{bbcode_table(_escaped(rows, bbcode_text))}\n[url={url}]{url}[/url]"),
        ("Table, Markdown", f"{markdown_table(_escaped(rows, markdown_text), on_left={0})}\n\n<{url}>"),
    )
    return [
        {"id": f"share-{number}", "label": label, "text": text}
        for number, (label, text) in enumerate(formats, 1)
        if text
    ]


def _rows(compared: Sequence[Compared], sections: Iterable[dict[str, Any]]) -> list[Row]:
    """The table as text cells, header first."""
    head = ["", *(one.name for one in compared)]
    rows = [row for section in sections for row in section["rows"]]
    return [head, *([_label(row), *(_text(cell) for cell in row["cells"])] for row in rows)]


def _label(row: dict[str, Any]) -> str:
    return f"{row['label']}, {row['unit']}" if row["unit"] else str(row["label"])


def _text(cell: dict[str, Any]) -> str:
    return f"{cell['text']}{_MARKS.get(cell.get('mark', ''), '')}"


def _escaped(rows: Iterable[Row], escape: Callable[[str], str]) -> list[Row]:
    return [[escape(text) for text in row] for row in rows]


TEMPLATE = "results/compare/page.html"


@public_page("devices", "add", "baseline", "method", "only", *VIEW_PARAMETERS)
def compare(request: HttpRequest) -> HttpResponse:
    query = comparison_query(request)
    if len(query.slugs) > MOST_COMPARED:
        return render(request, TEMPLATE, {"problem": _too_many(query)}, status=400)
    resolved = resolve_names(query.slugs)
    if resolved.unknown:
        problem = _unknown(query, resolved.slugs, resolved.unknown)
        return render(request, TEMPLATE, {"problem": problem}, status=400)
    if ",".join(resolved.slugs) != query.given:
        return redirect(query.url_of(resolved.slugs), permanent=resolved.is_lasting)
    if query.baseline and query.baseline not in query.slugs:
        return render(request, TEMPLATE, {"problem": _no_baseline(query)}, status=400)
    meant, added = _added(query)
    if added:
        return redirect(query.url_of([*query.slugs, *added]))
    if not query.slugs and not query.added:
        return render(request, TEMPLATE, {**_adding(query, ()), "is_start": True, **compare_start()})
    try:
        compared = compare_devices(query.slugs, method=query.method)
    except UnknownDevicesError as error:
        unknown = dict.fromkeys(error.resolved.unknown, Meant(()))
        problem = _unknown(query, error.resolved.slugs, unknown)
        return render(request, TEMPLATE, {"problem": problem}, status=400)
    context = {
        **_adding(query, compared),
        "candidates": _candidates(query, meant),
        "is_similar": meant.is_similar,
        "added": query.added,
    }
    return render(request, TEMPLATE, {**context, **_comparison(query, compared)})


def _added(query: ComparisonQuery) -> tuple[Meant, Sequence[str]]:
    """What the text to add may mean, and what to add: the only device or product it means, or several names."""
    names = split_names(query.added)
    if len(names) != 1:
        return Meant(()), names
    meant = find_meant(names[0], except_slugs=query.slugs)
    return meant, [meant.slug] if meant.slug else []


def _comparison(query: ComparisonQuery, compared: Sequence[Compared]) -> dict[str, Any]:
    """The context for the devices; a single one has no comparison."""
    names = [one.name for one in compared]
    others = find_others([one.device for one in compared])
    context: dict[str, Any] = {
        "title": compare_title(names),
        "devices": [
            _device(query, one, letter, others.get(one.device.slug, Others((), is_clear=False)))
            for letter, one in zip(LETTERS, compared, strict=False)
        ],
        **(compare_social(compared) if compared else {}),
    }
    if len(compared) < 2:
        return context
    view = query.chart.view
    sections = compare_sections(
        compared,
        baseline=query.baseline,
        is_throughput=view.is_throughput,
        is_differences_only=query.is_differences_only,
    )
    return {
        **context,
        "safety_verdict": safety_verdict(compared),
        "verdict": verdict(compared),
        "sections": sections,
        "column_count": len(compared) + 1,
        "warnings": _warnings(compared),
        "is_one_method": has_one_method(compared),
        "is_one_path": len({one.path_of_writes for one in compared if one.path_of_writes}) < 2,
        "baseline": next(
            (name for name, one in zip(names, compared, strict=True) if one.device.slug == query.baseline), ""
        ),
        "row_links": _links(query, "only", _ROWS, ONLY_DIFFERENCES if query.is_differences_only else ""),
        "method_links": _links(query, "method", _METHODS, query.method),
        "share": compare_share(query, compared, sections),
        **_chart(query, compared),
    }


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


def _device(query: ComparisonQuery, one: Compared, letter: str, others: Others) -> dict[str, Any]:
    device, slug = one.device, one.device.slug
    of_name = [other for other in others.candidates if other.slug not in query.slugs]
    is_baseline = slug == query.baseline
    return {
        "letter": letter,
        "slug": slug,
        "name": one.short_name,
        "part_number": device.model_name
        if not one.is_product and device.model_name != one.short_name
        else "",
        "url": one.path,
        "capacity": format_capacity(device.capacity_bytes),
        "class_label": device.get_device_class_display(),
        "plp": device.plp_badge,
        "headline": headline(one),
        "claim": _claim(one),
        "price": _price(one),
        "is_most_measured": others.is_clear and others.candidates[0].slug == slug,
        "device_count": len(others.candidates),
        "others": [
            {
                "name": other.name,
                "url": query.url_of(other.slug if it == slug else it for it in query.slugs),
            }
            for other in of_name[:MOST_OTHERS]
        ],
        "other_count": len(of_name),
        "product_url": device.product.get_absolute_url() if device.product else "",
        "is_baseline": is_baseline,
        "baseline_url": query.url(baseline="" if is_baseline else slug),
        "remove_url": query.url_of(other for other in query.slugs if other != slug),
    }


def _claim(one: Compared) -> str:
    """What is claimed of a device that nobody has measured; empty otherwise."""
    if headline(one).value is not None or not one.claims:
        return ""
    claim = min(one.claims, key=lambda claim: SPEED_CLAIMS.index(ClaimQuantity(claim.quantity)))
    capacity = format_capacity(claim.capacity_bytes)
    quantity = claim.get_quantity_display()
    stated = f"{claim.stated} {quantity[0].lower()}{quantity[1:]}"
    return f"{stated} ({capacity})" if capacity else stated


def _price(one: Compared) -> str:
    """The price with its age; empty if none was seen."""
    cell = one.fact(FACTS["latest_price"], today())
    return "" if cell.value == DASH else ", ".join(filter(None, [cell.value, cell.age]))


def _warnings(compared: Sequence[Compared]) -> list[dict[str, Any]]:
    letters = {one.device.slug: letter for letter, one in zip(LETTERS, compared, strict=False)}
    return [
        {
            "condition": difference.condition,
            "stated": ", ".join(
                f"{letters[slug]}: {text or 'not stated'}" for slug, text in difference.stated.items()
            ),
        }
        for difference in find_differences(compared)
    ]


_ROWS = (("All rows", ""), ("Differences only", ONLY_DIFFERENCES))
_METHODS = (("As measured", ""), ("diskinfo only", Method.DISKINFO), ("fio only", Method.FIO))


def _links(
    query: ComparisonQuery, name: str, choices: Iterable[tuple[str, str]], current: str
) -> list[dict[str, Any]]:
    """Links to the same comparison with each value of a parameter."""
    return [
        {"label": label, "url": query.url(**{name: value}), "is_current": value == current}
        for label, value in choices
    ]


def _adding(query: ComparisonQuery, compared: Sequence[Compared]) -> dict[str, Any]:
    """The context of the form that adds a device: hidden fields and suggestions."""
    if len(compared) >= MOST_COMPARED:
        return {"is_full": True}
    unchanged = {name: value for name, value in query.chart.parameters.items() if name != "add"}
    device_class = compared[0].device.device_class if compared else ""
    suggested = suggest_devices(device_class, except_slugs=query.slugs)
    return {
        "hidden_fields": [{"name": name, "value": value} for name, value in unchanged.items()],
        "suggested": [{"slug": one.slug, "name": one.name} for one in suggested],
    }


def _candidates(query: ComparisonQuery, meant: Meant, name: str = "") -> list[dict[str, str]]:
    """What a name may mean, with the comparison that has it in the name's place, or at the end."""
    return [
        {"name": one.name, "url": query.url_of(one.slug if it == name else it for it in (*query.slugs, name))}
        for one in meant.candidates
    ]


def _too_many(query: ComparisonQuery) -> dict[str, Any]:
    return {
        "title": f"{len(query.slugs)} devices are too many",
        "text": f"You can compare at most {MOST_COMPARED} devices.",
        "url": query.url_of(query.slugs[:MOST_COMPARED]),
        "link": f"Compare the first {MOST_COMPARED}",
    }


def _unknown(query: ComparisonQuery, slugs: Sequence[str], unknown: Mapping[str, Meant]) -> dict[str, Any]:
    back = f"Compare the other{'s' if len(slugs) > 1 else ''}" if slugs else "Start over"
    rest = replace(query, baseline="")
    lost = [name for name, meant in unknown.items() if not meant.candidates]
    return {
        "title": "We don’t know all names in this link" if lost else "Which one do you mean?",
        "text": no_such(lost) if lost else "",
        "names": [
            {"name": name, "is_similar": meant.is_similar, "candidates": _candidates(rest, meant, name)}
            for name, meant in unknown.items()
            if meant.candidates
        ],
        "url": rest.url_of(slugs),
        "link": back,
    }


def _no_baseline(query: ComparisonQuery) -> dict[str, Any]:
    return {
        "title": "The baseline isn’t one of the devices",
        "text": f"“{query.baseline}” isn’t part of this comparison.",
        "url": query.url(baseline=""),
        "link": "Compare without a baseline",
    }


def compare_social(compared: Sequence[Compared]) -> dict[str, Any]:
    """The social metadata of a comparison, the same for every order of its devices."""
    ordered = sorted(compared, key=lambda one: one.device.slug)
    chosen = ",".join(one.device.slug for one in ordered)
    return social_context(
        Social(
            " vs. ".join(one.name for one in ordered),
            ". ".join(f"{one.name}: {headline(one)}" for one in ordered) + ".",
            with_query(address("compare"), devices=chosen),
            with_query(address("compare-preview"), devices=chosen),
            has_oembed=True,
        )
    )
