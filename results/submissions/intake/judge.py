"""Plausibility judgment of runs: flags from text, product and other units; and which senders are trusted."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import NamedTuple, TypeVar

from django.conf import settings
from django.db import connection
from django.db.models import Q, prefetch_related_objects

from parsers.base.readings import Notice
from results.catalogue.claims import rated_random_write_latency_us
from results.kinds.envelope import Run
from results.kinds.flags import Effect, Flag, why_not_ranked
from results.kinds.interconnects import link_of_interface
from results.kinds.limits import Evidence, KnownProduct, OtherUnits
from results.kinds.registry import kind_of
from results.models import Device, DeviceRanking, Member, Product, Result, Submission, lengths
from results.models.choices import EASY_DATA, PROTECTED, Board, CaveatKind, State
from results.models.fields import SLOT_4K, bytes_of_unit
from results.ranking.senders import Measured, independent_units, measured_sql

AnyRun = TypeVar("AnyRun", bound=Run)
TRUSTED_AFTER = 3  # approved submissions
HELD_REASON = "First results wait for a moderator's review."
MANY_UNITS = 20  # with so many, one more or less hardly changes a median: the ranking's own is used
MANY_RESULTS = 500  # per device: so many are a sufficient sample of what its units measure

# For each requested device: the unit, the sender, the network and the log of the 4 KiB latency of each result.
_RESULTS = f"""
    WITH requested AS (
        SELECT DISTINCT device_id, method
        FROM unnest((SELECT %s::bigint[]), %s::text[]) AS requested (device_id, method)
    ), ranked AS (
        SELECT requested.*, ranking.unit_count, ranking.score
        FROM requested LEFT JOIN results_deviceranking AS ranking
            ON (ranking.device_id, ranking.method, ranking.board)
            = (requested.device_id, requested.method, '{Board.SYNC_WRITE}')
    )
    SELECT ranked.device_id, ranked.method, ranked.unit_count, ranked.score::double precision,
           found.units, found.senders, found.networks, found.scores
    FROM ranked LEFT JOIN LATERAL (
        SELECT array_agg(unit) AS units, array_agg(sender) AS senders, array_agg(network) AS networks,
               array_agg(ln(latency_us[{SLOT_4K + 1}])::double precision) AS scores
        FROM (
            SELECT * FROM (
                {measured_sql("")}
            ) AS result
            WHERE result.device_id = ranked.device_id AND result.method = ranked.method
            AND coalesce(ranked.unit_count, 0) <= %s
            LIMIT %s
        ) AS measured
    ) AS found ON true
"""  # noqa: S608 - our own expressions


class JudgedSubject(NamedTuple):
    """The device, the method, and the unit to leave out."""

    device_id: int
    method: str
    except_unit: str


class _Found(NamedTuple):
    """A device's row of the ranking, or its results if it has few units."""

    ranked_count: int | None
    ranked_us: float | None
    units: Sequence[bytes] | None
    senders: Sequence[str] | None
    networks: Sequence[str] | None
    scores: Sequence[float] | None

    def without(self, unit: str) -> OtherUnits | None:
        """The median of the other units; None if there are none."""
        if self.ranked_us is not None and (self.ranked_count or 0) > MANY_UNITS:
            return OtherUnits(self.ranked_count or 0, self.ranked_us)
        left_out = bytes_of_unit(unit)
        columns = (self.units, self.senders, self.networks, self.scores)
        results = zip(*(column or () for column in columns), strict=True)
        found = independent_units(Measured(*result) for result in results if result[0] != left_out)
        return OtherUnits(len(found), math.exp(median(map(median, found)))) if found else None


def other_units(
    subjects: Sequence[JudgedSubject], *, many_results: int = MANY_RESULTS
) -> list[OtherUnits | None]:
    """The median over the device's other ranked units, for each subject; None if there are no others.

    For a device with more than MANY_UNITS units it is the ranking's median of all units; for one with more than
    `many_results` it is based on a sample. One query for all.
    """
    if not subjects:
        return []
    devices, methods, _ = zip(*subjects, strict=True)
    with connection.cursor() as cursor:
        cursor.execute(_RESULTS, [list(devices), list(methods), MANY_UNITS, many_results])
        found = {(device_id, method): _Found(*rest) for device_id, method, *rest in cursor.fetchall()}
    return [found[subject.device_id, subject.method].without(subject.except_unit) for subject in subjects]


@dataclass(frozen=True, slots=True)
class Case:
    """A run to be judged, with the parsers' notices, its device and its unit."""

    run: Run
    notices: Sequence[Notice]
    device: Device
    ranking_unit: str
    is_approved: bool = False
    is_imported: bool = False


def judge_runs(cases: Sequence[Case]) -> list[Run]:
    """The runs with their flags, and unranked if a flag requires it. A fixed number of queries.

    Runs that are judged together are compared with stored results, not with each other.
    """
    known = [case for case in cases if case.device.result_count]
    subjects = [JudgedSubject(case.device.pk, case.run.method, case.ranking_unit) for case in known]
    others = iter(other_units(subjects))
    products = [case.device.product for case in cases if case.device.product is not None]
    prefetch_related_objects(products, "claims")
    # few runs wrote such data: only their products' caveats are looked up
    prefetch_related_objects(
        [
            case.device.product
            for case in cases
            if case.device.product is not None and case.run.data_content in EASY_DATA
        ],
        "caveats",
    )
    measured = _measured_of({product.pk for product in products}, {case.device.pk for case in known})
    return [_judged(case, next(others) if case.device.result_count else None, measured) for case in cases]


def judge_unstored(run: Run, notices: Sequence[Notice], device: Device) -> Run:
    """The same for a preview, which takes no locks."""
    if not is_judged(run):
        return run
    (judged,) = judge_runs([Case(run, notices, device, run.unit)])
    return judged


def is_judged(run: Run) -> bool:
    """Whether it has figures that a link or a medium limits."""
    return kind_of(run.method).check is not None


def _judged(case: Case, others: OtherUnits | None, measured: "_VouchedLatencies") -> Run:
    check = kind_of(case.run.method).check
    if check is None:
        return case.run
    is_accountable = case.run.is_published or case.is_imported or case.is_approved
    evidence = Evidence(
        run=case.run,
        curve=case.run.latencies,
        notices=tuple(notice for notice in case.notices if _is_about(notice, case.run)),
        others=others,
        product=_known(case, measured),
        vouched_us=None if is_accountable else measured.for_devices.get(case.device.pk),
    )
    return with_flags(case.run, check(evidence), is_approved=case.is_approved)


def with_flags(run: AnyRun, flags: Sequence[Flag], *, is_approved: bool = False) -> AnyRun:
    """The run with these flags, and unranked if one requires it."""
    reason = run.not_ranked_reason or why_not_ranked(flags, is_approved=is_approved)
    return replace(run, flags=tuple(flags), not_ranked_reason=reason[: lengths.REASON])


def _known(case: Case, measured: "_VouchedLatencies") -> KnownProduct:
    product = case.device.product
    if product is None:
        return KnownProduct()
    return KnownProduct(
        is_protected=product.plp in PROTECTED,
        largest_capacity_bytes=max(_capacities(product), default=None),
        smallest_capacity_bytes=min(_capacities(product), default=None),
        link=link_of_interface(product.interface),
        rated_latency_us=rated_random_write_latency_us(product, case.run.capacity_bytes),
        is_compressing=case.run.data_content in EASY_DATA
        and any(caveat.kind == CaveatKind.COMPRESSION for caveat in product.caveats.all()),
        measured_us=measured.for_products.get((product.pk, case.run.method)),
    )


class _VouchedLatencies(NamedTuple):
    """Vouched 4 KiB latencies: the median over a product's recommendable devices by method, and those of devices."""

    for_products: Mapping[tuple[int, str], float]
    for_devices: Mapping[int, float]


def _measured_of(product_ids: Collection[int], device_ids: Collection[int]) -> _VouchedLatencies:
    scores: dict[tuple[int, str], list[float]] = defaultdict(list)
    for_devices = {}
    vouched = DeviceRanking.objects.filter(board=Board.SYNC_WRITE, is_vouched=True)
    rankings = vouched.filter(Q(device__product__in=product_ids) | Q(device__in=device_ids))
    columns = ("device_id", "device__product_id", "method", "score", "is_main", "recommended_high")
    for device_id, product_id, method, score, is_main, recommended_high in rankings.values_list(*columns):
        if product_id in product_ids and recommended_high is not None:
            scores[product_id, method].append(score)
        if is_main:
            for_devices[device_id] = score
    return _VouchedLatencies({key: median(values) for key, values in scores.items()}, for_devices)


def _capacities(product: Product) -> list[int]:
    """The capacities in the catalogue; none if it lists one of unknown size."""
    capacities = [row["capacity_bytes"] for row in product.endurance_tbw]
    return [] if None in capacities else capacities


def _is_about(notice: Notice, run: Run) -> bool:
    if notice.line is None or run.first_line is None or run.last_line is None:
        return False
    return run.first_line <= notice.line <= run.last_line


def is_trusted(owner: Member | None) -> bool:
    """Whether enough of this member's submissions were approved; False without an account."""
    if owner is None:
        return False
    if owner.is_staff:
        return True
    approved = Submission.objects.filter(owner=owner, is_approved=True, state=State.PUBLISHED)
    return approved.order_by()[:TRUSTED_AFTER].count() >= TRUSTED_AFTER


def first_state(owner: Member | None) -> dict[str, object]:
    """The initial state of a new submission, as fields of Submission.

    A moderator reviews submissions of untrusted senders. Whether they count in the meantime is the operator's choice
    (settings.HOLD_FIRST_RESULTS).
    """
    if is_trusted(owner):
        return {}
    if settings.HOLD_FIRST_RESULTS:
        return {"state": State.HELD, "state_reason": HELD_REASON}
    return {"needs_review": True}


def request_review(results: Iterable[Result]) -> None:
    """Queue published submissions that a flag holds back for a moderator, unless one has already approved them.

    Figures that the project ships were checked before they were added, so they need no review.
    """
    waiting = {
        result.submission_id
        for result in results
        if any(flag["effect"] == Effect.WAITS for flag in result.flags)
    }
    if waiting:
        held_back = Submission.objects.filter(pk__in=waiting, survey_id=None, is_approved=False)
        held_back.filter(state=State.PUBLISHED).update(needs_review=True)
