"""Statements that are asked again and again, past psycopg's cursors: these take longer than most of the answers."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from psycopg.adapt import PyFormat, Transformer
from psycopg.pq import ExecStatus, Format, TransactionStatus

_Connection = psycopg.Connection[Any]


class _Asked:
    """How often a statement was asked, and what it is called once it is prepared."""

    __slots__ = ("name", "sql", "times", "types")

    def __init__(self, sql: str, types: tuple[int, ...]) -> None:
        self.sql = sql
        self.types = types
        self.name = b""
        self.times = 0


_Statements = dict[
    tuple[str, tuple[int, ...]], _Asked
]  # by text and types of values, what was asked last at the end
_of_connections: WeakKeyDictionary[_Connection, _Statements] = WeakKeyDictionary()
_numbers = count(1)


def fetch_prepared(connection: _Connection, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]] | None:
    """The rows, which come as text; None where a cursor is to be asked instead.

    That is for statements that are new or that failed, which the cursor then says out loud, and within transactions,
    where nothing may be tried in vain.
    """
    after = connection.prepare_threshold
    if after is None or not connection.autocommit:
        return None
    if connection.pgconn.transaction_status != TransactionStatus.IDLE:
        return None
    transformer = Transformer(connection)
    bound: Any = transformer.dump_sequence(values, [PyFormat.AUTO] * len(values))
    types = transformer.types or ()
    asked = _asked(connection, sql, types)
    asked.times += 1
    if asked.times <= after:
        return None
    if not asked.name and not _prepare(connection, asked):
        return None
    result = connection.pgconn.exec_prepared(asked.name, bound, transformer.formats, Format.TEXT)
    if result.status != ExecStatus.TUPLES_OK:
        # Else each failure leaves one behind.
        _drop(connection, _of_connections[connection].pop((sql, types)))
        return None
    transformer.set_pgresult(result)
    return transformer.load_rows(0, result.ntuples, tuple)


def _asked(connection: _Connection, sql: str, types: tuple[int, ...]) -> _Asked:
    """What is known of the statement, as the latest that was asked; the oldest makes room for it."""
    statements = _of_connections.setdefault(connection, {})
    asked = statements.pop((sql, types), None)
    if asked is None:
        asked = _Asked(sql, types)
        if connection.prepared_max is not None and len(statements) >= connection.prepared_max:
            _drop(connection, statements.pop(next(iter(statements))))
    statements[sql, types] = asked
    return asked


def _drop(connection: _Connection, asked: _Asked) -> None:
    if asked.name:
        connection.pgconn.exec_(b"DEALLOCATE " + asked.name)


def _prepare(connection: _Connection, asked: _Asked) -> bool:
    name = b"slogdb_%d" % next(_numbers)
    if connection.pgconn.prepare(name, _numbered(asked.sql), asked.types).status != ExecStatus.COMMAND_OK:
        return False
    asked.name = name
    return True


@lru_cache(maxsize=1000)
def _numbered(sql: str) -> bytes:
    """The statement with its values as PostgreSQL counts them: $1, $2, …"""
    numbers = count(1)
    return re.sub("%[s%]", lambda found: "%" if found[0] == "%%" else f"${next(numbers)}", sql).encode()
