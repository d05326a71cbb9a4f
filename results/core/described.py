"""Fields of tables as the tables describe them: those with a meaning, their `help_text`, are public."""

from collections.abc import Iterable
from typing import Any

from django.db.models import BooleanField, Model
from rest_framework import serializers
from rest_framework.utils.field_mapping import ClassLookupDict


def meanings_of(table: type[Model]) -> dict[str, str]:
    """The meanings of the public fields by name."""
    return {field.name: str(field.help_text) for field in table._meta.concrete_fields if field.help_text}


def columns_of(table: type[Model]) -> tuple[str, ...]:
    return tuple(field.name for field in table._meta.concrete_fields if not field.primary_key)


def moved(names: Iterable[str], name: str, *, before: str = "") -> list[str]:
    """The names with one of them in front of another, or at the end: tables of the API keep the order they had."""
    others = [other for other in names if other != name]
    at = others.index(before) if before else len(others)
    return [*others[:at], name, *others[at:]]


class DescribedSerializer(serializers.ModelSerializer):
    """The public fields of a table; null or empty where nobody states them, and never empty if there are choices.

    Fields that are declared, since JSON says nothing of their shape, have the table's meaning.
    """

    def get_field_names(self, declared_fields: Iterable[str], info: Any) -> list[str]:  # noqa: ARG002
        names = getattr(self.Meta, "fields", meanings_of(self.Meta.model))
        return list(dict.fromkeys([*names, *declared_fields]))

    def get_fields(self) -> dict[str, serializers.Field]:
        fields = super().get_fields()
        meanings = meanings_of(self.Meta.model)
        for name, field in fields.items():
            field.help_text = field.help_text or meanings[name]
        return fields

    def build_standard_field(self, field_name: str, model_field: Any) -> tuple[type, dict[str, Any]]:  # noqa: ARG002
        is_choice = bool(model_field.choices) and not isinstance(model_field, BooleanField)
        options = {
            "allow_null": model_field.null or (is_choice and model_field.blank),
            "allow_blank": model_field.blank and not is_choice,
            "choices": model_field.choices if is_choice else None,
        }
        mapping: Any = self.serializer_field_mapping
        kind = ClassLookupDict(mapping)[model_field]
        given = {name: value for name, value in options.items() if value}
        return serializers.ChoiceField if is_choice else kind, given
