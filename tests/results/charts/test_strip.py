import re
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest

from results.charts.axes import log_axis
from results.charts.labels import Anchor, place_names
from results.charts.plot import percent
from results.charts.preview import Head, StripDrive, strips_preview
from results.charts.strip import MAX_NAMES, NARROW, SCREEN, WIDE, Gap, How, Strip, StripMark, strip_chart
from results.core.drive_names import DriveName


def mark(key, latency_us, how=How.FIO, name="", fame=0):
    return StripMark(key, DriveName(name or key), f"/devices/{key}/", latency_us, how, fame=fame)


SAFE = Strip("good", "Protected", "2 drives", [mark("quick", 12), mark("slow", 170, How.DISKINFO)])
UNSAFE = Strip("bad", "Not protected", "1 drive", [mark("bare", 900)])


def drawn(strips, **values):
    return ElementTree.fromstring(strip_chart(strips, title="Drives", **values))  # noqa: S314


def circles(svg):
    return {
        circle.find("title").text.partition(":")[0]: circle
        for circle in svg.iter("circle")
        if circle.find("title") is not None
    }


def test_marks_are_where_the_axis_has_their_figures():
    axis = log_axis([12, 170, 900])
    found = {name: circle.get("cx") for name, circle in circles(drawn([SAFE, UNSAFE])).items()}
    assert found == {
        name: percent(axis.up(us)) for name, us in {"quick": 12, "slow": 170, "bare": 900}.items()
    }


def test_each_mark_shows_how_it_was_measured_and_links_to_its_drive():
    svg = drawn([SAFE, UNSAFE])
    assert {name: circle.get("class") for name, circle in circles(svg).items()} == {
        "quick": "fio",
        "slow": "diskinfo",
        "bare": "fio",
    }
    assert circles(svg)["slow"].find("title").text == "slow: 170 µs, diskinfo"
    links = {link.get("href") for link in svg.iter("a")}
    assert links == {f"/devices/{key}/" for key in ("quick", "slow", "bare")}
    assert all(link.get("tabindex") == "-1" for link in svg.iter("a"))


def test_marks_of_a_lane_do_not_touch():
    many = [mark(f"d{number}", 100 * 1.05**number) for number in range(SCREEN.max_lanes * 2)]
    lanes = {}
    for circle in circles(drawn([Strip("good", "Protected", "", many), UNSAFE])).values():
        lanes.setdefault(circle.get("cy"), []).append(float(circle.get("cx").rstrip("%")))
    for places in lanes.values():
        ordered = sorted(places)
        gaps = [after - before for before, after in pairwise(ordered)]
        assert all(gap >= SCREEN.apart * 100 - 0.01 for gap in gaps), ordered


def test_a_crowd_stays_within_its_lanes():
    many = [mark(f"d{number}", 100 + number / 1000) for number in range(50)]
    rows = {circle.get("cy") for circle in circles(drawn([Strip("good", "Protected", "", many)])).values()}
    assert len(rows) == SCREEN.max_lanes


def names_in(svg, css):
    return [
        label.text
        for group in svg.iter("g")
        if group.get("class") == css
        for label in group.iter("text")
        if label.get("class") == "drive-name"
    ]


def test_the_best_known_drives_are_named_and_long_names_are_cut():
    marks = [
        mark("a", 10, name="Aldera " + "X" * 40, fame=50),
        *(mark(f"d{number}", 20 + number, name=f"D{number}", fame=number) for number in range(20)),
    ]
    svg = drawn([Strip("good", "Protected", "", marks), Strip("bad", "Not", "", [mark("z", 9000, fame=99)])])
    for css, most in (("wide-only", 10), ("narrow-only", 5)):
        found = names_in(svg, css)
        assert "z" in found
        assert "D19" in found
        assert len(found) <= most
    assert "Aldera XXXXXXXXXXXXXXXXX…" in names_in(svg, "wide-only")


def anchors_of(latencies, length):
    axis = log_axis(latencies)
    return [
        Anchor(0, axis.up(latency_us), 0, "N" * length + f"{number}", fame=number * 7 % 11)
        for number, latency_us in enumerate(latencies)
    ]


@pytest.mark.parametrize("width", [NARROW, WIDE])
@pytest.mark.parametrize("length", [2, 12, 40])
@pytest.mark.parametrize(
    "latencies",
    [
        [10 * 1.02**number for number in range(60)],
        [5 + number / 100 for number in range(30)],
        [10 * 1.3**number for number in range(25)],
        [900, 900, 900, 10],
    ],
)
def test_names_touch_neither_each_other_nor_the_lines_of_others(latencies, length, width):
    placed = place_names(anchors_of(latencies, length), width, MAX_NAMES[width])
    assert placed or (length == 40 and width == NARROW)  # wider than the chart
    for scale in (1, 1.7):  # a chart that is wider than the least width
        boxes = [
            (scale * entry.at + entry.left - entry.at, scale * entry.at + entry.right - entry.at, entry)
            for entry in placed
        ]
        for (left, right, label), (start, end, other) in combinations(boxes, 2):
            assert label.row != other.row or right < start or end < left, (label, other)
            (low, high, upper), lower = (
                ((left, right, label), other) if label.row < other.row else ((start, end, other), label)
            )
            assert upper.row == lower.row or not low < scale * lower.at < high, (label, other)
    assert all(entry.left >= 0 and entry.right <= width for entry in placed)


def test_marks_can_be_pressed_beside_their_dots_without_covering_others():
    svg = drawn([SAFE, UNSAFE])
    for link in svg.iter("a"):
        target, dot = link.find("ellipse"), link.find("circle")
        assert (target.get("cx"), target.get("cy")) == (dot.get("cx"), dot.get("cy"))
        assert 2 * float(target.get("ry")) == SCREEN.lane == 24
        assert 2 * float(target.get("rx").rstrip("%")) / 100 * WIDE >= 24
        assert float(target.get("rx").rstrip("%")) <= SCREEN.apart * 50


def test_the_gap_is_shaded_and_named():
    axis = log_axis([12, 170, 900])
    svg = drawn([SAFE, UNSAFE], gap=Gap(170, 900, "5.3× gap"))
    (band,) = [rect for rect in svg.iter("rect") if rect.get("class") == "gap"]
    assert (band.get("x"), band.get("width")) == (percent(axis.up(170)), percent(axis.up(900) - axis.up(170)))
    assert [label.text for label in svg.iter("text") if label.get("class") == "gap-name"] == ["5.3× gap"]
    picture = strips_preview(Head("Drives", ""), [SAFE, UNSAFE], gap=Gap(170, 900, "5.3× gap"))
    assert "5.3× gap" in picture


@pytest.mark.parametrize("ringed", ["quick", "bare"])
def test_the_ring_is_around_the_drive(ringed):
    assert not [circle for circle in drawn([SAFE, UNSAFE]).iter("circle") if circle.get("class") == "ring"]
    svg = drawn([SAFE, UNSAFE], ringed={ringed: ""})
    (ring,) = [circle for circle in svg.iter("circle") if circle.get("class") == "ring"]
    axis = log_axis([12, 170, 900])
    assert ring.get("cx") == percent(axis.up({"quick": 12, "bare": 900}[ringed]))


def test_names_are_escaped_and_nothing_is_drawn_without_a_mark():
    bad = Strip("good", "Protected", "", [mark("a", 10, name="<script>&")])
    assert "<script>" not in strip_chart([bad], title="Drives")
    assert strip_chart([Strip("good", "Protected", "", [])], title="Drives") == ""


def test_the_picture_has_the_same_marks_without_links():
    svg = strips_preview(
        Head("Drives", ""), [SAFE, UNSAFE], [StripDrive("quick", "", "Quick", "12.0 µs", "by fio")]
    )
    assert len(re.findall('class="(?:fio|diskinfo)"', svg)) == 3
    assert "<a " not in svg
    assert re.search('class="chart strips"[^>]* overflow="visible"', svg)  # a mark at the edge isn't cut
    assert svg.count('class="ring"') == 1
    assert 'class="ring-name"' not in svg
    two = [
        StripDrive(key, letter, key, "12.0 µs", "by fio") for key, letter in (("quick", "A"), ("bare", "B"))
    ]
    svg = strips_preview(Head("Drives", ""), [SAFE, UNSAFE], two)
    assert sorted(re.findall('class="ring-name"[^>]*>(.)<', svg)) == ["A", "B"]
