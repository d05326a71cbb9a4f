"""URLs of other views of the leaderboard, in their shortest form: methods, views, column headings, exports."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from results.catalogue.lists import Link, ListTools, Option
from results.core.addresses import address, with_query
from results.leaderboard.columns import Column, columns
from results.leaderboard.forms import VIEWS, LeaderboardFilter
from results.models.choices import METHOD_LABELS, Board

EXPORTS = {"csv": "CSV", "md": "Markdown", "bbcode": "BBCode"}
_ORDERS = {"rank": "fastest first", "last_measured": "newest", "n_units": "most measured", "device": "name"}


@dataclass(frozen=True, slots=True)
class BoardTools(ListTools):
    """The list's tools, with the leaderboard's own choices, columns and exports.

    `rare` are the table's columns that are only shown on request.
    """

    filters: LeaderboardFilter
    columns: Sequence[Column]
    rare: Sequence[Column]

    @property
    def choices(self) -> list[tuple[str, list[Link]]]:
        """The choices, plus one between a list of drives and a table beside their curves."""
        filters = self.filters
        views = [Link(view, filters.url(view=view, scale=""), filters.view == view) for view in VIEWS]
        return [*super(BoardTools, self).choices, ("View", views)]

    @property
    def more_choices(self) -> list[tuple[str, list[Link]]]:
        """The boards, the filter by tool, which changes no figure and no place, and the orders of the list."""
        filters = self.filters
        boards = [
            Link(label, filters.url(board=board, sort=""), board == filters.board)
            for board, label in Board.choices
        ]
        methods = {"": "any tool", **METHOD_LABELS}
        return [
            ("Ranked by", boards),
            ("Measured with", [self.choice("method", method, label) for method, label in methods.items()]),
            *([("Sorted by", self._orders)] if filters.view == "list" else []),
        ]

    @property
    def _orders(self) -> list[Link]:
        """The list's sort orders, as it has no headers to sort by; one chosen in the table comes last."""
        filters = self.filters
        current = "" if filters.is_reversed else filters.sort
        links = [Link(label, filters.url(sort=key), key == current) for key, label in _ORDERS.items()]
        if current not in _ORDERS:
            links.append(Link(filters.column.label, filters.url(), is_current=True))
        return links

    @property
    def fact_choice(self) -> list[Option]:
        """With the columns of measurements that are only shown on request."""
        facts, known = super(BoardTools, self).fact_choice, columns()
        added = [known[key] for key in self.filters.facts if not known[key].fact]
        measured = [Option(column.key, column.label, column in added) for column in [*added, *self.rare]]
        return [*facts, *measured] if facts else []

    @property
    def heads(self) -> list[tuple[Column, str]]:
        """Each column with the URL that sorts by it, the better end first, or reverses the current order."""
        filters = self.filters
        current = "" if filters.is_reversed else filters.sort
        return [
            (column, filters.url(sort=f"-{column.key}" if column.key == current else column.key))
            for column in self.columns
        ]

    @property
    def exports(self) -> list[Link]:
        """The list as text to copy."""
        shown = self.filters.parameters()
        parameters = {name: shown[name] for name in shown if name not in {"view", "scale"}}
        return [
            Link(label, with_query(address("leaderboard-export", kind), **parameters))
            for kind, label in EXPORTS.items()
        ]

    @property
    def rare_url(self) -> str:
        """The table with the rare columns."""
        return self.filters.url(columns=",".join([*self.filters.facts, *(one.key for one in self.rare)]))


def url_without_errors(parameters: Mapping[str, str], faults: Mapping[str, Any]) -> str:
    """The URL of the requested list without its invalid parameters."""
    valid = {name: value for name, value in parameters.items() if value and name not in faults}
    return with_query(address("leaderboard"), **valid)
