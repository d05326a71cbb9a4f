"""What a test sees of a page."""

import pytest
from django.http import HttpResponse

from tests.page import Field, Page

TEXT = """<!doctype html>
<title>Drives · slogdb</title><meta name="description" content="By speed.">
<body><header><a href="/">slogdb</a></header>
<main><h1>Two <em>fast</em>
  drives</h1><!-- not seen --><script>let unseen</script>
<p>As<b>k</b>&nbsp;us<br>or <a href="/a/">look</a>, <a href="/b/">look</a></p>
<table id="board"><tr><th>Drive</th><th>µs</th></tr><tr><td><a href="/s1/">S1</a></td><td>20</td></tr></table>
<svg><title>A chart</title><text>10 µs</text></svg>
<form method="post" action="/send/"><div role="alert">Not stored.</div>
<input type="hidden" name="csrfmiddlewaretoken" value="random">
<div class="field"><label>Budget <input name="budget" value="much" required></label><p class="hint"><strong
 class="fault">Not a price.</strong></p></div>
<div class="field"><select name="class"><option value="">any<option value="nvme" selected>NVMe</select></div>
<textarea name="text">
 one
two</textarea>
<input type="checkbox" name="kind" value="a" checked><input type="checkbox" name="kind" value="b" checked>
<p><input type="radio" name="size" value="4k"></p><button name="action" value="publish">Publish</button></form>
</main><footer>Nothing is sponsored.</footer>"""


@pytest.fixture
def page():
    return Page(HttpResponse(TEXT))


def test_text_is_that_of_the_main_part_with_spaces_between_blocks(page):
    assert page.text.startswith(
        "Two fast drives Ask us or look, look Drive µs S1 20 A chart 10 µs Not stored."
    )
    assert (page.title, page.headings) == ("Drives · slogdb", ["Two fast drives"])
    assert Page(TEXT, "footer").text == "Nothing is sponsored."


def test_the_first_of_several_links_with_the_same_text_is_found(page):
    assert page.links == {"look": "/a/", "S1": "/s1/"}


def test_a_table_is_read_by_cell_and_by_column(page):
    assert page.tables == [[["Drive", "µs"], ["S1", "20"]]]
    assert page.part("board").rows() == [{"Drive": "S1", "µs": "20"}]
    with pytest.raises(KeyError):
        page.part("nowhere")


def test_fields_have_their_value_choices_and_error(page):
    assert page.fields == {
        "budget": Field("much", error="Not a price."),
        "class": Field("nvme", ("", "nvme")),
        "text": Field(" one\ntwo"),
        "kind": Field("a,b", ("a", "b")),
        "size": Field("", ("4k",)),
    }
    assert page.errors == ["Not stored.", "Not a price."]
