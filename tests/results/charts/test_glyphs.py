import re

from results.charts.axes import ValueAxis
from results.charts.glyphs import interval_bar


def rects(svg):
    """Where each rectangle begins and how wide it is, in percent."""
    return [
        tuple(int(number) for number in re.findall(r"(\d+)%", rect)) for rect in re.findall(r"<rect.*?>", svg)
    ]


def test_interval_is_on_the_shared_axis():
    axis = ValueAxis(1.0, 10_000.0, ())
    bar = interval_bar(10.0, 100.0, 1000.0, axis=axis, text="10.0–1,000 µs")
    assert rects(bar) == [(25, 50), (50,)]
    assert "<title>10.0–1,000 µs</title>" in bar


def test_narrowest_interval_is_visible():
    axis = ValueAxis(1.0, 10_000.0, ())
    assert rects(interval_bar(100.0, 100.0, 100.0, axis=axis, text=""))[0] == (50, 1)
