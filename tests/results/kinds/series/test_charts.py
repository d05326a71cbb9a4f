"""The chart of series: pauses interrupt the line, idle times and the last minutes are marked, texts are escaped."""

from results.kinds.series.charts import MAX_LINES, SeriesLine, draw_series, series_chart, time_label

PHASES = [{"start_s": 0, "end_s": 3600}, {"start_s": 7200, "end_s": 10_800}]
POINTS = [[60.0, 50_000.0], [3600.0, 5000.0], [7260.0, 20_000.0], [10_800.0, 4000.0]]


def test_a_pause_interrupts_the_line_and_is_marked():
    svg = series_chart([SeriesLine("A", POINTS, PHASES, 10_500)], title="A")
    (path,) = [part for part in svg.split("<path ") if 'class="curve"' in part]
    assert path.count("M") == 2
    assert 'class="idle" x="33.33%" width="33.33%"' in svg
    assert 'class="ranked" x="97.22%" width="2.78%"' in svg
    assert ">hours<" in svg


def test_a_shorter_series_has_minutes_and_no_idle_time():
    svg = series_chart([SeriesLine("A", [[60.0, 10.0], [600.0, 20.0]])], title="A")
    assert ">minutes<" in svg
    assert "idle" not in svg
    assert series_chart([SeriesLine("A", [[1.0, 0.0], [2.0, 0.0]])], title="A")  # zeros have no logarithm
    assert series_chart([SeriesLine("A", [[1.0, 0.0], [2.0, 5.0]])], title="A", is_linear=True)


def test_several_series_have_a_legend_and_no_marks():
    found = draw_series([SeriesLine(f"D{at}", POINTS, PHASES, 10_500) for at in range(9)], "many")
    assert len(found.legend) == len(found.data["lines"]) == MAX_LINES
    assert "idle" not in found.svg
    assert draw_series([], "none") is None


def test_names_are_escaped():
    assert "<b>" not in series_chart([SeriesLine("<b>", POINTS)], title="<b>")


def test_times_are_in_words():
    assert [time_label(seconds) for seconds in (0, 45, 60, 3600, 5400, 36_000)] == [
        "0",
        "45 s",
        "1 min",
        "1 h",
        "1 h 30 min",
        "10 h",
    ]
