"""Texts that name what to compare, as people type them into a search: "990 pro vs p3700"."""

import re

from django.db.models import Q, QuerySet

from results.catalogue.matching.names import AGAINST
from results.core.addresses import address, with_query
from results.models import Device
from results.search.products import find_products

_BETWEEN_NAMES = re.compile(r"[,;?]|\s(?:vs\.?|versus|or|and)\s", re.IGNORECASE)
_PURPOSE = re.compile(r"\s(?:as|for)\s.*", re.IGNORECASE)


def split_names(text: str) -> list[str]:
    """The names in a text such as "P1600X or P4801X?"."""
    names = (name.strip() for name in _BETWEEN_NAMES.split(text))
    return list(dict.fromkeys(name for name in names if name))


def comparison_url(text: str) -> str:
    """The URL that compares the names in the text; "" if it sets no two names against each other.

    No query without such a word, else those of `find_products` and one more for each name.
    """
    if not AGAINST.search(text):
        return ""
    names = split_names(_PURPOSE.sub("", text))
    known = set(filter(_is_name, names))
    if len(known) < 2:
        return ""
    shown = (name for name in names if name in known or any(letter.isdigit() for letter in name))
    return with_query(address("compare"), add=" vs ".join(shown))


def _is_name(text: str) -> bool:
    found = find_products(text)
    return found.match is not None or found.is_shared or devices_called(text).exists()


def devices_called(text: str) -> QuerySet[Device]:
    """The devices that report exactly this name."""
    return Device.objects.shown().filter(
        Q(searched__icontains=text) & (Q(model_name__iexact=text) | Q(searched__iexact=text))
    )
