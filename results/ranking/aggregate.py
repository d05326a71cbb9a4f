"""Medians over a device's results: the same statement for one device and for all of them."""

from collections.abc import Collection

from django.db import connection, transaction

from results.models.fields import BLOCK_SIZES
from results.ranking.score import FORMULA_VERSION, MIB

_SLOTS = range(1, len(BLOCK_SIZES) + 1)  # PostgreSQL counts from one
_SLOT_4K = BLOCK_SIZES.index(4096) + 1
_SLOT_128K = BLOCK_SIZES.index(131072) + 1
# The table before its rows: refresh_all takes it whole, and nobody may hold rows in it that wants the table later.
LOCK_FOR_ROWS = "LOCK TABLE results_deviceranking IN ROW EXCLUSIVE MODE"
MOST_PAIRS = 10  # of units a device: a popular one must not tell the spread of its whole class


def _median(expression: str) -> str:
    return f"percentile_cont(0.5) WITHIN GROUP (ORDER BY {expression})"


def _columns(template: str) -> str:
    return ", ".join(template.format(slot=slot) for slot in _SLOTS)


_UPDATED = (
    "device_class",
    "formula_version",
    "unit_count",
    "result_count",
    "last_measured_on",
    "zil_latency_us",
    "peak_throughput_mib_s",
    "latency_4k_us",
    "throughput_128k_mib_s",
    "median_us",
    "lowest_us",
    "highest_us",
    "score_us",
    "unit_deviation",
    "unit_differences",
    "board_spread",
)


def _refresh_statement(restriction: str) -> str:
    """The upsert for the devices that `restriction` names; logs throughout, so medians are geometric.

    Units are paired in the order of their digests, which is no order at all: 1 with 2, 3 with 4, …
    """
    return f"""
    WITH per_unit AS (
        SELECT device_id, method, ranking_unit, count(*) AS results, max(measured_on) AS measured_on,
               {_median(f"ln(CASE method WHEN 'fio' THEN latency_us[{_SLOT_4K}] ELSE zil_latency_us END)")} AS score,
               {_median("ln(zil_latency_us)")} AS zil, {_median("ln(peak_throughput_mib_s)")} AS peak,
               {_columns(_median("ln(latency_us[{slot}])") + " AS log_{slot}")}
        FROM results_result
        WHERE is_ranked {restriction}
        GROUP BY device_id, method, ranking_unit
    ), paired AS (
        SELECT *, row_number() OVER units AS number, abs(score - lag(score) OVER units) AS difference
        FROM per_unit WINDOW units AS (PARTITION BY device_id, method ORDER BY ranking_unit)
    ), per_device AS (
        SELECT device_id, method, count(*) AS units, sum(results) AS results, max(measured_on) AS measured_on,
               {_median("score")} AS score, exp({_median("zil")}) AS zil, exp({_median("peak")}) AS peak,
               coalesce(array_agg(difference ORDER BY number)
                   FILTER (WHERE mod(number, 2) = 0 AND number <= {2 * MOST_PAIRS}), '{{}}')::real[] AS differences,
               ARRAY[{_columns("exp(" + _median("log_{slot}") + ")")}]::real[] AS median_us,
               ARRAY[{_columns("exp(min(log_{slot}))")}]::real[] AS lowest_us,
               ARRAY[{_columns("exp(max(log_{slot}))")}]::real[] AS highest_us
        FROM paired GROUP BY device_id, method
    ), deviations AS (
        SELECT device_id, method, {_median("abs(per_unit.score - per_device.score)")} AS deviation
        FROM per_unit JOIN per_device USING (device_id, method)
        WHERE units > 1 GROUP BY device_id, method
    )
    INSERT INTO results_deviceranking AS ranking (device_id, method, low_us, high_us, {", ".join(_UPDATED)})
    SELECT device_id, method, exp(score), exp(score),
           device.device_class, {FORMULA_VERSION}, units, results, measured_on,
           zil, peak, median_us[{_SLOT_4K}],
           {BLOCK_SIZES[_SLOT_128K - 1] / MIB} * 1e6 / median_us[{_SLOT_128K}],
           median_us, lowest_us, highest_us, exp(score), deviation, differences, NULL::double precision
    FROM per_device LEFT JOIN deviations USING (device_id, method)
    JOIN results_device AS device ON device.id = device_id
    ORDER BY device_id
    ON CONFLICT (device_id, method) DO UPDATE SET
        {", ".join(f"{name} = excluded.{name}" for name in _UPDATED)}
    """


_LOCK = """
    SELECT FROM results_deviceranking WHERE device_id = ANY(%s) ORDER BY device_id, method FOR UPDATE
"""

_GONE = """
    DELETE FROM results_deviceranking AS ranking
    WHERE NOT EXISTS (
        SELECT FROM results_result AS result
        WHERE result.device_id = ranking.device_id AND result.method = ranking.method AND result.is_ranked)
"""


def refresh_devices(device_ids: Collection[int]) -> None:
    """Compute the rows of these devices anew. The caller's transaction holds the devices' locks (ingest.match).

    Intervals are another matter (results.ranking.settle): they need the spread of the class. Rows are locked in one
    order before any is written: the statements write first what stays and then what goes.
    """
    with connection.cursor() as cursor:
        cursor.execute(LOCK_FOR_ROWS)
        cursor.execute(_LOCK, [list(device_ids)])
        cursor.execute(_refresh_statement("AND device_id = ANY(%s)"), [list(device_ids)])
        cursor.execute(f"{_GONE} AND ranking.device_id = ANY(%s)", [list(device_ids)])


@transaction.atomic
def refresh_all() -> None:
    """Compute every row anew. Ingest waits meanwhile: what it adds after our look must not be overwritten."""
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE results_deviceranking IN SHARE ROW EXCLUSIVE MODE")
        cursor.execute(_refresh_statement(""))
        cursor.execute(_GONE)
