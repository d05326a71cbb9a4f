"""What is pasted elsewhere says what it should, and a hostile name is nothing but a name there."""

import pytest

from results.core.head import Shared, bbcode_text, markdown_text, share_context


@pytest.fixture
def texts(settings):
    settings.SITE_URL = "https://slog.example"
    made = share_context(Shared("Sample [X]", "ZIL latency 20 µs", "/devices/x/", "/devices/x/badge.svg"))
    return {one["label"]: one["text"] for one in made}


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
