"""Match model names to products, by patterns and names that each process caches.

Model strings printed by tools match by pattern only. Names written by people also match by full name.
"""

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from django.db.models import Count, DecimalField, Sum
from django.db.models.functions import Extract

from parsers.base.device_class import DeviceClass
from parsers.classify.patterns import KNOWN_BY_NAME
from results.catalogue.matching.names import Named, NameIndex
from results.catalogue.matching.patterns import ClassCatalogue, KnownModel, Matcher
from results.models import Product

LONGEST_PATTERN = 500
MAX_OPEN_REPEATS = 4  # matching time grows with the name's length to this power
CUT_LENGTH = 16  # of a SATA disk's name behind a SAS adapter, which CAM prefixes with "ATA "
_SELLERS = "(?:Dell|HPE?|Lenovo|IBM|Cisco|EMC|Oracle|NetApp)"
_CHARACTER_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]")
_ESCAPE = re.compile(r"\\.")
_NAMED_OR_REFERRED_TO = re.compile(r"\(\?P|\\[1-9]")
_REPEATED_GROUP = re.compile(r"\)[*+{]")
_OPEN_REPEAT = re.compile(r"[*+]|\{\d*,\}")


class PatternError(ValueError):
    """A pattern is refused; the message says why."""


def check_pattern(pattern: str) -> str:
    """Return `pattern` if it is accepted; raises PatternError.

    Groups must not be repeated, and unbounded repeats are limited, so that matching always ends soon. Nor may groups
    have names or be referred to: a product's patterns are compiled as one.
    """
    try:
        re.compile(pattern)
    except re.error as error:
        raise PatternError(f"{pattern!r} does not compile: {error}") from error
    plain = _CHARACTER_CLASS.sub("C", _ESCAPE.sub("E", pattern))
    if not plain.startswith("^") or len(pattern) > LONGEST_PATTERN:
        raise PatternError(f"{pattern!r} does not begin with ^, or is too long")
    if _REPEATED_GROUP.search(plain) or len(_OPEN_REPEAT.findall(plain)) > MAX_OPEN_REPEATS:
        raise PatternError(f"{pattern!r} repeats a group or has too many repeats: it could take forever")
    if _NAMED_OR_REFERRED_TO.search(pattern):
        raise PatternError(
            f"{pattern!r} names a group or refers back to one, which isn't allowed in a product's patterns"
        )
    return pattern


def names_to_try(model_name: str, vendor: str = "") -> list[str]:
    """The names to match a device by, its own name first."""
    names = [model_name]
    if vendor and model_name.startswith(f"{vendor} "):
        names.append(model_name.removeprefix(f"{vendor} "))
    if len(model_name) <= CUT_LENGTH:
        names.append(f"ATA {model_name}")
    return names


class _CatalogueState(NamedTuple):
    """A cache key that changes with every change of a product.

    That includes a change by a transaction that began before another and committed after it.
    """

    products: int
    changed_at: Decimal | None  # the sum over all products, in seconds


def current_matcher() -> Matcher[KnownModel]:
    """The patterns as currently stored. One query while they are unchanged."""
    return _compile(_current_state())


def current_names() -> NameIndex[KnownModel]:
    """The names as currently stored. One query while they are unchanged."""
    return _index(_current_state())


def _current_state() -> _CatalogueState:
    seconds = Sum(Extract("changed_at", "epoch", output_field=DecimalField()))
    return _CatalogueState(**Product.objects.aggregate(products=Count("pk"), changed_at=seconds))


@lru_cache(maxsize=1)
def _compile(state: _CatalogueState) -> Matcher[KnownModel]:  # noqa: ARG001 - the cache key
    return Matcher(
        (KnownModel(product.pk, DeviceClass(product.device_class)), patterns_of(product))
        for product in Product.objects.only("id", "device_class", "patterns", "oem_names")
    )


def patterns_of(product: Product) -> list[str]:
    """Its patterns, and one for the names under which others sell it, with or without the seller's."""
    names = "|".join(re.escape(entry["name"]) for entry in product.oem_names)
    return [*product.patterns, *([rf"^(?:{_SELLERS} +)?(?:{names})$"] if names else [])]


@lru_cache(maxsize=1)
def _index(state: _CatalogueState) -> NameIndex[KnownModel]:  # noqa: ARG001 - the cache key
    rows = Product.objects.values_list("id", "device_class", "vendor__name", "name", "aliases")
    return NameIndex(
        Named(KnownModel(pk, DeviceClass(value)), vendor, [name, *aliases])
        for pk, value, vendor, name, aliases in rows
    )


def match_product(
    model_name: str, vendor: str = "", *, matcher: Matcher[KnownModel] | None = None
) -> int | None:
    """The id of the device's product; pass `matcher` to look up many."""
    known = (matcher or current_matcher()).find(names_to_try(model_name, vendor))
    return known.product_id if known else None


def find_named(
    name: str, vendor: str, device_class: str, *, names: NameIndex[KnownModel] | None = None
) -> KnownModel | None:
    """The only product named `name`, with that vendor and a compatible class."""
    known = (names or current_names()).find(name, vendor)
    fits = known is not None and refine_class(device_class, known.device_class) == known.device_class
    return known if fits else None


def refine_class(read_class: str, known_class: str) -> str:
    """The class of a device by its output and product, as parsers.classify decides."""
    if read_class == DeviceClass.UNKNOWN or known_class in KNOWN_BY_NAME:
        return known_class
    is_hybrid = known_class == DeviceClass.SSHD and read_class == DeviceClass.HDD
    return known_class if is_hybrid else read_class


def class_catalogue() -> ClassCatalogue:
    """The class of a model name, for parsers.classify."""
    return _catalogue(current_matcher())


@lru_cache(maxsize=1)
def _catalogue(matcher: Matcher[KnownModel]) -> ClassCatalogue:
    """The same object while the catalogue is unchanged, so that parsers can cache, and it is sent only once."""
    return ClassCatalogue(matcher)
