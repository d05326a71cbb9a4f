"""Custom fields: curves as arrays with one slot per block size from 512 B to 8 MiB, floats and digests as bytes."""

import re
import sys
from array import array
from collections.abc import Iterable
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from parsers.base.units import KIBIBYTE

BLOCK_SIZES: tuple[int, ...] = tuple(512 << slot for slot in range(15))
SLOT_OF_BLOCK_SIZE: dict[int, int] = {block_size: slot for slot, block_size in enumerate(BLOCK_SIZES)}
BLOCK_4K, BLOCK_8K, BLOCK_128K = 4 * KIBIBYTE, 8 * KIBIBYTE, 128 * KIBIBYTE
SLOT_4K, SLOT_8K, SLOT_128K = (SLOT_OF_BLOCK_SIZE[size] for size in (BLOCK_4K, BLOCK_8K, BLOCK_128K))
LATENCY_4K = f"latency_us__{SLOT_4K}"  # the lookup of a curve's latency at 4 KiB
LARGEST_INTEGER = 2**31 - 1  # that a column of this type holds
DIGEST = re.compile(r"[0-9a-f]{32}")
DIGEST_BYTES = 16


class RealField(models.FloatField):
    """PostgreSQL's four-byte float: seven digits, more than diskinfo prints."""

    def db_type(self, connection: Any) -> str:  # noqa: ARG002 - Django's signature
        return "real"


def curve_field(**options: Any) -> ArrayField:
    """A column with one value per block size of BLOCK_SIZES, null if it was not measured."""
    return ArrayField(RealField(null=True), size=len(BLOCK_SIZES), **options)


class FloatsField(models.BinaryField):
    """Thousands of four-byte floats in one value: bytes in network order, as PostgreSQL's float4send gives them.

    An array column would be read and written number by number, as text.
    """

    _pyi_private_get_type: "array[float]"  # type: ignore[assignment] # what reading it gives, for django-stubs

    def get_prep_value(self, value: Any) -> bytes:
        return floats_to_bytes(value)

    def from_db_value(self, value: Any, *_: Any) -> "array[float] | None":
        return None if value is None else floats_from_bytes(value)


def floats_to_bytes(values: Iterable[float]) -> bytes:
    """The floats in FloatsField's format, rounded to four-byte precision."""
    floats = array("f", values)
    if sys.byteorder == "little":
        floats.byteswap()
    return floats.tobytes()


def floats_from_bytes(stored: bytes) -> "array[float]":
    """The way back."""
    floats = array("f", bytes(stored))
    if sys.byteorder == "little":
        floats.byteswap()
    return floats


class UnitField(models.BinaryField):
    """A unit, a str in Python: a digest of 32 hexadecimal digits is stored in 16 bytes, other text as it is."""

    _pyi_private_get_type: str  # type: ignore[assignment] # what reading it gives, for django-stubs

    def get_prep_value(self, value: Any) -> bytes | None:
        return None if value is None else bytes_of_unit(value)

    def from_db_value(self, value: Any, *_: Any) -> str | None:
        return None if value is None else unit_of_bytes(bytes(value))


def bytes_of_unit(unit: str) -> bytes:
    """The unit in UnitField's format."""
    return bytes.fromhex(unit) if DIGEST.fullmatch(unit) else unit.encode()


def unit_of_bytes(stored: bytes) -> str:
    """The reverse: any value of a digest's length is a digest."""
    return stored.hex() if len(stored) == DIGEST_BYTES else stored.decode()


def change_time() -> models.DateTimeField:
    """When the row last changed in the API, apart from ranks: set by triggers alone (migration 0037)."""
    return models.DateTimeField(db_default=Now(), editable=False)


class AllPositive(models.Func):
    """Whether all values of an array, apart from nulls, are above zero."""

    template = "0 < ALL (%(expressions)s)"
    output_field = models.BooleanField()


def is_curve(column: str) -> models.CheckConstraint:
    """A constraint: all slots are present, and measured values are above zero."""
    has_every_slot = models.Q(**{f"{column}__len": len(BLOCK_SIZES)})
    return models.CheckConstraint(
        condition=has_every_slot & models.Q(AllPositive(column)), name=f"%(class)s_{column}_is_a_curve"
    )
