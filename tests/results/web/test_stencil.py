from django.utils.safestring import mark_safe

from results.web.stencil import cut_stencil
from tests.factories import make_device, make_result, rank_everything

ROW = "results/partials/board_row.html"
NAMES = ("url", "model_name", "badge")


def test_rows_are_filled_in_one_after_the_other():
    stencil = cut_stencil(ROW, NAMES, compare_path="/compare/")
    rows = stencil.fill({"url": f"/{name}/", "model_name": name, "badge": ""} for name in ("one", "two"))
    assert rows.index('<a href="/one/">one</a>') < rows.index('<a href="/two/">two</a>')
    assert rows.count('href="/compare/?devices="') == rows.count("<tr") == 2


def test_values_are_text_and_never_markup_or_places():
    name = "<script>'\"{badge}&amp;"
    shown = cut_stencil(ROW, NAMES).fill([{"url": "/", "model_name": name, "badge": mark_safe("<b>B</b>")}])
    assert "<script>" not in shown
    assert 'aria-label="Compare &lt;script&gt;&#x27;&quot;{badge}&amp;amp;"' in shown
    assert shown.count("<b>B</b>") == 1


def test_the_leaderboard_shows_a_script_as_the_name_that_it_is(client, db):
    name = '"><script>alert(1)</script>{rank}'
    make_result(20, device=make_device(model_name=name, slug="script"))
    rank_everything()
    page = client.get("/leaderboard/").text
    assert "<script>alert" not in page
    assert "&gt;&lt;script&gt;alert(1)&lt;/script&gt;{rank}</a>" in page
