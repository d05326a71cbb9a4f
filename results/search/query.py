"""Free text search by words or a product's name; falls back to similar names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Case, Q, QuerySet, When

from results.core.public import reader
from results.models import Device, DeviceRanking
from results.search.products import MAX_WORDS, MIN_SIMILARITY, product_names

NEARLY_AS_SIMILAR = 0.85  # relative to the most similar device; hides noise
MAX_SIMILAR = 500

_PRODUCTS = """
    SELECT product.id, lower(vendor.name || ' ' || product.name) AS named
    FROM results_product AS product JOIN results_vendor AS vendor ON vendor.id = product.vendor_id
"""


@dataclass(frozen=True, slots=True)
class Search:
    """The condition of rows that match a text; `is_similar` if only similar."""

    condition: Q
    is_similar: bool = False


EVERYTHING = Search(Q())


def search_devices(rankings: QuerySet[DeviceRanking], text: str) -> Search:
    """Find the rows that match a text.

    No query for an empty text, two if it is found, and three more if not.
    """
    words = list(dict.fromkeys(text.lower().split()))[:MAX_WORDS]
    if not words:
        return EVERYTHING
    names = product_names()
    exact = Q()
    for word in words:
        named = [product_id for product_id, name in names.titles if word in name]
        exact &= Q(device__searched__icontains=word) | Q(device__product__in=named)
    if (product_id := names.by_name.find(text)) is not None:
        exact |= Q(device__product=product_id)
    if rankings.filter(exact).exists():
        return Search(exact)
    # No device has the id 0. For an empty list, Django would raise EmptyResultSet.
    return Search(Q(device__in=_find_similar(words) or [0]), is_similar=True)


def find_devices(
    text: str, product_ids: Sequence[int], *, fields: Sequence[str], most: int
) -> list[dict[str, Any]]:
    """Rows of devices with all words or of these products, which the text names.

    Without products, rows of similar devices if there is none. A device whose name has a word only inside a longer
    one comes after all others. Only similar devices need to be ranked. One query if any is found, else also those of
    `search_devices`.
    """
    public = Device.objects.shown().order_by("model_name", "capacity_bytes", "id")
    words, starts = Q(), Q()
    for word in text.split():
        words &= Q(searched__icontains=word)
        starts &= Q(searched__iregex=rf"(^|\W){re.escape(word)}")
    named = Q(product__in=list(product_ids) or [0])
    exact = public.filter(words | named)
    inside = Case(When(starts | named, then=0), default=1)
    if found := list(exact.order_by(inside, *public.query.order_by).values(*fields)[:most]):
        return found
    if product_ids:
        return []
    search = search_devices(DeviceRanking.objects.all(), text)
    similar = DeviceRanking.objects.filter(search.condition).values("device_id")
    return list(public.filter(pk__in=similar).values(*fields)[:most])


_SIMILAR = f"""
    WITH sold AS MATERIALIZED ({_PRODUCTS})
    SELECT id, similarity FROM (
        SELECT device.id, least({{scores}}) AS similarity
        FROM results_device AS device LEFT JOIN sold ON sold.id = device.product_id
        WHERE {{conditions}}
    ) AS found
    WHERE similarity >= %(least)s ORDER BY similarity DESC, id LIMIT %(most)s
"""  # noqa: S608 - built from constants
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


_WILDCARD, _ESCAPED = re.compile(r"[\\%_]"), r"\\\g<0>"


def _find_similar(words: Sequence[str]) -> list[int]:
    """Devices whose least similar word is nearly as similar as the best device's."""
    numbers = range(len(words))
    query = _SIMILAR.format(
        scores=", ".join(_SCORE.format(number) for number in numbers),
        conditions=" AND ".join(_CONDITION.format(number) for number in numbers),
    )
    parameters: dict[str, Any] = {"least": MIN_SIMILARITY, "most": MAX_SIMILAR}
    for number, word in enumerate(words):
        parameters[f"word{number}"] = word
        parameters[f"part{number}"] = f"%{_WILDCARD.sub(_ESCAPED, word)}%"
    with transaction.atomic(using=reader().alias), reader().cursor() as cursor:
        cursor.execute(
            "SELECT set_config('pg_trgm.word_similarity_threshold', %s, true)", [str(MIN_SIMILARITY)]
        )
        cursor.execute(query, parameters)
        found: list[tuple[int, float]] = cursor.fetchall()
    return [device_id for device_id, similarity in found if similarity >= NEARLY_AS_SIMILAR * found[0][1]]
