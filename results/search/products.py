"""Find products by name, model string, words, or similar names, best first."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from django.db.models import TextChoices

from results.catalogue.matching.match import current_matcher, names_to_try
from results.catalogue.matching.names import (
    VENDOR_SEPARATOR,
    Named,
    NameIndex,
    normalize_name,
    vendors_of,
    without_capacity,
    words_of,
)
from results.catalogue.matching.patterns import KnownModel, Matcher
from results.core.public import reader

# Words are similar from here on: two swapped letters of seven yield 0.33, one missing letter of five 0.5.
MIN_SIMILARITY = 0.3
MIN_SIMILAR_NAME = 0.25  # two swapped letters of six yield 0.27
PER_LETTER = 0.01  # of similarity, for a difference in length: P4800X before P400 for P4080X
NEARLY_AS_SIMILAR = 0.8
MAX_SIMILAR = 50
MAX_WORDS = 8  # the rest of the text is ignored
SHORTEST_PART = 4  # letters; shorter texts are found within words by chance
SHORTEST_MODEL = 6  # letters; shorter model strings are words
# Suffixes of Samsung's and Micron's part numbers that name the customer, such as -000L7 or -1AW1ZABYY.
_CUSTOMER = re.compile(r"(?<=\w{8})-(?:0[0-9A-Z]{4}|1A[0-9A-Z]{7})$", re.IGNORECASE)
_SAMSUNG_PART = re.compile(r"(samsung )?MZ[0-9A-Z]{8,12}", re.IGNORECASE)
_ANY_CUSTOMER = "-00000"
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_BRAND_WORDS = {"wd", "wdc"}  # used for a vendor, in addition to its name

_NAMES = """
    SELECT product.id, vendor.name, product.name, array_to_string(product.aliases, chr(10)), product.example_model
    FROM results_product AS product JOIN results_vendor AS vendor ON vendor.id = product.vendor_id
    ORDER BY product.id
"""


class Match(TextChoices):
    """How a text names what was found, the best first."""

    EXACT = "exact", "the only one that the text names"
    SHARED = "shared", "the text names it and others"
    SIMILAR = "similar", "another name, which is only similar or longer"


class FoundProducts(NamedTuple):
    """Ids of products, best first.

    `match` is the only one that the text names, by its full name if `is_name`, else by a model string or with a
    capacity. `named` are those with all words of the text. `is_shared`: several have this name; `is_similar`: their
    names are only similar.
    """

    ids: Sequence[int]
    match: int | None = None
    named: Sequence[int] = ()
    is_name: bool = False
    is_shared: bool = False
    is_similar: bool = False

    @property
    def only(self) -> int | None:
        """The only product that the text names."""
        return self.named[0] if self.match is None and len(self.named) == 1 else self.match

    def match_of(self, product_id: int) -> Match:
        """How the text names one of `ids`."""
        if product_id == self.only:
            return Match.EXACT
        return Match.SHARED if product_id in self.named else Match.SIMILAR


class _ProductName(NamedTuple):
    """A product's name: its words and its vendor's, and normalized forms."""

    product_id: int
    words: frozenset[str]
    alone: str
    joined: str
    forms: frozenset[str]


class Names(NamedTuple):
    """All names of all products, lower-case titles by id, and words of vendors' names.

    `models` are model strings, one per product: they are not names, but a text similar to one is a misspelling.
    `by_trigram` has the forms of names and model strings with these three letters.
    """

    titles: Sequence[tuple[int, str]]
    by_name: NameIndex[int]
    all: Sequence[_ProductName]
    models: Sequence[_ProductName]
    vendors: Sequence[str]
    vendor_words: frozenset[str]
    by_trigram: Mapping[str, Sequence[str]]


def find_products(text: str) -> FoundProducts:
    """Every product that `text` may refer to. Up to four queries."""
    return ProductFinder().find(text)


class ProductFinder:
    """Finds the products of one text or of many, by the names and patterns as currently stored."""

    def __init__(self) -> None:
        self._names = product_names()

    @cached_property
    def _matcher(self) -> Matcher[KnownModel]:
        return current_matcher()

    def find(self, text: str) -> FoundProducts:
        """Every product that `text` may refer to."""
        found = self._find_exactly(text)
        if found is None and (other := _for_another_oem(text)):
            found = self._find_exactly(other)
        return found or _by_words(self._names, text)

    def _find_exactly(self, text: str) -> FoundProducts | None:
        names, form = self._names, normalize_name(text)
        match = names.by_name.find(text)
        if match is None:
            shared = _products_named(names, form) or _products_named(names, without_capacity(text))
            if shared:
                return FoundProducts(shared, named=shared, is_shared=len(shared) > 1)
            match = self._find_by_model(text)
        if match is None:
            return None
        return FoundProducts([match], match=match, is_name=match in _products_named(names, form))

    def _find_by_model(self, text: str) -> int | None:
        """The only product with a pattern for this model string, as written or in capitals.

        The vendor may be missing from the string.
        """
        model = text.strip().upper()
        if len(model) < SHORTEST_MODEL or not any(letter.isdigit() for letter in model):
            return None
        matcher = self._matcher
        if (known := matcher.find([*names_to_try(text.strip()), *names_to_try(model)])) is not None:
            return known.product_id
        if " " in model:
            return None
        named = (matcher.find([f"{vendor.upper()} {model}"]) for vendor in self._names.vendors)
        found = {name.product_id for name in named if name is not None}
        return found.pop() if len(found) == 1 else None


def _for_another_oem(text: str) -> str:
    """The part number without its customer suffix, or with one if missing; else ""."""
    part = text.strip()
    if _CUSTOMER.search(part):
        return _CUSTOMER.sub("", part)
    return f"{part}{_ANY_CUSTOMER}" if _SAMSUNG_PART.fullmatch(part) else ""


def product_names() -> Names:
    """The names as currently stored. One query."""
    with reader().cursor() as cursor:
        cursor.execute(_NAMES)
        return _names(tuple(cursor.fetchall()))


@lru_cache(maxsize=1)
def _names(rows: tuple[tuple[int, str, str, str, str], ...]) -> Names:
    """Index the names; cached while none changes."""
    listed = [Named(pk, vendor, [name, *aliases.split("\n")]) for pk, vendor, name, aliases, _ in rows]
    vendors = sorted({name for _, vendor, *_ in rows for name in vendor.split(VENDOR_SEPARATOR)})
    words = {word for vendor in vendors for word in words_of(vendor)}
    product_names = [
        _product_name(named, name) for named in listed for name in named.names if normalize_name(name)
    ]
    models = [
        _product_name(Named(pk, vendor, []), model)
        for pk, vendor, _, _, model in rows
        if normalize_name(model)
    ]
    titles = [(pk, f"{vendor} {name}".lower()) for pk, vendor, name, *_ in rows]
    by_trigram: defaultdict[str, list[str]] = defaultdict(list)
    for form in {form for name in (*product_names, *models) for form in name.forms}:
        for trigram in _trigrams(form):
            by_trigram[trigram].append(form)
    vendor_words = frozenset(words | _BRAND_WORDS)
    return Names(titles, NameIndex(listed), product_names, models, vendors, vendor_words, dict(by_trigram))


def _product_name(product: Named[int], name: str) -> _ProductName:
    alone = normalize_name(name)
    vendors = vendors_of(product.vendor)
    return _ProductName(
        product.owner,
        frozenset([*words_of(product.vendor), *words_of(name)]),
        alone,
        normalize_name(product.vendor) + alone,
        frozenset([alone, *(vendor + alone for vendor in vendors)]),
    )


def _products_named(names: Names, form: str) -> list[int]:
    """The products with this normalized name, with or without their vendor's."""
    return list(dict.fromkeys(name.product_id for name in names.all if form in name.forms))


def _by_words(names: Names, text: str) -> FoundProducts:
    """Products with all words; else those whose names begin with them, then similar ones."""
    words, form = words_of(text)[:MAX_WORDS], normalize_name(text)
    if not words:
        return FoundProducts([])
    without_vendor = [word for word in words if word not in names.vendor_words] or words
    model = "".join(without_vendor)
    with_all = _with_words(names, words)
    by_other_vendor = _products_named(names, model) or _nearest(_with_words(names, without_vendor), model)
    parts = [name for name in names.all if all(word in name.joined for word in words)]
    at_starts = [part for part in parts if all(_starts_one(word, part.words) for word in words)]
    spelled = {form, _BETWEEN_WORDS.sub("", text.casefold())}  # apart from blanks and hyphens
    written = [name.product_id for name in (*names.models, *names.all) if not spelled.isdisjoint(name.forms)]
    named = [*_nearest(with_all, form), *written, *by_other_vendor]
    similar = [] if named else _find_similar(names, form)
    named += _nearest(at_starts, form)
    # Within longer words, such as SS300 in HWE32SS3008M001N; of few letters only if no word begins with them
    inside = [] if named and len(form) < SHORTEST_PART else _nearest(parts, form)
    found = dict.fromkeys([*named, *similar, *inside])
    return FoundProducts(
        list(found),
        named=list(dict.fromkeys([*_nearest(with_all, form), *written])),
        is_similar=not (with_all or by_other_vendor or parts),
    )


def _starts_one(word: str, words: Iterable[str]) -> bool:
    return any(other.startswith(word) for other in words)


def _with_words(names: Names, words: Iterable[str]) -> list[_ProductName]:
    return [name for name in names.all if name.words.issuperset(words)]


def _nearest(product_names: Iterable[_ProductName], form: str) -> list[int]:
    """Their products, by how little their name differs in length from `form`."""
    extra: dict[int, int] = {}
    for entry in product_names:
        length = min(abs(len(name) - len(form)) for name in entry.forms)
        extra[entry.product_id] = min(length, extra.get(entry.product_id, length))
    return sorted(extra, key=lambda pk: (extra[pk], pk))


def _find_similar(names: Names, form: str) -> list[int]:
    """Products with a name or model string nearly as similar as the best one: the share of trigrams that both have.

    That is pg_trgm's similarity; a query is slower, as it is sent all names.
    """
    trigrams = _trigrams(form)
    shared = Counter(other for each in trigrams for other in names.by_trigram.get(each, ()))
    similarity = {
        other: share
        for other, count in shared.items()
        if (share := count / len(trigrams | _trigrams(other))) >= MIN_SIMILAR_NAME
    }
    found: dict[int, float] = {}
    for name in (*names.all, *names.models):
        for each in name.forms & similarity.keys():
            score = similarity[each] - PER_LETTER * abs(len(each) - len(form))
            found[name.product_id] = max(score, found.get(name.product_id, score))
    least = NEARLY_AS_SIMILAR * max(found.values(), default=0)
    nearest = sorted((pk for pk in found if found[pk] >= least), key=lambda pk: (-found[pk], pk))
    return nearest[:MAX_SIMILAR]


def _trigrams(form: str) -> frozenset[str]:
    """Each three letters of a word that blanks surround, as pg_trgm has them."""
    padded = f"  {form} "
    return frozenset(padded[start : start + 3] for start in range(len(form) + 1))
