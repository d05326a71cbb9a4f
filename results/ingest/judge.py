"""Holds runs against what is known: each gets its flags, and one that can't be true waits for a person."""

from collections.abc import Sequence
from dataclasses import replace

from parsers.kinds import Notice
from results.ingest.flags import Effect
from results.ingest.plausible import Evidence, OtherUnits, check_run
from results.ingest.runs import Run
from results.models import Device, Product
from results.models.catalogue_values import PROTECTED
from results.ranking.units import other_units

REASON_LIMIT = 300


def judge_run(run: Run, notices: Sequence[Notice], *, device: Device | None, ranking_unit: str) -> Run:
    """The run with its flags, and held where one of them says so. `device` is None for one that is new."""
    flags = check_run(_evidence(run, notices, device, ranking_unit=ranking_unit))
    held = next((flag.message for flag in flags if flag.effect is Effect.HELD), "")
    reason = run.not_ranked_reason or held
    return replace(run, flags=tuple(flags), not_ranked_reason=reason[:REASON_LIMIT])


def judge_unstored(run: Run, notices: Sequence[Notice]) -> Run:
    """The same for a preview, which takes no locks."""
    found = Device.objects.select_related("product")
    device = found.filter(model_name=run.model_name, capacity_bytes=run.capacity_bytes).first()
    return judge_run(run, notices, device=device, ranking_unit=run.unit)


def _evidence(run: Run, notices: Sequence[Notice], device: Device | None, *, ranking_unit: str) -> Evidence:
    others = None if device is None else other_units(device.pk, run.method, except_unit=ranking_unit)
    product = None if device is None else device.product
    return Evidence(
        run=run,
        curve=tuple(None if latency is None else float(latency) for latency in run.curve),
        notices=tuple(notice for notice in notices if _is_about(notice, run)),
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
