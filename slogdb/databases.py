"""Django's DATABASES: the primary, and a replica that public pages are read from where there is one."""

from typing import Any

import dj_database_url

from slogdb import env

REPLICA = "replica"
ENGINE = "slogdb.postgresql"
PREPARED_AFTER = 5  # runs of a statement that asks to be prepared (results.ranking.aggregate)
KEPT_S = 600
WAITS_FOR_POOL_S = 5.0
CONNECTS_WITHIN_S = {"default": 5, REPLICA: 2}  # a replica's pages are made from the primary then
# A machine that vanished refuses nothing: without these who is connected to it waits for a quarter of an hour.
NOTICES_A_DEAD_LINK = {
    "tcp_user_timeout": 10_000,  # ms for which nobody takes what was sent
    "keepalives_idle": 10,  # s without a word before it is asked whether it is there
    "keepalives_interval": 5,
    "keepalives_count": 3,
}


def databases() -> dict[str, dict[str, Any]]:
    """What DATABASE_URL, DATABASE_REPLICA_URL and SLOGDB_DB_POOL ask for."""
    found = {"default": _database(env.required("DATABASE_URL"))}
    replica = env.text("DATABASE_REPLICA_URL")
    if replica:
        found[REPLICA] = {**_database(replica), "TEST": {"MIRROR": "default"}}
    for alias, one in found.items():
        waits = {"connect_timeout": CONNECTS_WITHIN_S[alias], **NOTICES_A_DEAD_LINK}
        one["OPTIONS"] = {**waits, **one["OPTIONS"]}
    return found


def _database(url: str) -> dict[str, Any]:
    size = env.number("SLOGDB_DB_POOL", 0)
    parsed: dict[str, Any] = dict(
        dj_database_url.parse(url, engine=ENGINE, conn_max_age=0 if size else KEPT_S, conn_health_checks=True)
    )
    # Behind a pooler the next transaction may have another session, without the statements and cursors of this one.
    is_pooled = env.flag("SLOGDB_POOLS_TRANSACTIONS")
    parsed["DISABLE_SERVER_SIDE_CURSORS"] = is_pooled
    options = {**parsed.get("OPTIONS", {}), "prepare_threshold": None if is_pooled else PREPARED_AFTER}
    if size:
        options["pool"] = {"min_size": 1, "max_size": size, "timeout": WAITS_FOR_POOL_S}
    return {**parsed, "OPTIONS": options}
