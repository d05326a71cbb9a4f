"""Many rows in one statement: they travel as one JSON value, which PostgreSQL takes apart.

One row costs what a plain INSERT does; of many each costs a fraction of what an ORM's does. Constraints and defaults
of the columns hold as ever. JSON can't say NaN or infinity: such a figure arrives as null.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import orjson
from django.db import connection
from django.db.models import Model

from results.models import Result, Submission
from results.models.choices import State
from results.models.result import OWNER_FIELDS

RUN_IDENTITY = ("submission_id", "position")  # a run that is read again stays the row that it was
_RESULT_COLUMNS = tuple(field.attname for field in Result._meta.concrete_fields if field.name != "id")
_REREAD_COLUMNS = [name for name in _RESULT_COLUMNS if name not in {*RUN_IDENTITY, *OWNER_FIELDS}]
_READ_COLUMNS = ("id", "state", "state_reason", "notices", "parser_version")


def upsert_results(rows: Sequence[Mapping[str, Any]]) -> None:
    """Store results, by the columns of Result without its id.

    One that is there already, by submission and position, keeps its id and its owner's words.
    """
    with connection.cursor() as cursor:
        cursor.execute(_upsert_statement(), [_as_json(rows)])


def save_what_was_read(submissions: Iterable[Submission], *, leased_until: datetime) -> set[int]:
    """Save what reading changes of those that still wait under that lease, and end it; the ids of those."""
    rows = [{name: getattr(one, name) for name in _READ_COLUMNS} for one in submissions]
    with connection.cursor() as cursor:
        cursor.execute(_save_statement(), [_as_json(rows), leased_until])
        return {pk for (pk,) in cursor.fetchall()}


def insert_once(row: Model) -> bool:
    """Store a new row with what its fields hold, and set its id; False where a unique column has its value already.

    Of two at once the second waits for the first to be committed, or not.
    """
    fields = _insertable(type(row))
    values = [field.get_db_prep_save(field.pre_save(row, True), connection) for field in fields]
    with connection.cursor() as cursor:
        cursor.execute(_insert_statement(type(row)), values)
        found = cursor.fetchone()
    if found is None:
        return False
    row.pk = found[0]
    row._state.adding, row._state.db = False, connection.alias
    return True


def _as_json(rows: Sequence[Mapping[str, Any]]) -> str:
    return orjson.dumps(rows).decode()


def _insertable(model: type[Model]) -> list[Any]:
    return [field for field in model._meta.concrete_fields if not field.primary_key]


@lru_cache
def _insert_statement(model: type[Model]) -> str:
    fields = _insertable(model)
    return f"""
        INSERT INTO {model._meta.db_table} ({", ".join(field.column for field in fields)})
        VALUES ({", ".join(["%s"] * len(fields))}) ON CONFLICT DO NOTHING RETURNING id
    """  # noqa: S608 - our own names


@lru_cache(maxsize=1)
def _upsert_statement() -> str:
    columns = ", ".join(_RESULT_COLUMNS)
    changes = ", ".join(f"{name} = excluded.{name}" for name in _REREAD_COLUMNS)
    return f"""
        INSERT INTO results_result ({columns})
        SELECT {columns} FROM {_recordset(Result, _RESULT_COLUMNS)}
        ON CONFLICT ({", ".join(RUN_IDENTITY)}) DO UPDATE SET {changes}
    """  # noqa: S608 - our own names


@lru_cache(maxsize=1)
def _save_statement() -> str:
    changes = ", ".join(f"{name} = given.{name}" for name in _READ_COLUMNS if name != "id")
    return f"""
        UPDATE results_submission AS stored SET {changes}, leased_until = NULL
        FROM {_recordset(Submission, _READ_COLUMNS)}
        WHERE stored.id = given.id AND stored.state = '{State.WAITING}' AND stored.leased_until = %s
        RETURNING stored.id
    """  # noqa: S608 - the same


def _recordset(model: type[Model], columns: Iterable[str]) -> str:
    types: dict[str, Any] = {
        field.attname: field.rel_db_type(connection) if field.primary_key else field.db_type(connection)
        for field in model._meta.concrete_fields
    }
    return f"json_to_recordset(%s::json) AS given ({', '.join(f'{name} {types[name]}' for name in columns)})"
