"""A device's rows of the ranking: medians and interval, for the devices that changed or for all of them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import psycopg
from django.db import connection, transaction

from results.core.data_version import bump_data_version
from results.core.described import columns_of
from results.kinds.curve.metrics import FORMULA_VERSION, METRICS, RANKED_BY
from results.models import ClassRanking, DeviceRanking
from results.models.choices import Board, Method
from results.models.fields import BLOCK_SIZES
from results.ranking.boards import (
    ALL_CLASSES,
    LOCK_FOR_ROWS,
    ClassBoard,
    dirty_boards,
    mark_dirty,
    place_board,
)
from results.ranking.conditions import update_all_conditions, update_conditions
from results.ranking.intervals import GUESSED_SPREAD, MAX_PAIRS, half_width_sql
from results.ranking.recommend import ACCOUNTABLE_SQL, PASSES_SQL, RECOMMENDED_HALF_SQL
from results.ranking.senders import SENDERS_SQL, independent_units_sql, measured_sql

_SLOTS = range(1, len(BLOCK_SIZES) + 1)  # PostgreSQL counts from one
RESULTS_A_STEP = 100_000  # of a full ranking: with fewer, each step reads nearly every page again
SORT_MEMORY = "SET LOCAL work_mem = '64MB'"  # for one step, else PostgreSQL sorts on disk


def _median(expression: str) -> str:
    return f"percentile_cont(0.5) WITHIN GROUP (ORDER BY {expression})"


def _value(key: str) -> str:
    return f"(metrics -> '{key}')::double precision"


def _columns(template: str) -> str:
    return ", ".join(template.format(slot=slot) for slot in _SLOTS)


_OF_THE_DEVICE = ("device_class", "model_name", "capacity_bytes")
_COMPUTED = tuple(name for name in columns_of(DeviceRanking) if name not in {"device", "board", "method"})


# The columns that a board's pass reads: a row changed only in others changes no place.
_RANK_COLUMNS = "device_class, is_main, score, low, high, unit_count > 1, unit_differences"


def _of(table: str) -> str:
    return ", ".join(f"{table}.{name}" for name in _COMPUTED)


# Which rows are counted together: a device's results by a method, or only those that someone is accountable for.
_COUNTED_BY = "device_id, method, is_of_accountable"


def _medians_sql(measured: str) -> str:
    """Common table expressions `per_device`, `accountable` and `by_firmware`.

    Logarithms throughout, so medians are geometric. A device's metrics by a method are the same on every board. What
    differs by board has a column for each: the units' scores, how many results have its figure, and their fewest
    digits. Where some of the results by a method are vouched for, only these count. Where some of these only agree
    with accountable ones, a second row has the figures from the accountable ones, which recommendations are based on.
    """
    medians = ", ".join(f"'{key}', exp({_median(f'log_{key}')})::real" for key in METRICS)
    counted = "".join(
        f"count({_value(key)}) AS results_{board}, "
        f"min(figure_digits) FILTER (WHERE {_value(key)} IS NOT NULL) AS digits_{board}, "
        for board, key in RANKED_BY.items()
    )
    boards = "".join(_board_columns(board, key) for board, key in RANKED_BY.items())
    return f"""
    measured AS ({measured}), judged AS (
        SELECT *, bool_or(is_vouched) OVER for_method AS has_vouched,
               bool_or(is_accountable) OVER for_method
               AND NOT bool_and(is_accountable) FILTER (WHERE is_vouched) OVER for_method AS is_partly_accountable
        FROM measured WINDOW for_method AS (PARTITION BY device_id, method)
    ), vouched AS MATERIALIZED (
        SELECT * FROM judged WHERE is_vouched = has_vouched
    ), counted AS (
        SELECT *, false AS is_of_accountable FROM vouched
        UNION ALL SELECT *, true FROM vouched WHERE is_partly_accountable AND is_accountable
    ), {independent_units_sql("units", "counted", by=_COUNTED_BY)},
    per_unit AS (
        SELECT {_COUNTED_BY}, independent_unit, max(measured_on) AS measured_on,
               bool_and(is_vouched) AS is_vouched, bool_and(is_accountable) AS is_accountable,
               bool_or(is_confirmed) AS is_confirmed, {counted}
               {"".join(f"{_median(f'ln({_value(key)})')} AS log_{key}, " for key in METRICS)}
               {_columns(_median("ln(latency_us[{slot}])") + " AS log_{slot}")},
               array_agg(firmware_id) AS firmware_ids,
               array_agg(ln({_value(RANKED_BY[Board.SYNC_WRITE])})) AS firmware_logs
        FROM units GROUP BY {_COUNTED_BY}, independent_unit
    ), per_device AS (
        SELECT {_COUNTED_BY}, max(measured_on) AS last_measured_on, bool_and(is_vouched) AS is_vouched,
               bool_and(is_accountable) AS is_accountable, bool_or(is_confirmed) AS is_confirmed, {boards}
               jsonb_strip_nulls(jsonb_build_object({medians})) AS metrics,
               ARRAY[{_columns("exp(" + _median("log_{slot}") + ")")}]::real[] AS median_us,
               ARRAY[{_columns("exp(min(log_{slot}))")}]::real[] AS lowest_us,
               ARRAY[{_columns("exp(max(log_{slot}))")}]::real[] AS highest_us
        FROM per_unit GROUP BY {_COUNTED_BY}
    ), {ACCOUNTABLE_SQL},
    {_BY_FIRMWARE}
    """


def _board_columns(board: str, key: str) -> str:
    """A board's columns of per_device; `scores_…` is null for a device without its figure.

    Scores are in the order of the units' senders, which is unrelated to what they measured.
    """
    for_units = f"FILTER (WHERE log_{key} IS NOT NULL)"
    return f"""
        array_agg(log_{key} ORDER BY independent_unit) {for_units} AS scores_{board},
        {_median(f"log_{key}")} AS score_{board},
        sum(results_{board})::integer AS results_{board}, min(digits_{board}) AS digits_{board},
    """


# For each version, the figure of the board sync_write over the device's independent units (results.devices.firmware).
_BY_FIRMWARE = f"""
    firmware_scores AS (
        SELECT device_id, method, firmware_id, {_median("log_score")} AS score
        FROM per_unit CROSS JOIN LATERAL unnest(firmware_ids, firmware_logs) AS ran (firmware_id, log_score)
        WHERE NOT is_of_accountable AND firmware_id IS NOT NULL AND log_score IS NOT NULL
        GROUP BY device_id, method, firmware_id, independent_unit
    ), firmware_medians AS (
        SELECT device_id, method, firmware_id, array_agg(score) AS scores, {_median("score")} AS score
        FROM firmware_scores GROUP BY device_id, method, firmware_id
    ), by_firmware AS (
        SELECT firmware_medians.device_id, method, jsonb_agg(jsonb_build_object(
                   'version', version, 'unit_count', cardinality(scores), 'latency_us', exp(score),
                   'deviation', (SELECT {_median("abs(for_unit - score)")} FROM unnest(scores) AS for_unit)
               ) ORDER BY version) AS firmwares
        FROM firmware_medians JOIN results_firmware AS firmware ON firmware.id = firmware_id
        GROUP BY firmware_medians.device_id, method
    )
"""

# The first unit is paired with the second, the third with the fourth, …
_DIFFERENCES = f"""
    ARRAY(SELECT abs(scores[2 * pair - 1] - scores[2 * pair])::real
          FROM generate_series(1, least({MAX_PAIRS}, cardinality(scores) / 2)) AS pair)
"""
_COLUMNS_OF_BOARDS = ", ".join(
    f"('{board}', scores_{board}, score_{board}, results_{board}, digits_{board})" for board in RANKED_BY
)
# A device's row in a board's list: the method with more units that someone is accountable for, then with a source
# that is enough by itself, then with vouched results, then with more units, then the one
# that comes first in Method.
_IS_MAIN = f"""
    row_number() OVER (
        PARTITION BY device_id, board
        ORDER BY coalesce(accountable_count, 0) DESC, coalesce(is_confirmed, false) DESC, is_vouched DESC,
                 unit_count DESC, array_position(ARRAY{Method.values}, method::text)) = 1
"""

# Values stored as `real` are also computed with as `real`: a row whose interval is recomputed from stored values
# (results.ranking.boards) doesn't change.
_INTERVALS = f"""
    per_board AS (
        SELECT device_id, method, last_measured_on, metrics, median_us, lowest_us, highest_us,
               per_device.is_vouched, accountable.is_confirmed, accountable_count, accountable_score,
               accountable_scores, accountable_figures, on_board.*,
               cardinality(scores) AS unit_count,
               CASE WHEN board = '{Board.SYNC_WRITE}' THEN coalesce(firmwares, '[]') ELSE '[]' END AS firmwares
        FROM per_device LEFT JOIN accountable USING (device_id, method)
        LEFT JOIN by_firmware USING (device_id, method)
        CROSS JOIN LATERAL (VALUES {_COLUMNS_OF_BOARDS})
            AS on_board (board, scores, log_score, result_count, digits)
        WHERE NOT is_of_accountable AND scores IS NOT NULL
    ), scored AS (
        SELECT *, {FORMULA_VERSION} AS formula_version, exp(log_score)::real AS score,
               {_DIFFERENCES} AS unit_differences, {_IS_MAIN} AS is_main,
               CASE WHEN unit_count > 1 THEN (
                   SELECT {_median("abs(for_unit - log_score)")} FROM unnest(scores) AS for_unit
               )::real END AS unit_deviation
        FROM per_board CROSS JOIN LATERAL (
            SELECT {", ".join(_OF_THE_DEVICE)} FROM results_device AS device
            WHERE device.id = per_board.device_id OFFSET 0
        ) AS device
    ), with_spread AS (
        SELECT scored.*, coalesce(stored.spread, {GUESSED_SPREAD}) AS board_spread,
               coalesce(stored.spread_source, 'guess') = 'guess' AS assumed_spread
        FROM scored LEFT JOIN LATERAL (
            SELECT spread, spread_source FROM results_classranking AS for_class
            WHERE for_class.board = scored.board AND for_class.device_class = scored.device_class
            AND for_class.method = scored.method
        ) AS stored ON true
        OFFSET 0
    ), with_width AS (
        SELECT *, {half_width_sql("unit_count", "unit_deviation", spread="board_spread")} AS half
        FROM with_spread OFFSET 0
    ), new_rows AS (
        SELECT with_width.*, (score * exp(-with_width.half))::real AS low,
               (score * exp(with_width.half))::real AS high,
               recommended_score, recommended_figures,
               (recommended_score * exp(-recommendable.half))::real AS recommended_low,
               (recommended_score * exp(recommendable.half))::real AS recommended_high
        FROM with_width LEFT JOIN LATERAL (
            SELECT exp(accountable_score)::real AS recommended_score, accountable_figures AS recommended_figures,
                   {RECOMMENDED_HALF_SQL} AS half
            FROM (
                SELECT CASE WHEN accountable_count > 1 THEN (
                    SELECT {_median("abs(for_unit - accountable_score)")} FROM unnest(accountable_scores) AS for_unit
                ) END AS accountable_deviation
            ) AS between_units
            WHERE {PASSES_SQL}
        ) AS recommendable ON true
    )
"""


def _refresh_statement(restriction: str, measured: str) -> str:
    """The upsert of those rows that change, for the devices that `restriction` names.

    `measured` is measured_sql of the same devices. The statement returns, for each written row, its key and the
    columns that a pass reads.
    """
    return f"""
    WITH {_medians_sql(measured)}, {_INTERVALS}
    INSERT INTO results_deviceranking AS ranking (device_id, board, method, {", ".join(_COMPUTED)})
    SELECT device_id, board, method, {_of("new_rows")}
    FROM new_rows LEFT JOIN (
        SELECT device_id, board, method, {", ".join(_COMPUTED)} FROM results_deviceranking WHERE true {restriction}
    ) AS old_rows USING (device_id, board, method)
    WHERE ({_of("new_rows")}) IS DISTINCT FROM ({_of("old_rows")})
    ORDER BY device_id, board, method
    ON CONFLICT (device_id, board, method) DO UPDATE SET
        {", ".join(f"{name} = excluded.{name}" for name in _COMPUTED)}
    RETURNING device_id, board, method, {_RANK_COLUMNS}
    """


_LOCK = f"""
    SELECT device_id, board, method, {_RANK_COLUMNS} FROM results_deviceranking
    WHERE device_id = ANY(%(devices)s::bigint[]) ORDER BY device_id, board, method FOR UPDATE
"""

_HAS_FIGURE = " OR ".join(
    f"ranking.board = '{board}' AND result.metrics ? '{key}'" for board, key in RANKED_BY.items()
)
_DELETE = f"""
    DELETE FROM results_deviceranking AS ranking
    WHERE NOT EXISTS (
        SELECT FROM results_result AS result
        WHERE result.device_id = ranking.device_id AND result.measured_by = ranking.method AND result.is_ranked
        AND ({_HAS_FIGURE}))
"""

_OF_DEVICES = "AND device_id = ANY(%(devices)s::bigint[])"
_DELETE_OF_DEVICES = f"{_DELETE} {_OF_DEVICES} RETURNING device_id, board, method"


# Planning the refresh takes ten times as long as running it for one device.
_ONE_PLAN = "SET LOCAL plan_cache_mode = force_generic_plan"


def refresh_devices(device_ids: Collection[int], *, only_added: bool = False) -> set[ClassBoard]:
    """Recompute the rows of these devices; return the boards that they joined, left or moved on.

    The caller's transaction holds the devices' locks (ingest.match). Rows are locked in one order before any is
    written, since the statements first write the rows that remain and then delete the others. Intervals use the
    board's stored spread. `only_added`: no result was removed, so no row is.
    """
    devices = {"devices": list(device_ids)}
    with connection.cursor() as cursor:
        cursor.execute(f"{LOCK_FOR_ROWS}; {_ONE_PLAN}")
        cursor.execute(_LOCK, devices)
        before = _by_key(cursor.fetchall())
        written = _by_key(
            _execute_prepared(_refresh_statement(_OF_DEVICES, measured_sql(_OF_DEVICES)), devices)
        )
        deleted = {}
        if not only_added:
            cursor.execute(_DELETE_OF_DEVICES, devices)
            deleted = _by_key(cursor.fetchall())
    moved = {key for key, columns in written.items() if before.get(key) != columns} | deleted.keys()
    return {ClassBoard(key[1], rows[key][0]) for rows in (before, written) for key in moved if key in rows}


def _execute_prepared(statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Run a prepared statement with psycopg's cursor: Django's interpolates the values, so each run is planned."""
    if connection.queries_logged:
        connection.queries_log.append({"sql": statement, "time": ""})
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        return cursor.execute(statement, values, prepare=True).fetchall()


def _by_key(rows: Iterable[tuple[Any, ...]]) -> dict[tuple[int, str, str], tuple[Any, ...]]:
    """The rows' other columns, by device, board and method."""
    return {(device, board, method): tuple(rest) for device, board, method, *rest in rows}


_COUNTS = """
    SELECT device_id, count(*) FROM results_result WHERE is_ranked GROUP BY device_id ORDER BY device_id
"""
_OF_RANGE = "AND device_id BETWEEN %(first)s AND %(last)s"
# The senders of all submissions, read once for all steps: the submissions' rows are much larger, with their texts.
_SENDERS = (
    "DROP TABLE IF EXISTS ranking_senders",
    f"CREATE TEMPORARY TABLE ranking_senders ON COMMIT DROP AS {SENDERS_SQL}",
    "ANALYZE ranking_senders",
)
_OF_SENDERS = measured_sql(_OF_RANGE, senders="ranking_senders")


def refresh_all(results_a_step: int = RESULTS_A_STEP) -> Iterator[tuple[int, int]]:
    """Recompute every row, in steps; yield of how many ranked results, and of how many in all.

    Ingest waits: rows that it adds after our read must not be overwritten.
    """
    refresh = f"WITH written AS ({_refresh_statement(_OF_RANGE, _OF_SENDERS)}) SELECT count(*) FROM written"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE results_deviceranking IN SHARE ROW EXCLUSIVE MODE")
        for statement in (SORT_MEMORY, *_SENDERS, _COUNTS):
            cursor.execute(statement)
        counts = cursor.fetchall()
        done, total = 0, sum(count for _, count in counts)
        for first, last, count in _in_steps(counts, results_a_step):
            cursor.execute(refresh, {"first": first, "last": last})
            done += count
            yield done, total
        cursor.execute(_DELETE)


def _in_steps(counts: Sequence[tuple[int, int]], size: int) -> Iterator[tuple[int, int, int]]:
    """First device, last device and result count of ranges of `size` results; the last has the rest."""
    first, covered = None, 0
    for number, (device, count) in enumerate(counts, start=1):
        first, covered = device if first is None else first, covered + count
        if covered >= size or number == len(counts):
            yield first, device, covered
            first, covered = None, 0


@transaction.atomic(savepoint=False)
def rerank_devices(device_ids: Collection[int], *, only_added: bool = False) -> None:
    """Recompute these devices' rows, with their intervals, and mark the affected boards dirty.

    Those are the boards that the devices left, joined or moved on; none if no row changes. The caller's transaction
    holds the devices' locks. Locks are acquired in one order everywhere: devices, rows by device, boards by name,
    those of all classes, data version. `only_added`: no result was removed, so no row is.
    """
    if device_ids:
        update_conditions(device_ids)
        mark_dirty(refresh_devices(device_ids, only_added=only_added))


class RankingStep(NamedTuple):
    """A completed step of a phase, and its progress: `done` of `total` results or boards."""

    text: str
    done: int
    total: int


def rank_everything(results_a_step: int = RESULTS_A_STEP) -> Iterator[RankingStep]:
    """Recompute everything, yielding each completed step. If stopped early, it changes no device's row."""
    yield from _refresh_rows(results_a_step)
    while dirty := dirty_boards():
        for number, board in enumerate(dirty, start=1):
            place_board(board)
            yield RankingStep(
                f"places of {board.device_class or 'all classes'}, {board.board}", number, len(dirty)
            )
    for done, total in update_all_conditions():
        yield RankingStep("conditions of devices where they changed", done, total)


def _refresh_rows(results_a_step: int) -> Iterator[RankingStep]:
    """Recompute every row, using the stored spreads, and mark all boards dirty."""
    with transaction.atomic():
        for done, total in refresh_all(results_a_step):
            yield RankingStep("medians of every device", done, total)
        known = ClassRanking.objects.exclude(device_class=ALL_CLASSES).values_list("board", "device_class")
        measured = DeviceRanking.objects.values_list("board", "device_class").distinct()
        mark_dirty({ClassBoard(*row) for rows in (known, measured) for row in rows})
        bump_data_version()
