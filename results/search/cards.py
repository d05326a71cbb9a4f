"""The cards of the products that a search finds, each by the device that its page is about."""

from collections.abc import Sequence
from dataclasses import replace

from results.advice.criteria import Option
from results.advice.link import fastest_links
from results.catalogue.drive_card import DriveCard
from results.catalogue.purchase_options import Facts, load_facts, with_reached
from results.catalogue.throughput import load_reached
from results.core.addresses import address
from results.core.formats import format_origin
from results.models import DeviceRanking
from results.ranking.recommend import judged_first
from results.ranking.standing import main_rows


def product_cards(ids: Sequence[int]) -> list[DriveCard]:
    """The cards of these products in their order. Four queries, two more if any is ranked."""
    if not ids:
        return []
    facts = load_facts(ids)
    best = _best_devices(ids)
    reached = load_reached([other.device_id for other in best.values()]) if best else {}
    cards = []
    for key in ids:
        ranking = best.get(key)
        product, option = facts[key].product, _option(facts[key], ranking)
        device = ranking.device if ranking else None
        card = DriveCard(
            name=replace(product.drive_name, capacity_bytes=option.capacity_bytes),
            url=address("product", product.slug),
            device_class=product.device_class,
            option=with_reached(option, reached.get(device.pk) if device else None),
            plp_statements=product.plp_statements,
            form_factors=product.form_factors,
            latency_us=ranking.metrics.get("latency_4k_us") if ranking else None,
            digits=ranking.digits if ranking else None,
            origin=format_origin(device.elsewhere_count, device.result_count) if device else "",
            sentence=option.protection.sentence,
        )
        cards.append(card)
    return cards


def _best_devices(ids: Sequence[int]) -> dict[int, DeviceRanking]:
    """The device by which each product is judged: recommended, else ranked, with the lowest latency. One query."""
    rows = (
        main_rows().filter(device__product__in=ids).select_related("device").defer("device__condition_values")
    )
    found: dict[int, DeviceRanking] = {}
    for row in sorted(rows, key=judged_first):
        found.setdefault(row.device.product_id or 0, row)
    return found


def _option(facts: Facts, ranking: DeviceRanking | None) -> Option:
    """The capacity of the device, else the smallest that is known to carry the fastest link."""
    if ranking and ranking.device.capacity_bytes is not None:
        return facts.option(facts.marketed(ranking.device.capacity_bytes))
    return max(facts.on_paper(), key=lambda option: fastest_links(option.throughput).gbit_s)
