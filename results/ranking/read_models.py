"""Instances of models out of a statement that is put together once: what Django's ORM would read with joins."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, TypeVar

from django.db import models

from results.ranking.compiled import Statement, compile_rows, fetch
from slogdb.replica import reader

M = TypeVar("M", bound=models.Model)


def compile_instances(queryset: models.QuerySet[M], *joined: str) -> Statement:
    """What reads whole rows, and those that the paths of foreign keys lead to, such as "product__vendor"."""
    columns = [name for path in ("", *joined) for name in _names(queryset.model, path)]
    return compile_rows(queryset.values_list(*columns))


def read_instances(model: type[M], statement: Statement, *joined: str) -> Iterator[M]:
    """The instances by a statement of `compile_instances`, with those that they are joined with in their places."""
    for row in fetch(statement):
        found = {path: _make(model, path, row[part]) for path, part in _parts(model, joined)}
        for path in joined:
            before, _, name = path.rpartition("__")
            if found[before] is not None:
                setattr(found[before], name, found[path])
        yield found[""]  # type: ignore[misc] # of the model itself, and never missing


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
