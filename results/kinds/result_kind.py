"""The definition of a kind of results: how its runs are found, stored and shown."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Model

from parsers.base.readings import Notice, ParsedPaste
from results.core.record import Record
from results.kinds.envelope import Run, Stated
from results.kinds.metric import Metric, compute_metrics
from results.kinds.refused import Refused
from results.kinds.told import Question
from results.models.choices import SubjectKind

Payload = Mapping[str, Any]  # the values of ResultKind.columns, and of SHARED_COLUMNS
SHARED_COLUMNS = ("writers",)  # of Result: figures of any kind may depend on them


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
    context: Callable[
        ..., dict[str, Any]
    ]  # of its templates: from (payload, name, options=, image_url=); digits=, of curves
    record: type[Record]  # the API's object of the payload, named by the kind's key
    # Specific to the kind, by label; empty where not stated
    conditions: Callable[[Payload], dict[str, str]] = lambda _: {}
    # Of its section on a device's page, by the device's id
    on_device: Callable[[int], dict[str, Any]] | None = None
    # Of its section on a result's page about the other results of its paste, by the Result; {} for none
    on_paste: Callable[[Any], dict[str, Any]] | None = None
    subject: SubjectKind = SubjectKind.DEVICE  # what its results are about
    asks: tuple[Question, ...] = ()  # of the sender in the preview, where the text doesn't say it
    # Codes of refusals after which it asks, since answers may help
    asks_if_refused: frozenset[str] = frozenset()
    table: type[Model] | None = None
    columns: tuple[str, ...] = ()
    copied_rows: str = "rows"  # the list among them that is long enough to recognize a copy by
    bulk_table: type[Model] | None = None  # of what is too large for lists: `bulk` of a run, if it has any
    bulk_columns: tuple[str, ...] = ()
    # The key of a metric by board; empty if unranked
    ranked_by: Mapping[str, str] = field(default_factory=dict)

    def compute(self, payload: Payload) -> dict[str, float]:
        """The metrics by key, without those that can't be computed."""
        return compute_metrics(self.metrics, payload)

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
