import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from results.charts.axes import log_axis
from results.charts.preview import Drive, Head, strips_preview
from results.charts.strip import SCREEN, How, Mark, Strip, strip_chart
from results.charts.svg import percent


def mark(key, latency_us, how=How.FIO, name=""):
    return Mark(key, name or key, f"/devices/{key}/", latency_us, how)


SAFE = Strip("good", "Protected", "2 drives", [mark("quick", 12), mark("slow", 170, How.DISKINFO)])
UNSAFE = Strip("bad", "Not protected", "1 drive", [mark("bare", 900)])


def drawn(strips, **values):
    return ElementTree.fromstring(strip_chart(strips, title="Drives", **values))  # noqa: S314


def circles(svg):
    return {
        one.find("title").text.partition(":")[0]: one
        for one in svg.iter("circle")
        if one.find("title") is not None
    }


def test_marks_are_where_the_axis_has_their_figures():
    axis = log_axis([12, 170, 900])
    found = {name: one.get("cx") for name, one in circles(drawn([SAFE, UNSAFE])).items()}
    assert found == {
        name: percent(axis.up(us)) for name, us in {"quick": 12, "slow": 170, "bare": 900}.items()
    }


def test_each_mark_shows_how_it_was_measured_and_links_to_its_drive():
    svg = drawn([SAFE, UNSAFE])
    assert {name: one.get("class") for name, one in circles(svg).items()} == {
        "quick": "fio",
        "slow": "diskinfo",
        "bare": "fio",
    }
    assert circles(svg)["slow"].find("title").text == "slow: 170 µs, diskinfo"
    links = {one.get("href") for one in svg.iter("a")}
    assert links == {f"/devices/{key}/" for key in ("quick", "slow", "bare")}
    assert all(one.get("tabindex") == "-1" for one in svg.iter("a"))


def test_marks_of_a_lane_do_not_touch():
    many = [mark(f"d{number}", 100 * 1.05**number) for number in range(SCREEN.most_lanes * 2)]
    lanes = {}
    for one in circles(drawn([Strip("good", "Protected", "", many), UNSAFE])).values():
        lanes.setdefault(one.get("cy"), []).append(float(one.get("cx").rstrip("%")))
    for places in lanes.values():
        ordered = sorted(places)
        gaps = [after - before for before, after in pairwise(ordered)]
        assert all(gap >= SCREEN.apart * 100 - 0.01 for gap in gaps), ordered


def test_a_crowd_stays_within_its_lanes():
    many = [mark(f"d{number}", 100 + number / 1000) for number in range(50)]
    rows = {one.get("cy") for one in circles(drawn([Strip("good", "Protected", "", many)])).values()}
    assert len(rows) == SCREEN.most_lanes


def test_the_first_and_the_last_are_named_and_long_names_are_cut():
    far = Strip(
        "good", "Protected", "", [mark("a", 10, name="Aldera " + "X" * 40), mark("z", 9000, name="Last")]
    )
    names = [one.text for one in drawn([far]).iter("text") if "drive-name" in one.get("class", "")]
    assert names == ["Aldera XXXXXXXXXXXXXXXXX…", "Last"]


@pytest.mark.parametrize("ringed", ["quick", "bare"])
def test_the_ring_is_around_the_drive(ringed):
    assert not [one for one in drawn([SAFE, UNSAFE]).iter("circle") if one.get("class") == "ring"]
    svg = drawn([SAFE, UNSAFE], ringed={ringed: ""})
    (ring,) = [one for one in svg.iter("circle") if one.get("class") == "ring"]
    axis = log_axis([12, 170, 900])
    assert ring.get("cx") == percent(axis.up({"quick": 12, "bare": 900}[ringed]))


def test_names_are_escaped_and_nothing_is_drawn_without_a_mark():
    bad = Strip("good", "Protected", "", [mark("a", 10, name="<script>&")])
    assert "<script>" not in strip_chart([bad], title="Drives")
    assert strip_chart([Strip("good", "Protected", "", [])], title="Drives") == ""


def test_the_picture_has_the_same_marks_without_links():
    svg = strips_preview(
        Head("Drives", ""), [SAFE, UNSAFE], [Drive("quick", "", "Quick", "12.0 µs", "by fio")]
    )
    assert len(re.findall('class="(?:fio|diskinfo)"', svg)) == 3
    assert "<a " not in svg
    assert re.search('class="chart strips"[^>]* overflow="visible"', svg)  # a mark at the edge isn't cut
    assert svg.count('class="ring"') == 1
    assert 'class="ring-name"' not in svg
    two = [Drive(key, letter, key, "12.0 µs", "by fio") for key, letter in (("quick", "A"), ("bare", "B"))]
    svg = strips_preview(Head("Drives", ""), [SAFE, UNSAFE], two)
    assert sorted(re.findall('class="ring-name"[^>]*>(.)<', svg)) == ["A", "B"]
