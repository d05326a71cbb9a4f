"""One run of all bars: which benchmarks there are, what they are given, and the exit status."""

from importlib import import_module

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


def test_each_name_has_a_benchmark():
    assert set(run.benchmarks(None, run.Sizes())) == {*run.BARS, *run.WITHOUT_BARS}


@pytest.mark.parametrize("name", run.OTHERS)
def test_other_benchmarks_parse_their_own_arguments(monkeypatch, name):
    monkeypatch.setattr(import_module(f"bench.{name}"), "main", lambda arguments: len(arguments))
    assert run.main([name, "1", "2"]) == 2


def test_all_bars_are_in_one_table(measured, capsys):
    assert run.main([]) == 0
    assert capsys.readouterr().out.count("| met | ≤ 2 | 1 | pass |") == len(run.BARS)
    assert set(measured["sizes"]) == {run.Sizes()}


def test_a_missed_bar_is_status_1(measured, capsys):
    measured["ranking"] = [MET, MISSED]
    assert run.main([]) == 1
    assert "| missed | ≤ 2 | 3 | **FAIL** |" in capsys.readouterr().out


def test_one_benchmark_runs_alone(measured):
    measured["ranking"] = [MISSED]
    assert run.main(["storage"]) == 0
    assert run.main(["ranking"]) == 1


def test_figures_without_bars_are_no_failure(measured, capsys):
    measured["exports"] = [Row("results.csv", 5.0, "s")]
    assert run.main(["exports"]) == 0
    assert "| results.csv |  | 5 s |  |" in capsys.readouterr().out


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


def test_a_quick_run_is_smaller_and_labeled(measured, capsys):
    run.main(["--quick", "storage"])
    assert set(measured["sizes"]) == {run.QUICK}
    assert "not those of the bars" in capsys.readouterr().out


def test_an_unknown_name_is_refused_with_the_known_ones(capsys):
    with pytest.raises(SystemExit, match="2"):
        run.main(["nothing"])
    assert "ranking" in capsys.readouterr().err


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


def test_rows_come_back_from_django(monkeypatch):
    printed = 'a warning\nROWS [["met", 1.0, "", 2.0, false]]\n'
    monkeypatch.setattr(run.subprocess, "run", lambda *_, **__: Done(0, printed))
    assert run.in_django(Django(), "ranking", 3) == [MET]


class Done:
    def __init__(self, returncode, stdout):
        self.returncode, self.stdout, self.stderr = returncode, stdout, ""
