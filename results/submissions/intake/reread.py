"""Rereading stored texts, so that a better parser also improves old results."""

import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet

from parsers.paste import PARSER_VERSION
from results.catalogue.matching.match import class_catalogue
from results.models import Result, Submission
from results.models.conditions import CONDITION_FIELDS
from results.submissions.intake.deferred import MANY_RESULTS
from results.submissions.intake.parse import parse_stored
from results.submissions.intake.store import read_submission

BATCH = 5000  # keys fetched at once
SAMPLE = 10  # texts
ResultState = dict[str, Any]
_STATES = f"""
    SELECT result.id, result.public_id, coalesce(device.model_name, 'a pool') AS device, json_build_object(
        'not_ranked_reason', not_ranked_reason, 'flags', flags,
        'device', device.model_name || coalesce(' ' || device.capacity_bytes || ' bytes', ''),
        'class', device.device_class, 'pool', pool.layout::text, 'firmware', firmware.version, 'method', measured_by,
        'latency_us', array_to_string(latency_us, ' ', '-'), 'writers', writers, 'metrics', metrics::text,
        'measured_on', result.measured_on, 'serial_number', CASE WHEN has_unit THEN 'known' END,
        {", ".join(f"'{name}', result.{name}" for name in CONDITION_FIELDS)},
        'copy_of', original.public_id, 'text', left(md5(sent.text), 8)) AS state
    FROM results_result AS result JOIN results_submission AS sent ON sent.id = submission_id
    LEFT JOIN results_device AS device ON device.id = result.device_id
    LEFT JOIN results_pool AS pool ON pool.id = result.pool_id
    LEFT JOIN results_firmware AS firmware ON firmware.id = result.firmware_id
    LEFT JOIN (SELECT id, public_id FROM results_result) AS original ON original.id = result.copy_of_id
"""
_CHANGES = f"""
    SELECT coalesce(now.public_id, before.public_id), coalesce(now.device, before.device), before.state, now.state
    FROM results_before AS before FULL JOIN ({_STATES}) AS now ON now.id = before.id
    WHERE before.state::text IS DISTINCT FROM now.state::text ORDER BY coalesce(now.id, before.id)
"""


class Changed(NamedTuple):
    """A result before and after; None if it wasn't there."""

    public_id: str
    device: str
    before: ResultState | None
    after: ResultState | None


def texts_to_read(*, only_outdated: bool) -> QuerySet[Submission]:
    """The submissions with a relevant text; `only_outdated` excludes those read by this version."""
    submissions = Submission.objects.exclude(text="").order_by("pk")
    return submissions.exclude(parser_version=PARSER_VERSION) if only_outdated else submissions


def reread_all(*, only_outdated: bool, defer_from: int = MANY_RESULTS) -> Iterator[Submission]:
    """Reread the stored texts, each in its own transaction; yield each.

    This can be interrupted and restarted at any time.
    """
    return _reread(texts_to_read(only_outdated=only_outdated), defer_from)


def reread_devices(device_ids: Collection[int]) -> Iterator[Submission]:
    """The same for texts with results of these devices, after their product, and so what is plausible, changed."""
    for_devices = Result.objects.filter(device_id__in=list(device_ids), submission=OuterRef("pk"))
    return _reread(texts_to_read(only_outdated=False).filter(Exists(for_devices)), MANY_RESULTS)


def _reread(submissions: QuerySet[Submission], defer_from: int) -> Iterator[Submission]:
    """Reread each, locked and loaded only when its turn comes: it may have been erased, held or claimed since."""
    for pk in submissions.values_list("pk", flat=True).iterator(chunk_size=BATCH):
        with transaction.atomic():
            submission = submissions.filter(pk=pk).select_for_update().first()
            if submission is not None:
                reread_submission(submission, defer_from=defer_from)
        if submission is not None:
            yield submission


def reread_submission(submission: Submission, *, defer_from: int | None = None) -> None:
    """Reread one stored text, which the caller has locked.

    What this version doesn't keep of it is removed permanently: the only case in which a stored text changes. Devices
    are ranked as by `store_readings`. Raises ReadingError in a web process.
    """
    paste = parse_stored(submission, class_catalogue())
    read_submission(submission, paste, defer_from=defer_from)


def remember_results() -> None:
    """Save the current state of all results in a temporary table of this session, for `changed_results`."""
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS results_before")
        cursor.execute(f"CREATE TEMPORARY TABLE results_before AS {_STATES}")


def changed_results() -> Iterator[Changed]:
    """The results that changed since then."""
    with transaction.atomic(), connection.chunked_cursor() as cursor:
        cursor.execute(_CHANGES)
        yield from (Changed(*row) for row in cursor)


def states_of(submission: Submission) -> dict[int, ResultState]:
    """The current states of a submission's results, by id."""
    with connection.cursor() as cursor:
        cursor.execute(f"{_STATES} WHERE result.submission_id = %s", [submission.pk])
        return {pk: state for pk, _, _, state in cursor.fetchall()}


def kinds_of_change(before: ResultState | None, after: ResultState | None) -> set[str]:
    """What of a result changed, to be counted; empty if nothing did."""
    if before is None or after is None:
        return {"new" if before is None else "gone"}
    kinds = {name.replace("_", " ") for name in after if name not in _JUDGED and before[name] != after[name]}
    was_ranked, is_ranked = (not state["not_ranked_reason"] for state in (before, after))
    if was_ranked != is_ranked:
        kinds.add("ranked now" if is_ranked else "no longer ranked")
    old, new = ({flag["code"] for flag in state["flags"]} for state in (before, after))
    return (
        kinds | {f"flag {code} added" for code in new - old} | {f"flag {code} removed" for code in old - new}
    )


_JUDGED = {"not_ranked_reason", "flags"}


def written_kinds(kinds: Mapping[str, int]) -> list[str]:
    """Lines such as "latency us: 3", the most frequent first."""
    ordered = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    return [f"{kind}: {count:,}" for kind, count in ordered]


def diff_lines(changed: Changed) -> Iterator[str]:
    """The change as the lines of a diff: its heading, then "- " and "+ " lines."""
    yield f"{changed.public_id}  {changed.device}"
    old, new = _lines(changed.before), _lines(changed.after)
    yield from (f"- {line}" for line in old if line not in new)
    yield from (f"+ {line}" for line in new if line not in old)


def estimate_s(texts: QuerySet[Submission]) -> float:
    """How long rereading these texts takes: that of a sample, evenly spread, in transactions that are rolled back."""
    total = texts.count()
    started = time.monotonic()
    some = range(0, total, max(1, total // SAMPLE))[:SAMPLE]
    for at in some:
        # Whatever is wrong with a text, the reread itself reports it.
        with suppress(Exception), transaction.atomic():
            submission = texts.select_for_update()[at : at + 1].first()
            if submission is not None:
                reread_submission(submission, defer_from=MANY_RESULTS)
            transaction.set_rollback(True)
    return (time.monotonic() - started) / max(1, len(some)) * total


def _lines(state: ResultState | None) -> list[str]:
    """A result as comparable lines, with one line per flag."""
    if state is None:
        return []
    reason, flags = state["not_ranked_reason"], state["flags"]
    return [
        f"not ranked: {reason}" if reason else "ranked",
        *(f"{flag['effect'].replace('_', ' ')}: {flag['code']}" for flag in flags),
        *(
            f"{name.replace('_', ' ')}: {value}"
            for name, value in state.items()
            if name not in _JUDGED and value not in {None, ""}
        ),
    ]
