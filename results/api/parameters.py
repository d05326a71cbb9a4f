"""The names of common parameters, and checks of parameters."""

from collections.abc import Iterable, Mapping
from functools import cache

from django.http import QueryDict
from rest_framework.exceptions import ValidationError
from rest_framework.serializers import Serializer

CHANGED_AFTER, CURSOR, FIELDS, FORMAT, ORDERING, PAGE, PAGE_SIZE = (
    "changed_after",
    "cursor",
    "fields",
    "format",
    "ordering",
    "page",
    "page_size",
)
DEPRECATED = "deprecated:"  # how the description of such a parameter begins
EMPTY_NUMBER = "Give a number, or leave it out."
NUMBERS = (PAGE, PAGE_SIZE, "min_units")


def refuse_unknown(names: Iterable[str], known: Iterable[str], what: str) -> None:
    """Raise ValidationError for unknown names; `what` is what they name."""
    unknown = sorted(set(names) - set(known))
    if unknown:
        allowed = ", ".join(sorted(known)) or "none"
        errors = {name: [f"Unknown {what}."] for name in unknown}
        raise ValidationError({**errors, unknown[0]: [f"Unknown {what}. Allowed: {allowed}."]})


def refuse_empty_numbers(params: Mapping[str, str]) -> None:
    """Raise ValidationError for number parameters without a value."""
    empty = [name for name in NUMBERS if params.get(name) == ""]
    if empty:
        raise ValidationError({name: [EMPTY_NUMBER] for name in empty})


def refuse_nul(params: QueryDict) -> None:
    """Raise ValidationError for NUL characters, which PostgreSQL refuses."""
    broken = [name for name in params if any("\0" in value for value in params.getlist(name))]
    if broken:
        raise ValidationError({name: ["NUL characters are not allowed here."] for name in broken})


def refuse_repeated(params: QueryDict, plural: Iterable[str]) -> None:
    """Raise ValidationError for repeated parameters that take one value, and for repeated values."""
    repeated = [name for name in params if name not in plural and len(params.getlist(name)) > 1]
    if repeated:
        allowed = ", ".join(sorted(plural)) or "none"
        message = f"This parameter takes one value. Parameters that take several: {allowed}."
        raise ValidationError({name: [message] for name in repeated})
    given = {name: ",".join(params.getlist(name)).split(",") for name in params}
    twice = [name for name, values in given.items() if name in plural and len(set(values)) < len(values)]
    if twice:
        raise ValidationError({name: ["Give each value once."] for name in twice})


def values_of(params: QueryDict, name: str) -> list[str]:
    """The values of a repeated or comma-separated parameter, without empty ones."""
    return [value for text in params.getlist(name) for value in text.split(",") if value]


@cache
def field_names(record: type[Serializer]) -> tuple[str, ...]:
    """The names of a record's fields, in its order."""
    return tuple(record().fields)


@cache
def nested_names(record: type[Serializer]) -> tuple[str, ...]:
    """The names of the fields of its objects, such as `device.slug`."""
    objects = ((name, value) for name, value in record().fields.items() if isinstance(value, Serializer))
    return tuple(f"{name}.{inner}" for name, value in objects for inner in value.fields)


def object_of(name: str) -> str:
    """`device` for `device.slug` and for `device`."""
    return name.partition(".")[0]
