"""Records of the API: the type, the meaning and the source of each field, stated once.

DRF's own way from an object to its record takes fifteen times as long, and so does djangorestframework-dataclasses.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from enum import Enum
from functools import cache, partial
from inspect import get_annotations
from operator import attrgetter, itemgetter
from types import UnionType
from typing import Any, ClassVar, NamedTuple, get_args, get_origin

from django.db.models import Choices
from rest_framework import serializers

Row = dict[str, Any]
Function = Callable[[Any], Any]


class Url(str):
    """An address."""


class UrlOrEmpty(str):
    """An address, or empty."""


_FIELDS: dict[Any, Callable[..., serializers.Field]] = {
    str: serializers.CharField,
    Url: serializers.URLField,
    UrlOrEmpty: partial(serializers.URLField, allow_blank=True),
    int: serializers.IntegerField,
    float: serializers.FloatField,
    bool: serializers.BooleanField,
    date: serializers.DateField,
    datetime: serializers.DateTimeField,
}


class _Described(NamedTuple):
    meaning: str
    source: str | Function
    to: Function | None
    choices: Sequence[Any]


def field(
    meaning: str, source: str | Function = "", *, to: Function | None = None, choices: Sequence[Any] = ()
) -> Any:
    """What a field means, and where its value is from.

    `source` is a function of the object, or else the name of an attribute or column, by default the field's; `to`
    converts its value.
    """
    return _Described(meaning, source, to, choices)


class Record(serializers.Serializer):
    """A serializer with a field for each annotation with a `field`; a nested record is made from its source."""

    first: ClassVar[Sequence[str]] = ()  # what answers begin with, if they aren't in the order of the fields

    def get_fields(self) -> dict[str, serializers.Field]:
        described = {name: _field(hint, one) for name, (hint, one) in _described(type(self)).items()}
        return {**super().get_fields(), **described}

    def to_representation(self, instance: Any) -> Row:
        return self.of(instance)

    @classmethod
    def of(cls, source: Any, **given: Any) -> Row:
        """The record of an object, or of a row if it is a dict, with the values that are given."""
        plan = _plan(cls, isinstance(source, dict), tuple(given))
        record: Row = dict.fromkeys(plan.names)
        record.update(zip(plan.plain, plan.values(source), strict=True))
        for name, value in plan.computed:
            record[name] = value(source)
        record.update(given)
        return record

    @classmethod
    def all_of(cls, sources: Iterable[Any]) -> list[Row]:
        return [cls.of(source) for source in sources]


@cache
def _described(record: type[Record]) -> dict[str, tuple[Any, _Described]]:
    """The fields by name, those of bases first."""
    found: dict[str, tuple[Any, _Described]] = {}
    for base in record.__bases__:
        found |= _described(base) if issubclass(base, Record) else {}
    own = vars(record)
    return found | {
        name: (hint, own[name])
        for name, hint in get_annotations(record).items()
        if isinstance(own.get(name), _Described)
    }


def _field(hint: Any, described: _Described) -> Any:
    options: dict[str, Any] = {"help_text": described.meaning}
    if isinstance(hint, UnionType):
        hint, options["allow_null"] = get_args(hint)[0], True
    parts = get_args(hint)
    if parts and isinstance(parts[0], type) and issubclass(parts[0], serializers.Serializer):
        return parts[0](many=True, **options)
    if parts:
        kind = serializers.ListField if get_origin(hint) is list else serializers.DictField
        return kind(child=_field(parts[-1], described._replace(meaning="")), **options)
    if described.choices or issubclass(hint, Enum):
        return serializers.ChoiceField(choices=described.choices or _choices(hint), **options)
    return _FIELDS.get(hint, hint)(**options)


def _choices(hint: type[Enum]) -> Sequence[Any]:
    return hint.choices if issubclass(hint, Choices) else [(one.value, one.name) for one in hint]


class _Plan(NamedTuple):
    names: Sequence[str]
    plain: Sequence[str]
    values: Callable[[Any], Iterable[Any]]
    computed: Sequence[tuple[str, Function]]


@cache
def _plan(record: type[Record], is_row: bool, given: Sequence[str]) -> _Plan:
    """How the values of a record are found: plain ones all at once, which is the fastest."""
    described, getter = _described(record), itemgetter if is_row else attrgetter
    plain: dict[str, str] = {}
    computed: list[tuple[str, Function]] = []
    for name, (hint, one) in described.items():
        convert = one.to or _nested(hint)
        if name in given:
            continue
        if convert or callable(one.source):
            find = one.source if callable(one.source) else getter(one.source or name)
            computed.append((name, _converted(find, convert) if convert else find))
        else:
            plain[name] = one.source or name
    paths = list(plain.values())
    values = getter(*paths) if len(paths) > 1 else lambda source: [getter(path)(source) for path in paths]
    return _Plan(tuple(dict.fromkeys((*record.first, *described))), tuple(plain), values, computed)


def _converted(find: Function, convert: Function) -> Function:
    return lambda source: convert(find(source))


def _nested(hint: Any) -> Function | None:
    """From the source of a nested record to the record; None for other types."""
    record = (get_args(hint) or [hint])[0]
    if not (isinstance(record, type) and issubclass(record, Record)):
        return None
    if get_origin(hint) is list:
        return record.all_of
    return lambda source: None if source is None else record.of(source)
