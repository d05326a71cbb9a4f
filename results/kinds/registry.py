"""All kinds of results, and what is derived from them."""

from datetime import date

from parsers.base.readings import Notice, ParsedPaste
from results.kinds.access_pattern.kind import ACCESS_PATTERN
from results.kinds.answers import NO_ANSWERS, Question, SenderAnswers
from results.kinds.envelope import Run, Runs, Stated
from results.kinds.file_grid.kind import FILE_GRID
from results.kinds.file_sync.kind import FILE_SYNC
from results.kinds.latency_curve.kind import LATENCY_CURVE
from results.kinds.log_check.kind import LOG_CHECK
from results.kinds.metric import Metric
from results.kinds.named_device import device_labels
from results.kinds.pool_io.kind import POOL_IO
from results.kinds.refused import Refused, join_refused
from results.kinds.result_kind import ResultKind
from results.kinds.sustained.kind import SUSTAINED
from results.models import Result
from results.models.choices import Board

KINDS: dict[str, ResultKind] = {
    kind.key: kind
    for kind in (LATENCY_CURVE, FILE_SYNC, POOL_IO, FILE_GRID, SUSTAINED, ACCESS_PATTERN, LOG_CHECK)
}

PAYLOADS = tuple(kind.key for kind in KINDS.values() if kind.table)  # for select_related
# Named in the API's schema
METHOD_CHOICES = [method for kind in KINDS.values() for method in kind.methods.items()]
# For select_related, where runs are named
NAMED_PAYLOADS = tuple(kind.key for kind in KINDS.values() if kind.name_run)
COLUMNS_OF_RESULT = tuple(name for kind in KINDS.values() if not kind.table for name in kind.columns)
KIND_CHOICES = [(kind.key, kind.label) for kind in KINDS.values()]
RANKED_METHODS = frozenset(method for kind in KINDS.values() if kind.ranked_by for method in kind.methods)
_TIMED = [kind for kind in KINDS.values() if kind.sync_write]  # each sync write
SYNC_WRITES = tuple(kind.sync_write for kind in _TIMED)  # the keys of metrics
SYNC_WRITE_METHODS = frozenset(method for kind in _TIMED for method in kind.methods)


def kind_of(method: str) -> ResultKind:
    """The kind that the method belongs to."""
    return next(kind for kind in KINDS.values() if method in kind.methods)


def method_label(method: str) -> str:
    return kind_of(method).methods[method]


def ranked_value(run: Run) -> float | None:
    """The figure that ranks the run on the default board; None if it has none."""
    kind = kind_of(run.method)
    return kind.compute(run.payload).get(kind.ranked_by.get(Board.SYNC_WRITE, ""))


def run_name(result: Result) -> str:
    """A run among those of its subject: "random 4 KiB writes, no log device"; "" if its kind has no names."""
    kind = kind_of(result.method)
    if kind.name_run is None:
        return ""
    return kind.name_run(result.method, kind.payload_of_result(result), result.pattern or "")


def all_metrics() -> dict[str, Metric]:
    """The metrics of all kinds by key."""
    return {key: metric for kind in KINDS.values() for key, metric in kind.metrics.items()}


def all_methods() -> dict[str, str]:
    """The methods of all kinds with their labels."""
    return {method: label for kind in KINDS.values() for method, label in kind.methods.items()}


def all_questions() -> list[Question]:
    """What kinds ask a sender in the preview."""
    return [question for kind in KINDS.values() for question in kind.questions]


def free_questions() -> frozenset[str]:
    """The keys of questions that are answered in the sender's own words."""
    return frozenset(question.key for question in all_questions() if question.is_free)


_DEVICE_QUESTIONS = frozenset(question.key for question in all_questions() if question.look_up)


def find_runs(
    paste: ParsedPaste,
    *,
    stated_on: date | None = None,
    sent_on: date | None = None,
    answers: SenderAnswers | None = None,
) -> Runs:
    """Find all runs in `paste` and those that `answers` add, dated by the text or else as stated."""
    answers = answers or NO_ANSWERS
    stated = Stated(stated_on, sent_on, answers, device_labels(answers.answers_to(_DEVICE_QUESTIONS)))
    found = [run for kind in KINDS.values() for run in kind.find_runs(paste, stated)]
    runs = [run for run in found if isinstance(run, Run)]
    runs.sort(key=lambda run: (run.first_line is None, run.first_line or 0))
    refused = [run for run in found if isinstance(run, Refused)]
    refused.sort(key=lambda run: run.left_out.first_line)
    left_out = [*paste.left_out, *(refusal.left_out for refusal in join_refused(refused))]
    left_out.sort(key=lambda gap: gap.first_line)
    notices = [refusal.notice for refusal in refused if refusal.notice]
    notices += [run for run in found if isinstance(run, Notice)]
    return Runs(tuple(runs), tuple(left_out), tuple(notices))
