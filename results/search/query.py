"""Free text search: each word in vendor, model name or product, or all of them as a product's name.

Falls back to similar names.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from results.core.public import reader
from results.models import Device, DeviceRanking
from results.search.products import ALIKE_FROM, MOST_WORDS, product_names

NEARLY_AS_LIKE = 0.85  # only what is nearly as like as the most like is shown, so that the noise stays away
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
    names = product_names()
    exact = Q()
    for word in words:
        named = [product_id for product_id, name in names.titles if word in name]
        exact &= Q(device__searched__icontains=word) | Q(device__product__in=named)
    if (called_so := names.by_name.find(text)) is not None:
        exact |= Q(device__product=called_so)
    if rankings.filter(exact).exists():
        return Search(exact)
    # No device has the number 0: an empty list would be a query that Django refuses to ask.
    return Search(Q(device__in=_alike(words) or [0]), is_alike=True)


def find_devices(
    text: str, product_ids: Sequence[int], *, fields: Sequence[str], most: int
) -> list[dict[str, Any]]:
    """Shown devices with all words or of these products, ranked or not; else ranked ones that are alike.

    Rows of `fields`. One query where any has all words, else those of `search_devices`, too.
    """
    public = Device.objects.shown().order_by("model_name", "capacity_bytes", "id")
    words = Q()
    for word in text.split():
        words &= Q(searched__icontains=word)
    exact = public.filter(words | Q(product__in=list(product_ids) or [0]))
    if found := list(exact.values(*fields)[:most]):
        return found
    search = search_devices(DeviceRanking.objects.all(), text)
    alike = DeviceRanking.objects.filter(search.condition).values("device_id")
    return list(public.filter(pk__in=alike).values(*fields)[:most])


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
