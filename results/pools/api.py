"""Pools that results are about: the list, and one of them."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

import django_filters
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from results.api.lists import RowList
from results.api.paging import ByChangeOrPage
from results.api.records import DescribedPoolRecord, page_of
from results.api.views import ReadEndpoint
from results.core.addresses import address, full_url, with_query
from results.core.record import Record, Row, Url, field
from results.core.security.rate_limits import QUERY_LIMIT
from results.models import PoolLog, Result
from results.pools.query import find_pool, published_pools
from results.search.pools import find_pools
from results.search.products import find_products

_FIELDS = (
    *("id", "public_id", "submission__public_id", "layout", "is_told", "health", "properties", "platform"),
    *("zfs_version", "result_count", "same_as__public_id", "changed_at"),
)


# A subquery, which counting the pools leaves out: a join would be grouped for all of them.
_RESULTS = Result.objects.filter(pool=OuterRef("pk")).order_by().values("pool")
_RESULT_COUNT = Coalesce(Subquery(_RESULTS.annotate(count=Count("pk")).values("count")), 0)


class PoolLogRecord(Record):
    """A log device of the pool."""

    device: str | None = field(
        "its slug; null if nobody has measured it alone",
        lambda row: row["device__slug"] if row["device__result_count"] else None,
    )
    model_name: str = field("as the device reports it", "device__model_name")
    capacity_bytes: int | None = field("in bytes; null if not stated", "device__capacity_bytes")


class PoolRecord(DescribedPoolRecord):
    """A pool as one submission describes it. Its name is never stored."""

    first = ("id", "url", "submission")

    id: str = field("as in the address of its page", "public_id")
    url: Url = field("of its page", "public_id", to=page_of("pool"))
    submission: str = field("the id of the submission that describes it", "submission__public_id")
    log_devices: list[PoolLogRecord] = field("the models of its log devices, as far as they are known")
    same_as: str | None = field(
        "the id of the first submission's pool that is the same, as their owner states", "same_as__public_id"
    )
    result_count: int = field("published results")
    results_url: Url = field(
        "of its results in this API",
        "public_id",
        to=lambda pool: full_url(with_query(address("api-results"), pool=pool)),
    )
    changed_at: datetime = field("when any of its fields last changed")


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
    pagination_class = ByChangeOrPage
    resource = "pools"
    ordering_fields = {"id": "id", "result_count": "result_count", "changed_at": "changed_at"}

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


def pool_records(rows: Sequence[Row]) -> list[Row]:
    """The records of rows of _FIELDS. One query for their log devices."""
    logs: dict[int, list[Row]] = defaultdict(list)
    found = PoolLog.objects.filter(pool__in=[row["id"] for row in rows]).order_by("device__model_name", "pk")
    for row in found.values(
        "pool_id", "device__slug", "device__model_name", "device__capacity_bytes", "device__result_count"
    ):
        logs[row["pool_id"]].append(PoolLogRecord.of(row))
    return [PoolRecord.of(row, log_devices=logs[row["id"]]) for row in rows]
