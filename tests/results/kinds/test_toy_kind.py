"""A new kind of results appears everywhere once it is registered."""

import csv
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.template import engines
from rest_framework import serializers

from parsers.base.readings import SmartctlReading
from results.api.docs import schema_file
from results.api.serializers import field_names
from results.exports.build import build_exports
from results.kinds import registry
from results.kinds.envelope import DescribedPool, Run, describe_device
from results.kinds.latency_curve.metrics import METRICS
from results.kinds.metric import Metric
from results.kinds.result_kind import ResultKind
from results.kinds.told import LINE, Question
from results.models import Device, Pool, Result
from results.models.choices import SubjectKind
from results.submissions.edit import erase_submission
from results.submissions.intake.reread import reread_all
from tests import pastes
from tests.results.publishing import publish

pytestmark = pytest.mark.django_db(transaction=True)
HOURS = 42.0
TOY_HOURS = Metric(
    key="toy_hours",
    label="Toy hours",
    short_label="Toy",
    unit="h",
    is_lower_better=True,
    meaning="How long the toy ran.",
    compute=lambda payload: payload["toy_hours"],
)


class ToyRun(Run):
    """A kind with a constant measurement."""

    @property
    def payload(self):
        return {"toy_hours": HOURS}


def find_toys(paste, stated):
    for device in paste.devices:
        reading = None if device.smartctl is None else paste.readings[device.smartctl]
        if isinstance(reading, SmartctlReading):
            yield ToyRun(
                **describe_device(device, paste, line=reading.first_line),
                method="toy",
                is_complete=True,
                not_ranked_reason="Toys aren't ranked.",
                first_line=reading.first_line,
                last_line=reading.last_line,
                measured_on=stated.day_of(None),
            )


class ToySerializer(serializers.Serializer):
    """A toy."""

    is_toy = serializers.BooleanField(help_text="true")


TOY = ResultKind(
    key="toy_kind",
    label="Toys",
    meaning="A toy.",
    methods={"toy": "with a toy"},
    metrics={TOY_HOURS.key: TOY_HOURS},
    find_runs=find_toys,
    context=lambda _payload, name, **_: {"toy": f"A toy called {name}"},
    computed=lambda _: {"is_toy": True},
    serializer=ToySerializer,
)


@pytest.fixture
def exports(tmp_path, settings):
    settings.EXPORT_FOLDER = str(tmp_path / "exports")
    return tmp_path / "exports"


@pytest.fixture
def toy_kind(monkeypatch, tmp_path):
    folder = tmp_path / "results" / "kinds" / "toy_kind"
    folder.mkdir(parents=True)
    for name in ("summary", "result", "preview"):
        (folder / f"{name}.html").write_text("<p>{{ toy }}{{ device.toy }}</p>")
    engine = engines["django"].engine
    monkeypatch.setattr(engine, "dirs", [*engine.dirs, tmp_path])
    monkeypatch.setitem(registry.KINDS, TOY.key, TOY)
    field_names.cache_clear()
    schema_file.cache_clear()
    yield TOY
    field_names.cache_clear()
    schema_file.cache_clear()


class ToyPoolRun(Run):
    """A kind about pools."""

    @property
    def payload(self):
        return {"toy_hours": HOURS}


LAYOUT = (
    *({"role": "data", "type": "mirror", "members": 2},) * 2,
    {"role": "log", "type": "disk", "members": 1},
)
COLOUR = Question(key="colour", label="Colour", choices={"red": "Red", "blue": "Blue"})


def find_toy_pools(paste, stated):
    for device in paste.devices:
        reading = None if device.smartctl is None else paste.readings[device.smartctl]
        if isinstance(reading, SmartctlReading):
            told_as = LINE.format(paste.sent_line(reading.first_line))
            colour = stated.told.about(told_as).get("colour", "")
            log = Run(
                **describe_device(device, paste, line=reading.first_line), method="toy_pool", is_complete=True
            )
            yield ToyPoolRun(
                pool=DescribedPool(layout=LAYOUT, properties={"sync": colour}, logs=(log,)),
                method="toy_pool",
                is_complete=True,
                not_ranked_reason="Toys aren't ranked.",
                told_as=told_as,
                first_line=reading.first_line,
                last_line=reading.last_line,
            )


TOY_POOL = replace(
    TOY,
    key="toy_pool_kind",
    methods={"toy_pool": "with a toy pool"},
    subject=SubjectKind.POOL,
    asks=(COLOUR,),
    find_runs=find_toy_pools,
)


@pytest.fixture
def toy_pool_kind(toy_kind, monkeypatch):
    """Only the kind about pools, with the templates of the other."""
    folder = Path(engines["django"].engine.dirs[-1]) / "results" / "kinds"
    (folder / TOY_POOL.key).symlink_to(folder / TOY.key)
    monkeypatch.delitem(registry.KINDS, TOY.key)
    monkeypatch.setitem(registry.KINDS, TOY_POOL.key, TOY_POOL)


NAME = "Pool: 2 mirrors of 2, with a log device"


def test_a_kind_about_pools_names_its_pool_wherever_results_are(client, toy_pool_kind, exports):
    text = pastes.FIRST_PASTE + pastes.smartctl()

    preview = client.post("/submit/", {"text": text, "action": "preview"}).content.decode()
    assert f"A toy called {NAME}" in preview
    (field,) = re.findall(r'name="(told-all-colour)"', preview)
    answered = client.post("/submit/", {"text": text, field: "red"}).content.decode()
    assert '<option value="red" selected>' in answered
    (seen,) = re.findall(r'name="seen" value="([0-9a-f]+)"', answered)
    refused = client.post("/submit/", {"text": text, field: "green", "action": "publish"}).content.decode()
    assert "None of red, blue." in refused

    sent = {"text": text, field: "red", "seen": seen, "action": "publish"}
    published = client.post("/submit/", sent)
    assert (published.status_code, NAME in published.content.decode()) == (201, True)
    curve, result = Result.objects.order_by("position")
    assert (result.device, result.pool.properties, curve.pool) == (None, {"sync": "red"}, None)
    assert list(result.pool.logs.all()) == [curve.device]
    assert Device.objects.values_list("result_count", flat=True).get() == 1

    for _ in reread_all(only_outdated=False):
        pass
    assert Pool.objects.values_list("pk", "properties").get() == (result.pool_id, {"sync": "red"})

    pool_path = result.pool.get_absolute_url()
    for path in (f"/results/{result.public_id}/", "/results/?subject=pool", "/feeds/results.atom", pool_path):
        assert NAME in client.get(path).content.decode(), path
    assert NAME not in client.get("/results/?subject=device").content.decode()
    assert pool_path in client.get("/sitemap-pools-1.xml").content.decode()
    assert client.get(f"/results/{result.public_id}/preview.png").status_code == 200
    assert client.get(f"/results/{result.public_id}/report/").status_code == 200

    (found,) = client.get("/api/v1/results/?subject=pool").json()["results"]
    assert (found["id"], found["subject"], found["device"], found["pool"], found["device_class"]) == (
        result.public_id,
        "pool",
        None,
        result.pool.public_id,
        None,
    )
    assert client.get("/api/v1/results/").json()["count"] == 2
    record = client.get(f"/api/v1/pools/{result.pool.public_id}/").json()
    assert (record["name"], record["log_devices"][0]["device"], record["result_count"]) == (
        NAME,
        curve.device.slug,
        1,
    )
    assert client.get("/api/v1/pools/").json()["results"] == [record]

    build_exports()
    with (exports / "current" / "results.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert [rows[result.public_id][name] for name in ("subject", "pool", "device")] == [
        "pool",
        result.pool.public_id,
        "",
    ]

    other = publish(client, text.replace("ZX81SPECTRUM48", "ZX81SPECTRUM49"))[1]
    pair = client.get(f"/api/v1/compare/results/?a={result.public_id}&b={other['id']}").json()
    conditions = {one["condition"]: one["differs"] for one in pair["conditions"]}
    assert (conditions["layout"], conditions["pool"], "firmware" in conditions) == (False, True, False)
    assert NAME in client.get(f"/compare/results/?a={result.public_id}&b={other['id']}").content.decode()

    erase_submission(result.submission, reason="")
    assert not Pool.objects.filter(pk=result.pool_id).exists()
    assert client.get(pool_path).status_code == 404


def test_a_toy_kind_is_found_wherever_results_are(client, toy_kind, exports):
    text = pastes.FIRST_PASTE + pastes.smartctl()

    preview = client.post("/submit/", {"text": text, "step": "preview"}).content.decode()
    assert "A toy called MARVELL SD88SA02" in preview

    curve, toy = publish(client, text)
    assert (curve["kind"], toy["kind"], toy["method"], toy["toy_kind"]) == (
        "latency_curve",
        "toy_kind",
        "toy",
        {"is_toy": True},
    )
    assert (toy["metrics"], curve["metrics"].keys()) == ({"toy_hours": HOURS}, METRICS.keys())
    assert "toy_kind" not in curve
    assert "latency_curve" not in toy

    page = client.get(f"/results/{toy['id']}/").content.decode()
    assert "A toy called MARVELL SD88SA02" in page
    assert "Toy hours" in page

    listed = client.get("/results/?kind=toy_kind").content.decode()
    assert toy["url"].removeprefix("http://127.0.0.1:8000") in listed
    assert curve["url"].removeprefix("http://127.0.0.1:8000") not in listed

    found, _ = client.get("/api/v1/results/").json()["results"]
    assert (found["id"], found["metrics"]) == (toy["id"], toy["metrics"])
    table = csv.DictReader(StringIO(client.get("/api/v1/results/?format=csv").getvalue().decode()))
    assert [(row["toy_hours"], row["toy_kind.is_toy"]) for row in table] == [("42.0", "true"), ("", "")]

    schema = client.get("/api/v1/schema/").content.decode()
    assert "How long the toy ran. In h." in schema

    build_exports()
    with (exports / "current" / "results.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert [float(rows[toy["id"]]["toy_hours"]), rows[toy["id"]]["kind"]] == [HOURS, "toy_kind"]
    assert (rows[curve["id"]]["toy_hours"], rows[toy["id"]]["latency_us_4096"]) == ("", "")

    other = publish(client, text.replace("ZX81SPECTRUM48", "ZX81SPECTRUM49"))[1]
    pair = client.get(f"/api/v1/compare/results/?a={toy['id']}&b={other['id']}").json()
    assert [(one["key"], one["ratio"], one["exceeds_noise"]) for one in pair["ratios"]] == [
        ("toy_hours", 1, None)
    ]
    side_by_side = client.get(f"/compare/results/?a={toy['id']}&b={other['id']}").content.decode()
    assert "Toy hours" in side_by_side
    mixed = client.get(f"/compare/results/?a={toy['id']}&b={curve['id']}")
    assert (mixed.status_code, "measured different things" in mixed.content.decode()) == (400, True)
