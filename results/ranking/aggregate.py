"""Medians over a device's results: the same statement for one device and for all of them."""

from collections.abc import Collection

from django.db import connection, transaction

from results.models.fields import BLOCK_SIZES
from results.ranking.score import FORMULA_VERSION, MIB

_SLOTS = range(1, len(BLOCK_SIZES) + 1)  # PostgreSQL counts from one
_SLOT_4K = BLOCK_SIZES.index(4096) + 1
_SLOT_128K = BLOCK_SIZES.index(131072) + 1


def _median(expression: str) -> str:
    return f"percentile_cont(0.5) WITHIN GROUP (ORDER BY {expression})"


def _columns(template: str) -> str:
    return ", ".join(template.format(slot=slot) for slot in _SLOTS)


def _refresh_statement(restriction: str) -> str:
    """The upsert for the devices that `restriction` names; logs throughout, so medians are geometric."""
    return f"""
    WITH per_unit AS (
        SELECT device_id, method, ranking_unit, count(*) AS results, max(measured_on) AS measured_on,
               {_median("ln(zil_latency_us)")} AS zil, {_median("ln(peak_throughput_mib_s)")} AS peak,
               {_columns(_median("ln(latency_us[{slot}])") + " AS log_{slot}")}
        FROM results_result
        WHERE is_ranked {restriction}
        GROUP BY device_id, method, ranking_unit
    ), per_device AS (
        SELECT device_id, method, count(*) AS units, sum(results) AS results, max(measured_on) AS measured_on,
               exp({_median("zil")}) AS zil, exp({_median("peak")}) AS peak,
               ARRAY[{_columns("exp(" + _median("log_{slot}") + ")")}]::real[] AS median_us,
               ARRAY[{_columns("exp(min(log_{slot}))")}]::real[] AS lowest_us,
               ARRAY[{_columns("exp(max(log_{slot}))")}]::real[] AS highest_us
        FROM per_unit GROUP BY device_id, method
    )
    INSERT INTO results_deviceranking AS ranking (
        device_id, method, device_class, formula_version, unit_count, result_count, last_measured_on,
        zil_latency_us, peak_throughput_mib_s, latency_4k_us, throughput_128k_mib_s,
        median_us, lowest_us, highest_us)
    SELECT device_id, method, device.device_class, {FORMULA_VERSION}, units, results, measured_on,
           zil, peak, median_us[{_SLOT_4K}],
           {BLOCK_SIZES[_SLOT_128K - 1] / MIB} * 1e6 / median_us[{_SLOT_128K}],
           median_us, lowest_us, highest_us
    FROM per_device JOIN results_device AS device ON device.id = device_id
    ORDER BY device_id
    ON CONFLICT (device_id, method) DO UPDATE SET
        class_rank = CASE WHEN ranking.device_class = excluded.device_class THEN ranking.class_rank END,
        device_class = excluded.device_class, formula_version = excluded.formula_version,
        unit_count = excluded.unit_count, result_count = excluded.result_count,
        last_measured_on = excluded.last_measured_on, zil_latency_us = excluded.zil_latency_us,
        peak_throughput_mib_s = excluded.peak_throughput_mib_s, latency_4k_us = excluded.latency_4k_us,
        throughput_128k_mib_s = excluded.throughput_128k_mib_s,
        median_us = excluded.median_us, lowest_us = excluded.lowest_us, highest_us = excluded.highest_us
    """


_GONE = """
    DELETE FROM results_deviceranking AS ranking
    WHERE NOT EXISTS (
        SELECT FROM results_result AS result
        WHERE result.device_id = ranking.device_id AND result.method = ranking.method AND result.is_ranked)
"""


def refresh_devices(device_ids: Collection[int]) -> None:
    """Compute the rows of these devices anew. The caller's transaction holds their locks (ingest.match)."""
    with connection.cursor() as cursor:
        cursor.execute(_refresh_statement("AND device_id = ANY(%s)"), [list(device_ids)])
        cursor.execute(f"{_GONE} AND ranking.device_id = ANY(%s)", [list(device_ids)])


@transaction.atomic
def refresh_all() -> None:
    """Compute every row anew. Ingest waits meanwhile: what it adds after our look must not be overwritten."""
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE results_deviceranking IN SHARE ROW EXCLUSIVE MODE")
        cursor.execute(_refresh_statement(""))
        cursor.execute(_GONE)
