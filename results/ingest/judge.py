"""Check runs against what we know, and flag them by their text, product and other units."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from django.db.models import prefetch_related_objects

from parsers.base.readings import Notice
from results.catalogue.claims import rated_random_write_latency_us
from results.ingest.flags import why_not_ranked
from results.ingest.interconnects import link_of_interface
from results.ingest.plausible import Evidence, KnownProduct, OtherUnits, check_run
from results.ingest.runs import Run
from results.models import Device, DeviceRanking, Product, lengths
from results.models.catalogue_values import PROTECTED
from results.ranking.units import Asked, UnitMedian, other_units


@dataclass(frozen=True, slots=True)
class Case:
    """A run to be judged, with the parsers' notices, its device and its unit."""

    run: Run
    notices: Sequence[Notice]
    device: Device
    ranking_unit: str
    is_approved: bool = False


def judge_runs(cases: Sequence[Case]) -> list[Run]:
    """The runs with their flags, and unranked if a flag says so. A fixed number of queries.

    Runs that are judged together are compared with stored results, not with each other.
    """
    known = [case for case in cases if case.device.pk is not None]
    asked = [Asked(case.device.pk, case.run.method, case.ranking_unit) for case in known]
    others = iter(other_units(asked))
    products = [case.device.product for case in cases if case.device.product is not None]
    prefetch_related_objects(products, "claims")
    measured = _measured_of({product.pk for product in products})
    return [_judged(case, None if case.device.pk is None else next(others), measured) for case in cases]


def judge_unstored(run: Run, notices: Sequence[Notice], device: Device) -> Run:
    """The same for a preview, which takes no locks."""
    (judged,) = judge_runs([Case(run, notices, device, run.unit)])
    return judged


def _judged(case: Case, others: UnitMedian | None, measured: Mapping[tuple[int, str], float]) -> Run:
    evidence = Evidence(
        run=case.run,
        curve=tuple(None if latency is None else float(latency) for latency in case.run.curve),
        notices=tuple(notice for notice in case.notices if _is_about(notice, case.run)),
        others=None if others is None else OtherUnits(*others),
        product=_known(case, measured),
    )
    flags = tuple(check_run(evidence))
    reason = case.run.not_ranked_reason or why_not_ranked(flags, is_approved=case.is_approved)
    return replace(case.run, flags=flags, not_ranked_reason=reason[: lengths.REASON])


def _known(case: Case, measured: Mapping[tuple[int, str], float]) -> KnownProduct:
    product = case.device.product
    if product is None:
        return KnownProduct()
    return KnownProduct(
        is_protected=product.plp in PROTECTED,
        largest_capacity_bytes=_largest_capacity(product),
        link=link_of_interface(product.interface),
        rated_latency_us=rated_random_write_latency_us(product, case.run.capacity_bytes),
        measured_us=measured.get((product.pk, case.run.method)),
    )


def _measured_of(product_ids: Collection[int]) -> dict[tuple[int, str], float]:
    """The median of the vouched figures of a product's devices, by product and method."""
    scores: dict[tuple[int, str], list[float]] = defaultdict(list)
    rankings = DeviceRanking.objects.filter(
        device__product__in=product_ids, recommended_high_us__isnull=False
    )
    for product_id, method, score_us in rankings.values_list("device__product_id", "method", "score_us"):
        scores[product_id, method].append(score_us)
    return {key: median(values) for key, values in scores.items()}


def _largest_capacity(product: Product) -> int | None:
    """The largest capacity in the catalogue, or None if it lists one of unknown size."""
    capacities = [one["capacity_bytes"] for one in product.endurance_tbw]
    return None if not capacities or None in capacities else max(capacities)


def _is_about(notice: Notice, run: Run) -> bool:
    if notice.line is None or run.first_line is None or run.last_line is None:
        return False
    return run.first_line <= notice.line <= run.last_line
