"""Text from users in SVG images."""

from xml.etree import ElementTree

from results.charts.svg import escape


def test_any_text_yields_well_formed_xml(subtests):
    for text, shown in [
        ('<b> & "c"', '<b> & "c"'),
        ("a\x01b\x00", "a\ufffdb\ufffd"),
        ("\ud800\uffff", "\ufffd\ufffd"),
        ("µ\t💩", "µ\t💩"),
    ]:
        with subtests.test(text=text):
            assert ElementTree.fromstring(f"<svg><title>{escape(text)}</title></svg>")[0].text == shown  # noqa: S314 - ours
