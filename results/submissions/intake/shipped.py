"""Loading the published results that the project ships: figures with their sources, no text."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from results.catalogue.matching.devices import Identity, make_missing_devices, resolve_identities
from results.core.lines import compare
from results.kinds.envelope import Run
from results.kinds.flags import stored_flags
from results.kinds.registry import KINDS, PAYLOADS, kind_of
from results.kinds.shipped import POOL_IDS, Published, read_published
from results.models import Result, Submission
from results.models.choices import State, SubjectKind
from results.models.conditions import CONDITION_FIELDS
from results.models.submission import public_id_of_figures
from results.submissions.edit import erase_submission
from results.submissions.intake.judge import Case, is_judged, judge_runs
from results.submissions.intake.other_results import own_flags
from results.submissions.intake.store import Reading, ranking_unit_of, store_readings

STORED_TOGETHER = 50
REMOVED = "These figures are no longer part of the published results that the site ships."
_COMMON = attrgetter("method", "measured_on", *CONDITION_FIELDS)  # of a run and a stored result


@dataclass(frozen=True, slots=True)
class Loaded:
    """The counts of a load."""

    added: int
    unchanged: int
    removed: int


def read_shipped(subject: SubjectKind = SubjectKind.DEVICE) -> list[Published]:
    """All sources about drives or pools that the project ships, in the order of the kinds' files.

    Raises CatalogueError.
    """
    files = [kind.shipped for kind in KINDS.values() if kind.shipped and kind.subject == subject]
    return [source for path, line in files for source in read_published(path, line)]


def load_survey(published: Iterable[Published]) -> Loaded:
    """Update the stored results of drives to match the files, except erased ones. Idempotent."""
    stored = Submission.objects.filter(survey_id__isnull=False)
    return _load(published, stored.exclude(survey_id__startswith=POOL_IDS))


def load_pools(published: Iterable[Published]) -> Loaded:
    """Update the stored results of pools to match the file, except erased ones. Idempotent."""
    return _load(published, Submission.objects.filter(survey_id__startswith=POOL_IDS))


def _load(published: Iterable[Published], stored: QuerySet[Submission]) -> Loaded:
    """Remove the stored ones that are no longer listed, and store those that are new or have changed."""
    listed = {known.survey_id: known for known in published}
    removed = list(stored.exclude(state=State.ERASED).exclude(survey_id__in=listed))
    for submission in removed:
        _remove(submission)
    changed = _bring_up_to_date(listed.values())
    return Loaded(changed, len(listed) - changed, len(removed))


@transaction.atomic
def _remove(submission: Submission) -> None:
    """Erase it, and free its number in case a later file has it again."""
    erase_submission(submission, reason=REMOVED)
    Submission.objects.filter(pk=submission.pk).update(survey_id=None)


def judge_published(device_ids: Collection[int] | None = None) -> None:
    """Judge the published results of these devices again, or all that are stored.

    They have no text to reread: they are read from the files.
    """
    stored = Result.objects.filter(submission__survey_id__isnull=False)
    chosen = stored if device_ids is None else stored.filter(device_id__in=list(device_ids))
    ids = set(chosen.values_list("submission__survey_id", flat=True))
    if ids:
        _bring_up_to_date(published for published in read_shipped() if published.survey_id in ids)


def _bring_up_to_date(published: Iterable[Published]) -> int:
    """Store those that are new or have changed; return their number.

    STORED_TOGETHER share a transaction: a site in use waits for few of them at a time. Flags depend on the other
    results of a product. So those that were stored together are judged once more.
    """
    erased = set(Submission.objects.filter(state=State.ERASED).values_list("survey_id", flat=True))
    listed = [known for known in published if known.survey_id not in erased]
    make_missing_devices(run for known in listed for run in known.runs if run.pool is None)
    changed = set()
    for at in range(0, len(listed), STORED_TOGETHER):
        some = listed[at : at + STORED_TOGETHER]
        for _ in range(2):
            if outdated := _outdated(some):
                _store(outdated)
                changed |= {known.survey_id for known in outdated}
    return len(changed)


@transaction.atomic
def _store(published: Sequence[Published]) -> None:
    submissions = _submissions_of([known.survey_id for known in published])
    readings = []
    for known in published:
        submission = submissions[known.survey_id]
        for name, value in known.columns.items():
            setattr(submission, name, value)
        submission.save()
        readings.append(Reading(submission, known.runs))
    store_readings(readings)


def _submissions_of(survey_ids: Collection[str]) -> dict[str, Submission]:
    """The submissions of these figures, by their number; those that aren't stored are unsaved.

    Figures that another release or an earlier file removed return to their address.
    """
    by_address = {public_id_of_figures(survey_id): survey_id for survey_id in survey_ids}
    removed = Submission.objects.filter(public_id__in=by_address, survey_id=None, state=State.ERASED)
    found = {by_address[other.public_id]: other for other in removed}
    for public_id, survey_id in by_address.items():
        submission = found.setdefault(survey_id, Submission(public_id=public_id))
        submission.survey_id, submission.state, submission.state_reason = survey_id, State.PUBLISHED, ""
    stored = Submission.objects.filter(survey_id__in=survey_ids)
    return {**found, **{str(other.survey_id): other for other in stored}}


def _outdated(published: Sequence[Published]) -> list[Published]:
    """Those that aren't stored as in the file, with the flags that they would get now."""
    stored = defaultdict[str | None, list[Result]](list)
    results = Result.objects.filter(submission__survey_id__in=[known.survey_id for known in published])
    related = ("submission", "device__product", "firmware", "pool", *PAYLOADS)
    for result in results.select_related(*related).order_by("submission", "position"):
        stored[result.submission.survey_id].append(result)
    runs = {known.survey_id: list(known.runs) for known in published}
    cases = {
        (survey_id, at): Case(
            run, (), result.device, ranking_unit_of(run, result.submission), result.submission.is_approved
        )
        for survey_id, found in runs.items()
        for at, (run, result) in enumerate(zip(found, stored[survey_id], strict=False))
        if is_judged(run) and result.device
    }
    for (survey_id, at), run in zip(cases, judge_runs(list(cases.values())), strict=True):
        runs[survey_id][at] = run
    devices = resolve_identities(
        [run.identity for found in runs.values() for run in found if run.pool is None]
    )
    changes = compare(
        {
            known.survey_id: (known.columns, [_wanted(run, devices) for run in runs[known.survey_id]])
            for known in published
        },
        {
            known.survey_id: (
                {name: getattr(found[0].submission, name) for name in known.columns},
                [_stored(result) for result in found],
            )
            for known in published
            if (found := stored[known.survey_id])
        },
    )
    return [known for known in published if known.survey_id not in changes.unchanged]


def _wanted(run: Run, devices: Mapping[Identity, Identity]) -> tuple[Any, ...]:
    """What is stored of a run, which has the flags that it would get now."""
    about = (
        (run.pool.position, list(run.pool.layout), run.pool.zfs_version)
        if run.pool
        else (*devices[run.identity], run.firmware_version)
    )
    return about, _COMMON(run), run.payload, list(run.flags)


def _stored(result: Result) -> tuple[Any, ...]:
    """The same of a stored one."""
    pool, device, firmware = result.pool, result.device, result.firmware
    about = (
        (pool.position, pool.layout, pool.zfs_version)
        if pool
        else device and (device.model_name, device.capacity_bytes, firmware.version if firmware else "")
    )
    payload = kind_of(result.method).payload_of_result(result)
    return about, _COMMON(result), payload, own_flags(stored_flags(result.flags))
