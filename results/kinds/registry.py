"""All kinds of results, and what is derived from them."""

from datetime import date

from parsers.base.readings import Notice, ParsedPaste
from results.kinds.access_pattern.kind import ACCESS_PATTERN
from results.kinds.envelope import Run, Runs, Stated
from results.kinds.file_grid.kind import FILE_GRID
from results.kinds.file_sync.kind import FILE_SYNC
from results.kinds.latency_curve.kind import LATENCY_CURVE
from results.kinds.metric import Metric
from results.kinds.named_device import device_labels
from results.kinds.pool_io.kind import POOL_IO
from results.kinds.refused import Refused, join_refused
from results.kinds.result_kind import ResultKind
from results.kinds.sustained.kind import SUSTAINED
from results.kinds.told import NOTHING_TOLD, Question, Told
from results.models.choices import Board

KINDS: dict[str, ResultKind] = {
    kind.key: kind for kind in (LATENCY_CURVE, FILE_SYNC, POOL_IO, FILE_GRID, SUSTAINED, ACCESS_PATTERN)
}

PAYLOADS = tuple(kind.key for kind in KINDS.values() if kind.table)  # for select_related
METHOD_CHOICES = [one for kind in KINDS.values() for one in kind.methods.items()]  # named in the API's schema
KIND_CHOICES = [(kind.key, kind.label) for kind in KINDS.values()]
RANKED_METHODS = frozenset(method for kind in KINDS.values() if kind.ranked_by for method in kind.methods)
LATENCY_METHODS = RANKED_METHODS.union(FILE_SYNC.methods)  # they time each sync write


def kind_of(method: str) -> ResultKind:
    """The kind that the method belongs to."""
    return next(kind for kind in KINDS.values() if method in kind.methods)


def method_label(method: str) -> str:
    return kind_of(method).methods[method]


def ranked_value(run: Run) -> float | None:
    """The figure that ranks the run on the default board; None if it has none."""
    kind = kind_of(run.method)
    return kind.compute(run.payload).get(kind.ranked_by.get(Board.SYNC_WRITE, ""))


def all_metrics() -> dict[str, Metric]:
    """The metrics of all kinds by key."""
    return {key: metric for kind in KINDS.values() for key, metric in kind.metrics.items()}


def all_methods() -> dict[str, str]:
    """The methods of all kinds with their labels."""
    return {method: label for kind in KINDS.values() for method, label in kind.methods.items()}


def all_questions() -> list[Question]:
    """What kinds ask a sender in the preview."""
    return [one for kind in KINDS.values() for one in kind.asks]


def free_questions() -> frozenset[str]:
    """The keys of questions that are answered in the sender's own words."""
    return frozenset(one.key for one in all_questions() if one.is_free)


_DEVICE_QUESTIONS = frozenset(one.key for one in all_questions() if one.look_up)


def find_runs(
    paste: ParsedPaste,
    *,
    stated_on: date | None = None,
    sent_on: date | None = None,
    told: Told | None = None,
) -> Runs:
    """Find all runs in `paste` and those that `told` adds, dated by the text or else as stated."""
    told = told or NOTHING_TOLD
    stated = Stated(stated_on, sent_on, told, device_labels(told.answers_to(_DEVICE_QUESTIONS)))
    found = [one for kind in KINDS.values() for one in kind.find_runs(paste, stated)]
    runs = [one for one in found if isinstance(one, Run)]
    runs.sort(key=lambda run: (run.first_line is None, run.first_line or 0))
    refused = [one for one in found if isinstance(one, Refused)]
    refused.sort(key=lambda one: one.left_out.first_line)
    left_out = [*paste.left_out, *(one.left_out for one in join_refused(refused))]
    left_out.sort(key=lambda one: one.first_line)
    notices = [one.notice for one in refused if one.notice]
    notices += [one for one in found if isinstance(one, Notice)]
    return Runs(tuple(runs), tuple(left_out), tuple(notices))
