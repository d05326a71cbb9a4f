"""Fields of tables as the tables describe them: those with a meaning, their `help_text`, are public."""

from collections.abc import Collection, Iterable
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import BooleanField, Field, Model

from results.core.lines import Check, LineError, check_yes_or_no


def meanings_of(table: type[Model]) -> dict[str, str]:
    """The meanings of the public fields by name."""
    return {field.name: str(field.help_text) for field in table._meta.concrete_fields if field.help_text}


def columns_of(table: type[Model]) -> tuple[str, ...]:
    return tuple(field.name for field in table._meta.concrete_fields if not field.primary_key)


def with_moved(names: Iterable[str], name: str, *, before: str = "") -> list[str]:
    """The names with one moved in front of another, or to the end, so that the API keeps its field order."""
    others = [other for other in names if other != name]
    at = others.index(before) if before else len(others)
    return [*others[:at], name, *others[at:]]


def checks_of(table: type[Model], names: Collection[str] = ()) -> dict[str, Check]:
    """The checks of a file's cells by the fields of a table with these names, by default by all."""
    chosen = names or columns_of(table)
    return {
        field.name: partial(_check, field) for field in table._meta.concrete_fields if field.name in chosen
    }


def _check(field: "Field[Any, Any]", cell: str) -> object:
    value = check_yes_or_no(cell) if isinstance(field, BooleanField) else cell
    try:
        return field.clean(value, None)
    except ValidationError as error:
        raise LineError(f"{cell!r}: {error.messages[0]}") from error
