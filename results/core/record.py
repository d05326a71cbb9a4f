"""Records of the API: the type, the meaning and the source of each field, stated once.

DRF's own way from an object to its record takes fifteen times as long, and so does djangorestframework-dataclasses.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from functools import cache, reduce
from inspect import get_annotations
from operator import attrgetter, itemgetter
from types import UnionType
from typing import Any, ClassVar, NamedTuple, get_args, get_origin

from django.db.models import BooleanField, Field, Model
from rest_framework import serializers
from rest_framework.utils.field_mapping import ClassLookupDict

Row = dict[str, Any]
Function = Callable[[Any], Any]


class Url(str):
    """An address."""


_FIELDS: dict[Any, type[serializers.Field]] = {
    str: serializers.CharField,
    Url: serializers.URLField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    bool: serializers.BooleanField,
    date: serializers.DateField,
    datetime: serializers.DateTimeField,
}


_COLUMN_FIELDS: Any = serializers.ModelSerializer.serializer_field_mapping
_OF_COLUMNS = ClassLookupDict(_COLUMN_FIELDS)


class _Described(NamedTuple):
    options: Mapping[str, Any]
    source: str | Function
    to: Function | None
    hint: Any = None

    @property
    def meaning(self) -> Mapping[str, Any]:
        return {"help_text": self.options["help_text"]}


def field(
    meaning: str = "", source: str | Function = "", *, to: Function | None = None, **options: Any
) -> Any:
    """What a field means, by default what the record's table says, and where its value is from.

    `source` is a function of the object, or else the name of an attribute or column, by default the field's; `to`
    converts its value. `options` are those of DRF's field; `choices` of a list are those of its items.
    """
    find = _attribute(source) if isinstance(source, str) and "." in source else source
    return _Described({"help_text": meaning, **options}, find, to)


def null_if_empty(value: Any) -> Any:
    """For `to`: texts that may be empty, where the API has null."""
    return value or None


class Record(serializers.Serializer):
    """A serializer with a field for each annotation with a `field`; a nested record is made from its source.

    Those of a `table` that have a meaning needn't be repeated: `columns` are their names, if not all of them.
    """

    table: ClassVar[type[Model] | None] = None
    columns: ClassVar[Sequence[str]] = ()
    first: ClassVar[Sequence[str]] = ()  # what answers begin with, if they aren't in the order of the fields

    def get_fields(self) -> dict[str, serializers.Field]:
        described = {name: _field(spec.hint, **spec.options) for name, spec in _described(type(self)).items()}
        return {**super().get_fields(), **described}

    def to_representation(self, instance: Any) -> Row:
        return self.of(instance)

    @classmethod
    def of(cls, source: Any, /, **given: Any) -> Row:
        """The record of an object, or of a row if it is a dict, with the values that are given."""
        names, values, functions, converted = _plan(cls, isinstance(source, dict), tuple(given))
        record: Row = dict(zip(names, values(source), strict=False))
        for name, find in functions:
            record[name] = find(source)
        for name, convert in converted:
            record[name] = convert(record[name])
        return {**record, **given} if given else record

    @classmethod
    def all_of(cls, sources: Iterable[Any]) -> list[Row]:
        return [cls.of(source) for source in sources]


@cache
def _described(record: type[Record]) -> dict[str, _Described]:
    """The fields by name, those of bases first."""
    found: dict[str, _Described] = {}
    for base in record.__bases__:
        found |= _described(base) if issubclass(base, Record) else {}
    if record.table:
        stored = {column.name: column for column in record.table._meta.concrete_fields if column.help_text}
        found |= {name: _stored(stored[name]) for name in record.columns or stored}
    for name, hint in get_annotations(record).items():
        if isinstance(spec := vars(record).get(name), _Described):
            options = spec.options if spec.options["help_text"] else {**spec.options, **found[name].meaning}
            found[name] = spec._replace(options=options, hint=hint, to=spec.to or _nested(hint))
    return found


def _stored(column: Field) -> _Described:
    """A column as a field; one with choices is null where none is stated."""
    is_choice = bool(column.choices) and not isinstance(column, BooleanField)
    can_be_empty = is_choice and column.blank
    options = {"help_text": str(column.help_text), "allow_null": column.null or can_be_empty}
    kind = _OF_COLUMNS[column]
    if is_choice:
        kind, options["choices"] = serializers.ChoiceField, column.choices
    return _Described(options, "", null_if_empty if can_be_empty else None, kind)


def _field(hint: Any, **options: Any) -> serializers.Field:
    if isinstance(hint, UnionType):
        return _field(get_args(hint)[0], **options, allow_null=True)
    if record := _record_in(hint):
        return record(many=get_origin(hint) is list, **options)
    if isinstance(hint, type) and issubclass(hint, serializers.Field):
        return hint(**options)
    if parts := get_args(hint):
        kind = serializers.ListField if get_origin(hint) is list else serializers.DictField
        choices = {"choices": options.pop("choices")} if "choices" in options else {}
        return kind(child=_field(parts[-1], **choices), **options)
    if issubclass(hint, Enum):
        options.setdefault("choices", getattr(hint, "choices", [(item.value, item.name) for item in hint]))
    return (serializers.ChoiceField if "choices" in options else _FIELDS[hint])(**options)


def _record_in(hint: Any) -> type[Record] | None:
    """The record that a hint is about: of itself, a list of it, or it or None."""
    record = (get_args(hint) or [hint])[0]
    return record if isinstance(record, type) and issubclass(record, Record) else None


def _nested(hint: Any) -> Function | None:
    """From the source of a nested record to the record; None for other types."""
    record = _record_in(hint)
    if record is None or get_origin(hint) is list:
        return record and record.all_of
    return lambda source: None if source is None else record.of(source)


@cache
def _plan(record: type[Record], is_row: bool, given: Sequence[str]) -> Any:
    """How to get a record's values: all paths in one getter call (fastest), then those from functions."""
    described = _described(record)
    found = {name: spec for name, spec in described.items() if name not in given}
    functions = [(name, spec.source) for name, spec in found.items() if callable(spec.source)]
    converted = [(name, spec.to) for name, spec in found.items() if spec.to]
    paths = {name: spec.source or name for name, spec in found.items() if isinstance(spec.source, str)}
    names = tuple(dict.fromkeys((*record.first, *described)))
    # Names without a path get any path's value as a placeholder first, which keeps all names in order.
    any_path = next(iter(paths.values()), "")
    getter = itemgetter if is_row else attrgetter
    values = getter(*(paths.get(name, any_path) for name in names), any_path) if paths else lambda _: names
    return names, values, functions, converted


def _attribute(path: str) -> Function:
    """A getter that follows a dotted path of attributes; None if one on the way is None."""
    names = path.split(".")
    return lambda source: reduce(lambda at, name: None if at is None else getattr(at, name), names, source)
