"""What is read from Lighthouse's reports."""

from bench import lighthouse

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
