"""Markup in every column that holds anybody's words: as if all that stands before the tables had failed."""

from collections.abc import Iterator

from django.apps import apps
from django.db import Error, models, transaction
from django.utils import timezone

from results.models import AuditEntry, Device, ImportBatch, Member, Product, Report, Result, Submission
from tests.factories import make_price_report
from tests.security.payloads import CALL, MARKUP
from tests.security.world import World

STORABLE = [payload for payload in MARKUP if "\x00" not in payload]
FORMULA = f"=HYPERLINK({CALL}"
_ADDRESS = f'https://slog.example/"><script>{CALL}()</script>'
_NAMES_THINGS = {"public_id", "slug", "email", "password", "codename", "app_label", "model", "session_key"}


def plant(number: int) -> set[str]:
    """The columns, as "table.column", that now hold markup.

    `number` turns the payloads, which each column begins at another one of: few fit a short column.
    """
    planted = set()
    for model in apps.get_app_config("results").get_models():
        if model is AuditEntry:
            continue  # its trigger refuses that: a row was added
        for field in model._meta.get_fields():
            if isinstance(field, models.CharField | models.TextField) and _holds_words(field):
                planted |= _put(model, field, number + 3 * len(planted))
    return planted


def _holds_words(field: models.Field) -> bool:
    is_key = field.primary_key or "digest" in field.name or "unit" in field.name or "network" in field.name
    return not (field.choices or is_key or field.name in _NAMES_THINGS)


def _put(model: type[models.Model], field: models.Field, number: int) -> set[str]:
    """Nothing where the database itself refuses it."""
    planted = set()
    for place, row in enumerate(model._default_manager.all()):
        text = _words(field, number + place, getattr(row, field.name))
        try:
            with transaction.atomic():
                model._default_manager.filter(pk=row.pk).update(**{field.name: text})
        except Error:
            continue
        planted.add(f"{model._meta.model_name}.{field.name}")
    return planted


def _words(field: models.Field, number: int, before: str) -> str:
    if isinstance(field, models.URLField):
        return _ADDRESS
    turned = [*STORABLE[number % len(STORABLE) :], *STORABLE[: number % len(STORABLE)]]
    room = field.max_length or 10_000
    if field.name == "text" and room > 5_000:
        return f"{''.join(turned)}\n{before}"
    text = FORMULA if number % 3 == 0 else ""
    for payload in turned:
        if len(text) + len(payload) < room:
            text += payload
    return text[:room]


def add_rows(world: World) -> None:
    """A row of what the world has none of, so that words can be planted there."""
    moderator = world.members["moderator"]
    script = STORABLE[0]
    Report.objects.create(result=Result.objects.all()[0], reason="other", text=script, reporter=moderator)
    make_price_report(Product.objects.get(slug="aldera-one"), moderator)
    Member.objects.filter(pk=world.members["other"].pk).update(banned_at=timezone.now(), ban_reason=script)
    Device.objects.filter(pk=world.device.pk).update(product=Product.objects.get(slug="aldera-one"))
    batch = ImportBatch.objects.create(**_required(ImportBatch))
    Submission.objects.filter(pk=world.submission.pk).update(
        batch=batch,
        notices=[{"code": "odd", "message": script, "line": 1}],
    )
    AuditEntry.objects.create(
        actor_name=script, action="approved", submission=world.submission.public_id, reason=script * 3
    )


def _required(model: type[models.Model]) -> dict[str, str]:
    words: Iterator[models.Field] = (
        field for field in model._meta.fields if isinstance(field, models.CharField | models.TextField)
    )
    return {word.name: "x" for word in words if not word.choices and not isinstance(word, models.URLField)}
