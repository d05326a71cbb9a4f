import re
from xml.etree import ElementTree

import pytest

from results.charts.badge import LONGEST_SIDE, badge_svg

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314 - ours


def test_badge_has_both_sides_and_an_accessible_label():
    svg = badge_svg("Sample 480 GB", "rank 1 of 3", tone="good")
    assert texts(svg) == ["Sample 480 GB", "rank 1 of 3"]
    assert 'aria-label="Sample 480 GB: rank 1 of 3"' in svg
    left, right = re.findall(r'<rect(?: x="\d+")? width="(\d+)" height="20" fill', svg)
    assert svg.startswith(f'<svg xmlns="http://www.w3.org/2000/svg" width="{int(left) + int(right)}"')


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "\"'><svg onload=alert(1)>", "</text></svg>", "]]>&#x0;&"]
)
def test_hostile_name_is_escaped(name):
    svg = badge_svg(name, name)
    assert texts(svg) == [name, name]
    assert {element.tag for element in ElementTree.fromstring(svg).iter()} == {  # noqa: S314 - ours
        SVG + tag for tag in ("svg", "title", "clipPath", "rect", "g", "text")
    }


def test_characters_forbidden_in_xml_are_removed_and_blanks_collapsed():
    assert texts(badge_svg("a\x00\x07\ud800b\n\n c", "x")) == ["ab c", "x"]


def test_a_name_of_any_length_fits():
    (label, _) = texts(badge_svg("W" * 500, "x"))
    assert label == "W" * (LONGEST_SIDE - 1) + "…"
