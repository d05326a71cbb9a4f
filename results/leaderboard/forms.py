"""The parameters of a leaderboard's URL."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from django import forms
from django.http import QueryDict

from results.catalogue.facets import FACETS
from results.catalogue.lists import ColumnsInput, ListFilter, ListForm
from results.catalogue.product_facts import FACTS, RANKINGS
from results.kinds.curve.metrics import ranked_metric
from results.kinds.flags import INCLUDED, UNRANKED, WAITING
from results.leaderboard.columns import DEFAULT_COLUMN, BoardColumn, columns
from results.models.choices import ONLY_PROTECTED, Board
from results.ranking.standing import main_rows

CACHED_QUERIES = 1000
MAX_CACHED_LENGTH = 300  # characters; many longer ones could fill the memory
VIEWS = ("list", "table")
FORMER_VIEWS = {"bars": "list"}  # by the names in older links
SCALES = ("log", "linear")


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderboardFilter(ListFilter):
    """The requested filters; `sort` names a column, `is_reversed` puts its worst end first.

    `board` is what devices are ranked by, `include` which devices without a place are listed after the others.
    """

    path_name = "leaderboard"
    rows = RANKINGS
    facets = tuple(key for key in FACETS if key != "measured")  # all of them are
    hidden = ("class", "board", "method", "sort", "view", "scale", "include")

    board: str = Board.SYNC_WRITE
    sort: str = DEFAULT_COLUMN
    is_reversed: bool = False
    view: str = VIEWS[0]
    scale: str = SCALES[0]
    include: tuple[str, ...] = ()  # which devices without a place are listed, too

    @property
    def shown_facts(self) -> tuple[str, ...]:
        """The facts among the chosen columns, and the one that rows are sorted by."""
        return tuple(key for key in FACTS if key in self.facts or key == self.sort)

    @property
    def column(self) -> BoardColumn:
        return columns()[self.sort]

    @property
    def is_ascending(self) -> bool:
        return self.column.is_lower_better != self.is_reversed

    @property
    def is_by_rank(self) -> bool:
        """Whether the order is that of the ranking, forwards or backwards."""
        return self.sort == DEFAULT_COLUMN

    @property
    def ordered_by(self) -> str:
        """The label of the figure that rows are sorted by; for the rank, the ranked latency."""
        return ranked_metric(self.board).label if self.is_by_rank else self.column.label

    def own_parameters(self, changes: Mapping[str, str]) -> dict[str, str]:  # noqa: ARG002 - as in ListFilter
        return {
            "board": self.board,
            "sort": f"-{self.sort}" if self.is_reversed else self.sort,
            "view": self.view,
            "scale": self.scale,
            "include": ",".join(self.include),
        }


class LeaderboardForm(ListForm):
    """The parameters of a leaderboard's URL."""

    filter_class = LeaderboardFilter
    listed = main_rows()
    noun = "measured device"

    columns = forms.MultipleChoiceField(
        choices=lambda: [(key, column.label) for key, column in columns().items()],
        required=False,
        widget=ColumnsInput,
    )
    board = forms.ChoiceField(choices=Board.choices, required=False)
    sort = forms.ChoiceField(
        choices=lambda: [(sign + key, key) for key in columns() for sign in ("", "-")], required=False
    )
    protected = forms.ChoiceField(choices=[("1", "protected only")], required=False)  # as plp=protected
    include = forms.MultipleChoiceField(choices=list(INCLUDED.items()), required=False, widget=ColumnsInput)

    def filters(self) -> LeaderboardFilter:
        data, shared = self.cleaned_data, self.shared()
        if shared["chosen"].get("min_units") == "1":
            del shared["chosen"]["min_units"]  # every ranked device has one
        if data["protected"]:
            shared["chosen"].setdefault("plp", ONLY_PROTECTED)
        return LeaderboardFilter(
            **shared,
            board=data["board"] or Board.SYNC_WRITE,
            sort=data["sort"].removeprefix("-") or DEFAULT_COLUMN,
            is_reversed=data["sort"].startswith("-"),
            view=FORMER_VIEWS.get(data.get("view", ""), data.get("view")) or VIEWS[0],
            scale=data.get("scale") or SCALES[0],
            include=tuple(key for key in (UNRANKED, WAITING) if key in data["include"]),
        )


class LeaderboardPageForm(LeaderboardForm):
    """The same, with the page's view and scale."""

    view = forms.ChoiceField(choices=[(view, view) for view in (*VIEWS, *FORMER_VIEWS)], required=False)
    scale = forms.ChoiceField(choices=[(scale, scale) for scale in SCALES], required=False)


class RefusedError(Exception):
    """A query string is invalid; `form` has the errors."""

    def __init__(self, form: LeaderboardForm) -> None:
        super().__init__(form.errors.as_text())
        self.form = form


def read_query(form_class: type[LeaderboardForm], query: str) -> LeaderboardFilter:
    """The filters of a query string; raises RefusedError. Cached: validating takes as long as reading the page."""
    if "vendor=" in query:  # whether a vendor exists depends on the data, so it isn't cached
        return _read_query(form_class, query)
    return (_cached_query if len(query) <= MAX_CACHED_LENGTH else _read_query)(form_class, query)


def _read_query(form_class: type[LeaderboardForm], query: str) -> LeaderboardFilter:
    form = form_class(QueryDict(query))
    if not form.is_valid():
        raise RefusedError(form)
    return form.filters()


_cached_query = lru_cache(maxsize=CACHED_QUERIES)(_read_query)
