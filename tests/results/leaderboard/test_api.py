import pytest

from tests.factories import make_device, make_product, make_protected_product, make_result, rank_everything

pytestmark = pytest.mark.django_db


def test_rows_and_devices_state_whether_they_are_recommended(client):
    safe, other = make_protected_product(), make_product()
    cases = [("approved", safe, True), ("anonymous", safe, False), ("unprotected", other, True)]
    for slug, product, approved in cases:
        device = make_device(slug=slug, product=product)
        make_result(20, device=device, submission__is_approved=approved)
    make_result(
        30, device=make_device(slug="by-fio", product=safe), method="fio", submission__is_approved=True
    )
    rank_everything()
    rows = client.get("/api/v1/leaderboard/").json()["results"]
    assert [row["device"]["slug"] for row in rows if row["is_recommended"]] == ["approved", "by-fio"]
    listed = client.get("/api/v1/devices/").json()["results"]
    assert {listing["slug"] for listing in listed if listing["is_recommended"]} == {"approved", "by-fio"}
    for listing in listed:
        record = client.get(f"/api/v1/devices/{listing['slug']}/").json()
        assert record["is_recommended"] is listing["is_recommended"]


def test_the_api_takes_the_parameters_of_the_page(client, subtests):
    make_result(20, device=make_device(model_name="Fast", slug="fast"))
    make_result(90, device=make_device(model_name="Slow", slug="slow", device_class="hdd"))
    rank_everything()
    for query, expected in [
        ("ordering=-zil_latency_us", ["slow", "fast"]),
        ("ordering=-rank", ["slow", "fast"]),
        ("q=slwo", ["slow"]),
        ("q=Fa", ["fast"]),
        ("method=diskinfo&board=zil", ["fast", "slow"]),
    ]:
        with subtests.test(query=query):
            rows = client.get(f"/api/v1/leaderboard/?{query}").json()["results"]
            assert [row["device"]["slug"] for row in rows] == expected


def test_cached_rows_equal_freshly_rendered_ones(client):
    make_result(20, device=make_device(model_name="Fast", slug="fast"))
    make_result(200, device=make_device(model_name="Slow", slug="slow"))
    rank_everything()
    first = client.get("/api/v1/leaderboard/").json()
    kept = client.get("/api/v1/leaderboard/").json()
    anew = client.get("/api/v1/leaderboard/", {"fields": ",".join(first["results"][0])}).json()
    assert first == kept == anew


def test_an_unchanged_row_gets_its_new_place_after_a_pass(client):
    make_result(200, device=make_device(model_name="Slow", slug="slow"))
    rank_everything()
    (before,) = client.get("/api/v1/leaderboard/").json()["results"]
    make_result(20, device=make_device(model_name="Fast", slug="fast"))
    rank_everything()
    after = client.get("/api/v1/leaderboard/").json()["results"][1]
    moved = {"position": 2, "rank": 2, "first_possible": 2, "last_possible": 2, "tie_group": 2}
    assert after == {**before, **moved}


def test_a_row_has_its_figures_by_each_method(client):
    device = make_device(slug="both")
    make_result(20, device=device)
    make_result([None, None, None, 50, *[None] * 11], device=device, method="fio")
    rank_everything()
    (row,) = client.get("/api/v1/leaderboard/?method=fio").json()["results"]
    assert [(method["method"], method["score"], method["unit_count"]) for method in row["methods"]] == [
        ("diskinfo", 20, 1),
        ("fio", 50, 1),
    ]
    (row,) = client.get("/api/v1/leaderboard/?board=zil").json()["results"]
    assert (row["board"], row["tier"], len(row["methods"])) == ("zil", [], 1)


def test_devices_without_a_place_follow_the_ranked_ones_on_demand(client):
    waits = {"code": "implausible", "effect": "waits", "message": "Faster than its link."}
    make_result(20, device=make_device(slug="ranked"))
    make_result(30, device=make_device(slug="one"), not_ranked_reason="A partition.")
    make_result(40, device=make_device(slug="two"), not_ranked_reason=waits["message"], flags=[waits])
    make_result(50, device=make_device(slug="held"), submission__state="held", not_ranked_reason="Held.")
    short = [None, None, None, 60, *[None] * 11]  # 4 KiB alone, in µs
    make_result(short, device=make_device(slug="short"))
    rank_everything()

    def listed(query):
        page = client.get(f"/api/v1/leaderboard/?{query}").json()
        rows = [
            (record["device"]["slug"], record["rank"], record["not_ranked_reason"])
            for record in page["results"]
        ]
        assert page["count"] == len(rows)
        return rows

    ranked, other = ("ranked", 1, ""), ("one", None, "A partition.")
    two = ("two", None, waits["message"])
    own = [ranked, ("short", 2, "")]
    assert listed("") == listed("include=ranked") == own
    assert listed("include=unranked") == [*own, other]
    assert listed("include=waiting") == [*own, two]
    assert (
        listed("include=unranked,waiting") == listed("include=unranked&include=waiting") == [*own, other, two]
    )
    assert listed("board=zil&include=unranked") == [ranked, other, ("short", None, "no ZIL latency")]
    assert listed("include=unranked&class=hdd") == listed("include=unranked&min_units=2") == []
    second = client.get("/api/v1/leaderboard/?include=unranked,waiting&page_size=3&page=2").json()
    assert [
        (row["device"]["slug"], row["score"], row["low"], row["position"]) for row in second["results"]
    ] == [("two", 40, None, None)]
    table = client.get("/leaderboard.csv?include=unranked,waiting")
    assert len(b"".join(table.streaming_content).decode().splitlines()) == 1 + 4
    problem = client.get("/api/v1/leaderboard/?include=held").json()
    assert (problem["status"], list(problem["errors"])) == (400, ["include"])
    assert "ranked, unranked, waiting" in problem["errors"]["include"][0]
