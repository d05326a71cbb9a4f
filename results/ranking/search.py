"""Free text search: each word in vendor, model name or product; where nothing has them, what is alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from results.models import DeviceRanking
from slogdb.replica import reader

# From here on up a word counts as alike: two letters of seven in each other's place are 0.33, one left out of five
# is 0.5. Only what is nearly as like as the most like is shown, so that the noise stays away.
ALIKE_FROM = 0.3
NEARLY_AS_LIKE = 0.85
MOST_WORDS = 8  # that are looked at; the rest of a text of a hundred letters adds nothing
MOST_ALIKE = 500

_PRODUCTS = """
    SELECT product.id, lower(vendor.name || ' ' || product.name) AS named
    FROM results_product AS product JOIN results_vendor AS vendor ON vendor.id = product.vendor_id
"""


@dataclass(frozen=True, slots=True)
class Search:
    """Which rows of the ranking a text finds; `is_alike` where they only resemble it."""

    condition: Q
    is_alike: bool = False


EVERYTHING = Search(Q())


def search_devices(rankings: QuerySet[DeviceRanking], text: str) -> Search:
    """What of these rows a text finds. No query for no text, two where it is found, and three more where not."""
    words = list(dict.fromkeys(text.lower().split()))[:MOST_WORDS]
    if not words:
        return EVERYTHING
    products = _products()
    exact = Q()
    for word in words:
        named = [product_id for product_id, name in products if word in name]
        exact &= Q(device__searched__icontains=word) | Q(device__product__in=named)
    if rankings.filter(exact).exists():
        return Search(exact)
    # No device has the number 0: an empty list would be a query that Django refuses to ask.
    return Search(Q(device__in=_alike(words) or [0]), is_alike=True)


def _products() -> list[tuple[int, str]]:
    """Number and name in lower case, the vendor's first."""
    with reader().cursor() as cursor:
        cursor.execute(_PRODUCTS)
        named: list[tuple[int, str]] = cursor.fetchall()
    return named


_ALIKE = f"""
    WITH sold AS MATERIALIZED ({_PRODUCTS})
    SELECT id, alike FROM (
        SELECT device.id, least({{scores}}) AS alike
        FROM results_device AS device LEFT JOIN sold ON sold.id = device.product_id
        WHERE {{conditions}}
    ) AS found
    WHERE alike >= %(least)s ORDER BY alike DESC, id LIMIT %(most)s
"""  # noqa: S608 - put together of constants
_SCORE = """greatest(
    word_similarity(%(word{0})s, device.searched),
    word_similarity(%(word{0})s, sold.named),
    CASE WHEN strpos(lower(device.searched), %(word{0})s) > 0 OR strpos(sold.named, %(word{0})s) > 0 THEN 1 END
)"""
_CONDITION = """(
    %(word{0})s <%% device.searched
    OR device.searched ILIKE %(part{0})s
    OR device.product_id = ANY(ARRAY(
        SELECT id FROM sold WHERE %(word{0})s <%% named OR strpos(named, %(word{0})s) > 0))
)"""


def _alike(words: Sequence[str]) -> list[int]:
    """The devices whose least similar word is nearly as similar as that of the best of them."""
    numbers = range(len(words))
    query = _ALIKE.format(
        scores=", ".join(_SCORE.format(number) for number in numbers),
        conditions=" AND ".join(_CONDITION.format(number) for number in numbers),
    )
    parameters: dict[str, Any] = {"least": ALIKE_FROM, "most": MOST_ALIKE}
    for number, word in enumerate(words):
        parameters[f"word{number}"] = word
        parameters[f"part{number}"] = f"%{_without_wildcards(word)}%"
    with transaction.atomic(using=reader().alias), reader().cursor() as cursor:
        cursor.execute("SELECT set_config('pg_trgm.word_similarity_threshold', %s, true)", [str(ALIKE_FROM)])
        cursor.execute(query, parameters)
        found: list[tuple[int, float]] = cursor.fetchall()
    return [device_id for device_id, alike in found if alike >= NEARLY_AS_LIKE * found[0][1]]


def _without_wildcards(word: str) -> str:
    for special in ("\\", "%", "_"):
        word = word.replace(special, f"\\{special}")
    return word
