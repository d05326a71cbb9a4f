"""Results that were published elsewhere are told apart from those submitted here wherever either is shown."""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import reverse
from lxml import html

from results.exports.build import build_exports
from results.kinds.file_sync.shipped import FILE_SYNC_FILE
from results.kinds.latency_curve.shipped import CURVE_FILE
from results.models import Device, DeviceRanking
from results.models.fields import BLOCK_SIZES, SLOT_4K
from tests.factories import CURVE, make_device, make_protected_product, make_result, rank_everything
from tests.results.api.test_lists import list_names

pytestmark = pytest.mark.django_db
MARK = "published elsewhere"
ELSEWHERE, HERE = "Zephyrus P1", "Boreas S1"
MAX_VARIANTS = 3  # of one path, by their queries: lists link to themselves with every filter
# Lists without a device and without a result that others sent.
OF_NO_OTHERS = {
    "api-access-patterns",
    "api-bands",
    "api-classes",
    "api-compare-pairs",
    "api-compare-sets",
    "api-device-firmware",
    "api-grid-remarks",
    "api-own-submissions",
    "api-pools",
    "api-prices",
    "api-products",
    "api-root",
}


@pytest.fixture
def one_of_each():
    """Two devices of one class alike in everything but where their results come from."""
    for slug, name, values in (
        ("elsewhere", ELSEWHERE, {"submission__survey_id": "x1", "submission__quality": "b"}),
        ("here", HERE, {}),
    ):
        product = make_protected_product(slug=f"{slug}-product", name=name.split()[1], patterns=[f"^{name}"])
        device = make_device(slug=slug, model_name=name, product=product)
        for number in range(2):
            make_result(
                30 + number,
                device=device,
                submission__public_id=f"{slug}{number or ''}",
                submission__source_url=f"https://forum.example/{slug}{number}",
                **{**values, **({"submission__survey_id": f"x{number}"} if values else {})},
            )
    rank_everything()


def pages() -> Iterator[tuple[str, str]]:
    """Every page that links lead to from the front page and the site's map: path with query, and text."""
    waiting, seen, variants = ["/", "/feeds/results.atom"], set(), Counter()
    while waiting:
        path = waiting.pop(0)
        if path in seen or path.startswith(("/account/", "/static/", "/exports/2", "/api/")):
            continue
        seen.add(path)
        variants[urlsplit(path).path] += 1
        if variants[urlsplit(path).path] > MAX_VARIANTS:
            continue
        response = Client().get(path, follow=True)
        if response.streaming or not response["Content-Type"].startswith(("text/", "application/atom")):
            continue
        text = response.text
        yield path, text
        for link in html.document_fromstring(response.content).xpath("//a/@href"):
            parts = urlsplit(urljoin(path, link))
            if not parts.netloc or parts.netloc == "testserver":
                waiting.append(parts.path + (f"?{parts.query}" if parts.query else ""))


def test_every_page_marks_devices_published_elsewhere(one_of_each):
    named = {ELSEWHERE: 0, HERE: 0}
    for path, text in pages():
        if ELSEWHERE in text and not _has_no_figure(path):
            named[ELSEWHERE] += 1
            assert MARK in text.lower(), path
        elif HERE in text:
            named[HERE] += 1
            elsewhere = Device.objects.get(slug="elsewhere").get_absolute_url()
            links_there = f'href="{elsewhere}"' in text  # by the name people use
            assert MARK not in text.lower() or links_there, path
    assert min(named.values()) >= 3, named


def _has_no_figure(path: str) -> bool:
    """Forms that only name the devices that they are about."""
    return (path.startswith("/compare/") and "," not in path) or path.endswith("/report/")


def records(answer: Any) -> Iterator[dict[str, Any]]:
    if isinstance(answer, dict):
        yield answer
        for value in answer.values():
            yield from records(value)
    if isinstance(answer, list):
        for value in answer:
            yield from records(value)


def test_every_list_of_the_api_marks_what_comes_from_elsewhere(one_of_each, subtests):
    needed = {"api-search": "?q=p1", "api-workload": "?mix=4k:1"}
    for name in sorted({*list_names()} - OF_NO_OTHERS):
        with subtests.test(name=name):
            answer = Client().get(reverse(name) + needed.get(name, "")).json()
            marked = [_is_marked(record) for record in records(answer) if _is_about(record, "elsewhere")]
            assert marked
            assert all(marked)
            assert not any(_is_marked(record) for record in records(answer) if _is_about(record, "here"))


def _is_about(record: dict[str, Any], slug: str) -> bool:
    is_device = record.get("slug") == slug
    return is_device or record.get("device") == slug


def _is_marked(record: dict[str, Any]) -> bool:
    return record.get("origin") == "published_elsewhere" or bool(record.get("elsewhere_count"))


def test_every_record_of_the_api_marks_what_comes_from_elsewhere(one_of_each, subtests):
    for path in ("devices/{}/", "results/{}/", "compare/?devices=elsewhere,here"):
        for slug in ("elsewhere", "here"):
            with subtests.test(path=path, slug=slug):
                answer = Client().get(f"/api/v1/{path.format(slug)}").json()
                about = [record for record in records(answer) if _is_about(record, slug)]
                assert any(_is_marked(record) for record in about) == (slug == "elsewhere")


def test_comparisons_and_tables_mark_the_one(one_of_each):
    compared = Client().get("/compare/?devices=elsewhere,here").text
    assert compared.count(MARK) == 2  # its card, and the row of its results
    text = Client().get("/leaderboard.csv").getvalue().decode()
    counts = {
        row["device.model_name"]: row["device.elsewhere_count"] for row in csv.DictReader(StringIO(text))
    }
    assert counts == {ELSEWHERE: "2", HERE: "0"}
    for kind in ("md", "bbcode"):
        rows = [line for line in Client().get(f"/leaderboard.{kind}").text.splitlines() if "1" in line]
        marked = {name: [MARK in line for line in rows if name in line] for name in (ELSEWHERE, HERE)}
        assert marked == {ELSEWHERE: [True], HERE: [False]}, kind


@pytest.mark.django_db(transaction=True)
def test_every_export_of_results_marks_each_row(settings, tmp_path, one_of_each):
    settings.EXPORT_FOLDER = str(tmp_path)
    build_exports()
    current = Path(tmp_path) / "current"
    for name in ("results.csv", "points.csv"):
        rows = list(csv.DictReader(StringIO((current / name).read_text(encoding="utf-8"))))
        assert {(row["device"], row["origin"]) for row in rows} == {
            ("elsewhere", "published_elsewhere"),
            ("here", "submitted_here"),
        }
    lines = (current / "results.ndjson").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["origin"] for line in lines} == {"published_elsewhere", "submitted_here"}


@pytest.fixture
def of_six_mb_s():
    """A device of which a source says "6 MB/s", which is 682.7 µs, and nothing else is known."""
    product = make_protected_product(slug="sixth", name="P1", patterns=["^Zephyrus P1"])
    make_result(
        curve_at_4k(682.7),
        method="fio",
        device=make_device(slug="sixth-device", model_name=ELSEWHERE, product=product),
        submission__public_id="bcdfghjkmn",
        submission__survey_id="x1",
        submission__quality="b",
        submission__figure="6 MB/s at 4 KiB",
        submission__figure_digits=1,
    )
    other = make_device(slug="other-device", model_name=HERE)
    make_result(curve_at_4k(512.3), method="fio", device=other, submission__public_id="bcdfghjkmp")
    rank_everything()


def curve_at_4k(latency_us):
    return [latency_us if slot == SLOT_4K else None for slot in range(len(BLOCK_SIZES))]


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/leaderboard/",
        "/leaderboard/?view=table",
        "/leaderboard.md",
        "/devices/sixth-device/",
        "/devices/other-device/",
        "/products/sixth/",
        "/products/",
        "/compare/?devices=sixth-device,other-device",
        "/compare/results/?a=bcdfghjkmn&b=bcdfghjkmp",
        "/results/bcdfghjkmn/",
        "/results/",
        "/guide/what-makes-a-good-one/",
        "/survey/",
        "/feeds/results.atom",
    ],
)
def test_a_latency_has_as_many_digits_as_the_figure_it_is_computed_from(of_six_mb_s, path):
    response = Client().get(path, follow=True)
    assert response.status_code == 200
    assert "700" in response.text
    assert not re.search(r"\b(68[23]|5\.72|1,46[45])\b", shown_text(response.text))


def shown_text(page):
    """Without structured data, which has the numbers as they are stored, and scripts' data."""
    return re.sub(r"(?s)<script.*?</script>", "", page)


def test_the_api_and_the_place_use_the_latency_as_it_is_stored(of_six_mb_s):
    (row,) = (
        record
        for record in Client().get("/api/v1/leaderboard/").json()["results"]
        if record["device"]["slug"] == "sixth-device"
    )
    assert (row["score"], row["latency_4k_us"]) == pytest.approx((682.7, 682.7))
    assert "digits" not in json.dumps(row)


def test_a_device_has_the_fewest_digits_of_its_results():
    device = make_device(slug="mixed")
    for number, digits in enumerate((None, 1, 2)):
        make_result(
            curve_at_4k(600 + number),
            method="fio",
            device=device,
            submission__survey_id=f"x{number}",
            submission__source_url=f"https://forum.example/{number}",
            submission__figure_digits=digits,
        )
    make_result(
        CURVE, device=device, submission__survey_id="x9", submission__source_url="https://a.example/9"
    )
    rank_everything()
    rows = DeviceRanking.objects.filter(device=device).values_list("method", "board", "digits")
    assert set(rows) == {
        ("fio", "sync_write", 1),
        ("diskinfo", "sync_write", None),
        ("diskinfo", "zil", None),
    }


UNITS = {"mb/s": 1e6, "kb/s": 1e3}
MICROSECONDS = {"ns": 1e-3, "us": 1, "µs": 1, "ms": 1e3}


def latency_us(figure: str, block_size: int, writers: int) -> float:
    """Worked out again from the source's own words."""
    number, unit = figure.removeprefix("~").split(" ")
    if "," in number:
        number = number.replace(",", "" if len(number.split(",")[1]) == 3 else ".")
    stated = float(number.removesuffix("k")) * (1000 if number.endswith("k") else 1)
    unit = unit.lower()
    if unit == "usec/io":
        return stated
    if unit in MICROSECONDS:
        return stated * MICROSECONDS[unit]
    return (
        1e6 * writers / stated
        if unit in {"iops", "ops/sec"}
        else 1e6 * writers * block_size / (stated * UNITS[unit])
    )


def test_every_latency_that_ships_is_that_of_the_figure_beside_it():
    rows = [
        row
        for path in (CURVE_FILE, FILE_SYNC_FILE)
        for row in csv.DictReader(StringIO(path.read_text(encoding="utf-8")))
    ]
    assert rows
    for row in rows:
        expected = latency_us(row["figure"], int(row["block_size"]), int(row.get("writers") or 1))
        assert float(row["latency_us"]) == pytest.approx(expected, rel=5e-3), row["survey_id"]
