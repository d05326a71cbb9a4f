"""Flags that depend on a device's other results: copies of a run, and models that only one sender has measured.

They change when other results are added or removed, so they are set after storing, for every affected result. Only
that of a device's first result is known before.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Q

from results.kinds.envelope import Run
from results.kinds.flags import Flag, stored_flags, why_not_ranked
from results.kinds.registry import KINDS, RANKED_METHODS, kind_of
from results.models import Device, Member, Result, Submission, lengths
from results.models.choices import Quality, SubjectKind
from results.models.fields import bytes_of_unit
from results.ranking.senders import NETWORK_SQL, SENDER_SQL
from results.submissions.intake.judge import is_trusted, request_review, with_flags

MIN_EQUAL_SIZES = 4  # block sizes: with fewer, two honest owners may have the same figures
MIN_NEAR_SIZES = 8
SHOWN_COPIES = 20
COPY_CODES = frozenset({"copy", "copy_other_serial", "near_copy"})
UNKNOWN_MODEL = Flag(
    "unknown_model",
    "We don't know this model yet. The result will be ranked once a second sender has measured the model, it is in "
    "our catalogue, or a moderator has approved it.",
)

_STORED = """
    SELECT result.id, submission_id, position, device_id, measured_by, writers, latency_us, has_unit, ranking_unit,
           sent.source_url, sent.forum_handle, sent.text, sent.quality, first_line, last_line
    FROM results_result AS result JOIN results_submission AS sent ON sent.id = submission_id
    WHERE (result.submission_id = ANY(%(submissions)s) OR result.id = ANY(%(results)s)) AND sent.state = 'published'
"""
_UNSTORED = """
    SELECT 0 AS id, 2147483647 AS submission_id, 0 AS position, %(device_id)s::integer AS device_id,
           %(method)s::varchar AS measured_by, %(writers)s::smallint AS writers, %(curve)s::real[] AS latency_us,
           %(has_unit)s AS has_unit,
           %(unit)s::bytea AS ranking_unit, '' AS source_url, '' AS forum_handle, '' AS text, '' AS quality,
           0 AS first_line, 0 AS last_line
"""
_EXCERPT = "array_to_string((string_to_array({0}.text, E'\\n'))[{1}.first_line:{1}.last_line], E'\\n')"
# Two published tables that are within 2 % probably have one reader's figure.
# Slot 4 is 4 KiB, which nearly every run has: the index finds the few results that agree there.
_PAIRS = f"""
    WITH given AS ({{given}})
    SELECT given.id, other.id, coalesce(origin.id, other.id), coalesce(origin.public_id, other.public_id),
           (other.submission_id, other.position) < (given.submission_id, given.position),
           points.common, points.equal,
           given.has_unit AND other.has_unit AND given.ranking_unit = other.ranking_unit,
           given.has_unit AND other.has_unit AND given.ranking_unit <> other.ranking_unit,
           points.equal = points.common AND points.common < {MIN_EQUAL_SIZES} AND (
               tables.are_two OR theirs.source_url <> '' AND theirs.source_url = given.source_url
               AND (theirs.forum_handle = given.forum_handle OR '' IN (theirs.forum_handle, given.forum_handle))
               OR given.text <> '' AND {_EXCERPT.format("given", "given")} = {_EXCERPT.format("theirs", "other")})
    FROM given CROSS JOIN LATERAL (
        SELECT * FROM results_result AS result
        WHERE result.device_id = given.device_id AND result.measured_by = given.measured_by
            AND result.latency_us[4] BETWEEN given.latency_us[4] / 1.02 AND given.latency_us[4] * 1.02
        UNION ALL
        SELECT * FROM results_result AS result
        WHERE result.device_id = given.device_id AND result.measured_by = given.measured_by
            AND result.latency_us[4] IS NULL AND given.latency_us[4] IS NOT NULL
        UNION ALL
        SELECT * FROM results_result AS result
        WHERE result.device_id = given.device_id AND result.measured_by = given.measured_by
            AND given.latency_us[4] IS NULL
    ) AS other
    JOIN results_submission AS theirs ON theirs.id = other.submission_id AND theirs.state = 'published'
    CROSS JOIN LATERAL (
        SELECT theirs.quality = '{Quality.TABLE}' AND given.quality = '{Quality.TABLE}'
               AND split_part(theirs.source_url, '#', 1) <> split_part(given.source_url, '#', 1) AS are_two
    ) AS tables
    CROSS JOIN LATERAL (
        SELECT count(*) AS common,
               count(*) FILTER (WHERE a = b OR are_two AND abs(a - b) <= 0.02 * least(a, b)) AS equal,
               count(*) FILTER (
                   WHERE abs(a - b) <= (CASE WHEN are_two THEN 0.02 ELSE 0.005 END) * least(a, b)) AS near
        FROM unnest(given.latency_us, other.latency_us) AS point (a, b) WHERE a IS NOT NULL AND b IS NOT NULL
        OFFSET 0
    ) AS points
    LEFT JOIN results_result AS origin ON origin.id = other.copy_of_id
    WHERE other.id <> given.id AND other.writers IS NOT DISTINCT FROM given.writers
        AND points.common > 0 AND points.near = points.common
    ORDER BY given.id, other.submission_id, other.position
"""

# The same for kinds with rows of figures: equal payloads, so whether the unit is the same never matters.
_PAYLOAD_PAIRS = f"""
    WITH given AS ({_STORED})
    SELECT given.id, other.id, coalesce(origin.id, other.id), coalesce(origin.public_id, other.public_id),
           (other.submission_id, other.position) < (given.submission_id, given.position),
           jsonb_array_length(payload.{{rows}}), jsonb_array_length(payload.{{rows}}),
           false,
           given.has_unit AND other.has_unit AND given.ranking_unit <> other.ranking_unit,
           jsonb_array_length(payload.{{rows}}) < {MIN_EQUAL_SIZES} AND (
               theirs.source_url <> '' AND theirs.source_url = given.source_url
               OR given.text <> '' AND {_EXCERPT.format("given", "given")} = {_EXCERPT.format("theirs", "other")})
    FROM given
    JOIN {{table}} AS payload ON payload.result_id = given.id
    JOIN results_result AS other
        ON other.device_id = given.device_id AND other.measured_by = given.measured_by AND other.id <> given.id
            AND other.writers IS NOT DISTINCT FROM given.writers
    JOIN {{table}} AS same ON same.result_id = other.id
        AND to_jsonb(same) - 'result_id' = to_jsonb(payload) - 'result_id'
    JOIN results_submission AS theirs ON theirs.id = other.submission_id AND theirs.state = 'published'
    LEFT JOIN results_result AS origin ON origin.id = other.copy_of_id
    ORDER BY given.id, other.submission_id, other.position
"""

_KNOWN = f"""
    SELECT {SENDER_SQL} AS sender, {NETWORK_SQL} AS network
    FROM results_result AS result JOIN results_submission AS submission ON submission.id = result.submission_id
    WHERE result.device_id = device.id AND submission.state = 'published' AND result.copy_of_id IS NULL
"""
# For devices without a product: whether several people measured it (any two results by different people are
# enough), and whether results have the flag. Flagged results are not ranked, which is quicker to check.
_UNKNOWN = f"""
    SELECT device.id,
           EXISTS (SELECT FROM ({_KNOWN} LIMIT 1) AS one CROSS JOIN LATERAL ({_KNOWN}) AS other
                   WHERE other.sender <> one.sender AND other.network <> one.network),
           EXISTS (SELECT FROM results_result AS result
                   WHERE result.device_id = device.id AND NOT result.is_ranked AND result.flags @> %s::jsonb)
    FROM results_device AS device WHERE device.id = ANY(%s) AND device.product_id IS NULL
"""
_HAS_FLAG = [{"code": UNKNOWN_MODEL.code}]


class _AgreeingResults(NamedTuple):
    """Two results of a device that agree at every shared block size."""

    result_id: int
    other_id: int
    origin_id: int  # the result that the other is a copy of, else the other
    origin_public_id: str
    is_earlier: bool  # the other result
    common_count: int
    equal_count: int
    is_same_unit: bool  # by stated serial numbers
    is_other_unit: bool
    has_same_text_or_source: bool

    @property
    def is_copy(self) -> bool:
        is_enough = self.common_count >= MIN_EQUAL_SIZES or self.has_same_text_or_source
        return self.equal_count == self.common_count and is_enough

    @property
    def flag(self) -> Flag | None:
        if self.is_copy and self.is_other_unit:
            message = (
                f"The same figures as result {self.origin_public_id}, but with another serial number. "
                "A moderator will look at it."
            )
            return Flag("copy_other_serial", message)
        if self.is_copy:
            return Flag("copy", f"The same run as result {self.origin_public_id}. Only that one counts.")
        if self.common_count >= MIN_NEAR_SIZES and not self.is_same_unit:
            message = f"Within 0.5 % of result {self.origin_public_id} at {self.common_count} block sizes."
            return Flag("near_copy", message)
        return None


def own_flags(flags: Iterable[Flag]) -> list[Flag]:
    """The flags that don't depend on other results."""
    return [flag for flag in flags if flag.code not in {*COPY_CODES, UNKNOWN_MODEL.code}]


def same_run(result_id: int, copy_of_id: int | None) -> list[Result]:
    """The other published results of the same run, earliest first."""
    origin = copy_of_id or result_id
    others = Result.objects.published().filter(Q(pk=origin) | Q(copy_of=origin)).exclude(pk=result_id)
    return list(others.select_related("submission").defer("submission__text").order_by("pk")[:SHOWN_COPIES])


def copies_of(submission_ids: Collection[int]) -> set[int]:
    """Results of other submissions that are copies of these submissions' results."""
    copies = Result.objects.filter(copy_of__submission__in=submission_ids)
    return set(copies.exclude(submission__in=submission_ids).values_list("id", flat=True))


def flag_related(
    submission_ids: Collection[int],
    *,
    devices: Collection[int],
    also: Collection[int] = (),
    methods: Collection[str] | None = None,
) -> list[Result]:
    """Update these flags on the submissions' results and all dependent ones; return those that changed.

    `devices` are those without a product, or with a lost result, that these results belong or belonged to; `also` are
    results that were copies of theirs; `methods`, if known, are those of all these results. The caller has locked the
    devices and ranks them afterwards.
    """
    if not (submission_ids or devices or also):
        return []
    pairs = _stored_pairs(submission_ids, also, methods=methods)
    concerned = {pair.result_id for pair in pairs} | set(also)
    if later := {pair.other_id for pair in pairs if pair.is_copy and not pair.is_earlier} - concerned:
        concerned |= later
        pairs = _stored_pairs((), concerned, methods=methods)
    return _flag_copies(concerned, pairs) + _flag_unknown_models(devices, submission_ids)


def flag_unstored(run: Run, device: Device, *, owner: Member | None, sender_digest: str) -> Run:
    """The run with these flags, as stored for that sender; takes no locks."""
    if run.method not in RANKED_METHODS:
        return run
    flags = [*run.flags, *_copy_flags(_pairs_of(run, device))]
    if device.product_id is None and not is_trusted(owner):
        known = Result.objects.published().filter(device=device.pk, copy_of=None)
        own = Q(submission__sender_digest=sender_digest, submission__batch=None)
        own |= Q(submission__owner=owner) if owner else Q(pk__in=[])
        if not known.exclude(own).exists():
            flags.append(UNKNOWN_MODEL)
    return with_flags(run, flags)


def flag_first(run: Run, submission: Submission) -> Run:
    """The run with its flag as the first result of a device without a product: nobody else has measured that."""
    is_ranked = run.method in RANKED_METHODS
    return (
        run
        if not is_ranked or _is_vouched(submission, is_trusted)
        else with_flags(run, [*run.flags, UNKNOWN_MODEL])
    )


def _is_vouched(submission: Submission, trusts: Callable[[Member | None], bool]) -> bool:
    """Whether a result of this submission is ranked though its model is unknown."""
    is_approved = bool(submission.survey_id or submission.batch_id or submission.is_approved)
    return is_approved or trusts(submission.owner)


def _pairs_of(run: Run, device: Device) -> list[_AgreeingResults]:
    if device.pk is None:
        return []
    values = {
        "device_id": device.pk,
        "method": str(run.method),
        "writers": run.writers,
        "curve": run.payload["latency_us"],
        "has_unit": bool(run.unit),
        "unit": bytes_of_unit(run.unit),
    }
    return _find_pairs(_UNSTORED, values)


def _stored_pairs(
    submission_ids: Collection[int], result_ids: Collection[int], *, methods: Collection[str] | None
) -> list[_AgreeingResults]:
    """The pairs of these results; all of them were measured by `methods`, if that is known."""
    values = {"submissions": list(submission_ids), "results": list(result_ids)}
    pairs = _find_pairs(_STORED, values)
    for kind in KINDS.values():
        if kind.table is None or kind.subject != SubjectKind.DEVICE:
            continue
        if methods is None or kind in map(kind_of, methods):
            with connection.cursor() as cursor:
                cursor.execute(
                    _PAYLOAD_PAIRS.format(table=kind.table._meta.db_table, rows=kind.copied_rows), values
                )
                pairs += [_AgreeingResults(*row) for row in cursor.fetchall()]
    return pairs


def _find_pairs(given: str, values: dict[str, Any]) -> list[_AgreeingResults]:
    with connection.cursor() as cursor:
        cursor.execute(_PAIRS.format(given=given), values)
        return [_AgreeingResults(*row) for row in cursor.fetchall()]


def _copy_flags(pairs: Iterable[_AgreeingResults]) -> list[Flag]:
    """The flag from a result's pairs with earlier results: the first copy, or else the first near copy."""
    flags = [flag for pair in pairs if pair.is_earlier and (flag := pair.flag) is not None]
    return sorted(flags, key=lambda flag: flag.code == "near_copy")[:1]


def _flag_copies(ids: Collection[int], pairs: Iterable[_AgreeingResults]) -> list[Result]:
    if not ids:
        return []
    by_result: dict[int, list[_AgreeingResults]] = defaultdict(list)
    for pair in pairs:
        by_result[pair.result_id].append(pair)
    changed = []
    for result in _load(Q(pk__in=ids)):
        flags = _copy_flags(by_result[result.pk])
        origins = (pair.origin_id for pair in by_result[result.pk] if pair.is_earlier and pair.is_copy)
        origin = next(origins, None)
        is_moved = result.copy_of_id != origin
        result.copy_of_id = origin
        if _replace_flags(result, COPY_CODES, flags) or is_moved:
            changed.append(result)
    _save(changed)
    request_review(changed)
    return changed


def _flag_unknown_models(devices: Collection[int], submission_ids: Collection[int]) -> list[Result]:
    """Rank results of devices without a product that two senders have measured, and those of trusted senders."""
    if not devices:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_UNKNOWN, [json.dumps(_HAS_FLAG), list(devices)])
        unknown = cursor.fetchall()
    by_several = {device_id for device_id, is_by_several, _ in unknown if is_by_several}
    flagged = {device_id for device_id, _, is_flagged in unknown if is_flagged} & by_several
    by_one = {device_id for device_id, *_ in unknown} - by_several
    if not (flagged or by_one):
        return []
    has_flag = Q(flags__contains=_HAS_FLAG)
    concerned = Q(method__in=RANKED_METHODS) & (
        Q(device__in=flagged, is_ranked=False) & has_flag
        | Q(device__in=by_one) & (~has_flag | Q(submission__in=submission_ids))
    )
    trusts = cache(is_trusted)
    changed = []
    for result in _load(concerned):
        is_known = result.device_id in by_several or _is_vouched(result.submission, trusts)
        if _replace_flags(result, {UNKNOWN_MODEL.code}, [] if is_known else [UNKNOWN_MODEL]):
            changed.append(result)
    _save(changed)
    return changed


def _load(chosen: Q) -> list[Result]:
    """The published ones of these results, with their submissions and owners."""
    results = Result.objects.published().filter(chosen).select_related("submission__owner")
    return list(results.defer("submission__text", "latency_us").order_by("pk"))


def _replace_flags(result: Result, codes: Collection[str], flags: Sequence[Flag]) -> bool:
    """Replace the result's flags that have these codes with `flags`; whether anything changed."""
    before = stored_flags(result.flags)
    after = [*(flag for flag in before if flag.code not in codes), *flags]
    if [flag.stored for flag in after] == result.flags:
        return False
    by_a_flag = {flag.message[: lengths.REASON] for flag in before}
    other_reason = "" if result.not_ranked_reason in by_a_flag else result.not_ranked_reason
    reason = other_reason or why_not_ranked(after, is_approved=result.submission.is_approved)
    result.flags = [flag.stored for flag in after]
    result.not_ranked_reason = reason[: lengths.REASON]
    result.is_ranked = not reason
    return True


def _save(results: Sequence[Result]) -> None:
    """Save what flags decide; bulk_update takes longer for one result, as most submissions have, than save."""
    fields = ["flags", "not_ranked_reason", "is_ranked", "copy_of"]
    if len(results) == 1:
        results[0].save(update_fields=fields)
    elif results:
        Result.objects.bulk_update(results, fields)
