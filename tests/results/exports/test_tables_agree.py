"""A field has the same name and the same value in the API, in its CSV, on /leaderboard.csv and in every export."""

import csv
from datetime import date
from io import StringIO

import pytest
from rest_framework.serializers import Serializer

from results.exports.build import build_exports
from results.models.fields import BLOCK_SIZES
from results.results.api import ResultDetailRecord
from tests import pastes
from tests.factories import (
    curve_metrics,
    make_device,
    make_grid,
    make_price,
    make_product,
    make_result,
    rank_everything,
)
from tests.results.exports.formats import exported, plain
from tests.results.kinds.curve.test_tails import CURVE, TAILS
from tests.results.kinds.latency_curve.test_runs import FIO

pytestmark = pytest.mark.django_db(transaction=True)
FLATTENED = ("metrics", "conditions", "facts")
ON_A_FILE = FIO.replace("/dev/nvme0n1", "/mnt/tank/file") + pastes.smartctl(model="SAMPLE NVMe")
# What the exports have beside the API's fields of a result, and the other way round
ONLY_EXPORTED = {
    *("model_name", "vendor", "capacity_bytes", "product", "plp", "plp_probably"),
    *("unit", "pool_layout", "pool_properties"),
    *("result", "firmware", "file_sync__layer", "file_sync__rows"),  # former names
    *(f"latency_us_{size}" for size in BLOCK_SIZES),
}
NOT_EXPORTED = {
    *("url", "is_complete", "latency_curve.points", "also_posted", "state", "state_reason", "path", "text"),
    *("access_pattern.mix", "access_pattern.asks"),  # which follow from the others
    *("forum_handle", "precision_percent", "quality", "told_conditions", "notices"),
}


@pytest.fixture(autouse=True)
def current(tmp_path, settings, client):
    """The folder with the exports of one result of each kind, one ranked and one not."""
    settings.EXPORT_FOLDER = str(tmp_path / "exports")
    rated = [{"capacity_bytes": 480_000_000_000, "written_bytes": 10**15}]
    stated = [{"value": "yes", "evidence": "indirect", "url": "https://a.example/"}]  # probably protected
    product = make_product(
        slug="p4800x", name="P4800X", launch_year=2017, endurance_tbw=rated, plp_statements=stated
    )
    make_price(product, price="223.08", seen_on="2024-02-01")  # 0.46475 a GB, a half to round
    make_result(
        CURVE,
        device=make_device(slug="sample", product=product, vendor="read"),
        firmware__version="1.0",
        method="fio",
        tails=TAILS,
        metrics=curve_metrics(CURVE, TAILS),
        measured_on=date(2024, 2, 29),
        write_cache_enabled=True,
        is_direct=False,
        flags=[{"code": "no_serial", "effect": "noted", "message": "No serial; number."}],
        wear_percent=3,
        host_bytes_written=123_456_789_012_345,
    )
    derived = {"wear_percent": 3, "wear_source": "Media_Wearout_Indicator 97"}
    make_result([20.0] * 15, device__slug="other", not_ranked_reason="Too soon.", **derived)
    answer = client.post("/api/v1/submissions/", ON_A_FILE, content_type="text/plain")
    assert (answer.status_code, answer.json()["results"][0]["kind"]) == (201, "file_sync")
    rank_everything()
    build_exports()
    return tmp_path / "exports" / "current"


def flat(record):
    """A record of the API as a row of a table."""
    row = {}
    for name, value in record.items():
        if isinstance(value, dict):
            row |= {
                inner if name in FLATTENED and inner not in record else f"{name}.{inner}": inner_value
                for inner, inner_value in value.items()
            }
        else:
            row[name] = value
    return row


def field_of(field):
    """The names of an object's fields, or None."""
    return dict.fromkeys(field.fields) if isinstance(field, Serializer) else None


def from_csv(text):
    return list(csv.DictReader(StringIO(text)))


def exported_by(key, current, table):
    """The rows of a table in each format that has it, by the format and the row's key."""
    return {name: {row[key]: row for row in rows} for name, rows in exported(current, table).items()}


def differences(expected, row):
    """The shared fields whose values differ."""
    shared = expected.keys() & row.keys()
    assert len(shared) > 5
    return {name: (expected[name], row[name]) for name in shared if plain(expected[name]) != plain(row[name])}


def test_results_are_the_same_in_the_api_and_in_every_export(client, current):
    listed = client.get("/api/v1/results/").json()["results"]
    records = {
        listing["id"]: flat(client.get(f"/api/v1/results/{listing['id']}/").json()) for listing in listed
    }
    names = set(flat({name: field_of(field) for name, field in ResultDetailRecord().fields.items()}))
    assert {name for record in records.values() for name in record} <= names
    devices = {record["slug"]: record for record in client.get("/api/v1/devices/").json()["results"]}
    for format_name, rows in exported_by("id", current, "results").items():
        assert rows.keys() == records.keys()
        for public_id, row in rows.items():
            assert (format_name, differences(records[public_id], row)) == (format_name, {})
            own = {name: row[name] for name in ("id", "changed_at")}
            assert (format_name, differences({**devices[row["device"]], **own}, row)) == (format_name, {})
            assert row.keys() - names == ONLY_EXPORTED
            assert names - row.keys() == NOT_EXPORTED
    assert client.get("/exports/results.csv").getvalue().decode().count("true") > 2


def test_results_of_pools_name_their_method(client, current):
    make_grid("grid")
    build_exports()
    method = client.get("/api/v1/results/grid/").json()["method"]
    assert {rows["grid"]["method"] for rows in exported_by("id", current, "results").values()} == {method}


def test_results_are_the_same_in_json_and_csv_of_the_api(client):
    listed = client.get("/api/v1/results/").json()["results"]
    rows = from_csv(client.get("/api/v1/results/?format=csv").getvalue().decode())
    for record, row in zip(listed, rows, strict=True):
        assert differences(flat(record), row) == {}
        assert flat(record).keys() <= row.keys()
    assert len({name for row in rows for name in row}) == len(rows[0])


def test_devices_are_the_same_on_the_leaderboard_and_in_the_exports(client, current):
    listed = client.get("/api/v1/leaderboard/").json()["results"]
    (row,) = from_csv(client.get("/leaderboard.csv").getvalue().decode())
    (api_row,) = from_csv(client.get("/api/v1/leaderboard/?format=csv").getvalue().decode())
    (record,) = map(flat, listed)
    assert row == api_row
    assert row.keys() - record.keys() == {
        f"recommended.{name}" for name in ("method", "score", "low", "high")
    }
    assert record.keys() - row.keys() == {"recommended"}  # null, as the device isn't recommended
    assert differences(record, row) == {}
    device = {**listed[0]["device"], **listed[0]["facts"]}
    listed = client.get("/api/v1/devices/").json()["results"]
    for rows in exported_by("slug", current, "devices").values():
        assert [listing for listing in (device, *listed) if differences(listing, rows[listing["slug"]])] == []
        assert rows["sample"].keys() - device.keys() == {
            "result_count",
            "device",
        }  # device: slug's former name
        assert device.keys() - rows["sample"].keys() == {"url"}
