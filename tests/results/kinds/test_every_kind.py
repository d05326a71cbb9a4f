"""What every kind of results promises, each by its own smallest text: a new kind needs a line in PASTES."""

import csv
from io import StringIO

import pytest

from results.core.data_version import stored_version
from results.exports.build import build_exports
from results.kinds.registry import KINDS
from results.models import Device, Pool, Result, Submission
from results.submissions.edit import erase, withdraw
from results.submissions.intake.reread import reread_all
from tests import pastes
from tests.live_logs import Machine
from tests.page import Page
from tests.results.kinds.access_pattern import texts as patterns
from tests.results.kinds.file_grid import texts as grids
from tests.results.kinds.latency_curve.test_runs import FIO
from tests.results.kinds.pool_io import texts as pools
from tests.results.kinds.sustained import texts as series
from tests.results.publishing import publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]
PASTES = {
    "latency_curve": pastes.FIRST_PASTE + pastes.smartctl(),
    "file_sync": FIO.replace("/dev/nvme0n1", "/mnt/tank/file") + pastes.smartctl(),
    "pool_io": pools.WHOLE,
    "file_grid": grids.mirror(2) + pools.properties() + grids.iozone(grids.flat(dip=256)),
    "sustained": series.device() + series.csv(series.FALLING),
    "access_pattern": pools.status() + patterns.WHOLE,
    "log_check": Machine(pool="haifisch", datasets=("haifisch", "haifisch/lohnbuero")).text(),
}
PASTES |= dict.fromkeys(("toy_kind", "toy_pool_kind"), PASTES["latency_curve"])
ANSWERS = {"sustained": series.ANSWERS, "toy_pool_kind": {"colour": "red"}}
SECRETS = (
    pastes.SERIAL,
    pools.POOL,
    pools.HOST,
    pools.DATASET,
    "ZWERG0815",
    "S64HNE0R",
    "haifisch",
    "lohnbuero",
)


@pytest.fixture(params=[*KINDS, "toy_kind", "toy_pool_kind"])
def kind(request):
    return KINDS.get(request.param) or request.getfixturevalue(request.param)


@pytest.fixture
def results(client, kind):
    return publish_kind(client, kind)


def publish_kind(client, kind, text=""):
    """The results of its kind in the API's answer."""
    sent = publish(client, text or PASTES[kind.key], told={"all": ANSWERS.get(kind.key, {})})
    return [result for result in sent if result["kind"] == kind.key]


def submit(client, kind, action):
    answers = {f"told-all-{key}": value for key, value in ANSWERS.get(kind.key, {}).items()}
    return client.post("/submit/", {"text": PASTES[kind.key], "action": action, **answers})


def number(cell):
    """Of JSON, or of a column of floats; text as it is."""
    try:
        return float(cell)
    except ValueError:
        return cell


def addresses_of(result):
    """Where its figures or its name are public."""
    own, subject = f"/results/{result['id']}/", result["pool"] or result["device"]
    of_subject = f"/{'pools' if result['pool'] else 'devices'}/{subject}/"
    return [
        *(own, f"/api/v1{own}", of_subject, f"/api/v1{of_subject}", f"/api/v1/submissions/{result['submission']}/"),
        *(f"/results/?kind={result['kind']}", f"/api/v1/results/?kind={result['kind']}", "/feeds/results.atom"),
        f"/compare/results/?a={result['id']}&b={result['id']}",
    ]  # fmt: skip


def test_a_preview_asks_what_is_missing_and_stores_nothing(client, kind):
    preview = submit(client, kind, "preview")
    assert (preview.status_code, "will be published" in Page(preview).text) == (200, True)
    fields = Page(preview, "body").fields
    asked = {name.rpartition("-")[2] for name in fields if name.startswith("told-")}
    assert asked <= {question.key for question in kind.questions}
    assert bool(asked) == bool(kind.questions)
    assert not Submission.objects.exists()


def test_the_form_and_the_api_publish_the_same(client, kind):
    response = submit(client, kind, "publish")
    assert response.status_code == 201
    assert client.get(response["Location"]).status_code == 200
    by_form = client.get(f"/api/v1/results/?kind={kind.key}").json()["results"]
    for submission in Submission.objects.all():
        erase(submission, None)
    by_api = publish_kind(client, kind)
    same = ("method", "metrics", kind.key, "is_ranked", "not_ranked_reason", "flags", "conditions")
    told = [
        [{name: result[name] for name in same if name in result} for result in found]
        for found in (by_form, by_api)
    ]
    assert sorted(told[0], key=str) == sorted(told[1], key=str)


def test_a_record_has_the_metrics_and_the_payload_of_its_kind_alone(client, kind, results):
    for result in results:
        assert result["metrics"].keys() == kind.metrics.keys()
        assert any(value is not None for value in result["metrics"].values())
        assert result.keys() & KINDS.keys() == {kind.key}
        assert result["is_ranked"] == bool(kind.ranked_by)
        assert not kind.sync_write or result["metrics"][kind.sync_write] > 0
        assert (result["is_ranked"], result["method"] in kind.methods) == (
            not result["not_ranked_reason"],
            True,
        )
        assert (result["pool"] is None, result["device"] is None) == (
            result["subject"] == "device",
            result["subject"] == "pool",
        )
        record = client.get(f"/api/v1/results/{result['id']}/").json()
        assert {name: record[name] for name in result if name != "rank"} == {
            name: value for name, value in result.items() if name != "rank"
        }


def test_it_is_listed_as_its_kind_only(client, kind, results, django_assert_max_num_queries):
    ids = {result["id"] for result in results}
    with django_assert_max_num_queries(2):
        page = client.get(f"/results/?kind={kind.key}&submission={results[0]['submission']}")
    assert all(f'"/results/{result_id}/"' in page.text for result_id in ids)
    listed = client.get(f"/api/v1/results/?kind={kind.key}").json()["results"]
    assert {result["id"] for result in listed} == ids
    for other in KINDS.keys() - {kind.key}:
        assert not ids & {row["id"] for row in client.get(f"/api/v1/results/?kind={other}").json()["results"]}
    assert results[0]["submission"] in client.get("/feeds/results.atom").text


def test_its_page_takes_few_queries(client, results, django_assert_max_num_queries):
    with django_assert_max_num_queries(11):
        client.get(f"/results/{results[0]['id']}/")
    with django_assert_max_num_queries(6 if results[0]["pool"] else 25):
        client.get(addresses_of(results[0])[2])


@pytest.mark.django_db(transaction=True)
def test_csv_and_exports_have_the_figures_of_the_api(client, kind, results, settings, tmp_path):
    settings.EXPORT_FOLDER = str(tmp_path)
    build_exports()
    with (tmp_path / "current" / "results.csv").open(newline="", encoding="utf-8") as file:
        exported = {row["id"]: row for row in csv.DictReader(file)}
    table = client.get(f"/api/v1/results/?kind={kind.key}&format=csv").getvalue().decode()
    listed = {row["id"]: row for row in csv.DictReader(StringIO(table))}
    for result in results:
        figures = {key: value for key, value in result["metrics"].items() if value is not None}
        for rows in (exported, listed):
            row = rows[result["id"]]
            assert {key: float(row[key]) for key in figures} == figures
            assert not any(row[key] for key in result["metrics"].keys() - figures)
        stated = [
            (name, cell) for name, cell in exported[result["id"]].items() if name.startswith(f"{kind.key}.")
        ]
        for name, cell in stated:
            if cell[:1] not in {"[", "{"}:
                assert (name, number(cell)) == (name, number(listed[result["id"]][name]))


def test_a_run_is_compared_with_another_of_its_kind_only(client, kind, results):
    again = publish_kind(client, kind, "posted again:\n" + PASTES[kind.key])
    query = f"a={results[0]['id']}&b={again[0]['id']}"
    pair = client.get(f"/api/v1/compare/results/?{query}").json()
    assert {ratio["key"]: ratio["ratio"] for ratio in pair["ratios"]} == {
        key: 1 for key, value in results[0]["metrics"].items() if value
    }
    assert client.get(f"/compare/results/?{query}").status_code == 200
    other = next(key for key in KINDS if PASTES[key] != PASTES[kind.key])
    mixed = f"a={results[0]['id']}&b={publish_kind(client, KINDS[other])[0]['id']}"
    for path in ("/compare/results/", "/api/v1/compare/results/"):
        answer = client.get(f"{path}?{mixed}")
        assert (answer.status_code, "measured different things" in answer.text) == (400, True)


def test_it_is_embedded_as_picture_and_card(client, results):
    path = f"/results/{results[0]['id']}/"
    assert client.get(f"{path}preview.png")["Content-Type"] == "image/png"
    card = client.get(f"/oembed?url=http://127.0.0.1:8000{path}").json()
    assert list(Page(card["html"]).links.values()) == [f"http://127.0.0.1:8000{path}"]


def test_no_address_has_a_name_or_a_serial_number(client, kind):
    for result in publish_kind(client, kind):
        for address in addresses_of(result):
            text = client.get(address).text
            assert [secret for secret in SECRETS if secret in text] == [], address


def test_a_withdrawn_result_is_gone_and_an_erased_one_leaves_no_row(client, kind, results):
    submission = Submission.objects.get()
    for leave, code in ((withdraw, "withdrawn"), (erase, "erased")):
        version = stored_version()
        leave(submission, None)
        assert stored_version() > version  # so that no cached page shows it
        for result in results:
            answer = client.get(f"/api/v1/results/{result['id']}/")
            assert (answer.status_code, answer.json()["code"]) == (410, code)
            assert client.get(f"/results/{result['id']}/").status_code == 410
        assert client.get("/api/v1/results/").json()["count"] == 0
        assert results[0]["id"] not in client.get("/feeds/results.atom").text
    rows = (Result, Pool, Device, *(table for table in (kind.table, kind.bulk_table) if table))
    assert [table.__name__ for table in rows if table.objects.exists()] == []


def test_a_reread_changes_nothing(client, results):
    """Neither a record nor a time."""

    def stored():
        records = [client.get(f"/api/v1/results/{result['id']}/").json() for result in results]
        return records, *(dict(table.objects.values_list("pk", "changed_at")) for table in (Result, Pool))

    assert results
    before = stored()
    assert len(list(reread_all(only_outdated=False))) == 1
    assert stored() == before
