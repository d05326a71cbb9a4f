"""The definition of a kind of results: how its runs are found, stored and shown."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db.models import Model

from parsers.base.readings import Notice, ParsedPaste
from results.charts.options import ChartOptions
from results.core.formats import writers_label
from results.core.record import Record
from results.core.subject import Subject, subject_of
from results.kinds.answers import Question
from results.kinds.commands.folders import Command
from results.kinds.envelope import Run, Stated
from results.kinds.flags import Flag
from results.kinds.limits import Evidence
from results.kinds.metric import Metric, Payload, compute_metrics
from results.kinds.named_device import device_url
from results.kinds.refused import Refused
from results.kinds.shipped import PublishedLine
from results.models import Result
from results.models.choices import SubjectKind

SHARED_COLUMNS = ("writers",)  # of Result: figures of any kind may depend on them


@dataclass(frozen=True, slots=True)
class Shown:
    """A run as templates of its kind show it; a kind adds what they need of the payload.

    `options` and `image_url` are those of its chart, `digits` those of its figures, as in Metric.text.
    """

    payload: Payload
    name: str
    options: ChartOptions | None = None
    image_url: str = ""
    digits: int | None = None

    @property
    def writers(self) -> str:
        return writers_label(self.payload["writers"])

    @property
    def conditions(self) -> dict[str, str]:
        """What makes runs of the kind comparable, by label; "" where not stated."""
        return {}

    @property
    def log_url(self) -> str:
        """The address of the log device that the sender named; "" without one."""
        return device_url(self.payload.get("log_device", ""))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ResultKind:
    """One kind of measurement, with its templates in templates/results/kinds/<key>/.

    The payload is what a run measured. It is stored in `table`, one row per result with the kind's key as its related
    name, or, without a table, in columns of Result. Metrics are computed from it once, when a text is read.
    """

    key: str
    label: str
    meaning: str  # one sentence
    methods: Mapping[str, str]  # the stored methods with their labels; a method belongs to one kind
    metrics: Mapping[str, Metric]
    find_runs: Callable[[ParsedPaste, Stated], Iterable[Run | Refused | Notice]]
    shown: type[Shown]  # what its templates need
    record: type[Record]  # the API's object of the payload, named by the kind's key
    # Its flags; None if no link and no medium limits its figures
    check: Callable[[Evidence[Any]], list[Flag]] | None = None
    # What its section on a device's page shows, by the device's id; None for no section
    on_device: Callable[[int], object | None] | None = None
    # The same of a kind about pools, by the ids of log devices: the page of a product may be about several
    on_logs: Callable[[Collection[int]], object | None] | None = None
    # The same of its section on a result's page about its paste
    on_paste: Callable[[Result], object | None] | None = None
    subject: SubjectKind = SubjectKind.DEVICE  # what its results are about
    subject_of: Callable[[Result], Subject] = subject_of
    # A run among others of its subject, from its method, payload and pattern; None if its figures say enough
    name_run: Callable[[str, Payload, str], str] | None = None
    alike: tuple[str, ...] = ()  # of `columns`: those that comparable runs share
    questions: tuple[Question, ...] = ()  # of the sender in the preview, where the text doesn't say it
    # Codes of refusals after which it asks, since answers may help
    questions_if_refused: frozenset[str] = frozenset()
    table: type[Model] | None = None
    columns: tuple[str, ...] = ()
    copied_rows: str = "rows"  # the list among them that is long enough to recognize a copy by
    bulk_table: type[Model] | None = None  # of what is too large for lists: `bulk` of a run, if it has any
    bulk_columns: tuple[str, ...] = ()
    shipped: tuple[Path, type[PublishedLine]] | None = None  # published figures that the project ships
    # That measure it in a folder, in the order of the page of commands
    commands: Callable[[str], Iterable[Command]] | None = None
    # The key of a metric by board; empty if unranked
    ranked_by: Mapping[str, str] = field(default_factory=dict)
    sync_write: str = ""  # the key of the mean time of one sync write; empty if it isn't about single ones

    def compute(self, payload: Payload) -> dict[str, float]:
        """The metrics by key, without those that can't be computed."""
        return compute_metrics(self.metrics, payload)

    def conditions(self, payload: Payload) -> dict[str, str]:
        return self.shown(payload, "").conditions

    @property
    def lookups(self) -> tuple[str, ...]:
        """The kind's own columns of the payload as lookups from Result."""
        return tuple(f"{self.key}__{name}" for name in self.columns) if self.table else self.columns

    def payload_of(self, row: Mapping[str, Any]) -> Payload:
        """The payload from a row with `lookups` and SHARED_COLUMNS."""
        payload = {name: row[lookup] for name, lookup in zip(self.columns, self.lookups, strict=True)}
        return payload | {name: row[name] for name in SHARED_COLUMNS}

    def payload_of_result(self, result: Any) -> Payload:
        """The payload of a Result."""
        holder = getattr(result, self.key) if self.table else result
        payload = {name: getattr(holder, name) for name in self.columns}
        return payload | {name: getattr(result, name) for name in SHARED_COLUMNS}

    def template(self, name: str) -> str:
        return f"results/kinds/{self.key}/{name}.html"
