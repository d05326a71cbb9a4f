"""Django's DATABASES: the primary, and a replica that public pages are read from where there is one."""

from typing import Any

import dj_database_url

from slogdb import env

REPLICA = "replica"
PREPARED_AFTER = 5  # runs of a statement that asks to be prepared (results.ranking.aggregate)
CONN_MAX_AGE_S = 600
CONNECT_TIMEOUT_S = {"default": 5, REPLICA: 2}  # without the replica, its pages are read from the primary
# Without these, a connection to a machine that vanished blocks for a quarter of an hour.
DEAD_PEER_DETECTION = {
    "tcp_user_timeout": 10_000,  # ms that sent data may stay unacknowledged
    "keepalives_idle": 10,  # s of silence before the first probe
    "keepalives_interval": 5,
    "keepalives_count": 3,
}


def databases() -> dict[str, dict[str, Any]]:
    """The databases of DATABASE_URL and DATABASE_REPLICA_URL."""
    found = {"default": _database(env.required("DATABASE_URL"))}
    replica = env.text("DATABASE_REPLICA_URL")
    if replica:
        found[REPLICA] = {**_database(replica), "TEST": {"MIRROR": "default"}}
    for alias, database in found.items():
        timeouts = {
            "connect_timeout": CONNECT_TIMEOUT_S[alias],
            **DEAD_PEER_DETECTION,
            **_statement_timeout(),
        }
        database["OPTIONS"] = {**timeouts, **database["OPTIONS"]}
    return found


def _database(url: str) -> dict[str, Any]:
    """One persistent connection a process, checked at the first query of each request."""
    parsed: dict[str, Any] = dict(
        dj_database_url.parse(url, conn_max_age=CONN_MAX_AGE_S, conn_health_checks=True)
    )
    # Behind a pooler the next transaction may get another session, without prepared statements and cursors.
    is_pooled = env.flag("SLOGDB_POOLS_TRANSACTIONS")
    parsed["DISABLE_SERVER_SIDE_CURSORS"] = is_pooled
    parsed["OPTIONS"] = {
        **parsed.get("OPTIONS", {}),
        "prepare_threshold": None if is_pooled else PREPARED_AFTER,
    }
    return parsed


def _statement_timeout() -> dict[str, str]:
    """The limit that slogdb.wsgi sets for web processes; a pooler refuses session options in a startup packet."""
    seconds = env.number("SLOGDB_STATEMENT_TIMEOUT", 0)
    if not seconds or env.flag("SLOGDB_POOLS_TRANSACTIONS"):
        return {}
    return {"options": f"-c statement_timeout={seconds}s"}
