"""A result in short: its stated conditions, what it is in a list, and its line and picture for other sites."""

from dataclasses import dataclass

from results.core.addresses import address
from results.core.formats import split_platform, writers_label
from results.core.head import Shared
from results.core.subject import Subject, subject_of
from results.kinds.conditions import FLUSH_PATH, LABELS, in_words
from results.kinds.envelope import Run
from results.kinds.flags import ranking_state
from results.kinds.registry import kind_of, method_label, run_name
from results.kinds.tables import Measure, measures
from results.models import Result
from results.models.choices import State
from results.models.conditions import CONDITION_FIELDS, FLUSH_OFF


def stated_conditions(run: Run | Result) -> dict[str, str]:
    """The known measurement conditions by label; unstated ones are omitted."""
    stated = {name: in_words(name, getattr(run, name)) for name in CONDITION_FIELDS}
    stated["platform"], tool = split_platform(run.platform)
    if source := stated.pop("wear_source"):
        stated["wear_percent"] += f" (derived from {source})"
    by_label = {LABELS[name]: value for name, value in stated.items()}
    by_label |= {"Measured with": tool, "Writers": writers_label(run.writers)}
    return {label: value for label, value in by_label.items() if value}


def flush_path(run: Run | Result) -> str:
    """What is known about a flush's path to the medium, in words; "" if nothing."""
    stated = [words.get(getattr(run, name), "") for name, words in FLUSH_PATH.items()]
    return ", ".join(filter(None, stated))


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A stored run in a list."""

    run: Result

    @property
    def subject(self) -> Subject:
        return subject_of(self.run)

    @property
    def what(self) -> str:
        """What it is among runs on one pool; "" for other kinds."""
        return run_name(self.run)


def shared_result(found: Result) -> Shared:
    """A run as other sites show it, with its curve as the picture if it has one."""
    has_curve = found.device and sum(latency_us is not None for latency_us in found.latency_us or ()) > 1
    return Shared(
        kind_of(found.method).subject_of(found).name,
        run_summary(found),
        found.get_absolute_url(),
        address("result-picture" if has_curve else "result-preview", found.public_id),
        address("device-badge", found.device.slug) if found.device else "",
    )


def run_summary(found: Result) -> str:
    """A run in one line, without its subject's name; states if the run does not count."""
    figures = [str(measure) for measure in result_figures(found)]
    firmware = [f"firmware {found.firmware.version}"] if found.firmware else []
    state = [] if found.is_ranked or not kind_of(found.method).ranked_by else [shown_state(found)]
    load = [writers_label(found.writers)] if found.writers else []
    load += ["flush off"] if found.sync_method == FLUSH_OFF else []
    by = f"by {method_label(found.method)}"
    if name := run_name(found):  # its figures say little without the log device and the sync mode
        return f"{', '.join([*figures, by])}: {name}"
    return ", ".join([*(figures or ["no figure that is ranked"]), *load, *firmware, by, *state])


def shown_state(found: Result) -> str:
    if found.submission.state != State.PUBLISHED:
        return found.submission.state
    return ranking_state(found.not_ranked_reason, found.flags)


def result_figures(found: Result) -> list[Measure]:
    digits = found.submission.figure_digits
    return measures(found.metrics, kind_of(found.method).metrics.values(), digits=digits)
