"""The class-wide pass: spreads, intervals and their merged order, recomputed for dirty boards."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from celery import shared_task
from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Now

from results.core.data_version import bump_data_version
from results.core.formats import round_figure
from results.core.queue import enqueue_debounced
from results.core.read_only import WritingTask
from results.kinds.curve.metrics import RANKED_BY
from results.kinds.flags import OWN_FIGURE
from results.models import ClassRanking
from results.models.choices import Board, Method, State
from results.models.fields import floats_from_bytes
from results.ranking.distributions import find_distribution
from results.ranking.intervals import GUESSED_SPREAD, MIN_DEVICES, half_width_sql, pooled_spread
from results.ranking.ties import (
    COMPARED_SHARE,
    METHOD_FACTOR,
    MIN_COMPARED,
    Ends,
    MethodEnds,
    Span,
    order_ends,
)

ALL_CLASSES = ""
MERGED = ""  # the method of a board's merged order
DEBOUNCE_S = 0.4
QUIET_S = 0.25


class ClassBoard(NamedTuple):
    """Devices that are ranked together: a class, or all of them (ALL_CLASSES), on one board."""

    board: str
    device_class: str


class Spread(NamedTuple):
    """The deviation between units of one device (natural log), and its source: "class", "all" or "guess"."""

    value: float
    source: str


_MARK = """
    INSERT INTO results_classranking (
        board, device_class, method, changes, ranked_changes, spread_source, lows, highs, group_starts)
    SELECT board, device_class, '', 1, 0, '', '', '', ''
    FROM unnest(%s::text[], %s::text[]) AS changed (board, device_class)
    ON CONFLICT (board, device_class, method) DO UPDATE SET changes = results_classranking.changes + 1
"""

# Passes of one board run one at a time: an earlier one must not overwrite a later one's result. They don't lock the
# board's row for that, since ingest locks it last and a pass would lock it first.
_QUEUE = "SELECT pg_advisory_xact_lock(hashtext(%s))"

# Published results that aren't ranked because of their own figure count here: else spreads would be too small.
_IS_DOUBTED = " || ".join(f'@.code == "{code}"' for code in sorted(OWN_FIGURE))
_POOL = f"""
    WITH ranked AS (
        SELECT device_id, score, unit_count, unit_differences FROM results_deviceranking
        WHERE method = %(method)s AND {{for_board}}
    ), pairs AS (
        SELECT device_id, unnest(unit_differences) AS difference FROM ranked WHERE unit_count > 1
        UNION ALL
        SELECT device_id, abs(ln((result.metrics -> %(figure)s)::double precision) - ln(score))
        FROM results_submission AS submission JOIN results_result AS result ON result.submission_id = submission.id
        JOIN ranked USING (device_id)
        WHERE (survey_id IS NOT NULL OR batch_id IS NOT NULL) AND state = '{State.PUBLISHED}'
          AND measured_by = %(method)s AND NOT is_ranked AND result.metrics ? %(figure)s
          AND flags @? '$[*] ? ({_IS_DOUBTED})'
    )
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY difference) FROM pairs
    HAVING count(DISTINCT device_id) >= %(fewest)s
"""  # noqa: S608 - our own values

# In index order. As bytes, since tens of thousands then cost only a few milliseconds.
_INTERVALS = """
    SELECT method, string_agg(float4send(low), ''::bytea ORDER BY high),
           string_agg(float4send(high), ''::bytea ORDER BY high)
    FROM results_deviceranking WHERE is_main AND device_id <> %(but)s AND {board} GROUP BY method
"""

# For devices measured by two methods: the ratio of the larger to the smaller figure.
_FACTOR = """
    SELECT exp(percentile_cont(%(share)s) WITHIN GROUP (ORDER BY abs(ln(main.score / other.score))))
    FROM results_deviceranking AS main JOIN results_deviceranking AS other USING (device_id, board)
    WHERE board = %(board)s AND main.is_main AND NOT other.is_main
    HAVING count(*) >= %(fewest)s
"""


def ends_of(board: ClassBoard) -> Ends:
    """The ends of a board's intervals as of its last pass; empty before the first."""
    return ends_by_class(board.board, board.device_class).get(board.device_class, Ends())


def ends_by_class(board: str, *classes: str) -> dict[str, Ends]:
    """The ends of these classes' intervals on a board, or of all classes', by class. One query."""
    rankings = ClassRanking.objects.filter(board=board)
    if classes:
        rankings = rankings.filter(device_class__in=classes)
    methods: dict[str, dict[str, MethodEnds]] = {}
    merged: dict[str, dict[str, Any]] = {}
    assumed: set[str] = set()
    fields = ("device_class", "method", "factor", "lows", "highs", "group_starts", "spread_source")
    for ranking in rankings.only(*fields):
        if ranking.method == MERGED:
            factor = {} if ranking.factor is None else {"factor": ranking.factor}
            merged[ranking.device_class] = {"group_starts": ranking.group_starts, **factor}
        else:
            methods.setdefault(ranking.device_class, {})[ranking.method] = MethodEnds(
                ranking.lows, ranking.highs
            )
            assumed |= {ranking.device_class} if ranking.lows and ranking.spread_source == "guess" else set()
    return {
        device_class: Ends(
            by_method=methods.get(device_class, {}), is_assumed=device_class in assumed, **order
        )
        for device_class, order in merged.items()
    }


def factor_of(board: str) -> float:
    """The factor between methods as of the last pass of all classes. One query."""
    merged = ClassRanking.objects.filter(board=board, device_class=ALL_CLASSES, method=MERGED)
    return merged.values_list("factor", flat=True).first() or METHOD_FACTOR


def mark_dirty(boards: Iterable[ClassBoard]) -> None:
    """Mark these boards dirty in the caller's transaction, and enqueue their class-wide pass on commit.

    The boards of all classes become dirty, too; a class's pass enqueues theirs. Rows are locked in one order
    everywhere: classes by name, all classes last. While Redis is unavailable, the sweep enqueues the pass later.
    """
    dirty = sorted(set(boards))
    if dirty:
        _note({*dirty, *(board._replace(device_class=ALL_CLASSES) for board in dirty)})
        transaction.on_commit(lambda: _enqueue_passes(dirty), robust=True)


def _note(boards: Iterable[ClassBoard]) -> None:
    ordered = sorted(boards, key=lambda board: (board.device_class == ALL_CLASSES, board))
    if ordered:
        with connection.cursor() as cursor:
            cursor.execute(_MARK, [list(column) for column in zip(*ordered, strict=True)])


def dirty_boards() -> list[ClassBoard]:
    """The boards that have changed since their last pass; those of all classes last, as they use the others."""
    dirty = ClassRanking.objects.filter(changes__gt=F("ranked_changes")).order_by("-device_class", "board")
    return [ClassBoard(*row) for row in dirty.values_list("board", "device_class")]


def _enqueue_passes(boards: Iterable[ClassBoard]) -> None:
    """Enqueue a pass of each board; many changes in a row share one."""
    for board in boards:
        name = f"rank_board:{board.board}:{board.device_class}"
        enqueue_debounced(rank_board, board, name=name, countdown_s=DEBOUNCE_S, quiet_s=QUIET_S)


@shared_task(base=WritingTask)
def rank_board(board: str, device_class: str) -> None:
    """Run one board's pass. That of all classes follows; classes that change together share it."""
    place_board(ClassBoard(board, device_class))
    if device_class != ALL_CLASSES:
        _enqueue_passes([ClassBoard(board, ALL_CLASSES)])


@transaction.atomic
def place_board(board: ClassBoard) -> None:
    """Run one board's class-wide pass. Idempotent: changes in the meantime leave the board dirty."""
    with connection.cursor() as cursor:
        cursor.execute(_QUEUE, [f"place {board.board} {board.device_class}"])
    stored = {ranking.method: ranking for ranking in ClassRanking.objects.filter(**board._asdict())}
    merged = stored.get(MERGED)
    if merged is None or merged.changes == merged.ranked_changes:
        return
    spreads = {method: _spread_of(board, method) for method in Method.values}
    if board.device_class == ALL_CLASSES:
        factor = _measured_factor(board.board)
        _note_borrowers(board.board, spreads, factor)
    else:
        factor = factor_of(board.board)
        for method, spread in spreads.items():
            refresh_intervals(board, method, spread)
    if not _store(board, stored, spreads, find_ends(board, factor)):
        return
    if board.device_class != ALL_CLASSES:
        _note([board._replace(device_class=ALL_CLASSES)])
    bump_data_version()


def _spread_of(board: ClassBoard, method: str) -> Spread:
    """The class's own spread for this method, or that of all classes, or a guess."""
    pools = {board.device_class: "class", ALL_CLASSES: "all"}
    for device_class, source in pools.items():
        pool = ClassBoard(board.board, device_class)
        with connection.cursor() as cursor:
            figure = RANKED_BY[Board(board.board)]
            named: dict[str, Any] = {"method": method, "figure": figure, "fewest": MIN_DEVICES}
            cursor.execute(_POOL.format(for_board=_on(pool)), {**pool._asdict(), **named})
            found = cursor.fetchone()
        if found is not None:
            return Spread(pooled_spread(found[0]), source)
    return Spread(GUESSED_SPREAD, "guess")


def _on(board: ClassBoard) -> str:
    """The condition for the board's rows, with its fields as parameters."""
    for_class = "" if board.device_class == ALL_CLASSES else "AND device_class = %(device_class)s"
    return f"board = %(board)s {for_class}"


def _measured_factor(board: str) -> float:
    """The factor that covers COMPARED_SHARE of the devices with two methods, to two digits; else the assumed one."""
    values: dict[str, Any] = {"board": board, "share": COMPARED_SHARE, "fewest": MIN_COMPARED}
    with connection.cursor() as cursor:
        cursor.execute(_FACTOR, values)
        found = cursor.fetchone()
    return METHOD_FACTOR if found is None else round_figure(found[0], 2)


def _note_borrowers(board: str, spreads: Mapping[str, Spread], factor: float) -> None:
    """Mark classes as dirty if a spread that they borrow from all classes has changed, or the factor."""
    for_classes = ClassRanking.objects.filter(board=board).exclude(device_class=ALL_CLASSES)
    dirty = set(
        for_classes.filter(method=MERGED).exclude(factor=factor).values_list("device_class", flat=True)
    )
    for method, spread in spreads.items():
        borrowers = for_classes.filter(method=method, spread_source__in=["all", "guess"])
        dirty |= set(borrowers.exclude(spread=spread.value).values_list("device_class", flat=True))
    _note(ClassBoard(board, device_class) for device_class in dirty)


def find_ends(board: ClassBoard, factor: float, *, but: int = 0) -> Ends:
    """The ends of the intervals as they are now, without those of the device `but`. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_INTERVALS.format(board=_on(board)), {**board._asdict(), "but": but})
        rows = cursor.fetchall()
    return order_ends(
        (
            Span(method, low, high)
            for method, lows, highs in rows
            for low, high in zip(floats_from_bytes(lows), floats_from_bytes(highs), strict=True)
        ),
        factor,
    )


def _store(
    board: ClassBoard, stored: Mapping[str, ClassRanking], spreads: Mapping[str, Spread], ends: Ends
) -> bool:
    """Store the pass's outcome; return whether it differs from the last one's."""
    for_class = {} if board.device_class == ALL_CLASSES else find_distribution(*board)
    found: dict[str, dict[str, Any]] = {
        MERGED: {"factor": ends.factor, "group_starts": ends.group_starts, **for_class},
        **{
            method: {
                "spread": spread.value,
                "spread_source": spread.source,
                **ends.by_method.get(method, MethodEnds.none())._asdict(),
            }
            for method, spread in spreads.items()
        },
    }
    changed = {method: values for method, values in found.items() if _differs(stored.get(method), values)}
    rows = [ClassRanking(**board._asdict(), method=method, **changed[method]) for method in changed]
    ClassRanking.objects.bulk_create(
        [row for row in rows if row.method != MERGED],
        update_conflicts=True,
        unique_fields=["board", "device_class", "method"],
        update_fields=["spread", "spread_source", "lows", "highs"],
    )
    ClassRanking.objects.filter(pk=stored[MERGED].pk).update(
        ranked_changes=stored[MERGED].changes, ranked_at=Now(), **changed.get(MERGED, {})
    )
    return bool(changed)


def _differs(stored: ClassRanking | None, values: Mapping[str, Any]) -> bool:
    return stored is None or any(getattr(stored, name) != value for name, value in values.items())


# The table before its rows: refresh_all locks the entire table, so nobody may lock it after locking rows in it.
LOCK_FOR_ROWS = "LOCK TABLE results_deviceranking IN ROW EXCLUSIVE MODE"

# Can use an index, unlike IS DISTINCT FROM.
_IS_STALE = """
    board = %(board)s AND method = %(method)s AND device_class = %(device_class)s
    AND (board_spread < %(spread)s OR board_spread > %(spread)s OR board_spread IS NULL
         OR assumed_spread <> %(is_assumed)s)
"""

# In the common lock order of rows. Their keys are passed as an array's text.
_LOCK_STALE = f"""
    WITH locked AS (
        SELECT id FROM results_deviceranking WHERE {_IS_STALE} ORDER BY device_id, board, method FOR UPDATE
    )
    SELECT array_agg(id)::text FROM locked
"""  # noqa: S608 - from our own condition

_HALF = half_width_sql("unit_count", "unit_deviation", spread="%(spread)s::double precision")
_REFRESH = f"""
    UPDATE results_deviceranking AS ranking
    SET low = score * exp(-half), high = score * exp(half), board_spread = %(spread)s,
        assumed_spread = %(is_assumed)s
    FROM (SELECT id, {_HALF} AS half FROM results_deviceranking WHERE id = ANY (%(keys)s::bigint[])) AS stale
    WHERE stale.id = ranking.id
"""  # noqa: S608 - from our own expressions


@transaction.atomic(savepoint=False)
def refresh_intervals(board: ClassBoard, method: str, spread: Spread) -> None:
    """Recompute a method's intervals on a board that were not computed with this spread.

    A transaction in progress may add a row that was computed with the previous spread and isn't visible yet. It
    leaves the board dirty, so the next pass finds the row. Rows are locked before they are read: otherwise a
    score that changed in between would get a wrong interval.
    """
    named: dict[str, Any] = {
        **board._asdict(),
        "method": method,
        "spread": spread.value,
        "is_assumed": spread.source == "guess",
    }
    with connection.cursor() as cursor:
        cursor.execute(LOCK_FOR_ROWS)
        cursor.execute(_LOCK_STALE, named)
        keys = cursor.fetchone()[0]
        if keys is not None:
            cursor.execute(_REFRESH, {**named, "keys": keys})
