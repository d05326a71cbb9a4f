import gzip
import json
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from results.exports.build import build_exports, current_manifest, is_due
from results.exports.columns import Former
from results.exports.files import sha256_of
from results.exports.tables import TABLES
from results.models import Result, Submission
from results.models.choices import State
from results.submissions.edit import erase_submission
from tests.factories import make_device, make_facts, make_result, make_stated_product
from tests.results.exports.formats import exported, from_sqlite, lines, objects, plain

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


def test_every_format_holds_the_same_results(folder, results):
    build_exports()
    formats = exported(folder / "current", "results")
    assert [*formats] == ["csv", "parquet", "sqlite", "ndjson"]
    for rows in formats.values():
        latencies = {row["id"]: float(row["latency_us_4096"]) for row in rows}
        assert latencies == {result.public_id: result.latency_us[3] for result in results}
    for name in ("parquet", "sqlite", "ndjson"):
        models = {row["id"]: (row["model_name"], bool(row["is_ranked"])) for row in formats[name]}
        assert models == {result.public_id: (result.device.model_name, True) for result in results}


TABLES_OF_CATALOGUE = ("products", "prices", "claims", "caveats", "life_cycle", "model_patterns", "oem_names")


def test_the_catalogue_is_exported_as_the_api_states_it(folder, client):
    url = "https://a.example/s1"
    product = make_stated_product(
        "unknown",
        slug="aldera-s1",
        name="S1",
        plp_statements=[{"value": "yes", "evidence": "indirect", "url": url}],
        patterns=["^ALDERA S1-"],
        aliases=["=S1", "394XT"],
        oem_names=[{"name": "394XT", "url": url}],
        endurance_tbw=[
            {"capacity_bytes": 480_000_000_000, "written_bytes": 10**15},
            {"capacity_bytes": None, "written_bytes": 9 * 10**15},
        ],
        endurance_source_url=url,
        flags=["smr"],
    )
    make_facts(product)
    build_exports()
    current = folder / "current"
    record = client.get("/api/v1/products/aldera-s1/").json()
    for table in TABLES_OF_CATALOGUE:
        by_csv, by_parquet, by_sqlite = exported(current, table).values()
        rows = [row for row in by_parquet if row.get("product", row.get("slug")) == "aldera-s1"]
        assert rows, table
        assert len(by_csv) == len(by_parquet), table
        assert [*map(plain, by_sqlite)] == [*map(plain, by_parquet)], table
        for row, stated in zip(rows, record.get(table, []), strict=table in record):
            assert {name: value and row[name] for name, value in stated.items()} == stated
    formats = exported(current, "products")
    row, table = formats["parquet"][0], formats["csv"][0]
    for name in ("plp_probably", "display_name", "endurance", "endurance_of_largest_bytes", "flags"):
        assert row[name] == record[name]
    assert (row["launch_year"], row["aliases"]) == (record["facts"]["launch_year"], ["=S1", "394XT"])
    assert (table["plp_probably"], json.loads(table["endurance"])) == ("true", record["endurance"])
    patterns = {row["pattern"] for row in exported(current, "model_patterns")["parquet"]}
    assert all(any(re.search(one, name) for one in patterns) for name in ("ALDERA S1-480", "Dell 394XT"))


def test_the_documented_lookup_finds_a_drive_in_a_fresh_export(folder):
    call_command("load_catalogue", verbosity=0)
    build_exports()
    text = (Path(settings.BASE_DIR) / "docs/exports.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    command = [
        sys.executable,
        "-c",
        f"{code}\nprint(find_drive(database, 'SAMSUNG MZ7LH480HAHQ', 480 * 10**9))",
    ]
    done = subprocess.run(
        command, cwd=folder / "current", capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines() == [
        "{'name': 'Intel DC P3700', 'plp': 'yes', 'plp_probably': False, 'rated_bytes': 7300000000000000}",
        "{'name': 'Samsung PM883 / PM883a, retail 883 DCT', 'plp': 'unknown', 'plp_probably': True, "
        "'rated_bytes': 683280000000000}",
    ]


def test_a_renamed_column_keeps_its_former_name_for_a_while(folder, results, monkeypatch):
    (table,) = (table for table in TABLES if table.name == "devices")
    monkeypatch.setitem(table.formerly, "model_name", Former("model", date(2031, 5, 1)))
    for day, is_kept in ((date(2031, 5, 1), True), (date(2031, 5, 2), False)):
        monkeypatch.setattr("results.exports.columns.today", lambda day=day: day)
        files = {file.name: file.columns for file in build_exports().files}
        meanings = {column["name"]: column["meaning"] for column in files["devices.csv"]}
        assert ("model" in meanings) == is_kept
        for rows in exported(folder / "current", "devices").values():
            assert [row.get("model") for row in rows] == [row["model_name"] * is_kept or None for row in rows]
    assert "model_name" in meanings


def test_csv_and_sqlite_have_the_columns_of_the_manifest_and_their_version(folder, results):
    manifest, current = build_exports(), folder / "current"
    assert from_sqlite(current, "PRAGMA user_version") == [{"user_version": manifest.schema_version}]
    assert manifest.schema_version == 1
    columns = {file.name: file.columns for file in manifest.files}["devices.csv"]
    described = "SELECT name, kind, meaning FROM columns WHERE table_name = 'devices' ORDER BY rowid"
    assert from_sqlite(current, described) == columns
    assert [*lines(current / "devices.csv")[0]] == [column["name"] for column in columns]


def test_points_are_rows_in_csv_and_a_view_in_sqlite(folder, results):
    build_exports()
    measured = lines(folder / "current" / "points.csv")
    points = [row for row in measured if row["result"] == results[0].public_id]
    assert len(measured) == 15 + 9
    assert [int(row["block_size"]) for row in points] == [512 << slot for slot in range(15)]
    assert float(points[3]["throughput_mib_s"]) == pytest.approx(4096 / 23.5 * 1e6 / 2**20, abs=0.001)
    seen = from_sqlite(folder / "current", "SELECT * FROM points WHERE block_size = 4096 ORDER BY latency_us")
    assert seen[0]["result"] == results[0].public_id
    assert (seen[0]["latency_us"], seen[0]["throughput_mib_s"]) == (
        23.5,
        pytest.approx(4096 / 23.5 * 1e6 / 2**20),
    )


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
    assert manifest.licence == "CC0-1.0"
    for file in manifest.files:
        path = folder / "current" / file.name
        assert (file.bytes, file.sha256) == (path.stat().st_size, sha256_of(path))
    names = {"manifest.json", *(file.name for file in manifest.files)}
    zipped = {f"{name}.gz" for name in names if not name.endswith(".parquet")}
    assert {path.name for path in (folder / "current").iterdir()} == names | zipped
    for name in zipped:
        plain = (folder / "current" / name.removesuffix(".gz")).read_bytes()
        assert gzip.decompress((folder / "current" / name).read_bytes()) == plain


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


@pytest.mark.parametrize("shape", ['{"files": []}', '{"later": 1}', "[]", "no JSON"])
def test_a_manifest_of_another_shape_is_no_build_and_the_next_replaces_it(folder, results, client, shape):
    build_exports()
    whole = current_manifest()
    (folder / "current" / "manifest.json").write_text(shape)
    assert (current_manifest(), is_due()) == (None, True)
    assert client.get("/exports/").status_code == 200
    assert client.get("/exports/results.csv").status_code == 404
    build_exports()
    assert current_manifest().files == whole.files


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
    assert {file.rows for file in build_exports().files} == {0}
    assert not Result.objects.exists()
