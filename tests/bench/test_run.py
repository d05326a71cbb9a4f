"""One run of all bars: a missed one, or a benchmark that fails, is the exit status and hides no other."""

from types import SimpleNamespace

import pytest

from bench import run
from bench.bars import BenchmarkError, Row

MET, MISSED = Row("met", 1.0, limit=2.0), Row("missed", 3.0, limit=2.0)


def fails():
    raise OSError("no answer")


@pytest.mark.parametrize(
    ("idle", "status", "shown"),
    [
        (lambda: [MET], 0, "| met | ≤ 2 | 1 | pass |"),
        (lambda: [MET, MISSED], 1, "| missed | ≤ 2 | 3 | **FAIL** |"),
        (fails, 1, "| idle: no answer | ≤ 0 | not measured | **FAIL** |"),
    ],
)
def test_all_bars_are_in_one_table_and_each_counts(monkeypatch, capsys, idle, status, shown):
    measured = dict.fromkeys(run.BARS, lambda: [MET]) | {"idle": idle}
    monkeypatch.setattr(run, "benchmarks", lambda _data, sizes: measured if sizes == run.Sizes() else {})
    monkeypatch.setattr(run.wrk, "missing_tools", lambda: "")
    monkeypatch.setattr(run.DataSets, "of", lambda *_: None)
    monkeypatch.setattr(run.wrk, "empty_view_ms", lambda _data: 0.28)
    assert run.main([]) == status
    printed = capsys.readouterr().out
    assert shown in printed
    assert printed.count("| met |") == len(run.BARS) - (idle is fails)


@pytest.mark.parametrize(
    ("status", "printed"), [(1, 'ROWS [["met", 1.0, "", 2.0, false]]'), (0, ""), (0, "something else")]
)
def test_a_benchmark_in_django_that_fails_gives_no_rows(monkeypatch, status, printed):
    done = SimpleNamespace(returncode=status, stdout=printed, stderr="")
    monkeypatch.setattr(run.subprocess, "run", lambda *_, **__: done)
    with pytest.raises(BenchmarkError):
        run.in_django(SimpleNamespace(environment={}), "ranking", 3)
