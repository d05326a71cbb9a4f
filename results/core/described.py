"""Fields of tables as the tables describe them: those with a meaning, their `help_text`, are public."""

from collections.abc import Iterable

from django.db.models import Model


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
