"""Devices without a place on a board: measured, with nothing that is ranked on it yet."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BooleanField, Exists, Func, OuterRef, Q, QuerySet, Subquery

from results.catalogue.facets import narrowed
from results.catalogue.product_facts import DEVICES, Scope
from results.kinds.flags import UNRANKED, WAITING, is_waiting, without_rank
from results.kinds.latency_curve.metrics import ranked_metric
from results.kinds.metric import Metric
from results.leaderboard.forms import LeaderboardFilter
from results.models import Device, Result
from results.models.choices import Method
from results.ranking.leaders import Row
from results.ranking.standing import main_rows

_OF_RESULT = (
    *("method", "metrics", "not_ranked_reason", "flags", "measured_on"),
    "submission__figure_digits",
)


class _IsAnyOf(Func):
    """Whether a column equals any element of an array."""

    template = "%(expressions)s)"
    arg_joiner = " = ANY("
    output_field = BooleanField()


def find_unplaced(
    filters: LeaderboardFilter, chosen: Mapping[str, Collection[str]], search: Q
) -> QuerySet[Device]:
    """The devices without a place that match the filters, by name, with `newest`: the key of their newest result.

    `search` is the condition of the filters' search. Unless `include` names only some, all of them. The few devices
    without a row are found first, as an array: else PostgreSQL may look up the newest result of every device.
    """
    main = main_rows(filters.board).filter(device=OuterRef("pk"))
    without_row = ArraySubquery(Device.objects.shown().filter(~Exists(main)).values("pk"))
    of_device = Result.objects.published().filter(device=OuterRef("pk"), method__in=Method.values)
    matching = Result.objects.filter(
        search, without_rank(filters.include or (UNRANKED, WAITING)), pk=OuterRef("newest")
    )
    found = Device.objects.none() if "min_units" in chosen else Device.objects.all()  # no unit is ranked
    found = found.filter(_IsAnyOf("pk", without_row))
    found = found.annotate(newest=Subquery(of_device.order_by("-id").values("pk")[:1]))
    others = {key: values for key, values in chosen.items() if key != "min_units"}
    return narrowed(found.filter(Exists(matching)), others, device_scope(filters)).order_by(
        "model_name", "capacity_bytes", "id"
    )


def device_scope(filters: LeaderboardFilter) -> Scope:
    """Where devices have what facets and facts need, and which prices count."""
    return replace(DEVICES, currency=filters.currency, offers=filters.offers)


def with_reasons(devices: Sequence[Row], board: str) -> list[Row]:
    """Rows of `find_unplaced` with what their newest results say: the board's figure, the state, why. One query."""
    metric = ranked_metric(board)
    found = Result.objects.filter(pk__in=[row["newest"] for row in devices])
    newest = {row.pop("pk"): row for row in found.values("pk", *_OF_RESULT)}
    return [
        {**row, **_described(newest[row["newest"]], metric)} for row in devices if row["newest"] in newest
    ]


def _described(result: Row, metric: Metric) -> Row:
    score = result["metrics"].get(metric.key)
    missing = "being ranked" if score else f"no {metric.label}"
    reason = result["not_ranked_reason"]
    return {
        "score": score,
        "ranking_state": WAITING if is_waiting(reason, result["flags"]) else UNRANKED,
        "not_ranked_reason": reason or missing,
        "method": result["method"],
        "metrics": result["metrics"],
        "submission__figure_digits": result["submission__figure_digits"],
        "last_measured_on": result["measured_on"],
    }
