"""Holds runs against what is known: each gets its flags, and one that can't be true waits for a person."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from parsers.kinds import Notice
from results.ingest.flags import Effect
from results.ingest.plausible import Evidence, OtherUnits, check_run
from results.ingest.runs import Run
from results.models import Device, Product, lengths
from results.models.catalogue_values import PROTECTED
from results.ranking.units import Asked, UnitMedian, other_units


@dataclass(frozen=True, slots=True)
class Case:
    """A run to be judged: what the parsers said of its text, its device and its unit.

    What a person approved counts with the flags that it has.
    """

    run: Run
    notices: Sequence[Notice]
    device: Device
    ranking_unit: str
    is_approved: bool = False


def judge_runs(cases: Sequence[Case]) -> list[Run]:
    """The runs with their flags, and held where one of them says so. One query for all.

    Runs that are judged together are held against what is stored, not against each other.
    """
    known = [case for case in cases if case.device.pk is not None]
    asked = [Asked(case.device.pk, case.run.method, case.ranking_unit) for case in known]
    others = iter(other_units(asked))
    return [_judged(case, None if case.device.pk is None else next(others)) for case in cases]


def _judged(case: Case, others: UnitMedian | None) -> Run:
    flags = tuple(check_run(_evidence(case, others)))
    if flags == case.run.flags == ():
        return case.run
    held = next((flag.message for flag in flags if flag.effect is Effect.HELD), "")
    reason = case.run.not_ranked_reason or ("" if case.is_approved else held)
    return replace(case.run, flags=flags, not_ranked_reason=reason[: lengths.REASON])


def judge_unstored(run: Run, notices: Sequence[Notice], device: Device) -> Run:
    """The same for a preview, which takes no locks."""
    (judged,) = judge_runs([Case(run, notices, device, run.unit)])
    return judged


def _evidence(case: Case, others: UnitMedian | None) -> Evidence:
    product = case.device.product
    return Evidence(
        run=case.run,
        curve=tuple(None if latency is None else float(latency) for latency in case.run.curve),
        notices=tuple(notice for notice in case.notices if _is_about(notice, case.run)),
        others=None if others is None else OtherUnits(*others),
        largest_capacity_bytes=_largest_capacity(product),
        is_protected=product is not None and product.plp in PROTECTED,
    )


def _largest_capacity(product: Product | None) -> int | None:
    """The largest capacity that the catalogue names; one that it leaves open says nothing."""
    capacities = [] if product is None else [one["capacity_bytes"] for one in product.endurance_tbw]
    return None if not capacities or None in capacities else max(capacities)


def _is_about(notice: Notice, run: Run) -> bool:
    if notice.line is None or run.first_line is None or run.last_line is None:
        return False
    return run.first_line <= notice.line <= run.last_line
