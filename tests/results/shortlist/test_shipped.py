"""Six shortlists of the shipped data: first entries and all their sentences."""

from datetime import date
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import transaction

pytestmark = pytest.mark.django_db
TODAY = date(2026, 1, 31)
PROTECTED = "Protected: acknowledged writes survive a power cut"
OF_LINE = "and covers the entire line: small capacities are often slower"
CASES = {
    "link_gbit=10&budget=300": {
        "headline": "2 measured devices and 2 products on paper fit",
        "fio": ["Intel DC P3700 400 GB", "Intel DC P3600 800 GB"],
        "paper": ["Micron 7400 PRO / MAX 480 GB", "Intel Optane SSD DC P4801X 200 GB"],
        "sentences": [
            PROTECTED,
            "Keeps up with 10 GbE on paper: 1,907 MiB/s claimed for sequential writes of the line by the maker",
            "Big enough: 400 GB, and the log needs at most 18.8 GB",
            "Rated for 7,300 TB of writes: 4,000 GB a day for 5 years",
            "$185.90 new, seen 6 months ago",
        ],
        "uncertain": [
            "measured at 4 KiB only",
            f"the speed is a claim (“up to”), not measured sync writes, {OF_LINE}",
        ],
        "why_not": "Falls short of 10 GbE: SATA 6 Gb/s carries at most 572 MiB/s",
    },
    "link_gbit=1&gb_per_day=50&budget=100&condition=used": {
        "headline": "3 products on paper fit",
        "paper": ["Intel Optane SSD P1600X 58 GB", "Intel DC S3710 400 GB", "Intel DC S4600 480 GB"],
        "sentences": [
            PROTECTED,
            "Keeps up with 1 GbE on paper: 849 MiB/s claimed for sequential writes by a reviewer",
            "Big enough: 58 GB, and the log needs at most 1.88 GB",
            "Lasts 35 years at 50 GB a day",
            "$32 used, seen 13 months ago",
        ],
        "uncertain": [
            "nobody has measured it",
            "the speed is a claim, not measured sync writes",
            "used: check how much life is left",
            "the price is over a year old, condition not stated",
        ],
        "why_not": "Not protected: acknowledged writes can be lost in a power cut",
    },
    "link_gbit=2.5&gb_per_day=100&form_factor=m2-2280": {
        "headline": "3 products on paper fit",
        "paper": ["Micron 7400 PRO / MAX 480 GB", "Intel DC S3520 480 GB", "Intel Optane SSD P1600X 58 GB"],
        "sentences": [
            PROTECTED,
            "Keeps up with 2.5 GbE on paper: 2,098 MiB/s claimed for sequential writes of the line by a reviewer",
            "Big enough: 480 GB, and the log needs at most 4.69 GB",
            "Lasts 24 years at 100 GB a day",
            "Fits M.2 2280: comes as M.2, U.3, E1.S, NVMe (PCIe)",
            "$149.99 new, seen 6 months ago",
        ],
        "uncertain": [
            "nobody has measured it",
            f"the speed is a claim (“M.2 version”), not measured sync writes, {OF_LINE}",
            "check the length",
        ],
        "why_not": "No source says whether it is protected against power loss",
    },
    "mib_s=400&gb_per_day=500&years=7&form_factor=u2": {
        "headline": "3 measured devices and 4 products on paper fit",
        "fio": ["Intel DC P3700 400 GB", "Intel DC P3700 1.6 TB", "Intel DC P3600 800 GB"],
        "paper": ["Micron 7400 PRO / MAX 1.92 TB", "Intel Optane SSD DC P4801X 200 GB"],
        "sentences": [
            PROTECTED,
            "Keeps up with 400 MiB/s on paper: 1,907 MiB/s claimed for sequential writes of the line by the maker",
            "Big enough: 400 GB, and the log needs at most 6.29 GB",
            "Lasts 40 years at 500 GB a day",
            "Fits U.2: comes as PCIe card, U.2, 2.5-inch 15 mm U.2 and HHHL add-in card, PCIe 3.0 x4 NVMe",
            "$185.90 new, seen 6 months ago",
        ],
        "uncertain": [
            "measured at 4 KiB only",
            f"the speed is a claim (“up to”), not measured sync writes, {OF_LINE}",
        ],
        "why_not": "No source says whether it is protected against power loss",
    },
    "link_gbit=1&mirror=1&platform=linux&currency=USD": {
        "headline": "10 measured devices and 14 products on paper fit",
        "diskinfo": ["Intel 710 Series SSD 100 GB"],
        "sentences": [
            PROTECTED,
            "Keeps up with 1 GbE: 161 MiB/s at 128 KiB, 1 unit, published elsewhere",
            "Big enough: 100 GB, and the log needs at most 1.88 GB",
            "2 × $119.99 = $239.98 new, seen 8 years ago",
        ],
        "uncertain": [
            "not measured on Linux",
            "the capacity of the measured device isn’t stated",
            "the price is over a year old",
        ],
        "why_not": "Not protected: acknowledged writes can be lost in a power cut",
    },
    "link_gbit=1&plp=any&budget=60": {
        "headline": "1 measured device and 7 products on paper fit",
        "fio": ["Intel DC S3500 80 GB"],
        "sentences": [
            PROTECTED,
            "Keeps up with 1 GbE on paper: 305 MiB/s claimed for sequential writes of the line by the maker",
            "Big enough: 80 GB, and the log needs at most 1.88 GB",
            "$58.83 new, seen 2 years ago",
        ],
        "uncertain": [
            "measured at 4 KiB only",
            "the capacity of the measured device isn’t stated",
            f"the speed is a claim (“up to, M.2 version”), not measured sync writes, {OF_LINE}",
            "the price is over a year old",
        ],
        "why_not": "$146.44 new, seen 6 months ago: $86.44 over budget",
    },
}


@pytest.fixture(scope="module", autouse=True)
def _shipped(django_db_setup, django_db_blocker):
    """The shipped catalogue and results, for all tests of this module."""
    with django_db_blocker.unblock(), transaction.atomic():
        call_command("load_initial_data", stdout=StringIO())
        yield
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def _today(monkeypatch):
    monkeypatch.setattr("results.core.today.utc_day", lambda: TODAY)


def first_names(lists, expected):
    """The names of each list, as many as are expected of it."""
    return {key: names[: len(expected.get(key, []))] for key, names in lists.items()}


@pytest.mark.parametrize("query", CASES)
def test_api_lists_fitting_entries_with_reasons(client, query):
    case, found = CASES[query], client.get(f"/api/v1/shortlist/?{query}").json()
    lists = {one["method"]: one["entries"] for one in found["measured"]} | {
        "paper": found["on_paper"]["entries"]
    }
    names = {key: [one["name"] for one in entries] for key, entries in lists.items()}
    expected = {key: case.get(key, []) for key in lists}
    first = next(lists[key][0] for key in lists if expected[key])
    assert found["headline"] == case["headline"]
    assert first_names(names, expected) == expected
    assert [one["sentence"] for one in first["findings"]] == case["sentences"]
    assert {one["fit"] for one in first["findings"]} == {"yes"}
    assert first["uncertain"] == case["uncertain"]
    assert case["why_not"] in [one["reason"] for one in found["why_not"]]
    assert found["relaxations"] == []


@pytest.mark.parametrize("query", CASES)
def test_page_equals_the_api(client, query):
    case, response = CASES[query], client.get(f"/shortlist/?{query}", follow=True)
    sections = {one.key: one.entries for one in response.context["sections"]}
    names = {key: [one.name for one in entries] for key, entries in sections.items()}
    expected = {key: case.get(key, []) for key in sections}
    first = next(sections[key][0] for key in sections if expected[key])
    assert response.context["headline"] == case["headline"]
    assert first_names(names, expected) == expected
    assert [one["text"] for one in first.sentences] == case["sentences"]
    assert list(first.uncertain) == case["uncertain"]
    assert case["why_not"] in [one["reason"] for one in response.context["why_not"]]
    assert [name for name in expected if expected[name] and names[name][0] not in response.text] == []


def test_ten_gigabit_for_300_dollars_lists_four_with_price_ages(client):
    found = client.get("/api/v1/shortlist/?link_gbit=10&budget=300").json()
    entries = [one for part in (*found["measured"], found["on_paper"]) for one in part["entries"]]
    assert {one["product"]: (one["price"]["age"], one["price"]["is_fresh"]) for one in entries} == {
        "intel-dc-p3700": ("6 months ago", True),
        "intel-dc-p3600": ("6 months ago", True),
        "micron-7400": ("6 months ago", True),
        "intel-optane-p4801x": ("13 months ago", False),
    }


def test_relaxation_is_suggested_if_nothing_fits(client):
    stated = {"link_gbit": "10", "mirror": "1", "budget": "100", "form_factor": "hhhl"}
    found = client.get("/api/v1/shortlist/", stated).json()
    (relaxed,) = found["relaxations"]
    assert (found["count"], relaxed["criterion"]) == (0, "price")
    assert relaxed["sentence"] == "Raise the budget to $318: Intel DC P3600 (and P3605) 800 GB"
    again = client.get(relaxed["url"]).json()
    assert again["count"] > 0
    page = client.get("/shortlist/", stated)
    assert page.context["relaxations"][0]["sentence"] == relaxed["sentence"]


def test_published_figures_are_marked(client):
    page = client.get("/shortlist/?link_gbit=10&budget=300")
    fio = next(one for one in page.context["sections"] if one.key == "fio")
    assert {one.origin for one in fio.entries} == {"published elsewhere"}


def test_reason_from_a_published_figure_is_marked(client):
    refusals = client.get("/api/v1/shortlist/?link_gbit=1&plp=any").json()["why_not"]
    reasons = {one["product"]: one["reason"] for one in refusals}
    assert (
        reasons["samsung-950-pro"]
        == "Falls short of 1 GbE: 42.8 of 119 MiB/s at 128 KiB, 1 unit, published elsewhere"
    )
