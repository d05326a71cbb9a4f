"""What sources state for a product, as pages show it: known problems, launch and end of sale, prices seen, claims."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from results.catalogue.claims import is_same_capacity
from results.catalogue.protection import source_link
from results.core.formats import format_capacity
from results.models import Caveat, Claim, LifeCycle, PriceSighting
from results.models.choices import CaveatKind, ClaimQuantity

_QUANTITIES = [one.value for one in ClaimQuantity]
_CAVEAT_KINDS = [one.value for one in CaveatKind]
_SHOWN_UNITS = {"us": "µs", "DWPD": "a day"}
_WHOLE_LINE = "all"
_LIFE_CYCLE_ORDER = ("Launched", "Note", "End of sale", "Successor")
Fact = TypeVar("Fact", Claim, PriceSighting)


@dataclass(frozen=True, slots=True)
class StatedFacts:
    """The facts of one product: caveats and claims by kind, life cycle by date, prices with the latest first."""

    caveats: Sequence[Caveat]
    life_cycle: Sequence[LifeCycle]
    prices: Sequence[PriceSighting]
    claims: Sequence[Claim]


def stated_facts(product_id: int, capacity_bytes: int | None = None) -> StatedFacts:
    """Claims and prices of one capacity are those for it and for the whole line. Four queries."""
    claims = Claim.objects.filter(product=product_id).order_by("capacity_bytes", "value", "source_url")
    prices = PriceSighting.objects.filter(product=product_id)
    life_cycle = LifeCycle.objects.filter(product=product_id).select_related("successor__vendor")
    caveats = Caveat.objects.filter(product=product_id).order_by("summary", "source_url")
    return StatedFacts(
        caveats=sorted(caveats, key=lambda one: _CAVEAT_KINDS.index(one.kind)),
        life_cycle=list(life_cycle.order_by("launched_on", "end_of_sale", "source_url", "note")),
        prices=_about(prices.order_by("-seen_on", "capacity_bytes", "price", "source_url"), capacity_bytes),
        claims=sorted(_about(claims, capacity_bytes), key=lambda one: _QUANTITIES.index(one.quantity)),
    )


def _about(facts: Iterable[Fact], capacity_bytes: int | None) -> list[Fact]:
    return [
        one
        for one in facts
        if None in (capacity_bytes, one.capacity_bytes)
        or is_same_capacity(one.capacity_bytes, capacity_bytes)
    ]


def stated_context(facts: StatedFacts) -> dict[str, Any]:
    """What templates/results/parts/caveats.html and parts/stated.html need."""
    prices = [_price(one) for one in facts.prices]
    last_seen = {one["capacity"]: one for one in reversed(prices)}  # of each capacity the latest
    return {
        "caveats": [_caveat(one) for one in facts.caveats],
        "life_cycle": _life_cycle(facts.life_cycle),
        "last_seen": [last_seen[capacity] for capacity in _capacities(facts.prices)],
        "prices": prices,
        "claims": [_claim(one) for one in facts.claims],
    }


def _capacities(prices: Iterable[PriceSighting]) -> list[str]:
    sizes = {one.capacity_bytes for one in prices}
    return [_capacity(size) for size in sorted(sizes, key=lambda size: size or 0)]


def _capacity(capacity_bytes: int | None) -> str:
    return format_capacity(capacity_bytes) or _WHOLE_LINE


def _caveat(one: Caveat) -> dict[str, Any]:
    return {
        "kind": one.get_kind_display(),
        "summary": one.summary,
        "fixed_in_firmware": one.fixed_in_firmware,
        "source": source_link(one.source_url),
    }


def _life_cycle(lines: Iterable[LifeCycle]) -> list[dict[str, Any]]:
    """What is said, each once, with everyone who says it; a source's note is beside the first thing it says."""
    said: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for line in lines:
        source = source_link(line.source_url)
        stated = _stated(line)
        for position, what in enumerate(stated or [("Note", line.note, "")]):
            note = line.note if stated and position == 0 else ""
            said.setdefault(what, []).append({**source, "note": note})
    return [
        {"label": label, "value": value, "url": url, "sources": sources}
        for (label, value, url), sources in sorted(
            said.items(), key=lambda one: _LIFE_CYCLE_ORDER.index(one[0][0])
        )
    ]


def _stated(line: LifeCycle) -> list[tuple[str, str, str]]:
    """The label, words and address of each thing that the line states."""
    stated = [("Launched", line.launched_on, ""), ("End of sale", line.end_of_sale, "")]
    if line.successor:
        stated.append(("Successor", line.successor.full_name, line.successor.get_absolute_url()))
    return [what for what in stated if what[1]]


def _price(one: PriceSighting) -> dict[str, Any]:
    condition = one.get_condition_display() or "condition not stated"
    return {
        "seen_on": one.seen_on,
        "capacity": _capacity(one.capacity_bytes),
        "price": f"{one.price:,.2f} {one.currency}",
        "offer": f"{condition}, {one.get_seller_kind_display()}",
        "source": source_link(one.source_url),
    }


def _claim(one: Claim) -> dict[str, Any]:
    return {
        "quantity": one.get_quantity_display(),
        "capacity": _capacity(one.capacity_bytes),
        "stated": one.text or claim_figure(one),
        "stated_by": one.get_stated_by_display(),
        "note": one.note,
        "source": source_link(one.source_url),
    }


def claim_figure(one: Claim) -> str:
    """A value with its unit, such as "under 10 µs"."""
    bound = "under " if one.is_below else ""
    number = f"{one.value:,f}"
    shown = number.rstrip("0").rstrip(".") if "." in number else number
    return f"{bound}{shown} {_SHOWN_UNITS.get(one.unit, one.unit)}"
