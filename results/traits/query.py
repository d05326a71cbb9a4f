"""What is known of products by trait: statements, claims and results, each with its source."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Prefetch, Q

from parsers.base.units import TERABYTE
from results.catalogue.prices import load_line_prices, load_shown, newest_first
from results.core.addresses import address
from results.core.formats import format_capacity, format_number, format_origin
from results.core.prices import Sighting
from results.kinds.curve.metrics import iops
from results.kinds.series.figures import Row, format_rate, newest_sustained, price_of_iops, stated_load
from results.models import Caveat, Claim, Device, DeviceRanking, Product
from results.models.choices import CaveatKind, ClaimQuantity, Plp, strongest_statement
from results.models.product import CATALOGUE_CLASSES
from results.ranking.standing import main_rows

MAX_PRODUCTS = 6
MAX_EACH = 3  # statements in a cell; the product's page has all
CLAIM, STATEMENT, RESULT = "claim", "statement", "result"
_ATTACHED = ("SATA", "SAS")  # interfaces that need a controller of their own
_DIRECT = ("PCIe", "NVMe", "DIMM")


@dataclass(frozen=True, slots=True)
class KnownTrait:
    """Something that is known: in words, as which kind of knowledge, who says so, and where."""

    text: str
    basis: str  # claim, statement, result
    stated_by: str
    source_url: str
    note: str = ""
    device: Device | None = None  # of a result

    @property
    def is_measured(self) -> bool:
        return self.basis == RESULT


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitSubject:
    """A product with everything that cells are made of."""

    product: Product
    price: Sighting | None = None  # in US dollars
    ranking: DeviceRanking | None = None  # the best of its devices
    sustained: Row | None = None  # the newest result with sustained IOPS of any of its devices
    prices: Sequence[Sighting] = ()  # the shown ones of its capacities, in US dollars

    def claims(self, *quantities: str) -> list[Claim]:
        found = [claim for claim in self.product.claims.all() if claim.quantity in quantities]
        return sorted(found, key=lambda claim: (quantities.index(claim.quantity), claim.capacity_bytes or 0))


@dataclass(frozen=True, slots=True)
class Trait:
    """A row of the table."""

    key: str
    label: str
    meaning: str  # one sentence
    find: Callable[[TraitSubject], Iterable[KnownTrait]]


class UnknownProductsError(Exception):
    """No product has these slugs."""

    def __init__(self, slugs: list[str]) -> None:
        super().__init__(", ".join(slugs))
        self.slugs = slugs


def _claimed(*quantities: str) -> Callable[[TraitSubject], Iterable[KnownTrait]]:
    return lambda subject: [_claim(claim) for claim in subject.claims(*quantities)]


def _claim(claim: Claim) -> KnownTrait:
    size = f", {format_capacity(claim.capacity_bytes)}" if claim.capacity_bytes else ""
    text = f"{claim.stated}{size}"
    return KnownTrait(text, CLAIM, claim.get_stated_by_display(), claim.source_url, claim.note)


def _with_caveats(kind: str, *quantities: str) -> Callable[[TraitSubject], Iterable[KnownTrait]]:
    def find(subject: TraitSubject) -> Iterable[KnownTrait]:
        yield from _claimed(*quantities)(subject)
        for caveat in subject.product.caveats.all():
            if caveat.kind == kind:
                yield KnownTrait(caveat.summary, STATEMENT, "", caveat.source_url)

    return find


def _measured(subject: TraitSubject) -> Iterable[KnownTrait]:
    ranking = subject.ranking
    if ranking is not None:
        yield KnownTrait(
            f"{format_number(iops(ranking.score, 1), ranking.digits)} per second, one after the other, in short runs "
            f"({ranking.device.model_name})",
            RESULT,
            format_origin(ranking.device.elsewhere_count, ranking.device.result_count) or "measured here",
            ranking.device.get_absolute_url(),
            device=ranking.device,
        )


def _sustained(subject: TraitSubject) -> Iterable[KnownTrait]:
    if (row := subject.sustained) is not None:
        load = stated_load(row)
        yield _sustained_statement(row, f"{format_rate(row['metrics']['sustained_iops'], row)}: {load}")
    yield from _claimed(ClaimQuantity.SUSTAINED_WRITES, ClaimQuantity.RANDOM_WRITE_STEADY)(subject)


def _sustained_statement(row: Row, text: str) -> KnownTrait:
    """What follows from a result with sustained IOPS."""
    counts = {name: row[f"device__{name}"] for name in ("elsewhere_count", "result_count")}
    device = Device(slug=row["device__slug"], model_name=row["device__model_name"], **counts)
    stated_by = format_origin(*counts.values()) or "measured here"
    return KnownTrait(
        f"{text} ({device.model_name})", RESULT, stated_by, address("result", row["public_id"]), device=device
    )


def _per_dollar(subject: TraitSubject) -> Iterable[KnownTrait]:
    if subject.sustained is not None and (cost := price_of_iops(subject.sustained, subject.prices)):
        text = f"{format_number(cost.iops)} per dollar: {cost.seen.text}, seen {cost.seen.seen_on}"
        yield _sustained_statement(subject.sustained, text)
    yield from _claimed(ClaimQuantity.IOPS_PER_DOLLAR)(subject)
    steady = [claim for claim in subject.claims(ClaimQuantity.RANDOM_WRITE_STEADY) if claim.value]
    price = subject.price
    fitting = [claim for claim in steady if price and claim.capacity_bytes in (None, price.capacity_bytes)]
    if price and fitting:
        best = max(fitting, key=lambda claim: claim.value or Decimal(0))
        each = float(best.value or 0) / float(price.amount)
        yield KnownTrait(
            f"{format_number(each)} per dollar: {best.stated} for {price.text}",
            CLAIM,
            f"{best.get_stated_by_display()}; price seen {price.seen_on}",
            best.source_url,
        )


def _endurance(subject: TraitSubject) -> Iterable[KnownTrait]:
    product = subject.product
    if product.endurance_dwpd_low is not None and product.endurance_source_url:
        rated = [product.endurance_dwpd_low, product.endurance_dwpd_high]
        ends = dict.fromkeys(f"{value:f}".rstrip("0").rstrip(".") for value in rated if value is not None)
        text = f"{' to '.join(ends)} drive writes per day for {product.endurance_years} years"
        yield KnownTrait(text, STATEMENT, "", product.endurance_source_url)
    elif product.endurance_tbw and product.endurance_source_url:
        most = max(product.endurance_tbw, key=lambda row: row["written_bytes"])
        size = format_capacity(most["capacity_bytes"]) or "the largest"
        text = f"{most['written_bytes'] / TERABYTE:,.0f} TB written ({size})"
        yield KnownTrait(text, STATEMENT, "", product.endurance_source_url)
    quantities = (ClaimQuantity.LONGEVITY, ClaimQuantity.ENDURANCE_DWPD, ClaimQuantity.ENDURANCE_TBW)
    yield from _claimed(*quantities)(subject)


def _separate_hba(subject: TraitSubject) -> Iterable[KnownTrait]:
    yield from _claimed(ClaimQuantity.SEPARATE_CONTROLLER)(subject)
    product = subject.product
    if not product.interface or not product.sources:
        return
    if any(name in product.interface for name in _ATTACHED):
        yield KnownTrait(
            f"yes, unless the motherboard has one: {product.interface}", STATEMENT, "", product.sources[0]
        )
    elif any(name in product.interface for name in _DIRECT):
        yield KnownTrait(f"no: {product.interface}", STATEMENT, "", product.sources[0])


def _external_power(subject: TraitSubject) -> Iterable[KnownTrait]:
    yield from _claimed(ClaimQuantity.EXTERNAL_POWER)(subject)
    product = subject.product
    text = {
        Plp.EXTERNAL: "yes: a battery or a UPS",
        Plp.YES: "no: it protects its own cache",
        Plp.BY_DESIGN: "no: it has no cache to protect",
    }.get(Plp(product.plp))
    strongest = strongest_statement(product.plp, product.plp_statements)
    if text and strongest:
        yield KnownTrait(text, STATEMENT, "", strongest["url"])


def _protection(subject: TraitSubject) -> Iterable[KnownTrait]:
    product = subject.product
    strongest = strongest_statement(product.plp, product.plp_statements)
    if product.plp != Plp.UNKNOWN and strongest:
        yield KnownTrait(product.plp_badge.label, STATEMENT, "", strongest["url"])
    yield from _claimed(ClaimQuantity.PLP_MECHANISM)(subject)


TRAITS = (
    Trait(
        "sustained_writes",
        "Sustained writes",
        "4 KiB writes per second after hours of writing, not when new.",
        _sustained,
    ),
    Trait(
        "sync_writes",
        "Sync writes measured",
        "Durable 4 KiB writes per second, from results here.",
        _measured,
    ),
    Trait(
        "write_degradation",
        "Slower after long writing",
        "Whether a log’s constant writes slow it down, and whether it recovers.",
        _with_caveats(CaveatKind.WRITE_CLIFF, ClaimQuantity.WRITE_DEGRADATION),
    ),
    Trait(
        "content_dependence",
        "Depends on data content",
        "A controller that compresses is slower with data that it can’t compress.",
        _with_caveats(CaveatKind.COMPRESSION, ClaimQuantity.CONTENT_DEPENDENCE),
    ),
    Trait(
        "alignment_dependence",
        "Depends on alignment of writes",
        "Whether writes that don’t start at a flash page boundary are slower.",
        _claimed(ClaimQuantity.ALIGNMENT_DEPENDENCE),
    ),
    Trait(
        "partition_dependence",
        "Depends on alignment of partitions",
        "Whether a partition that doesn’t start at a flash page boundary makes it slower.",
        _claimed(ClaimQuantity.PARTITION_DEPENDENCE),
    ),
    Trait(
        "trim_dependence",
        "Depends on TRIM",
        "Whether it stays fast only if freed blocks are trimmed.",
        _claimed(ClaimQuantity.TRIM_DEPENDENCE),
    ),
    Trait(
        "iops_per_dollar",
        "Sustained writes per dollar",
        "The claimed steady state divided by the latest price of that capacity in US dollars.",
        _per_dollar,
    ),
    Trait("endurance", "Endurance", "How much can be written, as stated by its maker or others.", _endurance),
    Trait("warranty", "Warranty", "In years, as stated.", _claimed(ClaimQuantity.WARRANTY)),
    Trait(
        "separate_controller",
        "Separate HBA or controller",
        "Whether it needs one: one more hop, and one more part that can fail.",
        _separate_hba,
    ),
    Trait(
        "external_power",
        "External power backup",
        "Whether its cache needs an external battery or UPS to survive a power cut.",
        _external_power,
    ),
    Trait("plp", "Power-loss protection", "Whether acknowledged writes survive a power cut.", _protection),
)


def find_subjects(slugs: Sequence[str]) -> list[TraitSubject]:
    """The products in this order with what is stated and measured. Seven queries; raises UnknownProductsError."""
    products = {
        product.slug: product
        for product in Product.objects.filter(slug__in=slugs)
        .select_related("vendor")
        .prefetch_related(
            Prefetch("claims", Claim.objects.order_by("pk")),
            Prefetch("caveats", Caveat.objects.order_by("pk")),
        )
    }
    missing = [slug for slug in slugs if slug not in products]
    if missing:
        raise UnknownProductsError(missing)
    ids = [product.pk for product in products.values()]
    prices = {price.product_id: price for price in load_line_prices(ids) if price.currency == "USD"}
    dollars = newest_first(load_shown(ids))
    lasting = {
        row["device__product_id"]: row for row in reversed(newest_sustained(Q(device__product__in=ids)))
    }
    best: dict[int, DeviceRanking] = {}
    rows = main_rows().filter(device__product__in=ids).select_related("device")
    for row in rows.order_by("-high", "-device_id"):
        best[row.device.product_id] = row  # type: ignore[index] # of a product
    return [
        TraitSubject(
            product=products[slug],
            price=prices.get(products[slug].pk),
            ranking=best.get(products[slug].pk),
            sustained=lasting.get(products[slug].pk),
            prices=[price for price in dollars if price.product_id == products[slug].pk],
        )
        for slug in slugs
    ]


def default_slugs() -> list[str]:
    """The product of each class of which most is known: traits first, then measured devices. One query."""
    for_traits = [trait.key for trait in TRAITS if trait.key in ClaimQuantity.values]
    rows = (
        Product.objects.annotate(
            traits=Count("claims", filter=Q(claims__quantity__in=for_traits), distinct=True),
            stated=Count("claims", distinct=True),
            measured=Count("devices", filter=Q(devices__result_count__gt=0), distinct=True),
        )
        .order_by("traits", "measured", "stated", "-slug")
        .values_list("device_class", "slug")
    )
    chosen = dict(rows)  # the last one of a class
    return [chosen[value] for value, _ in CATALOGUE_CLASSES if value in chosen][:MAX_PRODUCTS]


def known_of(trait: Trait, subject: TraitSubject) -> list[KnownTrait]:
    """What is known of a trait, each statement once."""
    return list({(value.text, value.source_url): value for value in trait.find(subject)}.values())
