"""The page that compares up to six grids of pools, and shows what an article says about one whose charts are gone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString

from results.compare.comparison import cleaned, render_shared
from results.compare.grids.query import (
    MAX_GRIDS,
    ComparedGrid,
    ComparedOperation,
    GridComparison,
    GridsForm,
    OperationRow,
    newest_grids,
)
from results.compare.grids.remarks import (
    CONDITIONS,
    LAYOUTS,
    PUBLISHED_ON,
    RECORD_SIZES,
    SOURCE_URL,
    TITLE,
    Remark,
    read_remarks,
)
from results.core.addresses import address, with_query
from results.core.head import Shared
from results.core.public import public_page
from results.core.subject import subject_of
from results.kinds.commands.folders import ARTICLE_COMMAND
from results.kinds.dates import date_of_result
from results.kinds.grid.charts import Drawn, at_label, band_note, grid_chart, legend
from results.kinds.grid.lines import file_label
from results.kinds.grid.operations import OPERATIONS
from results.kinds.grid.words import RETEST_NOTE
from results.models import Result

SHOWN_NEWEST = 12
DESCRIPTION = "iozone’s rates by operation and record size, for up to six pool layouts side by side."


class Article(NamedTuple):
    """The empty grid: an operation a row, a record size a column, with what the article says in words."""

    operations: Sequence[tuple[str, Sequence[Remark]]]
    title: str = TITLE
    url: str = SOURCE_URL
    published_on: str = PUBLISHED_ON
    layouts: Sequence[str] = LAYOUTS
    sizes: Sequence[str] = RECORD_SIZES
    conditions: Mapping[str, str] = CONDITIONS
    command: str = ARTICLE_COMMAND


class Offer(NamedTuple):
    """A grid to choose; `add_url` compares it, too, if there is room."""

    result: Result
    name: str
    date: str
    add_url: str


class ShownOperation(NamedTuple):
    """An operation with its chart, its files, and its rows with their sizes."""

    compared: ComparedOperation
    label: str
    svg: SafeString
    files: Sequence[str]
    rows: Sequence[tuple[str, OperationRow]]


@dataclass(frozen=True, slots=True)
class GridsPage:
    """The context of compare/grids/page.html; without ids the article is shown."""

    ids: Sequence[str]
    operation: str
    found: GridComparison
    newest: Sequence[Result]
    most: int = MAX_GRIDS

    def url(self, ids: Sequence[str], baseline: str = "", operation: str = "") -> str:
        path = address("compare-grids")
        return with_query(path, results=",".join(ids), baseline=baseline, operation=operation)

    @property
    def title(self) -> str:
        if not self.ids:
            return "Compare iozone grids"
        return f"{len(self.ids)} iozone grids compared" if len(self.ids) > 1 else "One iozone grid"

    @property
    def grids(self) -> list[tuple[ComparedGrid, str, str]]:
        """Each with the addresses of the comparison with it as the baseline, and of that without it."""
        shown = []
        for grid in self.found.grids:
            public_id = grid.result.public_id
            others = [other for other in self.ids if other != public_id]
            as_baseline = self.url(self.ids, public_id, self.operation)
            baseline = "" if grid.is_baseline else self.baseline
            shown.append((grid, as_baseline, self.url(others, baseline, self.operation)))
        return shown

    @property
    def baseline(self) -> str:
        return self.found.baseline.result.public_id

    @property
    def choices(self) -> list[tuple[str, str, str]]:
        """The operations with their labels and addresses."""
        every = {"": "All operations", **OPERATIONS}
        return [(name, label, self.url(self.ids, self.baseline, name)) for name, label in every.items()]

    @property
    def legend(self) -> str:
        return legend([(at, grid.lettered) for at, grid in enumerate(self.found.grids, 1)])

    @property
    def operations(self) -> list[ShownOperation]:
        return [_shown(operation, self.found.grids) for operation in self.found.operations]

    @property
    def band(self) -> str:
        runs = {grid.payload["runs"] for grid in self.found.grids}
        return band_note(runs.pop() if len(runs) == 1 else 1)

    @property
    def retest(self) -> str:
        rows = (row for operation in self.found.operations for row in operation.rows)
        cells = (cell for row in rows for cell in row.cells)
        return RETEST_NOTE if any(cell.needs_retest for cell in cells) else ""

    @property
    def offers(self) -> list[Offer]:
        has_room = len(self.ids) < MAX_GRIDS
        return [
            Offer(
                result,
                subject_of(result).name,
                date_of_result(result),
                self.url([*self.ids, result.public_id]) if has_room else "",
            )
            for result in self.newest
            if result.public_id not in self.ids
        ]

    @property
    def article(self) -> Article:
        by_operation: dict[str, list[Remark]] = {}
        for remark in read_remarks():
            by_operation.setdefault(OPERATIONS[remark.operation], []).append(remark)
        return Article(list(by_operation.items()))


def _shown(compared: ComparedOperation, grids: Sequence[ComparedGrid]) -> ShownOperation:
    axis, label = compared.axis, OPERATIONS[compared.operation]
    lines = enumerate(zip(grids, compared.lines, strict=True), 1)
    drawn = [(grid.letter, Drawn(style, grid.lettered, line)) for style, (grid, line) in lines if line]
    svg = grid_chart([curve for _, curve in drawn], axis, title=f"{label} in MiB/s, one line per grid")
    return ShownOperation(
        compared,
        label,
        svg,
        [
            f"{letter}: {file_label(curve.line, axis)}{', fits in memory' if curve.line.is_in_memory else ''}"
            for letter, curve in drawn
        ],
        [(at_label(row.at, axis), row) for row in compared.rows],
    )


@public_page(GridsForm)
def compare_grids_page(request: HttpRequest) -> HttpResponse:
    given = cleaned(GridsForm(request.GET))
    page = GridsPage(given["results"], given["operation"], given["found"], newest_grids(SHOWN_NEWEST))
    shared = Shared(page.title, DESCRIPTION, page.url(page.ids, operation=page.operation))
    return render_shared(request, "results/compare/grids/page.html", shared, page=page)
