"""A new kind of results appears everywhere once it is registered."""

import csv
from io import StringIO

import pytest
from django.template import engines
from rest_framework import serializers

from parsers.base.readings import SmartctlReading
from results.api.serializers import field_names
from results.exports.build import build_exports
from results.kinds import registry
from results.kinds.base import Metric
from results.kinds.envelope import Run, describe_device
from results.kinds.kind import ResultKind
from results.kinds.latency_curve.metrics import METRICS
from tests import pastes

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


def find_toys(paste, calendar):
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
                measured_on=calendar.day_of(None),
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
    compute=lambda payload: {"toy_hours": payload["toy_hours"]},
    context=lambda _payload, name, **_: {"toy": f"A toy called {name}"},
    record=lambda _: {"is_toy": True},
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
    yield TOY
    field_names.cache_clear()


def publish(client, text):
    response = client.post("/api/v1/submissions/", text, content_type="text/plain")
    assert response.status_code == 201, response.content[:500]
    return response.json()


def test_a_toy_kind_is_found_wherever_results_are(client, toy_kind, exports):
    text = pastes.FIRST_PASTE + pastes.smartctl()

    preview = client.post("/submit/", {"text": text, "step": "preview"}).content.decode()
    assert "A toy called MARVELL SD88SA02" in preview

    curve, toy = publish(client, text)["results"]
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

    schema = client.get("/api/v1/schema/?format=json").content.decode()
    assert "How long the toy ran. In h." in schema

    build_exports()
    with (exports / "current" / "results.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["result"]: row for row in csv.DictReader(file)}
    assert [float(rows[toy["id"]]["toy_hours"]), rows[toy["id"]]["kind"]] == [HOURS, "toy_kind"]
    assert (rows[curve["id"]]["toy_hours"], rows[toy["id"]]["latency_us_4096"]) == ("", "")

    other = publish(client, text.replace("ZX81SPECTRUM48", "ZX81SPECTRUM49"))["results"][1]
    pair = client.get(f"/api/v1/compare/results/?a={toy['id']}&b={other['id']}").json()
    assert [(one["key"], one["ratio"], one["exceeds_noise"]) for one in pair["ratios"]] == [
        ("toy_hours", 1, None)
    ]
    side_by_side = client.get(f"/compare/results/?a={toy['id']}&b={other['id']}").content.decode()
    assert "Toy hours" in side_by_side
    mixed = client.get(f"/compare/results/?a={toy['id']}&b={curve['id']}")
    assert (mixed.status_code, "measured different things" in mixed.content.decode()) == (400, True)
