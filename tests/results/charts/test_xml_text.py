"""Text from users in SVG images."""

from xml.etree import ElementTree

import pytest

from results.charts.svg import escape


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('<b> & "c"', '<b> & "c"'),
        ("a\x01b\x00", "a\ufffdb\ufffd"),
        ("\ud800\uffff", "\ufffd\ufffd"),
        ("µ\t💩", "µ\t💩"),
    ],
)
def test_any_text_yields_well_formed_xml(text, shown):
    assert ElementTree.fromstring(f"<svg><title>{escape(text)}</title></svg>")[0].text == shown  # noqa: S314 - ours
