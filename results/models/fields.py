"""The curve as an array column: one slot a block size from 512 B to 8 MiB."""

from collections.abc import Iterable
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models

BLOCK_SIZES: tuple[int, ...] = tuple(512 << slot for slot in range(15))
SLOT_OF_BLOCK_SIZE: dict[int, int] = {block_size: slot for slot, block_size in enumerate(BLOCK_SIZES)}


class RealField(models.FloatField):
    """PostgreSQL's four-byte float: seven digits, more than diskinfo prints."""

    def db_type(self, connection: Any) -> str:  # noqa: ARG002 - Django's signature
        return "real"


def curve_field(**options: Any) -> ArrayField:
    """A column of one value a block size of BLOCK_SIZES, null where none was measured."""
    return ArrayField(RealField(null=True), size=len(BLOCK_SIZES), **options)


def array_literal(values: Iterable[float]) -> str:
    """As PostgreSQL writes an array: for thousands of values, which the driver would quote one by one."""
    return f"{{{','.join(map(repr, values))}}}"


class AllPositive(models.Func):
    """Whether every value of an array that is not null is above zero."""

    template = "0 < ALL (%(expressions)s)"
    output_field = models.BooleanField()


def is_curve(column: str) -> models.CheckConstraint:
    """A constraint: every slot is there, and what was measured took time."""
    has_every_slot = models.Q(**{f"{column}__len": len(BLOCK_SIZES)})
    return models.CheckConstraint(
        condition=has_every_slot & models.Q(AllPositive(column)), name=f"%(class)s_{column}_is_a_curve"
    )
