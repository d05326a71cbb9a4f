"""The columns of a comparison: a card for each device, and its bar on the axis that all share."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.text import capfirst

from results.advice.link import Reached, fastest_links
from results.catalogue.drive_card import DriveCard
from results.catalogue.purchase_options import Facts, load_facts, options_of_device, with_reached
from results.catalogue.throughput import load_reached
from results.charts.axes import ValueAxis, log_axis
from results.charts.description import LETTERS
from results.charts.glyphs import bar_lines, value_bar
from results.charts.plot import percent
from results.charts.scale import SCALE
from results.compare.devices.query import SPEED_CLAIMS, ComparedDevice
from results.compare.devices.verdict import Headline, find_winner, headline
from results.core.formats import format_capacity, format_origin, format_range, latency_label
from results.models import Claim
from results.models.choices import ClaimQuantity, plp_tone
from results.ranking.standing import in_a_sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A compared device; `badge` says that it is the fastest, or is ""."""

    compared: ComparedDevice
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
        shown, claimed = headline(self.compared), self.card.option.claimed_latency_us
        if shown.value is not None or self.compared.unranked or claimed is None:
            return shown
        return Headline(f"{claimed:g} µs", "claimed, not measured", claimed)

    def bar(self, axis: ValueAxis) -> SafeString | None:
        """The bar of its latency, hatched as a whole unless the figure is ranked; None without one."""
        shown, row = self.latency, self.compared.ranking
        css = plp_tone(self.compared.device.plp_badge.value)
        if shown.value is None:
            return None
        is_assumed = row is None or row.assumed_spread
        if row is None:
            ends, title, css = (axis.low, axis.low, shown.value), str(shown), f"{css} is-loose"
        else:
            ends, assumed = (row.low, row.score, row.high), ", assumed spread" if is_assumed else ""
            title = f"{shown.text} ({format_range(row.low, row.high, row.digits)} µs{assumed})"
        return value_bar(*ends, axis=axis, css=css, texts=(shown.text, title), is_assumed=is_assumed)


class Bars(NamedTuple):
    """The bars of all columns on one axis, with its lines and its ticks: where they are, and their labels."""

    lines: SafeString
    ticks: Sequence[tuple[str, str]]
    rows: Sequence[tuple[Column, SafeString | None]]


def compare_bars(columns: Sequence[Column]) -> Bars | None:
    """The bars of these columns, on an axis with the ticks of all cards; None without a figure."""
    shown = [column.latency for column in columns]
    ends = [end for figure in shown for end in (figure.low, figure.value, figure.high) if end]
    if not ends:
        return None
    axis = log_axis([*SCALE.ticks, *ends])
    return Bars(
        bar_lines(axis),
        [(percent(axis.up(tick)), latency_label(tick)) for tick in axis.ticks],
        [(column, column.bar(axis)) for column in columns],
    )


def compare_columns(compared: Sequence[ComparedDevice]) -> list[Column]:
    """The columns of these devices. Five queries, fewer without products or without stored devices."""
    products = {drive.device.product_id for drive in compared if drive.device.product_id}
    stored = [drive.device.pk for drive in compared if drive.device.pk]
    facts = load_facts(products) if products else {}
    reached = load_reached(stored) if stored else {}
    winner, ahead = find_winner(compared), "faster" if len(compared) == 2 else "fastest"
    return [
        Column(
            compared=drive,
            letter=letter,
            card=_card(drive, facts.get(drive.device.product_id or 0), reached.get(drive.device.pk)),
            badge=f"{winner.sureness} {ahead}".capitalize() if winner and winner.compared is drive else "",
        )
        for letter, drive in zip(LETTERS, compared, strict=False)
    ]


def _card(drive: ComparedDevice, facts: Facts | None, reached: Reached | None) -> DriveCard:
    """The card of a device; of a product, that of the capacity that carries the fastest link."""
    device, ranking, shown = drive.device, drive.ranking, str(headline(drive))
    options = options_of_device(facts, device.capacity_bytes)
    option = max(options, key=lambda option: fastest_links(option.throughput).gbit_s)
    return DriveCard(
        name=replace(drive.drive_name, capacity_bytes=option.capacity_bytes),
        url=drive.path,
        device_class=device.device_class,
        option=with_reached(option, reached),
        plp_statements=device.product.plp_statements if device.product else (),
        latency_us=ranking.score if ranking else None,
        digits=ranking.digits if ranking else None,
        no_latency=capfirst(shown),
        origin=format_origin(device.elsewhere_count, device.result_count) if ranking else "",
        sentence=_claim(drive),
    )


def _claim(drive: ComparedDevice) -> str:
    """What is claimed of a device that nobody has measured; "" otherwise."""
    if headline(drive).value is not None or not drive.claims:
        return ""
    claim: Claim = min(drive.claims, key=lambda claim: SPEED_CLAIMS.index(ClaimQuantity(claim.quantity)))
    capacity = format_capacity(claim.capacity_bytes)
    stated = f"Claimed: {claim.stated} {in_a_sentence(claim.get_quantity_display())}"
    return f"{stated} ({capacity})" if capacity else stated
