"""Starts of bin/serve are judged by the ratio of medians, and each phase of a typical one is shown."""

import pytest

from bench import starts
from bench.bars import BenchmarkError
from bench.starts import COLD, NOW, THEN, WITH_DATA, Phase


def run_of(*seconds):
    return [Phase(f"phase {number}", duration) for number, duration in enumerate(seconds)]


def test_the_ratio_of_the_medians_is_judged_and_the_phases_of_the_median_shown():
    runs = {
        THEN: [run_of(10.0), run_of(30.0), run_of(20.0)],
        NOW: [run_of(4, 40), run_of(4, 7), run_of(1, 2)],
    }
    judged, then, now, *phases = starts.rows(WITH_DATA, runs)
    assert (judged.measured, judged.limit) == (0.55, 0.55)
    assert judged.passes
    assert (then.measured, now.measured) == (20, 11)
    assert [(row.what, row.measured) for row in phases] == [
        (f"start, {WITH_DATA}: … phase 0", 4),
        (f"start, {WITH_DATA}: … phase 1", 7),
    ]


SERVE = """#!/bin/sh
echo "Starting PostgreSQL with PORT=${{PORT:+set}} and DATABASE_URL=$DATABASE_URL"
{}
"""


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A checkout whose bin/serve does what it is given."""
    monkeypatch.setenv("DATABASE_URL", "of somebody else")
    (tmp_path / "bin").mkdir()

    def make(end):
        serve = tmp_path / "bin" / "serve"
        serve.write_text(SERVE.format(end))
        serve.chmod(0o755)
        return tmp_path

    return make


def test_a_start_ends_with_the_line_that_it_answers(clone):
    phases = starts.start_once(clone("echo 'http://127.0.0.1:1 answers. Ctrl-C stops it'; exec sleep 600"))
    assert [phase.line for phase in phases] == [
        "bin/serve",
        "Starting PostgreSQL with PORT=set and DATABASE_URL=",
    ]
    assert starts.total(phases) > 0


def test_a_site_that_does_not_start_is_an_error_with_what_it_printed_last(clone):
    with pytest.raises(BenchmarkError, match=r"did not start: bin/serve: no\n$"):
        starts.start_once(clone("echo bin/serve: no >&2"))


def test_a_cold_start_has_the_bar_of_its_own():
    assert starts.rows(COLD, {THEN: [run_of(4.0)], NOW: [run_of(3.1)]})[0].passes is False
