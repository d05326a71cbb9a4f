"""A grid from its preview to its page, lists, exports, API and comparison."""

from html import unescape

import pytest

from results.compare.grids.remarks import LAYOUTS, RECORD_SIZES, read_remarks
from results.kinds.grid.operations import OPERATIONS
from results.models import Result
from results.submissions.intake.reread import reread_all
from tests.page import Page, asked_in
from tests.results.kinds.file_grid.texts import flat, iozone, mirror
from tests.results.kinds.pool_io import texts
from tests.results.publishing import publish

pytestmark = pytest.mark.django_db
NAMES = (texts.POOL, texts.HOST, texts.DATASET)


def test_a_grid_whose_writes_were_cached_says_so(client):
    (grid,) = publish(client, mirror(2) + texts.properties(sync="standard") + iozone(flat()))
    page = client.get(f"/results/{grid['id']}/")
    assert "Writes were cached: only -o makes them synchronous" in Page(page).text


def test_what_the_sender_states_is_stored_without_identifiers_and_survives_a_reread(client):
    serial = texts.LOG_DEVICE
    told = {
        "all": {
            "vdev_type": "mirror", "vdev_members": "3", "arc_limit_gib": "2", "recordsize": "131072",
            "drives": "WD Red, ZWERG0815SPITZ", "doubts": "read 1m", "compression": "off",
        }
    }  # fmt: skip
    text = serial + texts.PROMPT + f"zfs get recordsize {texts.POOL}\n" + iozone(
        flat(), options=f"-s 6g -i 0 -i 1 -i 2 -f /{texts.POOL}/{texts.DATASET}/x"
    )  # fmt: skip
    (grid,) = publish(client, text, told=told)
    list(reread_all(only_outdated=False))
    result = Result.objects.get()
    assert result.file_grid.doubted == [{"operation": "read", "record_bytes": 1 << 20}]
    assert "WD Red" in result.file_grid.drives
    assert "compression" not in {flag["code"] for flag in result.flags}
    shown = [client.get(path).text for path in (f"/results/{grid['id']}/", f"/api/v1/results/{grid['id']}/")]
    assert not [name for name in (*NAMES, "ZWERG0815") for page in shown if name in page]


def test_the_preview_shows_the_figures_and_asks_what_the_text_does_not_say(client):
    page = client.post("/submit/", {"text": mirror(2) + iozone(flat())})
    assert {"arc_limit_gib", "arc_gib", "drives", "doubts", "recordsize", "compression"} <= asked_in(page)
    assert not asked_in(page) & {"vdev_type", "repeats"}
    assert "Rates in MiB/s" in page.text
    two = client.post("/submit/", {"text": iozone(flat()) + iozone(flat(1.3))})
    assert "repeats" in asked_in(two)
    for key, value, message in (
        ("doubts", "sideways 3k", "We can’t read “sideways 3k”"),
        ("arc_limit_gib", "lots", "Enter a number up to"),
        ("drives", "<script>", "Enter model names only"),
        ("drives", "x" * 95, "Enter model names only"),
    ):
        refused = client.post("/submit/", {"text": iozone(flat()), f"told-all-{key}": value})
        assert message in Page(refused).text, key


def test_three_layouts_are_compared_in_words_and_by_a_baseline(client, django_assert_max_num_queries):
    ids = []
    for drives, factor in ((2, 1.0), (3, 1.5)):
        text = mirror(drives) + iozone(flat(factor))
        ids.append(publish(client, text, told={"all": {"recordsize": "131072"}})[0]["id"])
    ids.append(publish(client, iozone(flat(0.98)), told={"all": {"vdev_type": "disk"}})[0]["id"])
    url = f"/compare/grids/?results={','.join(ids)}"
    with django_assert_max_num_queries(4):
        page = client.get(url)
    shown = Page(page).text
    for sentence in (
        "A 3-way mirror reads 1.5× as fast as a 2-way mirror.",
        "A single drive reads about as fast as a 2-way mirror.",
        "64 KiB random writes at recordsize 128 KiB: 18× slower",
        "mirror of 2 mirror of 3 a single disk differs",
    ):
        assert sentence in shown, sentence
    other = Page(client.get(f"{url}&baseline={ids[1]}&operation=read")).text
    assert "A 2-way mirror reads 1.5× slower than a 3-way mirror." in other
    assert "reads at random places" not in other

    record = client.get(f"/api/v1/compare/grids/?results={','.join(ids)}&operation=read").json()
    assert [grid["letter"] for grid in record["grids"]] == ["A", "B", "C"]
    (read,) = record["operations"]
    first = read["rows"][0]
    assert (read["operation"], first["at"], first["ratios"]) == ("read", 65536, [1.0, 1.5, 0.98])
    assert first["mib_s"] == [195.312, 292.969, 191.406]
    assert read["sentences"][0] == "A 3-way mirror reads 1.5× as fast as a 2-way mirror."


def test_a_comparison_refuses_what_is_no_grid(client):
    (grid,) = publish(client, iozone(flat()))
    (dd,) = publish(client, texts.status() + texts.dd())
    for query, status, message in (
        (f"results={grid['id']},{dd['id']}", 400, "Only iozone grids can be compared here."),
        ("results=bcdfghjkmn", 404, ""),
        ("results=%3Cscript%3E", 400, "is not a result’s id"),
        ("results=a,b,c,d,e,f,g", 400, "At most 6 grids."),
        (f"results={grid['id']}&baseline=x", 400, "The baseline must be one of the grids."),
        ("operation=sideways", 400, ""),
    ):
        for path in ("/compare/grids/", "/api/v1/compare/grids/"):
            response = client.get(f"{path}?{query}")
            assert response.status_code == status, (path, query)
            assert message in unescape(response.content.decode()), (path, query)


def test_remarks_are_about_known_operations_sizes_and_layouts_and_have_the_figures_of_the_text():
    remarks = read_remarks()
    assert {remark.operation for remark in remarks} <= set(OPERATIONS)
    assert {remark.record_size for remark in remarks} <= {"", *RECORD_SIZES}
    assert {remark.layout for remark in remarks} <= {"", *LAYOUTS}
    figures = [remark.figure for remark in remarks if remark.figure]
    assert figures == [
        "about 200 MiB/s",
        "about 300 MiB/s",
        "about 10 MiB/s",
        "about 20 MiB/s",
        "18× slower than 128 KiB",
    ]
