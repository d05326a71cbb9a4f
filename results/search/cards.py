"""The cards of the products that a search finds, each by the device that its page is about."""

from collections.abc import Sequence
from datetime import date

from results.advice.criteria import Need, Option
from results.advice.link import fastest_links
from results.catalogue.drive_card import DriveCard, Shown, drive_card
from results.catalogue.purchase_options import Facts, load_facts, with_reached
from results.catalogue.throughput import load_reached
from results.core.addresses import address
from results.core.formats import format_origin
from results.models import DeviceRanking
from results.ranking.recommend import judged_first
from results.ranking.standing import main_rows

_ANY = Need()


def product_cards(ids: Sequence[int], today: date) -> list[DriveCard]:
    """The cards of these products in their order. Four queries, two more if any is ranked."""
    if not ids:
        return []
    facts = load_facts(ids, today)
    best = _best_devices(ids)
    reached = load_reached([one.device_id for one in best.values()]) if best else {}
    cards = []
    for key in ids:
        ranking = best.get(key)
        option = _option(facts[key], ranking)
        measured = reached.get(ranking.device_id) if ranking else None
        cards.append(_card(facts[key], with_reached(option, measured), ranking))
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
    return max(facts.on_paper(), key=lambda one: fastest_links(one.throughput).gbit_s)


def _card(facts: Facts, option: Option, ranking: DeviceRanking | None) -> DriveCard:
    product = facts.product
    shown = Shown(
        name=product.short_name,
        url=address("product", product.slug),
        device_class=product.device_class,
        plp_statements=product.plp_statements,
        form_factors=product.form_factors,
        latency_us=ranking.metrics.get("latency_4k_us") if ranking else None,
        digits=ranking.digits if ranking else None,
        origin=format_origin(ranking.device.elsewhere_count, ranking.device.result_count) if ranking else "",
    )
    return drive_card(shown, option, _ANY, option.protection.sentence)
