"""What is read from Lighthouse's reports."""

from bench import lighthouse
from bench.bars import BenchmarkError

BEST = {"performance": 0.97, "accessibility": 1, "best-practices": 1, "seo": 1}


def report(paint_ms=1200.0, **scores):
    return {
        "categories": {name: {"score": score} for name, score in (BEST | scores).items()},
        "audits": {"largest-contentful-paint": {"numericValue": paint_ms} if paint_ms else {}},
    }


def test_medians_of_good_reports_meet_every_bar():
    found = lighthouse.rows("/", [report(), report(performance=0.5), report(performance=1)])
    assert [row.measured for row in found] == [97.0, 100, 100, 100, 1.2]
    assert all(row.passes for row in found)


def test_each_bar_can_be_missed():
    bad = report(paint_ms=1900.0, **{name: score - 0.04 for name, score in BEST.items()})
    assert not any(row.passes for row in lighthouse.rows("/", [bad]))


def test_a_report_without_a_score_or_a_paint_meets_no_bar():
    empty = report(paint_ms=None, performance=None)
    assert [row.passes for row in lighthouse.rows("/", [empty])] == [False, True, True, True, False]


def test_an_unreachable_site_exits_with_status_2(monkeypatch, capsys):
    def away(_):
        raise BenchmarkError("no answer")

    monkeypatch.setattr(lighthouse, "measure", away)
    assert lighthouse.main(["http://127.0.0.1:9/"]) == 2
    assert "no answer" in capsys.readouterr().err
