import re

from results.charts.dots import Dot, wear_chart


def draw(*dots):
    return wear_chart(dots, 100, "endurance used, %", title="Wear", description="Units")


def test_dot_is_at_its_wear_and_latency():
    svg = draw(Dot(0, 10.5, "new"), Dot(50, 95, "worn"))  # the axis: 10 to 100 µs
    (new, worn) = re.findall(r'<circle class="unit" cx="([\d.]+)%" cy="([\d.]+)%"', svg)
    assert (float(new[0]), float(worn[0])) == (0, 50)
    assert 0 < float(worn[1]) < 5 < 95 < float(new[1]) < 100


def test_chart_without_dots_is_empty():
    assert draw() == ""
