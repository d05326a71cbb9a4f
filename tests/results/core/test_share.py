"""What is pasted elsewhere says what it should, and a hostile name is nothing but a name there."""

import pytest

from results.core.head import Shared, bbcode_text, markdown_text, picture_ways


@pytest.fixture
def texts(settings):
    settings.SITE_URL = "https://slog.example"
    paths = ("/devices/x/", "/devices/x/preview.png", "/devices/x/badge.svg")
    return {way.label: way.text for way in Shared("Sample [X]", "ZIL latency 20 µs", *paths).ways}


def test_every_snippet_links_to_the_page(texts):
    assert texts["Link"] == "https://slog.example/devices/x/"
    assert texts["BBCode"] == "[url=https://slog.example/devices/x/]Sample (X)[/url]: ZIL latency 20 µs"
    assert texts["Markdown"] == r"[Sample \[X\]](https://slog.example/devices/x/): ZIL latency 20 µs"


def test_the_badge_is_a_picture_that_links(texts):
    assert texts["Badge, Markdown"] == (
        r"[![Sample \[X\]](https://slog.example/devices/x/badge.svg)](https://slog.example/devices/x/)"
    )
    assert texts["Badge, BBCode"] == (
        "[url=https://slog.example/devices/x/][img]https://slog.example/devices/x/badge.svg[/img][/url]"
    )


def test_the_picture_is_shown_in_forums_and_in_html(texts):
    page, picture = "https://slog.example/devices/x/", "https://slog.example/devices/x/preview.png"
    assert texts["Picture"] == picture
    assert texts["Picture, BBCode"] == f"[url={page}][img]{picture}[/img][/url]\n{texts['BBCode']}"
    assert texts["Embed, HTML"] == f'<a href="{page}"><img src="{picture}" alt="Sample [X]"></a>'


def test_only_what_a_page_has_is_offered():
    assert [way.label for way in Shared("X", "", "/x/").ways] == ["Link", "BBCode", "Markdown"]


def test_a_name_is_never_markup(subtests):
    for name, bbcode, markdown in [
        ("[/url][img]x[/img]", "(/url)(img)x(/img)", r"\[/url\]\[img\]x\[/img\]"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>", r"\<script\>alert(1)\</script\>"),
        ("](http://evil.example)", ")(http: //evil.example)", r"\](http: //evil.example)"),
        ("a\n\n# b\u2028\x07c", "a # b c", r"a \# b c"),
        ("*_`~\\", "*_`~\\", r"\*\_\`\~\\"),
        ("![x](javascript:1)", "!(x)(javascript:1)", r"\!\[x\](javascript:1)"),
    ]:
        with subtests.test(name=name):
            assert bbcode_text(name) == bbcode
            assert markdown_text(name) == markdown
            assert picture_ways(name, "/", "/x.png")[-1].text.count("<") == 3
