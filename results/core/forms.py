"""Shared by calculator pages: a small GET form, its errors, and one canonical URL per question."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from results.models.result import PUBLIC_ID

NO_NUMBER = "“%(value)s” is not a number: write it like 2.5."
TOO_LONG = "“%(value)s” has too many digits."
MAX_DIGITS = 12
MAX_ECHO_LENGTH = 60  # characters of a wrong value that are shown again


def quoted(value: str) -> str:
    """A wrong value in quotation marks, cut if it's long."""
    return f"“{value[:MAX_ECHO_LENGTH]}{'…' if len(value) > MAX_ECHO_LENGTH else ''}”"


class ResultIdsField(forms.CharField):
    """The ids of results, separated by commas or blanks, each once; at most `most`, of what `noun` names."""

    def __init__(self, *, most: int, noun: str, required: bool = True) -> None:
        super().__init__(max_length=15 * most, required=required)
        self.most, self.noun = most, noun

    def clean(self, value: Any) -> Any:
        ids = list(dict.fromkeys(super().clean(value).replace(",", " ").split()))
        for pk in ids:
            if not re.fullmatch(PUBLIC_ID, pk):
                raise forms.ValidationError(
                    f"“{pk[:20]}” is not a result’s id: that is the last part of its address, such as bcdfghjkmn-2."
                )
        if len(ids) > self.most:
            raise forms.ValidationError(f"At most {self.most} {self.noun}.")
        return ids


class CheckedField(forms.CharField):
    """An optional text, as `check` returns it; it raises ValueError with a sentence for a wrong one."""

    def __init__(self, check: Callable[[str], Any], **options: Any) -> None:
        super().__init__(required=False, **options)
        self.check = check

    def clean(self, value: Any) -> Any:
        try:
            return self.check(super().clean(value))
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error


class NumberField(forms.DecimalField):
    """A number in plain digits, from `least` to `most`; None if it is empty."""

    def __init__(self, label: str, *, most: int, least: str = "0.01", required: bool = False) -> None:
        super().__init__(label=label, required=required)
        self.error_messages["required"] = "Fill this in."
        self.least, self.most = Decimal(least), most

    def to_python(self, value: Any) -> Any:
        text = str(value or "").strip()
        digits = text.removeprefix("-").replace(".", "", 1)
        if text and not (digits.isascii() and digits.isdigit()):
            raise self._refused(NO_NUMBER, text)
        if len(digits) > MAX_DIGITS:
            raise self._refused(TOO_LONG, text)
        return super().to_python(text)

    def validate(self, value: Any) -> None:
        super().validate(value)
        if value is not None and not self.least <= value <= self.most:
            raise forms.ValidationError(f"Enter {self.least} to {self.most:,}, not {value:,f}.")

    @staticmethod
    def _refused(message: str, text: str) -> forms.ValidationError:
        return forms.ValidationError(message, params={"value": text[:MAX_ECHO_LENGTH]})


def canonical_redirect(
    request: HttpRequest,
    form_class: type[forms.Form],
    defaults: Mapping[str, str] | None = None,
    plain: Mapping[str, str] | None = None,
) -> HttpResponse | None:
    """A redirect to the URL without blank or default parameters; None if it is that URL already.

    `plain` has values that were written in another way than in URLs.
    """
    default, typed = defaults or {}, {name: request.GET.get(name, "") for name in form_class.base_fields}
    stated = [(name, value) for name, value in {**typed, **(plain or {})}.items() if value.strip()]
    needed = [(name, value) for name, value in stated if value != default.get(name)]
    if dict(needed) == request.GET.dict():
        return None
    return redirect(f"{request.path}?{urlencode(needed)}" if needed else request.path)


class FieldChoice(NamedTuple):
    """A value to choose."""

    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A field of parts/fields.html."""

    name: str
    label: str
    value: str
    unit: str = ""
    hint: str = ""
    errors: Sequence[str] = ()
    choices: Sequence[FieldChoice] = ()


def field_row(form: forms.Form, name: str, unit: str = "", hint: str = "") -> FieldRow:
    field, value = form.fields[name], str(form[name].value() or "")
    choices = [
        FieldChoice(choice, label, str(choice) == value) for choice, label in getattr(field, "choices", [])
    ]
    errors = [str(error) for error in form.errors.get(name, [])]
    return FieldRow(name, str(field.label), value, unit, hint, errors, choices)


def field_rows(form: forms.Form, hints: Mapping[str, tuple[str, str]]) -> list[FieldRow]:
    """All fields; `hints` has the unit and the hint of a field."""
    rows = [field_row(form, name, *hints.get(name, ())) for name in form.fields]
    return [replace(row, value=row.value[:MAX_ECHO_LENGTH]) for row in rows]


class Fault(NamedTuple):
    """An error and the field that it is about."""

    name: str
    label: str
    message: str


def faults(form: forms.Form) -> list[Fault]:
    return [
        Fault(name, str(form.fields[name].label), str(message))
        for name, messages in form.errors.items()
        for message in messages
    ]
