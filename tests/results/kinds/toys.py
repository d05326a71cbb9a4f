"""The smallest kinds of results: of a device, and of a pool with a question to its sender."""

from dataclasses import replace
from pathlib import Path

import pytest
from django.template import engines

from parsers.base.readings import SmartctlReading
from results.api.docs import schema_file
from results.api.filters import ResultFilter
from results.api.parameters import field_names
from results.core.record import Record, field
from results.kinds import registry
from results.kinds.answers import LINE, Question
from results.kinds.envelope import DescribedPool, Run, describe_device
from results.kinds.metric import Metric
from results.kinds.result_kind import ResultKind, Shown
from results.models.choices import SubjectKind

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


def described(paste):
    """Each device that smartctl describes, with that reading."""
    for device in paste.devices:
        reading = None if device.smartctl is None else paste.readings[device.smartctl]
        if isinstance(reading, SmartctlReading):
            yield device, reading


def find_toys(paste, stated):
    for device, reading in described(paste):
        yield ToyRun(
            **describe_device(device, paste, line=reading.first_line),
            method="toy",
            is_complete=True,
            not_ranked_reason="Toys aren't ranked.",
            first_line=reading.first_line,
            last_line=reading.last_line,
            measured_on=stated.day_of(None),
        )


class ShownToy(Shown):
    """A toy."""

    @property
    def toy(self):
        return f"A toy called {self.name}"


class ToyRecord(Record):
    """A toy."""

    is_toy: bool = field("true", lambda _: True)


TOY = ResultKind(
    key="toy_kind",
    label="Toys",
    meaning="A toy.",
    methods={"toy": "with a toy"},
    metrics={TOY_HOURS.key: TOY_HOURS},
    find_runs=find_toys,
    shown=ShownToy,
    record=ToyRecord,
)


@pytest.fixture
def toy_kind(monkeypatch, tmp_path):
    folder = tmp_path / "results" / "kinds" / "toy_kind"
    folder.mkdir(parents=True)
    for name in ("summary", "result", "preview"):
        (folder / f"{name}.html").write_text("<p>{{ shown.toy }}</p>")
    engine = engines["django"].engine
    monkeypatch.setattr(engine, "dirs", [*engine.dirs, tmp_path])
    monkeypatch.setitem(registry.KINDS, TOY.key, TOY)
    choices = ResultFilter.base_filters["kind"].extra
    monkeypatch.setitem(
        choices, "choices", [*choices["choices"], (TOY.key, TOY.label), (TOY_POOL.key, TOY.label)]
    )
    monkeypatch.delattr(ResultFilter.base_filters["kind"], "_field", raising=False)  # it has the choices
    field_names.cache_clear()
    schema_file.cache_clear()
    yield TOY
    field_names.cache_clear()
    schema_file.cache_clear()


LAYOUT = (
    *({"role": "data", "type": "mirror", "members": 2},) * 2,
    {"role": "log", "type": "disk", "members": 1},
)
COLOUR = Question(key="colour", label="Colour", choices={"red": "Red", "blue": "Blue"})


def find_toy_pools(paste, stated):
    for device, reading in described(paste):
        answers_key = LINE.format(paste.sent_line(reading.first_line))
        colour = stated.answers.about(answers_key).get("colour", "")
        log = Run(
            **describe_device(device, paste, line=reading.first_line), method="toy_pool", is_complete=True
        )
        yield ToyRun(
            pool=DescribedPool(layout=LAYOUT, properties={"sync": colour}, logs=(log,)),
            method="toy_pool",
            is_complete=True,
            not_ranked_reason="Toys aren't ranked.",
            answers_key=answers_key,
            first_line=reading.first_line,
            last_line=reading.last_line,
        )


TOY_POOL = replace(
    TOY,
    key="toy_pool_kind",
    methods={"toy_pool": "with a toy pool"},
    subject=SubjectKind.POOL,
    questions=(COLOUR,),
    find_runs=find_toy_pools,
)


@pytest.fixture
def toy_pool_kind(toy_kind, monkeypatch):
    """Only the kind about pools, with the templates of the other."""
    folder = Path(engines["django"].engine.dirs[-1]) / "results" / "kinds"
    (folder / TOY_POOL.key).symlink_to(folder / TOY.key)
    monkeypatch.delitem(registry.KINDS, TOY.key)
    monkeypatch.setitem(registry.KINDS, TOY_POOL.key, TOY_POOL)
    return TOY_POOL
