"""Pools that results are about: the list, and one of them."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache

import django_filters
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse

from results.api.lists import RowList
from results.api.records import DescribedPoolRecord
from results.api.rows import Row, page_prefix
from results.api.views import ReadEndpoint
from results.core.addresses import full_url
from results.core.record import Record, Url, field
from results.core.security.rate_limits import QUERY_LIMIT
from results.core.subject import describe_layout
from results.models import PoolLog, Result
from results.pools.query import find_pool, published_pools
from results.search.pools import find_pools
from results.search.products import find_products

_FIELDS = (
    "id",
    "public_id",
    "submission__public_id",
    "layout",
    "is_told",
    "health",
    "properties",
    "platform",
    "zfs_version",
    "result_count",
    "same_as__public_id",
)


# A subquery, which counting the pools leaves out: a join would be grouped for all of them.
_RESULTS = Result.objects.filter(pool=OuterRef("pk")).order_by().values("pool")
_RESULT_COUNT = Coalesce(Subquery(_RESULTS.annotate(count=Count("pk")).values("count")), 0)


class PoolLogRecord(Record):
    """A log device of the pool."""

    device: str | None = field("its slug; null if nobody has measured it alone")
    model_name: str = field("as the device reports it")
    capacity_bytes: int | None = field("in bytes; null if not stated")


class PoolRecord(DescribedPoolRecord):
    """A pool as one submission describes it. Its name is never stored."""

    id: str = field("as in the address of its page")
    url: Url = field("of its page")
    submission: str = field("the id of the submission that describes it")
    log_devices: list[PoolLogRecord] = field("the models of its log devices, as far as they are known")
    same_as: str | None = field(
        "the id of the first submission's pool that is the same, as their owner states"
    )
    result_count: int = field("published results")
    results_url: Url = field("of its results in this API")


class PoolFilter(django_filters.FilterSet):
    """Filter pools by words."""

    q = django_filters.CharFilter(
        method="filter_words",
        max_length=QUERY_LIMIT,
        label="words of the layout or of a log device, such as `raidz2 P3700`",
    )

    def filter_words(self, queryset: QuerySet, name: str, value: str) -> QuerySet:  # noqa: ARG002
        if not value.strip():
            return queryset
        named = find_products(value)
        found = find_pools(value, [] if named.is_similar else named.ids)
        return queryset.filter(pk__in=found.order_by().values("pk"))


class PoolList(RowList):
    """Pools, newest first."""

    queryset = published_pools().annotate(result_count=_RESULT_COUNT).order_by("-id").values(*_FIELDS)
    record = PoolRecord
    filterset_class = PoolFilter
    ordering_fields = {"id": "id", "result_count": "result_count"}

    def rows(self, page: Sequence[Row]) -> list[Row]:
        return pool_records(page)


class PoolDetail(ReadEndpoint):
    """One pool."""

    operation_id = "pool"
    record = PoolRecord

    def find(self, public_id: str) -> Row:
        found = find_pool(public_id)
        rows = published_pools().filter(pk=found.pk).annotate(result_count=_RESULT_COUNT).values(*_FIELDS)
        (record,) = pool_records(list(rows))
        return record


@cache
def _results_prefix() -> str:
    return full_url(f"{reverse('api-results')}?pool=")


def pool_records(rows: Sequence[Row]) -> list[Row]:
    """PoolRecord's shape from rows of _FIELDS. One query for their log devices."""
    logs: dict[int, list[Row]] = defaultdict(list)
    found = PoolLog.objects.filter(pool__in=[row["id"] for row in rows]).order_by("device__model_name", "pk")
    for pool_id, slug, model_name, capacity_bytes, count in found.values_list(
        "pool_id", "device__slug", "device__model_name", "device__capacity_bytes", "device__result_count"
    ):
        logs[pool_id].append(
            {"device": slug if count else None, "model_name": model_name, "capacity_bytes": capacity_bytes}
        )
    return [
        {
            "id": row["public_id"],
            "url": f"{page_prefix('pool')}{row['public_id']}/",
            "submission": row["submission__public_id"],
            "name": describe_layout(row["layout"]),
            "layout": row["layout"],
            "is_layout_told": row["is_told"],
            "health": row["health"],
            "properties": row["properties"],
            "platform": row["platform"],
            "zfs_version": row["zfs_version"],
            "log_devices": logs[row["id"]],
            "same_as": row["same_as__public_id"],
            "result_count": row["result_count"],
            "results_url": f"{_results_prefix()}{row['public_id']}",
        }
        for row in rows
    ]
