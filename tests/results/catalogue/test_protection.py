"""Power-loss protection with its sources, or with what is missing."""

import json
from itertools import combinations_with_replacement

import pytest
from django.db import connection

from results.catalogue.protection import Statement, Written, find_safety, rated_endurance
from results.core.formats import format_source
from results.exports.tables import TABLES
from results.models.choices import Plp, PlpEvidence, is_probably_protected
from tests.factories import make_claim, make_device, make_product, make_result, rank_everything

SHEET = {"value": "yes", "evidence": "data_sheet", "url": "https://a.example/sheets/s%201.pdf"}
TABLE = {"value": "no", "evidence": "personal_page", "url": "https://www.b.example"}
GUIDE = {"value": "yes", "evidence": "indirect", "url": "https://c.example/guide"}

pytestmark = pytest.mark.django_db


def test_value_is_shown_with_its_sources():
    safety = find_safety(
        make_product(plp="yes", plp_statements=[SHEET | {"note": "M.2 version"}], flags=["limited_hold"])
    )
    assert (safety.badge.label, safety.badge.tone, safety.missing) == ("Protected", "good", "")
    assert safety.statements == [
        Statement("Protected", "maker's data sheet or manual", "M.2 version", SHEET["url"])
    ]
    assert safety.caveats == "A battery retains the data for a limited time only."


def test_the_better_evidence_is_cited_first():
    kinds = ["personal_page", "medium", "openzfs_list", "data_sheet"]
    stated = [{"value": "yes", "evidence": kind, "url": f"https://{kind}.example/"} for kind in kinds]
    shown = find_safety(make_product(plp="yes", plp_statements=stated)).statements
    best_first = ["data_sheet", "openzfs_list", "medium", "personal_page"]
    assert [statement.url for statement in shown] == [f"https://{kind}.example/" for kind in best_first]


def test_disputed_value_shows_both_statements():
    safety = find_safety(make_product(plp="disputed", plp_statements=[SHEET, TABLE]))
    shown = [(statement.label, statement.note) for statement in safety.statements]
    assert shown == [("Protected", ""), ("Not protected", "")]


@pytest.mark.parametrize(
    ("statements", "words"), [([], "Missing: a source"), ([GUIDE], "exactly this model")]
)
def test_unknown_value_states_what_is_missing(statements, words):
    assert words in find_safety(make_product(plp_statements=statements)).missing


PAGE = {"value": "yes", "evidence": "unsigned_page", "url": "https://d.example/wiki"}
STATED = (
    ("unknown", [GUIDE], "Probably protected"),
    ("unknown", [PAGE, GUIDE], "Probably protected"),
    ("unknown", [PAGE], "Protection unknown"),
    ("unknown", [TABLE, GUIDE], "Protection unknown"),
    ("unknown", [], "Protection unknown"),
    ("yes", [SHEET, GUIDE], "Protected"),
)


def test_only_a_recommendation_among_protected_drives_is_probably_protected():
    for value, statements, label in STATED:
        product = make_product(plp=value, plp_statements=statements)
        safety = find_safety(product)
        assert (safety.badge.value, safety.badge.label) == (value, label)
        assert product.is_probably_protected == (label == "Probably protected")
    (guide,) = (statement for statement in safety.statements if statement.url == GUIDE["url"])
    assert guide.label == "Probably protected"


def test_exports_say_of_all_statements_what_the_pages_say():
    kinds = [{"value": value, "evidence": kind} for value in Plp.values for kind in PlpEvidence.values]
    stated = [[], *([kind] for kind in kinds), *map(list, combinations_with_replacement(kinds, 2))]
    (column,) = (column for column in TABLES[0].columns if column.name == "plp_probably")
    query = f"""
        SELECT product.plp, product.plp_statements, {column.sql} FROM (SELECT 1 AS id) AS device,
        (SELECT plp, plp_statements FROM unnest(%s::text[]) AS plp, jsonb_array_elements(%s::jsonb) AS plp_statements)
        AS product"""  # noqa: S608 - ours
    with connection.cursor() as cursor:
        cursor.execute(query, [Plp.values, json.dumps(stated)])
        rows = cursor.fetchall()
    assert len(rows) == len(stated) * len(Plp)
    wrong = [row for row in rows if is_probably_protected(row[0], json.loads(row[1])) != row[2]]
    assert wrong == []


PLACES = ("/products/{}/", "/products/?q=V700", "/devices/{}/", "/leaderboard/", "/leaderboard.md")
PLACES += ("/search/?q=boreas", "/compare/?devices={},other")


IN_API = ("products/", "devices/", "leaderboard/", "search/?q=V700", "compare/?devices=boreas,other")
IN_API += ("workload/?mix=4k:1", "lookup/?model=Boreas+V700", "shortlist/?plp=any")


def test_what_is_probably_protected_says_so_everywhere_but_counts_as_unknown(client):
    product = make_product(slug="boreas", name="V700", vendor="Boreas", plp_statements=[GUIDE])
    device = make_device(slug="boreas", model_name="Boreas V700", product=product)
    make_result(device=device)
    make_result(device=make_device(slug="other", model_name="Other"))
    rank_everything()
    for place in PLACES:
        assert "Probably protected" in client.get(place.format("boreas"), follow=True).text, place
    for path, is_listed in (("plp=unknown", True), ("plp=protected", False), ("plp=yes", False)):
        for page in ("/leaderboard/", "/products/"):
            assert ("V700" in client.get(f"{page}?{path}").text) == is_listed, (page, path)
    for place in IN_API:
        answer = client.get(f"/api/v1/{place}").text
        assert '"plp_probably":true' in answer, place
        assert '"plp":"yes"' not in answer, place


def test_a_source_is_shown_as_its_site_and_the_name_of_its_page():
    assert format_source("https://www.b.example/") == "b.example"
    assert format_source(SHEET["url"]) == "a.example: s 1.pdf"


RATED = {
    "endurance_dwpd_low": "0.35",
    "endurance_dwpd_high": "3",
    "endurance_years": 5,
    "endurance_tbw": [
        {"capacity_bytes": 480 * 10**9, "written_bytes": 300 * 10**12},
        {"capacity_bytes": 960 * 10**9, "written_bytes": 1_752 * 10**12},
        {"capacity_bytes": None, "written_bytes": 9_000 * 10**12},
    ],
    "endurance_source_url": "https://a.example/s1",
}


def rated(**values):
    product = make_product(**{**RATED, **values})
    product.refresh_from_db()
    return product


def test_endurance_of_a_line_lists_every_capacity():
    endurance = rated_endurance(rated(), ())
    assert endurance.drive_writes == "0.35 to 3 a day for 5 years"
    assert endurance.written == [
        Written("480 GB", "300 TB"),
        Written("960 GB", "1,752 TB"),
        Written("the largest model", "up to 9 PB"),
    ]


def test_endurance_of_a_device_is_for_its_capacity():
    endurance = rated_endurance(rated(), (), 480_103_981_056)
    assert [rating.capacity for rating in endurance.written] == ["480 GB"]
    assert endurance.drive_writes == "at least 0.35 a day for 5 years"


def test_a_line_without_drive_writes_keeps_what_is_known_of_its_largest():
    unknown = {"endurance_dwpd_low": None, "endurance_dwpd_high": None, "endurance_years": None}
    endurance = rated_endurance(rated(**unknown), (), 1_920 * 10**9)
    assert [rating.capacity for rating in endurance.written] == ["the largest model"]


def test_single_figure_is_not_shown_as_a_range_and_a_missing_one_not_at_all():
    endurance = rated_endurance(rated(endurance_dwpd_low="10", endurance_dwpd_high="10"), ())
    assert endurance.drive_writes == "10 a day for 5 years"
    assert rated_endurance(make_product(), ()) is None


def test_endurance_that_only_claims_state_is_shown_with_their_sources():
    product = make_product()
    make_claim(product, 3, quantity="endurance_dwpd", unit="DWPD", stated_by="reviewer")
    make_claim(product, 6570, quantity="endurance_tbw", unit="TB", capacity_bytes=1_200 * 10**9)
    of_stated, of_other = (
        rated_endurance(product, product.claims.all(), size * 10**9) for size in (1_200, 800)
    )
    assert of_stated.written == [Written("1.2 TB", "6,570 TB")]
    assert of_other.written == [Written("800 GB", "4,380 TB", "from 3 drive writes a day")]
    assert of_other.drive_writes == "3 a day (we assume for 5 years)"
    assert of_other.sources == ["https://claims.example/"]
    assert of_other.caveats == "Endurance as quoted by someone other than the maker."
    assert of_other.calculator_url.endswith("&capacity=800")
