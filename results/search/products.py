"""Which products a text means, best first: by name, by model string, by words, or by names spelled like it."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from results.catalogue.match import Known, Matcher, current_matcher, names_to_try
from results.catalogue.names import (
    VENDOR_SEPARATOR,
    Named,
    NameIndex,
    normalise_name,
    vendors_of,
    without_capacity,
    words_of,
)
from results.core.public import reader

# From here on up a word counts as alike: two letters of seven in each other's place are 0.33, one left out of five
# is 0.5.
ALIKE_FROM = 0.3
NEARLY_AS_LIKE = 0.8
MOST_ALIKE = 50
MOST_WORDS = 8  # that are looked at; the rest of a text of a hundred letters adds nothing
SHORTEST_MODEL = 6  # letters; shorter model strings are words
SHORTEST_MISSPELLED = 3  # letters; of two, one would be enough
SWAPPED, DOUBLED, LEFT_OUT, ADDED, REPLACED = range(5)  # slips of the keys, the most evident first
EVIDENT = {SWAPPED, DOUBLED, LEFT_OUT}
# Behind part numbers of Samsung and Micron: for whom it was made, such as -000L7 or -1AW1ZABYY.
_MADE_FOR = re.compile(r"(?<=\w{8})-(?:0[0-9A-Z]{4}|1A[0-9A-Z]{7})$", re.IGNORECASE)
_SAMSUNG_PART = re.compile(r"(samsung )?MZ[0-9A-Z]{8,12}", re.IGNORECASE)
_FOR_ANYBODY = "-00000"
_BRAND_WORDS = {"wd", "wdc"}  # that people write for a vendor, besides those of vendors' names

_NAMES = """
    SELECT product.id, vendor.name, product.name, array_to_string(product.aliases, chr(10)), product.example_model
    FROM results_product AS product JOIN results_vendor AS vendor ON vendor.id = product.vendor_id
    ORDER BY product.id
"""
_ALIKE = """
    SELECT id, max(greatest(
        similarity(%(text)s, name), similarity(%(text)s, vendor || ' ' || name), word_similarity(%(text)s, name)
    )) AS alike
    FROM (
        SELECT product.id, vendor.name AS vendor,
            unnest(product.name || product.aliases || product.example_model) AS name
        FROM results_product AS product JOIN results_vendor AS vendor ON vendor.id = product.vendor_id
    ) AS called
    GROUP BY id ORDER BY alike DESC, id LIMIT %(most)s
"""


class FoundProducts(NamedTuple):
    """Ids of products, best first.

    `meant` is the only one that the text names, by its whole name if `is_name`, else by a model string or with a
    capacity. `is_shared`: several have it as their name; `is_alike`: their names only resemble it.
    """

    ids: Sequence[int]
    meant: int | None = None
    is_name: bool = False
    is_shared: bool = False
    is_alike: bool = False


class _Called(NamedTuple):
    """A name of a product: its words with those of the vendor, and joined, alone and after each vendor."""

    product_id: int
    words: frozenset[str]
    alone: str
    joined: str
    forms: frozenset[str]


class Names(NamedTuple):
    """Every name of every product, vendor and name in lower case by id, and every word of vendors' names.

    `models` are model strings, one a product: no names, but what they resemble is misspelled.
    """

    titles: Sequence[tuple[int, str]]
    by_name: NameIndex[int]
    called: Sequence[_Called]
    models: Sequence[_Called]
    vendors: Sequence[str]
    vendor_words: frozenset[str]


def find_products(text: str) -> FoundProducts:
    """Every product that `text` may mean. Up to six queries."""
    names = product_names()
    found = _find_exactly(names, text)
    if found is None and (other := _for_another_oem(text)):
        found = _find_exactly(names, other)
    return found or _by_words(names, text)


def _for_another_oem(text: str) -> str:
    """The part number without the suffix that says for whom it was made, or with one if it has none; else ""."""
    part = text.strip()
    if _MADE_FOR.search(part):
        return _MADE_FOR.sub("", part)
    return f"{part}{_FOR_ANYBODY}" if _SAMSUNG_PART.fullmatch(part) else ""


def _find_exactly(names: Names, text: str) -> FoundProducts | None:
    meant = names.by_name.find(text)
    if meant is None:
        shared = _called_exactly(names, normalise_name(text)) or _called_exactly(
            names, without_capacity(text)
        )
        if shared:
            return FoundProducts(shared, is_shared=len(shared) > 1)
        meant = find_by_model(text, names.vendors)
    if meant is not None:
        is_name = meant in _called_exactly(names, normalise_name(text))
        return FoundProducts([meant], meant=meant, is_name=is_name)
    return None


def find_by_model(text: str, vendors: Iterable[str]) -> int | None:
    """The only product with a pattern for this model string, in any case, with or without its vendor."""
    model = text.strip().upper()
    if len(model) < SHORTEST_MODEL or not any(letter.isdigit() for letter in model):
        return None
    matcher = current_matcher()
    if (known := matcher.find(names_to_try(model))) is not None:
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
    """Cached while no product changes its names."""
    listed = [Named(pk, vendor, [name, *aliases.split("\n")]) for pk, vendor, name, aliases, _ in rows]
    vendors = sorted({one for _, vendor, *_ in rows for one in vendor.split(VENDOR_SEPARATOR)})
    words = {word for vendor in vendors for word in words_of(vendor)}
    called = [_called(one, name) for one in listed for name in one.names if normalise_name(name)]
    models = [
        _called(Named(pk, vendor, []), model) for pk, vendor, _, _, model in rows if normalise_name(model)
    ]
    titles = [(pk, f"{vendor} {name}".lower()) for pk, vendor, name, *_ in rows]
    return Names(titles, NameIndex(listed), called, models, vendors, frozenset(words | _BRAND_WORDS))


def _called(product: Named[int], name: str) -> _Called:
    alone = normalise_name(name)
    vendors = vendors_of(product.vendor)
    return _Called(
        product.owner,
        frozenset([*words_of(product.vendor), *words_of(name)]),
        alone,
        normalise_name(product.vendor) + alone,
        frozenset([alone, *(vendor + alone for vendor in vendors)]),
    )


def _called_exactly(names: Names, form: str) -> list[int]:
    """The products that have this normalised name, alone or after their vendor's."""
    return list(dict.fromkeys(one.product_id for one in names.called if form in one.forms))


def _by_words(names: Names, text: str) -> FoundProducts:
    """Products with all words, or with a name that is one slip away; else those with similar names."""
    words, form = words_of(text)[:MOST_WORDS], normalise_name(text)
    if not words:
        return FoundProducts([])
    without_vendor = [word for word in words if word not in names.vendor_words] or words
    model = "".join(without_vendor)
    whole = _with_words(names, words)
    by_other_vendor = _called_exactly(names, model) or _nearest(_with_words(names, without_vendor), model)
    parts = [one for one in names.called if all(word in one.joined for word in words)]
    slips = _slips(names.called, form)
    evident = [pk for pk, slip in slips or _slips(names.called, model) if slip in EVIDENT]
    replaced = [pk for pk, slip in slips if slip not in EVIDENT]
    misspelled = [pk for pk, slip in _slips(names.models, form) if slip in EVIDENT]
    written = [one.product_id for one in names.models if form in one.forms]  # but for blanks and hyphens
    named = [
        *_nearest(whole, form), *written, *evident, *misspelled, *by_other_vendor, *_nearest(parts, form)
    ]  # fmt: skip
    found = dict.fromkeys([*named, *([] if whole else replaced)])
    if found:
        return FoundProducts(list(found), is_alike=not (whole or by_other_vendor or parts))
    return FoundProducts(_alike(text), is_alike=True)


def _with_words(names: Names, words: Iterable[str]) -> list[_Called]:
    return [one for one in names.called if one.words.issuperset(words)]


def _nearest(called: Iterable[_Called], form: str) -> list[int]:
    """Their products, those first whose name is least longer than what was searched for."""
    extra: dict[int, int] = {}
    for one in called:
        length = min(abs(len(name) - len(form)) for name in one.forms)
        extra[one.product_id] = min(length, extra.get(one.product_id, length))
    return sorted(extra, key=lambda pk: (extra[pk], pk))


def _slips(called: Iterable[_Called], form: str) -> list[tuple[int, int]]:
    """Products with a name that is `form` but for one slip, and its kind, the likeliest first."""
    found: dict[int, int] = {}
    for one in called if len(form) >= SHORTEST_MISSPELLED else ():
        for name in one.forms:
            if abs(len(name) - len(form)) <= 1 and (slip := find_slip(form, name)) is not None:
                found[one.product_id] = min(slip, found.get(one.product_id, slip))
    return sorted(found.items(), key=lambda item: (item[1], item[0]))


def find_slip(typed: str, name: str) -> int | None:
    """The one slip of the keys that makes `name` into `typed`: SWAPPED to REPLACED; None if it takes more."""
    start = _common_letters(typed, name)
    typed_rest, name_rest = typed[start:], name[start:]
    end = _common_letters(typed_rest[::-1], name_rest[::-1])
    one, other = typed_rest[: len(typed_rest) - end], name_rest[: len(name_rest) - end]
    if len(one) == 2 and one == other[::-1]:
        return SWAPPED
    if len(one) == 1 and not other:
        return DOUBLED if typed[max(start - 1, 0) : start] == one else ADDED
    if len(other) == 1 and not one:
        return LEFT_OUT
    return REPLACED if len(one) == len(other) == 1 else None


def _common_letters(one: str, other: str) -> int:
    """The length of the beginning that both share."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def _alike(text: str) -> list[int]:
    """Products with a name nearly as similar as the most similar one, the best first. One query."""
    with reader().cursor() as cursor:
        cursor.execute(_ALIKE, {"text": text, "most": MOST_ALIKE})
        rows: list[tuple[int, float]] = cursor.fetchall()
    return [pk for pk, alike in rows if alike >= max(ALIKE_FROM, NEARLY_AS_LIKE * rows[0][1])]
