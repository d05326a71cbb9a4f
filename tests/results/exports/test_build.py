import csv
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pyarrow.parquet as parquet
import pytest
from django.db import connection
from django.db.models.functions import Length

from results.catalogue.product_facts import FACTS, ProductFact
from results.exports.build import build_exports, current_manifest, is_due
from results.exports.columns import result_columns
from results.exports.files import sha256_of
from results.models import Result, Submission
from results.models.choices import State
from results.submissions.edit import erase_submission
from tests.factories import make_device, make_price, make_product, make_result

pytestmark = pytest.mark.django_db(transaction=True)
HELD = """
    SELECT current_setting('idle_in_transaction_session_timeout'), current_setting('statement_timeout'),
        (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())
"""


@pytest.fixture
def folder(settings, tmp_path):
    settings.EXPORT_FOLDER = str(tmp_path / "exports")
    return Path(settings.EXPORT_FOLDER)


@pytest.fixture
def results():
    """Two results; one of a hostile device with a curve that was cut short."""
    plain = make_result(
        [20.5 + slot for slot in range(15)], submission__text="a text", firmware__version="1.0"
    )
    hostile = make_device(model_name='=HYPERLINK("x"),\n"quoted"', slug="hostile")
    cut = make_result(
        [30.0] * 9 + [None] * 6,
        device=hostile,
        notes='@SUM(A1);=1+1;\n\u3000"＝2',
        flags=[{"code": "x", "effect": "y", "message": ";=1+1;"}],
        submission__text="=cmd|' /C calc'!A0",
    )
    return plain, cut


def lines(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def objects(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_format_holds_the_same_results(folder, results):
    manifest = build_exports()
    current = folder / "current"
    by_csv = {row["id"]: row for row in lines(current / "results.csv")}
    by_json = {row["id"]: row for row in objects(current / "results.ndjson")}
    table = {row["id"]: row for row in parquet.read_table(current / "results.parquet").to_pylist()}
    with closing(sqlite3.connect(current / "slogdb.sqlite")) as database:
        names = [one.name for one in result_columns()]
        by_sqlite = {
            row[0]: dict(zip(names, row, strict=True)) for row in database.execute("SELECT * FROM results")
        }
    for result in results:
        expected = result.latency_us[3]
        assert float(by_csv[result.public_id]["latency_us_4096"]) == expected
        assert by_json[result.public_id]["latency_us_4096"] == expected
        assert table[result.public_id]["latency_us_4096"] == expected
        assert by_sqlite[result.public_id]["latency_us_4096"] == expected
        model = result.device.model_name
        assert {rows[result.public_id]["model_name"] for rows in (by_json, table, by_sqlite)} == {model}
        assert {bool(rows[result.public_id]["is_ranked"]) for rows in (by_json, table, by_sqlite)} == {True}
    assert all(len(rows) == 2 for rows in (by_csv, by_json, table, by_sqlite))
    assert {one["name"]: one["rows"] for one in manifest["files"]} == {
        "results.csv": 2,
        "points.csv": 24,
        "series.csv": 0,
        "pairs.csv": 0,
        "sets.csv": 0,
        "devices.csv": 2,
        "results.ndjson": 2,
        "texts.ndjson": 2,
        "results.parquet": 2,
        "devices.parquet": 2,
        "slogdb.sqlite": 2,
    }


TOY = ProductFact(
    key="toy_length",
    label="Length of its name",
    short_label="Name",
    unit="letters",
    meaning="How long its name is.",
    is_lower_better=True,
    value=lambda scope: Length(scope.column("name")),
    format=lambda value, _: str(value),
)


def test_devices_have_every_product_fact_in_every_format(folder, monkeypatch):
    monkeypatch.setitem(FACTS, TOY.key, TOY)
    product = make_product(name="P4800X", form_factors="=1+1", launch_year=2017)
    make_price(product, price="999.99", seen_on="2024-02-01")
    device = make_result(device__product=product).device
    unknown = make_result(device__model_name="OTHER").device
    columns = {one["name"]: one for one in build_exports()["files"]}["devices.csv"]["columns"]
    expected = {
        "slug": device.slug,
        "product": product.slug,
        "result_count": 1,
        "form_factors": "=1+1",
        "launch_year": 2017,
        "latest_price": 999.99,
        "seen_latest_price": "2024-02-01",
        "price_currency": "USD",
        "toy_length": 6,
        "endurance_tbw": None,
    }
    current = folder / "current"
    with closing(sqlite3.connect(current / "slogdb.sqlite")) as database:
        database.row_factory = sqlite3.Row
        by_sqlite = [dict(row) for row in database.execute("SELECT * FROM devices")]
        described = database.execute(
            "SELECT name, kind, meaning FROM columns WHERE table_name = 'devices' ORDER BY rowid"
        )
        assert [dict(row) for row in described] == columns
    for rows in (parquet.read_table(current / "devices.parquet").to_pylist(), by_sqlite):
        by_slug = {row["slug"]: row for row in rows}
        assert expected.items() <= by_slug[device.slug].items()
        assert {by_slug[unknown.slug][name] for name in ("latest_price", "toy_length")} == {None}
    taken = {row["slug"]: row for row in lines(current / "devices.csv")}[device.slug]
    assert (taken["latest_price"], taken["form_factors"], taken["toy_length"]) == ("999.99", "'=1+1", "6")
    assert set(taken) == {one["name"] for one in columns} >= set(FACTS)


def test_points_are_rows_in_csv_and_a_view_in_sqlite(folder, results):
    build_exports()
    points = [
        row for row in lines(folder / "current" / "points.csv") if row["result"] == results[0].public_id
    ]
    assert [int(row["block_size"]) for row in points] == [512 << slot for slot in range(15)]
    assert float(points[3]["throughput_mib_s"]) == pytest.approx(4096 / 23.5 * 1e6 / 2**20, abs=0.001)
    with closing(sqlite3.connect(folder / "current" / "slogdb.sqlite")) as database:
        seen = database.execute(
            "SELECT latency_us, throughput_mib_s FROM points WHERE result = ? AND block_size = 4096",
            [results[0].public_id],
        ).fetchone()
    assert seen == (23.5, pytest.approx(4096 / 23.5 * 1e6 / 2**20))


def test_formulas_are_escaped_only_in_csv(folder, results):
    build_exports()
    row = next(row for row in lines(folder / "current" / "results.csv") if row["device"] == "hostile")
    assert row["model_name"] == '\'=HYPERLINK("x"),\n"quoted"'
    assert row["notes"] == "'@SUM(A1);'=1+1;\n'\u3000\"＝2"
    assert (";" in row["flags"], json.loads(row["flags"])[0]["message"]) == (False, ";=1+1;")
    texts = {row["text"] for row in objects(folder / "current" / "texts.ndjson")}
    assert texts == {"a text", "=cmd|' /C calc'!A0"}


def test_the_manifest_matches_each_file(folder, results):
    build_exports()
    manifest = current_manifest()
    assert manifest["licence"] == "CC0-1.0"
    for one in manifest["files"]:
        path = folder / "current" / one["name"]
        assert (one["bytes"], one["sha256"]) == (path.stat().st_size, sha256_of(path))
    assert {path.name for path in (folder / "current").iterdir()} == {
        "manifest.json",
        *(one["name"] for one in manifest["files"]),
    }


def test_unpublished_results_are_not_exported(folder, results):
    Submission.objects.filter(results=results[0]).update(state=State.HELD)
    build_exports()
    assert [row["device"] for row in lines(folder / "current" / "results.csv")] == ["hostile"]


def test_an_erasure_makes_a_build_due_that_removes_old_builds(folder, results):
    assert is_due()
    build_exports()
    assert not is_due()
    erase_submission(results[0].submission, reason="mine")
    assert is_due()
    build_exports()
    assert not is_due()
    held = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert results[0].public_id.encode() not in held
    assert b"a text" not in held


def test_a_failed_build_keeps_the_previous_one(folder, results, monkeypatch):
    build_exports()
    before = current_manifest()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("results.exports.build.write_sqlite", full)
    with pytest.raises(OSError, match="No space"):
        build_exports()
    assert current_manifest() == before
    assert len(list(folder.glob("build-*"))) == 1


def test_a_build_ends_with_its_transaction_however_long_it_writes(folder, results, monkeypatch, usual_limits):
    """A pooler gives the next transaction another session: what a session holds would be held for good."""
    held = []
    monkeypatch.setattr(
        "results.exports.build.write_sqlite", lambda *paths: (paths[-1].touch(), held.append(usual_limits()))
    )
    build_exports()
    assert held == [("0", "0", 1)]
    assert usual_limits() == ("1min", "10min", 0)


@pytest.fixture
def usual_limits():
    """A session with the limits of docker-compose.yml; gives what asks for them, and how many locks it holds."""
    statements = ("SET idle_in_transaction_session_timeout = '60s'", "SET statement_timeout = '10min'")
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        yield lambda: (cursor.execute(HELD), cursor.fetchone())[1]
        connection.close()


def test_an_empty_site_has_an_export_too(folder):
    assert {one["rows"] for one in build_exports()["files"]} == {0}
    assert not Result.objects.exists()
