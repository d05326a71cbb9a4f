"""Figures become rows with their bars; what was not measured, or not of the site as it should be, meets none."""

import math

import pytest

from bench import flood, idle, imports, lighthouse, misses, pages, parsers, ranking
from bench.bars import EMPTY_VIEW_MS, BenchmarkError, Row, beside_empty_view, failure, status, table
from bench.parsers import Reading
from bench.wrk import NOT_MEASURED, Load, median_load, read_wrk

ROLES = {"web": 150.0, "worker and scheduler": 150.0, "PostgreSQL": 100.0, "Valkey": 10.0, "bin/serve": 30.0}
FLOODS, SLOW = (
    ("Authorization headers", "real parameters of a page"),
    flood.Flood(101.0, 3.0, [200, 302, 429]),
)
SCORES = {"performance": 0.97, "accessibility": 1, "best-practices": 1, "seo": 1}
PAGES = ("leaderboard, 10 results", "device, 10 results", "leaderboard, 99 results", "device, 99 results")
CACHED = {
    "static file": Load(20_000, 1, 2),
    "nginx": Load(15_000, 1, 2),
    "page cache": Load(12_000, 1, 60),
    "empty view": Load(3000, 1, 2),
}
PRINTED = """\
Running 4s test @ http://127.0.0.1:8000/
  Latency Distribution
     50%  310.00us
     99%    {p99}
Requests/sec:  {rate}
"""


def report(paint_ms=1200.0, **scores):
    """Lighthouse's."""
    return {
        "categories": {name: {"score": score} for name, score in (SCORES | scores).items()},
        "audits": {"largest-contentful-paint": {"numericValue": paint_ms} if paint_ms else {}},
    }


def loads(*medians_ms):
    return {name: Load(1.0, median, median) for name, median in zip(PAGES, medians_ms, strict=True)}


def test_each_row_shows_the_figure_its_bar_and_a_verdict():
    rows = [
        Row("empty view", 0.294, "ms"),
        Row("page", 21.14, "ms", 20.0),
        Row("ratio", 3.0, limit=3.0, is_minimum=True),
        failure("pages", ValueError("wrk said:\nno route")),
    ]
    assert table(rows).splitlines()[2:] == [
        "| empty view |  | 0.29 ms |  |",
        "| page | ≤ 20 ms | 21.1 ms | **FAIL** |",
        "| ratio | ≥ 3 | 3 | pass |",
        "| pages: wrk said: no route | ≤ 0 | not measured | **FAIL** |",
    ]
    assert [status(rows[:1]), status(rows[2:3]), status(rows[:2]), status(rows[2:])] == [1, 0, 1, 1]


def test_figures_of_a_slower_machine_are_judged_by_how_slow_it_is():
    rows = [Row("page", 41.0, "ms", 20.0), Row("ratio", 3.0, limit=2.0), Row("alone", 2.0, "ms")]
    slower = beside_empty_view(rows, 2 * EMPTY_VIEW_MS), beside_empty_view(rows, 2.1 * EMPTY_VIEW_MS)
    assert [[row.passes for row in found] for found in slower] == [[False, False, True], [True, False, True]]
    assert table(slower[1]).splitlines()[2:] == [
        "| page | ≤ 20 ms × 2.10 | 41 ms | pass |",
        "| ratio | ≤ 2 | 3 | **FAIL** |",
        "| alone |  | 2 ms |  |",
    ]
    busy = [
        beside_empty_view([Row("page", 1.0, "ms", 20.0)], factor * EMPTY_VIEW_MS)[0] for factor in (4, 4.1)
    ]
    assert [row.passes for row in busy] == [True, False]
    half = {"floor": imports.FLOOR_PER_SECOND / 2}
    rates = [imports.rows(900, 1000, store_s=1.0, total_s=seconds, **half)[-1] for seconds in (6.0, 6.1)]
    assert [row.passes for row in rates] == [True, False]
    assert rates[0].cells()[1] == "≥ 300 texts/s ÷ 2.00"
    readings = [{"a": Reading(seconds, 4.0)} for seconds in (4.0, 4.1)]
    slowest = [parsers.rows(found, floor_s=2 * parsers.FLOOR_S_PER_MIB)[0] for found in readings]
    assert [row.passes for row in slowest] == [True, False]


@pytest.mark.parametrize("is_minimum", [True, False])
@pytest.mark.parametrize("measured", [math.nan, 0.0, -1.0])
def test_a_missing_measurement_meets_no_bar(measured, is_minimum):
    assert not Row("page", measured, "ms", 20.0, is_minimum=is_minimum).passes


def test_each_figure_is_judged_by_its_bar(subtests):
    runs = [report(), report(performance=0.5), report(performance=1)]
    bad = report(paint_ms=1900.0, **{name: score - 0.04 for name, score in SCORES.items()})
    readings = {"a": Reading(2.5, 4.0), "b": Reading(0.5, 5.5), "c": Reading(1.0, 1.0)}
    seconds = {"medians": 5.0, "unchanged": 14.0, "outdated": 21.0}
    one_client, sixteen_clients = loads(10, 10, 20, 14), loads(100, 100, 200, 501)
    for name, rows, judged in (
        ("idle", idle.rows(ROLES), [(440.0, True)]),
        (
            "imports",
            imports.rows(900, 1000, store_s=1.0, total_s=3.0, floor=imports.FLOOR_PER_SECOND),
            [(300, True)],
        ),
        ("medians", lighthouse.rows("/", runs), [(97.0, True), *[(100, True)] * 3, (1.2, True)]),
        ("bad", lighthouse.rows("/", [bad]), [(93.0, False), *[(96, False)] * 3, (1.9, False)]),
        ("pages", pages.rows(CACHED, size=1000), [(0.75, True), (4.0, True), (60, False)]),
        ("parsers", parsers.rows(readings, floor_s=parsers.FLOOR_S_PER_MIB), [(2.5, False), (5.5, False)]),
        ("ranking", ranking.rows(seconds, 1000), [(2.8, True), (4.2, False)]),
        (
            "flood",
            flood.rows(2.0, dict.fromkeys(FLOODS, SLOW), schema_ratio=0.5),
            [(0.5, True), (101.0, False)],
        ),
        (
            "misses",
            misses.rows(one_client, sixteen_clients, few=10, many=99),
            [(20, True), (200, True), (14, True), (501, False), (2.0, False), (1.4, True)],
        ),
    ):
        with subtests.test(name):
            found = [(row.measured, row.passes) for row in rows if row.limit is not None]
            assert found == [(pytest.approx(measured), passes) for measured, passes in judged]


def test_what_was_not_measured_is_an_error(monkeypatch):
    for role in ROLES.keys() - {"bin/serve"}:
        with pytest.raises(BenchmarkError, match=role):
            idle.rows({**ROLES, role: 0.0})
    with pytest.raises(BenchmarkError, match="only 10 of 1,000"):
        imports.rows(10, 1000, store_s=1.0, total_s=4.0, floor=1.0)
    monkeypatch.setattr(misses, "fetch", lambda _: b"<p>Nothing</p>")
    with pytest.raises(BenchmarkError, match="no drives"):
        misses.linked_addresses("", ["/leaderboard/"], "drives")


def test_the_figures_of_wrk_are_read_in_their_units_and_medians_are_taken():
    for p99, milliseconds in (("812.00us", 0.812), ("9.10ms", 9.1), ("1.20s", 1200.0)):
        found = read_wrk("page", PRINTED.format(p99=p99, rate="24334.12"))
        assert found == pytest.approx(Load(24334.12, 0.31, milliseconds))
    assert median_load([Load(1, 9, 30), Load(3, 8, 10), Load(2, 7, 20)]) == Load(2, 8, 20)
    assert median_load([Load(1, 9, 30), NOT_MEASURED]) is NOT_MEASURED


@pytest.mark.parametrize(
    "printed",
    [
        "",
        PRINTED.format(p99="0.00us", rate="0.00"),
        PRINTED.format(p99="1.00ms", rate="5.0") + "  Non-2xx or 3xx responses: 12\n",
        PRINTED.format(p99="1.00ms", rate="5.0") + "  Socket errors: connect 0, read 0, write 0, timeout 3\n",
    ],
    ids=["nothing", "no answer", "errors", "timeouts"],
)
def test_a_round_without_proper_answers_is_not_measured(printed):
    assert read_wrk("page", printed) is NOT_MEASURED
