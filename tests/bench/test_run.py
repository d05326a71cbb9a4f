"""One run of all bars: which benchmarks there are, what they are given, and the exit status."""

import pytest

from bench import run
from bench.bars import BenchmarkError, Row

MET, MISSED = Row("met", 1.0, limit=2.0), Row("missed", 3.0, limit=2.0)


@pytest.fixture
def measured(monkeypatch):
    """What each benchmark gives, by name, for a test to change; the sizes that were asked for."""
    found = {name: [MET] for name in (*run.BARS, *run.WITHOUT_BARS)}
    given = []

    def benchmarks(_data, sizes):
        given.append(sizes)
        return {name: lambda rows=rows: rows for name, rows in found.items()}

    monkeypatch.setattr(run, "benchmarks", benchmarks)
    monkeypatch.setattr(run.wrk, "missing_tools", lambda: "")
    found["sizes"] = given
    return found


def test_all_bars_are_in_one_table(measured, capsys):
    assert run.main([]) == 0
    assert capsys.readouterr().out.count("| met | ≤ 2 | 1 | pass |") == len(run.BARS)
    assert set(measured["sizes"]) == {run.Sizes()}


def test_a_missed_bar_is_status_1(measured, capsys):
    measured["ranking"] = [MET, MISSED]
    assert run.main([]) == 1
    assert "| missed | ≤ 2 | 3 | **FAIL** |" in capsys.readouterr().out


@pytest.mark.parametrize("error", [BenchmarkError("no answer"), OSError("no answer")])
def test_a_benchmark_that_fails_does_not_hide_the_others(monkeypatch, measured, capsys, error):
    def fails():
        raise error

    monkeypatch.setattr(
        run, "benchmarks", lambda *_: {name: fails if name == "idle" else lambda: [MET] for name in run.BARS}
    )
    assert run.main([]) == 1
    printed = capsys.readouterr().out
    assert "| idle: no answer | ≤ 0 | not measured | **FAIL** |" in printed
    assert printed.count("pass") == len(run.BARS) - 1


def test_missing_tools_are_named_with_how_to_install_them(monkeypatch, capsys):
    monkeypatch.setattr(run.wrk.shutil, "which", lambda tool: None if tool == "wrk" else f"/usr/bin/{tool}")
    assert run.main(["pages"]) == 2
    assert "need wrk (Debian: apt-get install wrk nginx-light)" in capsys.readouterr().err


class Django:
    """A data set whose manage.py prints what a test wants."""

    environment: dict[str, str] = {}


@pytest.mark.parametrize(
    ("status", "printed"), [(1, 'ROWS [["met", 1.0, "", 2.0, false]]'), (0, ""), (0, "something else")]
)
def test_a_benchmark_in_django_that_fails_gives_no_rows(monkeypatch, status, printed):
    monkeypatch.setattr(run.subprocess, "run", lambda *_, **__: Done(status, printed))
    with pytest.raises(BenchmarkError):
        run.in_django(Django(), "ranking", 3)


class Done:
    def __init__(self, returncode, stdout):
        self.returncode, self.stdout, self.stderr = returncode, stdout, ""
