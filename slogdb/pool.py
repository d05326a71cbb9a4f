"""What Prometheus is told of this process's pool of connections, where there is one (SLOGDB_DB_POOL)."""

from django.db import DEFAULT_DB_ALIAS, connections

from slogdb import metrics

_TOLD = {"open": "pool_size", "available": "pool_available", "waiting": "requests_waiting"}


def tell_pool(alias: str = DEFAULT_DB_ALIAS) -> None:
    """Set the gauges; without a pool there are none."""
    pool = getattr(connections[alias], "pool", None)
    if pool is None:
        return
    figures = pool.get_stats()
    for state, name in _TOLD.items():
        metrics.POOL.labels(state).set(figures.get(name, 0))
