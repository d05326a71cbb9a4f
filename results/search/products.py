"""Find products by name, model string, words, or similar names, best first."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

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
from results.catalogue.matching.patterns import Known, Matcher
from results.core.public import reader

# Words are similar from here on: two swapped letters of seven yield 0.33, one missing letter of five 0.5.
LEAST_SIMILARITY = 0.3
LEAST_SIMILAR_NAME = 0.25  # two swapped letters of six yield 0.27
PER_LETTER = 0.01  # of similarity, for a difference in length: P4800X before P400 for P4080X
NEARLY_AS_SIMILAR = 0.8
MOST_SIMILAR = 50
MOST_WORDS = 8  # the rest of the text is ignored
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
_SIMILAR = """
    SELECT form, similarity(%(text)s, form) FROM unnest(%(forms)s::text[]) AS form
    WHERE similarity(%(text)s, form) >= %(least)s
"""


class FoundProducts(NamedTuple):
    """Ids of products, best first.

    `match` is the only one that the text names, by its full name if `is_name`, else by a model string or with a
    capacity. `is_shared`: several have this name; `is_similar`: their names are only similar.
    """

    ids: Sequence[int]
    match: int | None = None
    is_name: bool = False
    is_shared: bool = False
    is_similar: bool = False


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
    """

    titles: Sequence[tuple[int, str]]
    by_name: NameIndex[int]
    all: Sequence[_ProductName]
    models: Sequence[_ProductName]
    vendors: Sequence[str]
    vendor_words: frozenset[str]


def find_products(text: str) -> FoundProducts:
    """Every product that `text` may refer to. Up to six queries."""
    names = product_names()
    found = _find_exactly(names, text)
    if found is None and (other := _for_another_oem(text)):
        found = _find_exactly(names, other)
    return found or _by_words(names, text)


def _for_another_oem(text: str) -> str:
    """The part number without its customer suffix, or with one if missing; else ""."""
    part = text.strip()
    if _CUSTOMER.search(part):
        return _CUSTOMER.sub("", part)
    return f"{part}{_ANY_CUSTOMER}" if _SAMSUNG_PART.fullmatch(part) else ""


def _find_exactly(names: Names, text: str) -> FoundProducts | None:
    match = names.by_name.find(text)
    if match is None:
        shared = _products_named(names, normalize_name(text)) or _products_named(
            names, without_capacity(text)
        )
        if shared:
            return FoundProducts(shared, is_shared=len(shared) > 1)
        match = find_by_model(text, names.vendors)
    if match is not None:
        is_name = match in _products_named(names, normalize_name(text))
        return FoundProducts([match], match=match, is_name=is_name)
    return None


def find_by_model(text: str, vendors: Iterable[str]) -> int | None:
    """The only product with a pattern for this model string, as written or in capitals.

    The vendor may be missing from the string.
    """
    model = text.strip().upper()
    if len(model) < SHORTEST_MODEL or not any(letter.isdigit() for letter in model):
        return None
    matcher = current_matcher()
    if (known := matcher.find([*names_to_try(text.strip()), *names_to_try(model)])) is not None:
        return known.product_id
    if " " in model:
        return None
    found = {one.product_id for vendor in vendors if (one := _of_vendor(matcher, vendor, model)) is not None}
    return found.pop() if len(found) == 1 else None


def _of_vendor(matcher: Matcher[Known], vendor: str, model: str) -> Known | None:
    return matcher.find([f"{vendor.upper()} {model}"])


def product_names() -> Names:
    """The names as currently stored. One query."""
    with reader().cursor() as cursor:
        cursor.execute(_NAMES)
        return _names(tuple(cursor.fetchall()))


@lru_cache(maxsize=1)
def _names(rows: tuple[tuple[int, str, str, str, str], ...]) -> Names:
    """Index the names; cached while none changes."""
    listed = [Named(pk, vendor, [name, *aliases.split("\n")]) for pk, vendor, name, aliases, _ in rows]
    vendors = sorted({one for _, vendor, *_ in rows for one in vendor.split(VENDOR_SEPARATOR)})
    words = {word for vendor in vendors for word in words_of(vendor)}
    product_names = [_product_name(one, name) for one in listed for name in one.names if normalize_name(name)]
    models = [
        _product_name(Named(pk, vendor, []), model)
        for pk, vendor, _, _, model in rows
        if normalize_name(model)
    ]
    titles = [(pk, f"{vendor} {name}".lower()) for pk, vendor, name, *_ in rows]
    return Names(titles, NameIndex(listed), product_names, models, vendors, frozenset(words | _BRAND_WORDS))


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
    return list(dict.fromkeys(one.product_id for one in names.all if form in one.forms))


def _by_words(names: Names, text: str) -> FoundProducts:
    """Products with all words; else those whose names begin with them, then similar ones."""
    words, form = words_of(text)[:MOST_WORDS], normalize_name(text)
    if not words:
        return FoundProducts([])
    without_vendor = [word for word in words if word not in names.vendor_words] or words
    model = "".join(without_vendor)
    with_all = _with_words(names, words)
    by_other_vendor = _products_named(names, model) or _nearest(_with_words(names, without_vendor), model)
    parts = [one for one in names.all if all(word in one.joined for word in words)]
    at_starts = [one for one in parts if all(_starts_one(word, one.words) for word in words)]
    spelled = {form, _BETWEEN_WORDS.sub("", text.casefold())}  # apart from blanks and hyphens
    written = [one.product_id for one in (*names.models, *names.all) if not spelled.isdisjoint(one.forms)]
    named = [*_nearest(with_all, form), *written, *by_other_vendor]
    similar = [] if named else _find_similar(names, form)
    named += _nearest(at_starts, form)
    # Within longer words, such as SS300 in HWE32SS3008M001N; of few letters only if no word begins with them
    inside = [] if named and len(form) < SHORTEST_PART else _nearest(parts, form)
    found = dict.fromkeys([*named, *similar, *inside])
    return FoundProducts(list(found), is_similar=not (with_all or by_other_vendor or parts))


def _starts_one(word: str, words: Iterable[str]) -> bool:
    return any(one.startswith(word) for one in words)


def _with_words(names: Names, words: Iterable[str]) -> list[_ProductName]:
    return [one for one in names.all if one.words.issuperset(words)]


def _nearest(product_names: Iterable[_ProductName], form: str) -> list[int]:
    """Their products, by how little their name differs in length from `form`."""
    extra: dict[int, int] = {}
    for one in product_names:
        length = min(abs(len(name) - len(form)) for name in one.forms)
        extra[one.product_id] = min(length, extra.get(one.product_id, length))
    return sorted(extra, key=lambda pk: (extra[pk], pk))


def _find_similar(names: Names, form: str) -> list[int]:
    """Products with a name or model string nearly as similar as the best one, by pg_trgm. One query."""
    forms = {form for one in (*names.all, *names.models) for form in one.forms}
    with reader().cursor() as cursor:
        cursor.execute(_SIMILAR, {"text": form, "forms": list(forms), "least": LEAST_SIMILAR_NAME})
        similarity: dict[str, float] = dict(cursor.fetchall())
    found: dict[int, float] = {}
    for one in (*names.all, *names.models):
        for each in one.forms & similarity.keys():
            score = similarity[each] - PER_LETTER * abs(len(each) - len(form))
            found[one.product_id] = max(score, found.get(one.product_id, score))
    least = NEARLY_AS_SIMILAR * max(found.values(), default=0)
    nearest = sorted((pk for pk in found if found[pk] >= least), key=lambda pk: (-found[pk], pk))
    return nearest[:MOST_SIMILAR]
