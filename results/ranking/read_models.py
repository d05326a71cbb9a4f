"""Instances of models out of a statement that is put together once: what Django's ORM would read with joins."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from django.db import models
from django.db.models.expressions import RawSQL

from results.ranking.compiled import Statement, compile_rows, fetch
from slogdb.replica import reader

M = TypeVar("M", bound=models.Model)


def compile_instances(
    queryset: models.QuerySet[M], *joined: str, beside: Mapping[str, str] | None = None
) -> Statement:
    """What reads whole rows, and those that the paths of foreign keys lead to, such as "product__vendor".

    What is to be read `beside` them, SQL of one value by name, comes last, for `read_beside`.
    """
    values = {name: RawSQL(sql, ()) for name, sql in (beside or {}).items()}  # noqa: S611 - our own
    columns = [name for path in ("", *joined) for name in _names(queryset.model, path)]
    return compile_rows(queryset.annotate(**values).values_list(*columns, *values))


def read_instances(model: type[M], statement: Statement, *joined: str) -> Iterator[M]:
    """The instances by a statement of `compile_instances`, with those that they are joined with in their places."""
    for instance, _ in read_beside(model, statement, *joined):
        yield instance


def read_beside(model: type[M], statement: Statement, *joined: str) -> Iterator[tuple[M, tuple[Any, ...]]]:
    """The same, each with what the statement reads beside it."""
    parts = _parts(model, joined)
    for row in fetch(statement):
        found = {path: _make(model, path, row[part]) for path, part in parts}
        for path in joined:
            before, _, name = path.rpartition("__")
            if found[before] is not None:
                setattr(found[before], name, found[path])
        yield found[""], row[parts[-1][1].stop :]  # type: ignore[misc] # of the model itself, and never missing


def _make(model: type[models.Model], path: str, row: Sequence[Any]) -> models.Model | None:
    """What a path leads to, of its part of a row; None where nothing was joined."""
    if row[0] is None:
        return None
    target, fields = _fields(model, path)
    connection = reader()
    values = [
        value if convert is None or value is None else convert(value, None, connection)
        for value, (_, convert) in zip(row, fields, strict=True)
    ]
    return target.from_db(connection.alias, [name for name, _ in fields], values)


@cache
def _fields(model: type[models.Model], path: str) -> tuple[type[models.Model], list[tuple[str, Any]]]:
    """The model at the end of a path, and its columns, the key first, each with what converts its values."""
    for name in filter(None, path.split("__")):
        model = model._meta.get_field(name).related_model  # type: ignore[assignment]
    fields = [(field.attname, getattr(field, "from_db_value", None)) for field in model._meta.concrete_fields]
    return model, fields


def _names(model: type[models.Model], path: str) -> list[str]:
    return [f"{path}__{name}" if path else name for name, _ in _fields(model, path)[1]]


@cache
def _parts(model: type[models.Model], joined: tuple[str, ...]) -> list[tuple[str, slice]]:
    """Which columns of a row are the model's, and which each path's."""
    found, start = [], 0
    for path in ("", *joined):
        end = start + len(_names(model, path))
        found.append((path, slice(start, end)))
        start = end
    return found
