"""Power-loss protection and endurance on pages: values, sources, what is missing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from urllib.parse import urlencode

from django.utils.text import capfirst

from parsers.base.units import GIGABYTE, TERABYTE
from results.advice.criteria import from_drive_writes
from results.advice.form_factor import only_slot
from results.advice.protection import PROTECTIONS, Protection
from results.catalogue.endurance import Claimed, Endurance, Rating, find_endurance
from results.core.addresses import address, with_query
from results.core.formats import format_capacity
from results.models import Product
from results.models.choices import (
    LOSES_DATA,
    PLP_FLAGS,
    PROBABLY_PROTECTED,
    Badge,
    Plp,
    PlpEvidence,
    ProductFlag,
    is_indirect_yes,
    is_probably_protected,
    plp_badge,
    strongest_first,
)

NOT_IN_CATALOGUE = "Our catalogue has no product with this model name, so we have no sources for it."
_NO_SOURCE = (
    "Missing: a source, such as a data sheet, a review that shows the board, or a capacitor self-test."
)
_ONLY_WEAK = "Missing: a source about exactly this model. The sources below don't settle it:"
_ENDURANCE_FLAGS = (ProductFlag.ENDURANCE_PARTLY_STATED, ProductFlag.ENDURANCE_QUOTED)
WRITTEN_GB_A_DAY = 100  # the calculator's default


@dataclass(frozen=True, slots=True)
class Statement:
    """What a source says of a drive's protection, and what kind of evidence that is."""

    label: str
    evidence: str
    note: str
    url: str


@dataclass(frozen=True, slots=True)
class Safety:
    """Protection: its badge, what that means, what is missing or limits it, and its sources, the better first."""

    badge: Badge
    meaning: str
    missing: str
    statements: Sequence[Statement] = ()
    caveats: str = ""


def find_safety(product: Product | None) -> Safety:
    meaning = product_protection(product).meaning
    if product is None:
        return Safety(plp_badge(None), meaning, NOT_IN_CATALOGUE)
    missing = _ONLY_WEAK if product.plp_statements else _NO_SOURCE
    return Safety(
        product.plp_badge,
        meaning,
        missing if product.plp == Plp.UNKNOWN else "",
        [_statement(statement) for statement in strongest_first(product.plp_statements)],
        as_sentences(flag.label for flag in PLP_FLAGS if flag.value in product.flags),
    )


def protection_key(plp: str, statements: Iterable[Mapping[str, str]]) -> str:
    """The key of PROTECTIONS, by the columns of a product.

    Partial protection meets what ZFS needs only if OpenZFS lists the drive, because its list requires that.
    """
    stated = list(statements)
    listed = {"value": Plp.PARTIAL.value, "evidence": PlpEvidence.OPENZFS_LIST.value}
    if any(statement.get("note", "").startswith(LOSES_DATA) for statement in stated):
        return "unsafe"
    if is_probably_protected(plp, stated):
        return "probable"
    is_listed = plp == Plp.PARTIAL and any(listed.items() <= statement.items() for statement in stated)
    return "listed" if is_listed else plp


def product_protection(product: Product | None) -> Protection:
    """The protection of a product, unknown without one."""
    if product is None:
        return PROTECTIONS[Plp.UNKNOWN]
    return PROTECTIONS[protection_key(product.plp, product.plp_statements)]


def instead_url(product: Product | None) -> str:
    """Where to find a better drive: the shortlist, for the product's slot if it has only one."""
    slot = only_slot(product.form_factors, product.interface) if product else ""
    return f"{with_query(address('shortlist'), form_factor=slot)}#answer"


def _statement(stated: Mapping[str, str]) -> Statement:
    return Statement(
        PROBABLY_PROTECTED if is_indirect_yes(stated) else Plp(stated["value"]).label,
        PlpEvidence(stated["evidence"]).label,
        stated.get("note", ""),
        stated["url"],
    )


def as_sentences(clauses: Iterable[str]) -> str:
    """Capitalize each clause and end it with a period."""
    return " ".join(f"{capfirst(clause)}." for clause in clauses)


@dataclass(frozen=True, slots=True)
class Written:
    """A rating in bytes as text: of which capacity, how much, and what it is computed from; "" if it is stated."""

    capacity: str
    amount: str
    basis: str = ""


@dataclass(frozen=True, slots=True)
class RatedEndurance:
    """Rated endurance with the addresses of its sources; `a_day` and `for_years` are "" without drive writes."""

    a_day: str
    for_years: str
    written: Sequence[Written]
    sources: Sequence[str]
    caveats: str
    calculator_url: str

    @property
    def drive_writes(self) -> str:
        return f"{self.a_day} {self.for_years}".strip()


def rated_endurance(
    product: Product, claims: Iterable[Claimed], capacity_bytes: int | None = None
) -> RatedEndurance | None:
    """Of one capacity if given; None if not known."""
    found = find_endurance(product, claims)
    drive_writes, written = found.drive_writes_of(capacity_bytes), _stated(found, capacity_bytes)
    if not (drive_writes or written):
        return None
    rated = found.of(capacity_bytes)
    rows = [_written(figure) for figure in written]
    if rated and rated.dwpd:
        computed = _written(Rating(capacity_bytes, rated.bytes, ""))
        rows.insert(0, replace(computed, basis=from_drive_writes(rated.dwpd)))
    used = [*drive_writes, *written]
    flags = [flag.label for flag in _ENDURANCE_FLAGS if flag.value in product.flags]
    quoted = [ProductFlag.ENDURANCE_QUOTED.label] if any(figure.is_quoted for figure in used) else []
    return RatedEndurance(
        *_drive_writes(drive_writes, found, capacity_bytes),
        rows,
        list(dict.fromkeys(figure.source_url for figure in used if figure.source_url)),
        as_sentences(dict.fromkeys([*flags, *quoted])),
        _calculator_url(product, found, capacity_bytes),
    )


def _stated(found: Endurance, capacity_bytes: int | None) -> Sequence[Rating]:
    """The ratings in bytes: of a capacity without any, and without drive writes, that of the largest model."""
    if capacity_bytes is None:
        return found.written
    for_largest = [
        figure for figure in found.written if figure.capacity_bytes is None and not found.drive_writes
    ]
    return [*found.written_of(capacity_bytes), *for_largest]


def _calculator_url(product: Product, found: Endurance, capacity_bytes: int | None) -> str:
    """The URL of the lifetime calculator, with the product if that is sufficient."""
    params: dict[str, str | int] = {"written": WRITTEN_GB_A_DAY, "product": product.slug}
    if capacity_bytes is not None and not found.written_of(capacity_bytes):
        params["capacity"] = max(round(capacity_bytes / GIGABYTE), 1)
    elif not found.written:
        return address("guide-lifetime")
    return f"{address('guide-lifetime')}?{urlencode(params)}"


def _drive_writes(figures: Sequence[Rating], found: Endurance, capacity_bytes: int | None) -> tuple[str, str]:
    """The line's range, or the least that holds for the capacity, and for how long; empty if there is none.

    If all ratings of a line name a variant, each is listed with its variants.
    """
    if not figures:
        return "", ""
    low, high = min(figure.value for figure in figures), max(figure.value for figure in figures)
    amount = f"{low.normalize():f}"
    if low != high and not capacity_bytes and all(figure.variant for figure in figures):
        amount = _by_variant(figures)
    elif low != high:
        amount = f"at least {amount}" if capacity_bytes else f"{amount} to {high.normalize():f}"
    years = f"for {found.years} years"
    return f"{amount} a day", years if found.stated_years else f"(we assume {years})"


def _by_variant(figures: Iterable[Rating]) -> str:
    """The drive writes of each variant, the fewest first: "1 (PRO), 3 (MAX)"."""
    variants: dict[Decimal, list[str]] = {}
    for figure in sorted(figures, key=lambda figure: figure.value):
        variants.setdefault(figure.value, []).append(figure.variant)
    return ", ".join(
        f"{value.normalize():f} ({', '.join(dict.fromkeys(names))})" for value, names in variants.items()
    )


def _written(figure: Rating) -> Written:
    if figure.capacity_bytes is None:
        return Written("the largest model", f"up to {format_capacity(figure.value)}")
    capacity = " ".join(filter(None, [figure.variant, format_capacity(figure.capacity_bytes)]))
    return Written(capacity, f"{figure.value / TERABYTE:,.0f} TB")
