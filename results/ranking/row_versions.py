"""PostgreSQL's own version of a row: the transaction that wrote it, `xmin`.

What was made of a row stands as long as its versions do, and `kept_rows.py` keeps it as long. To read them takes less
than to read the row.
"""

from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.models import CharField, F, Func

from slogdb.replica import reader


class _Version(Func):
    """The version of the row that the column of its one expression stands in, where a join found one."""

    arity = 1
    output_field = CharField()

    def as_sql(self, compiler: Any, connection: Any, *_: Any, **__: Any) -> Any:  # noqa: ARG002 - Django's signature
        (column,) = self.get_source_expressions()
        return f"{connection.ops.quote_name(column.alias)}.xmin", ()


# Of a DeviceRanking, its device and its product: what the columns of a list are called, and what they are.
VERSION_COLUMNS = {
    "version": _Version(F("high_us")),
    "device_version": _Version(F("device__slug")),
    "product_version": _Version(F("device__product__slug")),
}
VERSIONS = ("id", *VERSION_COLUMNS)


def versions_tell() -> bool:
    """Whether another state is another version: a transaction may write a row twice, which has one version then."""
    connection = reader()
    return connection.alias != DEFAULT_DB_ALIAS or not connection.in_atomic_block
