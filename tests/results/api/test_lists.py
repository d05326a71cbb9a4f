"""Every list of the API returns all rows over its pages, and as CSV and NDJSON."""

import csv
import gzip
import json
from io import StringIO
from urllib.parse import urlencode

import pytest
from django.db import connection, transaction
from django.test import Client, override_settings
from django.urls import get_resolver, reverse
from jsonschema import Draft202012Validator

from results.api.lists import RowList
from results.core.public import VERSION
from results.kinds.file_sync.models import FileSync
from results.models import Device, Pool, Product, Result, ResultPair, Submission
from results.ranking.standing import main_rows
from tests.addresses import every_route
from tests.factories import (
    make_device,
    make_member,
    make_price,
    make_product,
    make_result,
    make_set,
    rank_everything,
)
from tests.results.api.holders import bearer

pytestmark = pytest.mark.django_db
LARGE = 60  # rows of a page, and those that are streamed at once
MANY = 67
NEEDED = {"api-search": {"q": "sample"}, "api-workload": {"mix": "4k:1"}}  # parameters


def list_names():
    api = next(pattern for pattern in get_resolver().url_patterns if str(pattern.pattern) == "api/v1/")
    views = {pattern.name: getattr(pattern.callback, "cls", object) for pattern in api.url_patterns}
    return sorted(name for name, view in views.items() if issubclass(view, RowList))


@pytest.fixture(scope="module", autouse=True)
def key(django_db_setup, django_db_blocker):
    """Store many results, devices, submissions and products; yield a key's header.

    The first device also has a result of another kind.
    """
    with django_db_blocker.unblock(), transaction.atomic(), override_settings(STREAMED_ROWS=LARGE):
        member = make_member()
        sample = make_product(name="Sample", slug="sample")
        Product.objects.bulk_create(
            Product(
                slug=f"sample-{n}",
                vendor=sample.vendor,
                name=f"P{n}",
                device_class="nvme",
                segment="consumer",
            )
            for n in range(1, MANY)
        )
        for n in range(MANY):
            make_price(sample, price=n + 1)
        first = make_result(device=make_device(slug="sample", model_name="Sample"), firmware__version="1.0")
        synced = make_result(device=first.device, metrics={}, not_ranked_reason="of another kind")
        Result.objects.filter(pk=synced.pk).update(method="pg_test_fsync", latency_us=None)
        FileSync.objects.create(result=synced, rows=[])
        Submission.objects.update(owner=member)
        device, submission = first.device, first.submission
        numbers = range(1, MANY)
        devices = Device.objects.bulk_create(
            Device(slug=f"s{n}", model_name=f"M{n:04}", read_class="nvme", result_count=1) for n in numbers
        )
        sent = Submission.objects.bulk_create(
            Submission(public_id=f"p{n}", text_digest=f"d{n}", state=submission.state, owner=member)
            for n in numbers
        )
        Pool.objects.bulk_create(
            Pool(submission_id=paste.pk, public_id=paste.public_id, position=1)
            for paste in [submission, *sent]
        )
        make_set(submission)
        ResultPair.objects.create(before=first, after=synced, change="setting")
        copied = {
            field.attname: getattr(first, field.attname)
            for field in Result._meta.concrete_fields
            if field.attname not in {"id", "public_id", "submission_id", "device_id", "firmware_id"}
        }
        Result.objects.bulk_create(
            Result(**copied, public_id=paste.public_id, submission_id=paste.pk, device_id=drive.pk)
            for drive, paste in zip(devices, sent, strict=True)
        )
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # the planner would take the tables for empty
        rank_everything()
        assert device.pk
        yield bearer(member)
        transaction.set_rollback(True)


def address_of(name, **params):
    path = reverse(name, args=["sample"] if name == "api-device-firmware" else [])
    return f"{path}?{urlencode({**NEEDED.get(name, {}), **params})}"


def followed(url, key):
    rows, counts = [], set()
    while url:
        page = Client().get(url, **key).json()
        assert sorted(page) == ["count", "next", "previous", "results"]
        rows += page["results"]
        counts.add(page["count"])
        url = page["next"]
    assert counts == {len(rows)}
    return rows


EXPECTED = {
    "api-devices": lambda: Device.objects.shown().values_list("pk", flat=True),
    "api-products": lambda: Product.objects.values_list("slug", flat=True),
    "api-leaderboard": lambda: main_rows().values_list("device__slug", flat=True),
    "api-pools": lambda: Pool.objects.values_list("public_id", flat=True),
    "api-results": lambda: Result.objects.published().values_list("public_id", flat=True),
    "api-own-submissions": lambda: Submission.objects.values_list("public_id", flat=True),
}


@pytest.mark.parametrize("name", list_names())
@pytest.mark.parametrize("params", [{}, {"page_size": 41}])
def test_a_loop_over_next_gets_every_row_once(key, name, params):
    rows = followed(address_of(name, **params), key)
    assert rows
    if name in EXPECTED:
        ids = [row.get("id") or row.get("slug") or row["device"]["slug"] for row in rows]
        assert len(rows) >= MANY
        assert sorted(ids) == sorted(EXPECTED[name]())


def test_every_list_is_what_the_schema_says(key, subtests):
    schema = Client().get("/api/v1/schema/").json()
    for name in list_names():
        with subtests.test(name=name):
            url = address_of(name, page_size=20)
            answer = schema["paths"][url.partition("?")[0].replace("/sample/", "/{slug}/")]["get"][
                "responses"
            ]["200"]
            shape = {**answer["content"]["application/json"]["schema"], "components": schema["components"]}
            Draft202012Validator(shape).validate(Client().get(url, **key).json())


@pytest.mark.parametrize("name", list_names())
def test_csv_and_ndjson_have_the_rows_of_all_pages(key, name):
    rows = followed(address_of(name, page_size=LARGE), key)
    lines = Client().get(address_of(name, format="ndjson"), **key)
    assert [json.loads(line) for line in lines.getvalue().splitlines()] == rows
    table = Client().get(address_of(name), HTTP_ACCEPT="text/csv", **key)
    assert (table.status_code, table["Content-Type"]) == (200, "text/csv; charset=utf-8")
    text = table.getvalue().decode()
    columns = next(csv.reader(StringIO(text)))
    assert len(set(columns)) == len(columns)
    cells = list(csv.DictReader(StringIO(text)))
    names = [field for field, value in rows[0].items() if isinstance(value, str)]
    assert [[line[field] for field in names] for line in cells] == [
        [row[field] or "" for field in names]  # a result of a pool has no device
        for row in rows
    ]


@pytest.mark.parametrize("kind", ["csv", "ndjson"])
def test_tables_are_compressed_for_clients_that_take_it(client, kind):
    make_result()
    path, known = f"/api/v1/devices/?format={kind}", {VERSION: 7}
    plain = client.get(path, **known)
    zipped = client.get(path, **known, headers={"Accept-Encoding": "br, gzip"})
    assert (plain.get("Content-Encoding"), zipped["Content-Encoding"]) == (None, "gzip")
    assert gzip.decompress(zipped.getvalue()) == plain.getvalue()
    assert plain["ETag"] != zipped["ETag"]
    assert zipped["Vary"] == "Accept, Accept-Encoding"
    headers = {"Accept-Encoding": "gzip", "If-None-Match": zipped["ETag"]}
    assert client.get(path, **known, headers=headers).status_code == 304


def test_private_tables_are_not_compressed(client):
    answer = client.get("/api/v1/me/submissions/?format=csv", **bearer(), headers={"Accept-Encoding": "gzip"})
    assert (answer.status_code, answer.get("Content-Encoding")) == (200, None)


@pytest.mark.parametrize(
    ("kind", "accepted", "answered"),
    [
        ("csv", "application/json", "text/csv"),
        ("json", "text/csv", "application/json"),
        ("", "text/csv", "text/csv"),
        ("", "text/html", "application/json"),
    ],
)
def test_format_decides_whatever_is_accepted(key, kind, accepted, answered):
    answer = Client().get(address_of("api-devices", format=kind), HTTP_ACCEPT=accepted)
    assert answer["Content-Type"].startswith(answered)


@pytest.mark.parametrize("name", list_names())
def test_every_list_can_be_ordered_by_its_fields_both_ways(key, name):
    problem = Client().get(address_of(name, ordering="colour"), **key).json()
    (message,) = problem["errors"]["ordering"]
    first, *others = message.partition("Allowed: ")[2].rstrip(".").split(", ")
    for order in (*others, *(f"-{other}" for other in others)):
        assert Client().get(address_of(name, ordering=order, page_size=1), **key).status_code == 200, order
    for order in (first, f"-{first}"):
        rows = followed(address_of(name, ordering=order, page_size=LARGE), key)
        values = [row[first] for row in rows if row.get(first) is not None]
        if values and all(isinstance(value, int | float) for value in values):
            assert values == sorted(values, reverse=order.startswith("-"))


def test_invalid_list_parameters_are_refused_by_name(key, subtests):
    for name in list_names():
        for params in [
            {"page_size": 0},
            {"page_size": 501},
            {"page_size": "two"},
            {"format": "xml"},
            {"colour": "red"},
        ]:
            with subtests.test(name=name, params=params):
                response = Client().get(address_of(name, **params), **key)
                assert (response.status_code, list(response.json()["errors"])) == (400, list(params))


@pytest.mark.parametrize("name", list_names())
@pytest.mark.parametrize("kind", ["csv", "ndjson"])
def test_table_has_the_requested_page_and_links_to_adjacent_ones(key, name, kind):
    url, lines, sizes = address_of(name, format=kind, page_size=LARGE), [], []
    while url:
        page = Client().get(url, **key)
        rows = page.getvalue().decode().splitlines()[kind == "csv" :]
        lines += rows
        sizes.append(len(rows))
        links = dict(
            reversed(link.strip("<").split(">; rel=")) for link in page.get("Link", "").split(", ") if link
        )
        assert ('"prev"' in links) == (len(sizes) > 1)
        url = links.get('"next"')
    export = Client().get(address_of(name, format=kind), **key).getvalue().decode().splitlines()
    assert lines == export[kind == "csv" :]
    assert sizes in ([LARGE, len(lines) - LARGE], [len(lines)])


@pytest.mark.parametrize("kind", ["json", "csv"])
def test_there_is_no_page_past_the_end(key, kind):
    numbered = [
        route.name for route in every_route() if route.name in list_names() and "page" in route.parameters
    ]
    assert len(numbered) > 3
    for name in numbered:
        for page in ("0", "-1", "two", "٢", "9" * 30, "1000"):
            answer = Client().get(address_of(name, format=kind, page=page), **key)
            expected = (404, "not_found") if page == "1000" else (400, "invalid")
            assert (answer.status_code, answer.json()["code"]) == expected, (name, page)


@pytest.mark.parametrize("query", ["class=hdd,nvme", "class=hdd&class=nvme"])
@pytest.mark.parametrize("name", ["api-devices", "api-leaderboard", "api-results"])
def test_several_values_of_a_filter_mean_any_of_them(key, name, query):
    assert Client().get(f"{reverse(name)}?{query}").json()["count"] >= MANY
