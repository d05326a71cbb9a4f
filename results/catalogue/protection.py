"""Power-loss protection and endurance on pages: values, sources, what is missing."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

from parsers.base.units import GIGABYTE, TERABYTE
from results.core.addresses import address
from results.core.formats import format_capacity
from results.models import Product
from results.models.choices import (
    PLP_FLAGS,
    PROBABLY_PROTECTED,
    Plp,
    PlpEvidence,
    ProductFlag,
    is_indirect_yes,
    plp_badge,
)
from results.models.fact import is_about

MEANINGS = {
    Plp.YES: "Acknowledged writes survive power loss, according to the cited sources.",
    Plp.BY_DESIGN: "No volatile cache in front of the medium, as the OpenZFS docs say about all Optane drives. "
    "The maker does not claim this.",
    Plp.EXTERNAL: "Acknowledged writes survive as long as a battery or a UPS lasts.",
    Plp.PARTIAL: "Flushed writes and the drive's tables survive a power cut, but not what is still in its cache.",
    Plp.NO: "Nothing powers the drive's cache in a power cut: however fast it is, it can lose acknowledged writes.",
    Plp.DISPUTED: "The sources disagree.",
    Plp.UNKNOWN: "We don't know yet whether acknowledged writes survive a power cut.",
}
PROBABLE = (
    "Acknowledged writes probably survive a power cut, but no source confirms it for this model. Filters count it as "
    "unknown."
)
NOT_IN_CATALOGUE = "Our catalogue has no product with this model name, so we have no sources for it."
_NO_SOURCE = (
    "Missing: a source, such as a data sheet, a review that shows the board, or a capacitor self-test."
)
_ONLY_WEAK = "Missing: a source about exactly this model. The sources below don't settle it:"
_ENDURANCE_FLAGS = (ProductFlag.ENDURANCE_PARTLY_STATED, ProductFlag.ENDURANCE_QUOTED)
WRITTEN_GB_A_DAY = 100  # the calculator's default
_GITHUB = frozenset({"github.com", "raw.githubusercontent.com"})
_LONGEST_PAGE = 50  # characters of a page's name


def safety_context(product: Product | None) -> dict[str, Any]:
    """The context of templates/results/parts/safety.html."""
    if product is None:
        return {
            **plp_badge(None),
            "meaning": MEANINGS[Plp.UNKNOWN],
            "missing": NOT_IN_CATALOGUE,
            "statements": [],
            "caveats": "",
        }
    return {
        **product.plp_badge,
        "meaning": PROBABLE if product.is_probably_protected else MEANINGS[Plp(product.plp)],
        "missing": _missing(product),
        "statements": [_statement(one) for one in product.plp_statements],
        "caveats": _labels(product, PLP_FLAGS),
    }


def _missing(product: Product) -> str:
    if product.plp != Plp.UNKNOWN:
        return ""
    return _ONLY_WEAK if product.plp_statements else _NO_SOURCE


def _statement(one: dict[str, str]) -> dict[str, str]:
    return {
        "label": PROBABLY_PROTECTED if is_indirect_yes(one) else Plp(one["value"]).label,
        "evidence": PlpEvidence(one["evidence"]).label,
        "note": one.get("note", ""),
        **source_link(one["url"]),
    }


def source_link(url: str) -> dict[str, str]:
    """A source as a link: its URL, and as text the site or repository, also with the page."""
    parts = urlsplit(url)
    site = (parts.hostname or url).removeprefix("www.")
    folder, _, last = unquote(parts.path).strip("/").rpartition("/")
    if site in _GITHUB and "/" in folder:
        _, repository, *_ = folder.split("/")
        site = f"{repository} on GitHub"
    return {"url": url, "site": site, "page": f"{site}: {last[:_LONGEST_PAGE]}" if last else site}


def _labels(product: Product, flags: tuple[ProductFlag, ...]) -> str:
    return as_sentences(flag.label for flag in flags if flag.value in product.flags)


def as_sentences(clauses: Iterable[str]) -> str:
    """Capitalize each clause and end it with a period."""
    return " ".join(f"{clause[0].upper()}{clause[1:]}." for clause in clauses)


def endurance_context(product: Product, capacity_bytes: int | None = None) -> dict[str, Any] | None:
    """Rated endurance with its source, of one capacity if given; None if not stated."""
    rows = [
        one
        for one in product.endurance_tbw
        if capacity_bytes is None or is_about(one["capacity_bytes"], capacity_bytes)
    ]
    is_of_capacity = capacity_bytes is not None and product.endurance_dwpd_low is not None
    written = [_written(one) for one in rows if one["capacity_bytes"] or not is_of_capacity]
    if product.endurance_dwpd_low is None and not written:
        return None
    return {
        "drive_writes": _drive_writes(product, capacity_bytes),
        "written": written,
        "source": source_link(product.endurance_source_url),
        "caveats": _labels(product, _ENDURANCE_FLAGS),
        "calculator_url": _calculator_url(product, capacity_bytes),
    }


def _calculator_url(product: Product, capacity_bytes: int | None) -> str:
    """The URL of the lifetime calculator, with the product if that is sufficient."""
    params: dict[str, str | int] = {"written": WRITTEN_GB_A_DAY, "product": product.slug}
    if not product.endurance_tbw:
        if capacity_bytes is None:
            return address("guide-lifetime")
        params["capacity"] = max(round(capacity_bytes / GIGABYTE), 1)
    return f"{address('guide-lifetime')}?{urlencode(params)}"


def _drive_writes(product: Product, capacity_bytes: int | None) -> str:
    """The line's range, or the least that holds for the capacity."""
    low, high = product.endurance_dwpd_low, product.endurance_dwpd_high
    if low is None or high is None:
        return ""
    amount = f"{low.normalize():f}"
    if low != high:
        amount = f"at least {amount}" if capacity_bytes else f"{amount} to {high.normalize():f}"
    return f"{amount} a day for {product.endurance_years} years"


def _written(one: dict[str, Any]) -> dict[str, str]:
    written = one["written_bytes"]
    if one["capacity_bytes"] is None:
        return {"capacity": "the largest model", "amount": f"up to {format_capacity(written)}"}
    return {"capacity": format_capacity(one["capacity_bytes"]), "amount": f"{written / TERABYTE:,.0f} TB"}
