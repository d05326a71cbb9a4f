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

from rest_framework import serializers

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


class _Described(NamedTuple):
    options: Mapping[str, Any]
    source: str | Function
    to: Function | None


def field(meaning: str, source: str | Function = "", *, to: Function | None = None, **options: Any) -> Any:
    """What a field means, and where its value is from.

    `source` is a function of the object, or else the name of an attribute or column, by default the field's; `to`
    converts its value. `options` are those of DRF's field; `choices` of a list are those of its items.
    """
    return _Described({"help_text": meaning, **options}, source, to)


def null_if_empty(value: Any) -> Any:
    """For `to`: texts that may be empty, where the API has null."""
    return value or None


class Record(serializers.Serializer):
    """A serializer with a field for each annotation with a `field`; a nested record is made from its source."""

    first: ClassVar[Sequence[str]] = ()  # what answers begin with, if they aren't in the order of the fields

    def get_fields(self) -> dict[str, serializers.Field]:
        described = {
            name: _field(hint, **one.options) for name, (hint, one) in _described(type(self)).items()
        }
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
def _described(record: type[Record]) -> dict[str, tuple[Any, _Described]]:
    """The fields by name, those of bases first."""
    found: dict[str, tuple[Any, _Described]] = {}
    for base in record.__bases__:
        found |= _described(base) if issubclass(base, Record) else {}
    for name, hint in get_annotations(record).items():
        if isinstance(one := vars(record).get(name), _Described):
            found[name] = hint, one
    return found


def _field(hint: Any, **options: Any) -> Any:
    if isinstance(hint, UnionType):
        return _field(get_args(hint)[0], **options, allow_null=True)
    parts = get_args(hint)
    if parts and isinstance(parts[0], type) and issubclass(parts[0], serializers.Serializer):
        return parts[0](many=True, **options)
    if parts:
        kind = serializers.ListField if get_origin(hint) is list else serializers.DictField
        choices = {"choices": options.pop("choices")} if "choices" in options else {}
        return kind(child=_field(parts[-1], **choices), **options)
    if issubclass(hint, Enum):
        options.setdefault(
            "choices", getattr(hint, "choices", None) or [(one.value, one.name) for one in hint]
        )
    return (serializers.ChoiceField if "choices" in options else _FIELDS.get(hint, hint))(**options)


@cache
def _plan(record: type[Record], is_row: bool, given: Sequence[str]) -> Any:
    """How the values of a record are found: all names at once, which is the fastest, then what functions find."""
    paths: dict[str, str] = {}
    functions, converted = [], []
    for name, (hint, one) in _described(record).items():
        if name in given:
            continue
        if callable(one.source) or "." in one.source:
            functions.append((name, one.source if callable(one.source) else _attribute(one.source)))
        else:
            paths[name] = one.source or name
        if convert := one.to or _nested(hint):
            converted.append((name, convert))
    names = tuple(dict.fromkeys((*record.first, *_described(record))))
    any_path = next(
        iter(paths.values()), ""
    )  # for the names that aren't found by path, so that all are in order
    getter = itemgetter if is_row else attrgetter
    values = getter(*(paths.get(name, any_path) for name in names), any_path) if paths else lambda _: names
    return names, values, functions, converted


def _attribute(path: str) -> Function:
    """From an object to what the path of names leads to; None if there is nothing on the way."""
    names = path.split(".")
    return lambda source: reduce(lambda one, name: None if one is None else getattr(one, name), names, source)


def _nested(hint: Any) -> Function | None:
    """From the source of a nested record to the record; None for other types."""
    record = (get_args(hint) or [hint])[0]
    if not (isinstance(record, type) and issubclass(record, Record)):
        return None
    is_list = get_origin(hint) is list
    return record.all_of if is_list else lambda source: None if source is None else record.of(source)
