"""Shortlists of the shipped data: first entries, all their sentences, and near misses."""

from datetime import date

import pytest

from results.advice.fit import Fit
from results.advice.link import LINKS, check_link
from results.catalogue.throughput import device_throughput
from results.models import Device
from tests.page import Page, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shipped")]
TODAY = date(2026, 1, 31)
PROTECTED = "Protected: acknowledged writes survive a power cut"
BY_DESIGN = "Safe by design: no volatile cache in front of the medium"
CASES = {
    "link_gbit=10&budget=300&link_share=100": {
        "headline": "1 product on paper fits",
        "paper": ["Intel Optane DC P4801X 200 GB"],
        "sentences": [
            BY_DESIGN,
            "Keeps up with 10 GbE on paper: 1,907 MiB/s claimed for this capacity (a reviewer, one source)",
            "Big enough: 200 GB, and the log needs at most 17.2 GB",
            "Rated for 21,900 TB of writes: 12,000 GB a day for 5 years",
            "$275 used, last seen in 2024, before prices rose",
        ],
        "uncertain": [
            "no ranked result at this capacity",
            "the throughput is a claim, not measured sync writes",
            "used: check how much life is left",
            "the price is over a year old",
        ],
        "why_not": "Falls short of 10 GbE: SATA 6 Gb/s carries at most 572 of 1,192 MiB/s",
    },
    "link_gbit=1&budget=250&link_share=100": {
        "headline": "3 measured devices and 4 products on paper fit",
        "measured": ["Intel DC P3700 400 GB", "Intel DC P3600 800 GB", "Intel 710 100 GB"],
        "paper": [
            "Intel DC S3710 400 GB",
            "Intel Optane Memory 16 GB",
            "Intel Optane P1600X 58 GB",
            "Intel Optane DC P4801X 100 GB",
        ],
        "sentences": [
            PROTECTED,
            "Keeps up with 1 GbE: at least 884 MiB/s measured (4 KiB, 5 writers)",
            "Big enough: 400 GB, and the log needs at most 1.88 GB",
            "Rated for 7,300 TB of writes: 4,000 GB a day for 5 years",
            "$185.90 new (probably a marketplace listing), seen 6 months ago, before prices rose",
        ],
        "uncertain": [],
        "why_not": "Not protected: slow if it obeys flushes, and it can lose writes if it doesn’t",
    },
    "link_gbit=2.5&gb_per_day=100&form_factor=m2-2280&link_share=100": {
        "headline": "1 measured device and 2 products on paper fit",
        "measured": ["Samsung PM963 960 GB"],
        "paper": ["Intel DC S3520 480 GB", "Intel Optane P1600X 58 GB"],
        "sentences": [
            PROTECTED,
            "Keeps up with 2.5 GbE: at least 1,047 MiB/s measured (4 KiB, 16 writers)",
            "Big enough: 960 GB, and the log needs at most 4.69 GB",
            "Lasts 37 years at 100 GB a day (from 1.3 drive writes a day)",
            "Fits M.2 2280 in one of its forms: M.2, 2.5-inch",
            "No known price in USD",
        ],
        "uncertain": [
            "the source covers only part of the line",
            "check that you get the form that fits, check the length",
        ],
        "fits": {"yes", "unknown"},
        "why_not": "No source says whether it is protected against power loss",
    },
    "mib_s=400&gb_per_day=500&years=7&form_factor=u2": {
        "headline": "4 measured devices and 2 products on paper fit",
        "measured": ["Intel DC P3700 400 GB", "Intel DC P3600 800 GB", "Intel DC P3700 1.6 TB"],
        "paper": ["Intel Optane DC P4801X 100 GB"],
        "sentences": [
            PROTECTED,
            "Keeps up with 400 MiB/s: at least 884 MiB/s measured (4 KiB, 5 writers)",
            "Big enough: 400 GB, and the log needs at most 6.29 GB",
            "Lasts 40 years at 500 GB a day",
            "Fits U.2 in one of its forms: 2.5-inch 15 mm U.2, HHHL add-in card",
            "$185.90 new (probably a marketplace listing), seen 6 months ago, before prices rose",
        ],
        "uncertain": ["check that you get the form that fits"],
        "fits": {"yes", "unknown"},
        "why_not": "No source says whether it is protected against power loss",
    },
    "link_gbit=1&plp=any&budget=60&link_share=100": {
        "headline": "2 products on paper fit",
        "paper": ["Intel Optane Memory 16 GB", "Intel Optane P1600X 58 GB"],  # not by claims about caches
        "sentences": [
            BY_DESIGN,
            "Keeps up with 1 GbE on paper: 138 MiB/s claimed for this capacity (a reviewer, one source)",
            "Big enough: 16 GB, and the log needs at most 1.88 GB",
            "Rated for 200 TB of writes: 110 GB a day for 5 years",
            "$5 used, last seen in 2024, before prices rose",
        ],
        "uncertain": [
            "no ranked result at this capacity",
            "the throughput is a claim, not measured sync writes",
            "used: check how much life is left",
            "the price is over a year old",
            "Limits: Two PCIe lanes and B+M key; the slot must carry PCIe, "
            "in an M.2 slot with SATA only it does not work",
        ],
        "why_not": "$185.90 new (probably a marketplace listing), seen 6 months ago, before prices rose: "
        "$125.90 over budget",
    },
}


@pytest.fixture(autouse=True)
def _today(monkeypatch):
    monkeypatch.setattr("results.core.today.utc_day", lambda: TODAY)


def first_names(lists, expected):
    """The names of each list, as many as are expected of it."""
    return {key: names[: len(expected.get(key, []))] for key, names in lists.items()}


@pytest.mark.parametrize("query", CASES)
def test_fitting_entries_are_listed_with_reasons(client, query):
    case, found = CASES[query], client.get(f"/api/v1/shortlist/?{query}").json()
    lists = {"measured": found["measured"]["entries"], "paper": found["on_paper"]["entries"]}
    names = {key: [entry["name"] for entry in entries] for key, entries in lists.items()}
    expected = {key: case.get(key, []) for key in lists}
    first = next(lists[key][0] for key in lists if expected[key])
    reasons = [refusal["reason"] for refusal in found["why_not"]]
    assert found["headline"] == case["headline"]
    assert first_names(names, expected) == expected
    assert [finding["sentence"] for finding in first["findings"]] == case["sentences"]
    assert {finding["fit"] for finding in first["findings"]} == case.get("fits", {"yes"})
    assert first["uncertain"] == case["uncertain"]
    assert case["why_not"] in reasons
    assert found["relaxations"] == []
    page = client.get(f"/shortlist/?{query}", follow=True)
    on_card = {"protection", "price"}  # each is met
    rest = [finding["sentence"] for finding in first["findings"] if finding["criterion"] not in on_card]
    text = Page(page).text
    listed = [names[key][0] for key in lists if expected[key]]
    assert [
        part for part in (case["headline"], *listed, *rest, *case["uncertain"], *reasons) if part not in text
    ] == []


def test_a_drive_that_is_only_too_small_is_not_silently_gone(client):
    near = Page(client.get("/shortlist/?link_gbit=10&link_share=100&plp=any")).section("near")
    reason = "Too small: 16 GB, and the log needs at most 17.2 GB. No known price in USD"
    assert near.facts["Netlist EV3 16 GB"] == reason


def test_nothing_measured_or_claimed_for_its_capacity_carries_ten_gigabit_for_250_dollars(client):
    found = client.get("/api/v1/shortlist/?link_gbit=10&link_share=100&budget=250").json()
    assert (found["count"], found["headline"]) == (0, "Nothing definitely fits; 27 candidates to check")
    assert [(miss["name"], miss["capacity_bytes"], miss["reason"]) for miss in found["near_misses"]] == [
        (
            "Intel Optane P1600X",
            118_000_000_000,
            "Falls short of 10 GbE: 1,001 of 1,192 MiB/s claimed for this capacity (a reviewer)",
        ),
        (
            "Intel Optane DC P4801X",
            100_000_000_000,
            "Falls short of 10 GbE: 954 of 1,192 MiB/s claimed for this capacity (a reviewer)",
        ),
    ]
    p3700, p3600 = found["measured"]["to_check"][:2]
    assert [entry["findings"][1]["sentence"] for entry in (p3700, p3600)] == [
        "Not known to keep up with 10 GbE (1,192 MiB/s): at least 884 MiB/s measured (4 KiB, 5 writers); "
        "up to 1,907 MiB/s (largest model, Intel)",
        "Not known to keep up with 10 GbE (1,192 MiB/s): at least 764 MiB/s measured (4 KiB, 10 writers); "
        "up to 1,621 MiB/s (largest model, Intel)",
    ]
    assert [relaxation["sentence"] for relaxation in found["relaxations"]][:2] == [
        "Raise the budget to $275: Intel Optane DC P4801X 200 GB",
        "Settle for 1,001 MiB/s instead of 1,192 MiB/s: Intel Optane P1600X 118 GB",
    ]


def test_ten_gigabit_is_not_answered_with_a_dimm(client):
    found = client.get("/api/v1/shortlist/?link_gbit=10&link_share=100").json()
    assert [entry["name"] for entry in found["measured"]["entries"]] == []
    assert found["on_paper"]["entries"][0]["name"] == "Intel Optane DC P4801X 200 GB"
    assert "Intel Optane Persistent Memory 100 family 128 GB" in [
        entry["name"] for entry in found["measured"]["to_check"]
    ]


def test_devices_with_recent_prices_come_first(client):
    for query in ("", "link_gbit=1", "link_gbit=2.5", "plp=any"):
        entries = client.get(f"/api/v1/shortlist/?{query}").json()["measured"]["entries"]
        is_recent = [
            entry["price"] is not None and entry["price"]["seen_on"] >= "2024-01-31" for entry in entries
        ]
        assert is_recent == sorted(is_recent, reverse=True), query
        assert is_recent[0], query


def test_half_of_ten_gigabit_is_the_default(client):
    found = client.get("/api/v1/shortlist/?link_gbit=10&budget=300&form_factor=m2-22110").json()
    names = [entry["name"] for entry in found["on_paper"]["entries"]]
    assert names == ["Intel Optane P1600X 58 GB", "Intel Optane DC P4801X 100 GB"]


def test_old_and_slow_drives_are_never_among_the_first(client):
    """The S3700 and S3500 that every forum names come before drives of 1.92 TB, and the Intel 710 last."""
    query = "link_gbit=1&form_factor=2.5-sata&budget=60&condition=used&gb_per_day=40&years=5"
    found = client.get(f"/api/v1/shortlist/?{query}").json()
    names = [entry["name"] for entry in found["measured"]["to_check"]]
    first = client.get("/api/v1/shortlist/?link_gbit=1").json()
    for entries in (names, [entry["name"] for entry in first["measured"]["entries"]]):
        assert not [name for name in entries[:3] if name.startswith(("Intel 710", "Intel 320"))]
    assert not [entry for entry in first["on_paper"]["entries"] if entry["name"].startswith("Intel 320")]


def test_a_small_sm863_keeps_up_with_what_is_shown(client):
    found = client.get("/api/v1/shortlist/?mib_s=119.2&form_factor=2.5-sata").json()
    entries = [*found["measured"]["entries"], *found["measured"]["to_check"]]
    said = [entry["findings"][1]["sentence"] for entry in entries]
    assert not [
        sentence for sentence in said if sentence.startswith("Not known") and "at least 119 MiB/s" in sentence
    ]


def test_filter_and_check_agree_about_every_device(client):
    devices = (
        Device.objects.shown().filter(rankings__isnull=False).distinct().select_related("product__vendor")
    )
    known = {
        device.slug: device_throughput(device, device.product.claims.all() if device.product else ())
        for device in devices
    }
    for link in LINKS:
        passing = {
            slug for slug, throughput in known.items() if check_link(throughput, link.mib_s).fit is Fit.YES
        }
        found = set()
        for method in ("diskinfo", "fio"):
            query = f"method={method}&link_gbit={link.gbit_s}&page_size=500"
            rows = client.get(f"/api/v1/leaderboard/?{query}").json()["results"]
            found |= {row["device"]["slug"] for row in rows}
        assert found == passing, link.ethernet


def test_device_page_names_the_link_that_several_writers_or_one_reach(client):
    for slug, link_gbit in (("intel-dc-p3700-400-gb", "5"), ("intel-710-series-ssd", "1")):
        page = Page(client.get(f"/devices/{slug}/", follow=True))
        assert f"Keeps up with {link_gbit} GbE." in page.section("carries").text


def test_relaxation_is_suggested_if_nothing_fits(client):
    stated = {"link_gbit": "10", "link_share": "100", "mirror": "1", "budget": "100", "form_factor": "hhhl"}
    found = client.get("/api/v1/shortlist/", stated).json()
    (relaxed,) = found["relaxations"]
    assert (found["count"], relaxed["criterion"]) == (0, "price")
    assert relaxed["sentence"].startswith("Raise the budget to $4,126: Intel Optane DC P4800X")
    again = client.get(relaxed["url"]).json()
    assert again["count"] > 0
    assert relaxed["sentence"] in Page(client.get("/shortlist/", stated)).section("relax").links


def test_published_figures_are_marked(client):
    first = Page(client.get("/shortlist/?link_gbit=1&budget=250")).section("first")
    speeds = [text_of(speed) for speed in first.root.find_class("card-speed")]
    measured = [speed for speed in speeds if "per 4 KiB sync write" in speed]
    assert measured
    assert [speed for speed in measured if "published elsewhere" not in speed] == []


def test_25_gigabit_for_a_mirror_of_u2_drives_is_answered_with_optane(client):
    found = client.get("/api/v1/shortlist/?link_gbit=25&mirror=1&form_factor=u2&gb_per_day=2000").json()
    names = [entry["name"] for entry in found["on_paper"]["entries"]]
    assert names == ["Intel Optane DC P4801X 200 GB", "Intel Optane DC P4800X 750 GB"]
