"""What is not known is refused, with what is."""

from collections.abc import Iterable, Mapping
from functools import cache

from django.http import QueryDict
from rest_framework.exceptions import ValidationError
from rest_framework.serializers import Serializer

FIELDS = "fields"
NUMBERS = ("page", "min_units")


def refuse_unknown(names: Iterable[str], known: Iterable[str], what: str) -> None:
    """Raise ValidationError for the names that are not known; `what` says what they are names of."""
    unknown = sorted(set(names) - set(known))
    if unknown:
        there_are = ", ".join(sorted(known))
        listed = f"There are: {there_are}." if there_are else "There are none."
        raise ValidationError({name: [f"There is no such {what} here. {listed}"] for name in unknown})


def refuse_empty_numbers(asked: Mapping[str, str]) -> None:
    """Raise ValidationError for numbers that are no more than a name: nothing is no number."""
    empty = [name for name in NUMBERS if asked.get(name) == ""]
    if empty:
        raise ValidationError({name: ["This is a number, or left out."] for name in empty})


def fields_asked(asked: QueryDict) -> str:
    """The names of fields with commas, also where somebody says `fields` once for each: generated clients do."""
    return ",".join(asked.getlist(FIELDS))


@cache
def field_names(record: type[Serializer]) -> tuple[str, ...]:
    """The names of a record's fields, in its order."""
    return tuple(record().fields)
