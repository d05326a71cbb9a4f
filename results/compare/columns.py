"""The columns of a comparison: a card for each device, and its bar on the axis that all share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe

from results.advice.criteria import Need
from results.advice.link import Reached, fastest_links
from results.catalogue.drive_card import DriveCard, Shown, drive_card
from results.catalogue.purchase_options import Facts, load_facts, options_of_device, with_reached
from results.catalogue.throughput import load_reached
from results.charts.axes import ValueAxis, latency_label, log_axis
from results.charts.description import LETTERS
from results.charts.scale import SCALE
from results.charts.svg import bar_lines, percent, value_bar
from results.compare.headline import Headline, find_winner, headline
from results.compare.query import SPEED_CLAIMS, Compared
from results.core.drive_names import part_number
from results.core.formats import format_capacity, format_origin, format_range
from results.core.today import today
from results.models import Claim
from results.models.choices import ClaimQuantity, plp_tone

_ANY = Need()


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A compared device; `badge` says that it is the fastest, or is ""."""

    compared: Compared
    letter: str
    card: DriveCard
    badge: str

    @property
    def slug(self) -> str:
        return self.compared.device.slug

    @property
    def name(self) -> str:
        return self.compared.name

    @property
    def latency(self) -> Headline:
        """The headline, or the claimed latency on the card of a device that nobody has measured."""
        shown, claimed = headline(self.compared), self.card.claimed_us
        if shown.value is not None or self.compared.unranked or claimed is None:
            return shown
        return Headline(f"{claimed:g} µs", "claimed, not measured", claimed)

    def bar(self, axis: ValueAxis) -> SafeString | None:
        """The bar of its latency, hatched as a whole unless the figure is ranked; None without one."""
        shown, row, css = (
            self.latency,
            self.compared.ranking,
            plp_tone(self.compared.device.plp_badge["value"]),
        )
        if shown.value is None:
            return None
        if row is None:
            ends, css, title, is_assumed = (
                (axis.low, axis.low, shown.value),
                f"{css} is-loose",
                str(shown),
                True,
            )
        else:
            ends, is_assumed = (row.low, row.score, row.high), row.assumed_spread
            assumed = ", assumed spread" if is_assumed else ""
            title = f"{shown.text} ({format_range(row.low, row.high, row.digits)} µs{assumed})"
        bar = value_bar(*ends, axis=axis, css=css, texts=(shown.text, title), is_assumed=is_assumed)
        return mark_safe(bar)  # noqa: S308 - results.charts escapes every text that it writes


class Bars(NamedTuple):
    """The bars of all columns on one axis, with its lines and its ticks: where they are, and their labels."""

    lines: SafeString
    ticks: Sequence[tuple[str, str]]
    rows: Sequence[tuple[Column, SafeString | None]]


def compare_bars(columns: Sequence[Column]) -> Bars | None:
    """The bars of these columns, on an axis with the ticks of all cards; None without a figure."""
    shown = [column.latency for column in columns]
    ends = [end for one in shown for end in (one.low, one.value, one.high) if end]
    if not ends:
        return None
    axis = log_axis([*SCALE.ticks, *ends])
    return Bars(
        mark_safe(bar_lines(axis)),  # noqa: S308 - numbers alone
        [(percent(axis.up(one)), latency_label(one)) for one in axis.ticks],
        [(column, column.bar(axis)) for column in columns],
    )


def compare_columns(compared: Sequence[Compared]) -> list[Column]:
    """The columns of these devices. Five queries, fewer without products or without stored devices."""
    products = {one.device.product_id for one in compared if one.device.product_id}
    stored = [one.device.pk for one in compared if one.device.pk]
    facts = load_facts(products, today()) if products else {}
    reached = load_reached(stored) if stored else {}
    winner, ahead = find_winner(compared), "faster" if len(compared) == 2 else "fastest"
    return [
        Column(
            compared=one,
            letter=letter,
            card=_card(one, facts.get(one.device.product_id or 0), reached.get(one.device.pk)),
            badge=f"{winner.sureness} {ahead}".capitalize() if winner and winner.compared is one else "",
        )
        for letter, one in zip(LETTERS, compared, strict=False)
    ]


def _card(one: Compared, facts: Facts | None, reached: Reached | None) -> DriveCard:
    """The card of a device; of a product, that of the capacity that carries the fastest link."""
    device, ranking, shown = one.device, one.ranking, str(headline(one))
    options = options_of_device(facts, device.capacity_bytes)
    option = max(options, key=lambda option: fastest_links(option.throughput).gbit_s)
    return drive_card(
        Shown(
            name=one.short_name,
            url=one.path,
            device_class=device.device_class,
            plp_statements=device.product.plp_statements if device.product else (),
            part_number="" if one.is_product else part_number(one.short_name, device.model_name),
            latency_us=ranking.score if ranking else None,
            digits=ranking.digits if ranking else None,
            no_latency=f"{shown[0].upper()}{shown[1:]}",
            origin=format_origin(device.elsewhere_count, device.result_count) if ranking else "",
        ),
        with_reached(option, reached),
        _ANY,
        _claim(one),
    )


def _claim(one: Compared) -> str:
    """What is claimed of a device that nobody has measured; "" otherwise."""
    if headline(one).value is not None or not one.claims:
        return ""
    claim: Claim = min(one.claims, key=lambda claim: SPEED_CLAIMS.index(ClaimQuantity(claim.quantity)))
    capacity, quantity = format_capacity(claim.capacity_bytes), claim.get_quantity_display()
    stated = f"Claimed: {claim.stated} {quantity[0].lower()}{quantity[1:]}"
    return f"{stated} ({capacity})" if capacity else stated
