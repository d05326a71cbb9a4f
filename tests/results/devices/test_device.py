import pytest

from tests.factories import (
    make_claim,
    make_device,
    make_product,
    make_protected_product,
    make_result,
    rank_everything,
)
from tests.page import Page, text_of

pytestmark = pytest.mark.django_db


def test_a_device_shows_the_median_of_its_units_and_their_spread(client):
    device = make_device(slug="sample")
    make_result(10, device=device)
    make_result(40, device=device)
    rank_everything()
    page = Page(client.get("/devices/sample/"))
    points = page.rows()
    assert [point["Block size"] for point in points][:3] == ["512 B", "1 KiB", "2 KiB"]
    assert [*points[3].values()] == ["4 KiB", "20.0", "10.0", "40.0", "195"]
    marked = page.root.xpath(".//tr[@class='is-ranked']/th")
    assert [text_of(size) for size in marked] == [f"{size} KiB" for size in (4, 8, 16, 32, 64, 128)]


def test_a_device_that_was_measured_only_by_fio_shows_that(client):
    make_result(30, device__slug="sample", method="fio")
    rank_everything()
    page = Page(client.get("/devices/sample/")).text
    assert "Fast flushes 30.0 µs 4 KiB latency by fio;" in page


def flag(effect, message):
    return {"code": "some_code", "effect": effect, "message": message}


def test_flags_are_shown_with_their_reasons(client):
    device = make_device(slug="sample")
    make_result(device=device, flags=[flag("noted", "Whole ticks.")], firmware__version="1")
    make_result(
        device=device,
        flags=[flag("waits", "Too soon.")],
        not_ranked_reason="Too soon.",
        firmware__version="2",
    )
    states = Page(client.get("/devices/sample/")).root.xpath(".//td[contains(@class, 'state')]")
    assert [*map(text_of, states)] == ["ranked Whole ticks.", "waiting Too soon."]


def test_a_device_without_a_ranked_result_shows_the_curve_of_its_best_run(client):
    device = make_device(slug="sample")
    make_result(
        40,
        device=device,
        not_ranked_reason="Unknown.",
        flags=[{**flag("not_ranked", "Unknown."), "code": "unknown_model"}],
    )
    make_result(90, device=device, writers=5, not_ranked_reason="5 writers.")
    response = client.get("/devices/sample/")
    page = Page(response)
    head, _, run = page.text.partition("Not ranked yet: needs")
    assert run.startswith(" a second result from somebody else, or a moderator’s check")
    assert "4 KiB latency 40.0 µs" in run
    assert len(page.rows()) == 15
    assert "40.0" not in head  # it has no figure that isn't ranked
    assert page.part("chart").root.findall(".//svg")


@pytest.mark.parametrize(
    ("code", "effect", "what"),
    [
        ("several_writers", "not_ranked", "a run with one writer"),
        ("flush_off", "not_ranked", "a run with flushes"),
        ("far_from_product", "not_ranked", "another run, without what kept this one out"),
        ("exceeds_link", "waits", "a moderator’s check"),
    ],
)
def test_a_device_without_a_rank_says_why_and_what_it_needs(client, code, effect, what):
    doubt = {"code": code, "effect": effect, "message": "Odd figures."}
    make_result(device__slug="sample", not_ranked_reason="Odd figures.", flags=[doubt])
    page = Page(client.get("/devices/sample/"))
    assert f"Not ranked yet: needs {what}" in page.headings
    assert "Odd figures." in page.text


def test_an_unranked_device_gets_no_verdict_on_its_speed(client):
    make_result(device__slug="sample", not_ranked_reason="The table is cut short.")
    response = client.get("/devices/sample/")
    page = Page(response)
    for part in ("Not ranked yet.", "Not known to keep up with 1 GbE.", "we don’t know if it is protected"):
        assert part in page.text
    assert page.links["What to buy instead"] == "/shortlist/#answer"


def test_a_point_at_4_kib_is_a_lower_bound_and_no_peak(client):
    product = make_protected_product()
    for capacity, mb_s in ((480 * 10**9, 1500), (None, 2000)):
        make_claim(product, mb_s, capacity_bytes=capacity)
    only_4k = [None] * 3 + [10] + [None] * 11
    make_result(only_4k, device=make_device(slug="sample", product=product), method="fio")
    rank_everything()
    response = client.get("/devices/sample/", follow=True)
    page = Page(response)
    assert "What to buy instead" not in page.links
    assert page.section("carries").text == (
        "Carries, in GbE 11 GbE: yes 2.52.5 GbE: yes 55 GbE: on paper 1010 GbE: on paper 2525 GbE: no "
        "Keeps up with 2.5 GbE, 10 GbE on paper. At least 391 MiB/s measured (4 KiB, 1 writer). "
        "1,431 MiB/s claimed for this capacity (Aldera). 25 GbE needs 2,980 MiB/s. How throughput is measured"
    )
    assert "Peak throughput" not in page.text


def test_a_verdict_names_its_evidence(client):
    product = make_protected_product(
        endurance_dwpd_low=3,
        endurance_dwpd_high=3,
        endurance_years=5,
        endurance_source_url="https://a.example/s1",
    )
    make_product(endurance_dwpd_low=1, endurance_dwpd_high=1, endurance_years=5)
    sample = make_device(slug="sample", product=product)
    make_result(100, device=sample, wear_percent=7, submission__is_approved=True)
    for latency_us in (200, 300, 9_000):
        make_result(latency_us)
    make_result(9_000, device__device_class="hdd")
    rank_everything()
    text = Page(client.get("/devices/sample/", follow=True)).text
    for part in (
        "Good SLOG, based on the data we have",
        "Keeps up with 100 GbE.",
        "Rated higher than 1 of 1 other rated line of its class.",
        "Rated for 2,628 TB (480 GB, from 3 drive writes a day).",
        "For 480 GB, that is 1.44 TB of writes a day.",
        "The one measured unit that reports its wear had used 7 % of its endurance.",
        "Power-loss protection Acknowledged writes survive power loss",
        "times as long",
    ):
        assert part in text


@pytest.mark.parametrize(
    ("latency_us", "results", "headline"),
    [
        (20, [{}, {}, {}], "Protected, but too few results to judge speed"),
        (20, [{"submission__is_approved": True}], "Good SLOG, based on the data we have"),
        (9_577, [{"submission__is_approved": True}], "Protected, but far slower than its class should be"),
        (20, [{"not_ranked_reason": "held"}], "Protected, but no result counts yet, so we can’t judge speed"),
    ],
)
def test_only_a_recommended_device_is_called_a_good_slog(client, latency_us, results, headline):
    device = make_device(slug="sample", product=make_protected_product())
    for values in results:
        make_result(latency_us, device=device, **values)
    rank_everything()
    verdict = Page(client.get("/devices/sample/", follow=True)).section("verdict")
    assert verdict.headings == [headline]
    assert ("How we choose" in verdict.links) is ("is-good" not in verdict.root.get("class"))


def test_wear_is_charted_if_units_differ_in_it(client):
    device = make_device(slug="sample")
    make_result(20, device=device, wear_percent=3)
    rank_everything()
    assert "Wear of the measured units" not in client.get("/devices/sample/").text
    make_result(21, device=device, wear_percent=90)
    rank_everything()
    wear = Page(client.get("/devices/sample/")).section("wear")
    assert [row["Endurance used"] for row in wear.rows()] == ["3 %", "90 %"]
    assert "shows no effect of wear" in wear.text
    assert len(wear.root.xpath(".//*[name()='circle']")) == 2
