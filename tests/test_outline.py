"""The lines by which two versions of a page are compared."""

from django.http import HttpResponse

from tests.outline import frame, outline
from tests.test_page import TEXT


def test_an_outline_has_a_line_for_each_block_field_and_row():
    assert outline(HttpResponse(TEXT)).splitlines() == [
        "title: Drives · slogdb",
        "description: By speed.",
        "",
        "# Two fast drives",
        "Ask us",
        "or [look](/a/), [look](/b/)",
        "| Drive | µs |",
        "| [S1](/s1/) | 20 |",
        "(picture: A chart · 10 µs)",
        "(form: post /send/)",
        "Not stored.",
        "Budget  {budget input required: much}",
        "Not a price.",
        "{class select}",
        "( ) : any",
        "(*) nvme: NVMe",
        "{text textarea}",
        "one",
        "two",
        "{kind checkbox checked: a}  {kind checkbox checked: b}",
        "{size radio: 4k}",
        "{button action publish: Publish}",
    ]
    assert frame(HttpResponse(TEXT)) == "[slogdb](/)\nNothing is sponsored.\n"
