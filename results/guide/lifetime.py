"""The calculator of how long a SLOG lasts, from a rating and daily writes."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse

from parsers.base.units import GIGABYTE, TERABYTE
from results.advice.criteria import from_drive_writes
from results.advice.lifetime import LONG_YEARS, WARRANTY_YEARS, Lifetime, lifetime, rated_bytes
from results.catalogue.endurance import RatedProduct, rated_product, rated_products
from results.catalogue.protection import WRITTEN_GB_A_DAY
from results.core.formats import format_positive
from results.core.forms import NumberField, canonical_redirect, faults, field_rows
from results.core.public import public_page
from results.guide.page import render_guide

HINTS = {
    "written": ("GB a day", "synchronous writes only: zpool iostat -v shows what goes to the log"),
    "product": ("", "or type a rating below"),
    "tbw": ("TB", "terabytes written, as the data sheet says"),
    "dwpd": ("", "full drive writes per day, with the capacity"),
    "capacity": ("GB", "of the device"),
    "years": ("", f"of the rating; {WARRANTY_YEARS} if not stated"),
}


class LifetimeForm(forms.Form):
    """Daily writes, and one rating: a product's, TBW, or DWPD with a capacity."""

    written = NumberField("Written", most=10_000_000, required=True)
    product = forms.ChoiceField(label="Product", required=False)
    tbw = NumberField("TBW", most=10_000_000)
    dwpd = NumberField("DWPD", most=1000, least="0.001")
    capacity = NumberField("Capacity", most=1_000_000, least="1")
    years = NumberField("Years", most=20, least="1")

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        field = self.fields["product"]
        field.choices = [("", "not from the catalogue"), *rated_products()]  # type: ignore[attr-defined] # a choice
        field.error_messages["invalid_choice"] = (
            "The catalogue has no rated product with that name: choose another."
        )

    def clean(self) -> None:
        super().clean()
        data = self.cleaned_data
        named = [name for name in ("product", "tbw", "dwpd") if data.get(name)]
        if self.errors:
            return
        if not named:
            self.add_error("product", "Choose a product, or type TBW or DWPD.")
        elif len(named) > 1:
            self.add_error(
                named[1], f"Enter {self.fields[named[1]].label} or {self.fields[named[0]].label}, not both."
            )
        elif data["dwpd"] and not data["capacity"]:
            self.add_error("capacity", "Enter the capacity as well: drive writes per day depend on it.")


@public_page(LifetimeForm)
def guide_lifetime(request: HttpRequest) -> HttpResponse:
    if moved := canonical_redirect(request, LifetimeForm):
        return moved
    form = (
        LifetimeForm(request.GET) if request.GET else LifetimeForm(initial={"written": str(WRITTEN_GB_A_DAY)})
    )
    product = None
    if form.is_bound and form.is_valid() and form.cleaned_data["product"]:
        product = rated_product(form.cleaned_data["product"])
        if not _product_ratings(form.cleaned_data, product):
            form.add_error("capacity", "This product is rated in drive writes per day: enter its capacity.")
    status = 400 if form.is_bound and form.errors else 200
    answer = _answer(form.cleaned_data, product) if form.is_bound and status == 200 else None
    more = {"fields": field_rows(form, HINTS), "faults": faults(form), "answer": answer}
    return render_guide(request, "how-long-does-it-last", more, status=status)


@dataclass(frozen=True, slots=True)
class RatedLife:
    """How long a capacity lasts."""

    label: str
    life: Lifetime

    @property
    def rated_tb(self) -> str:
        written = self.life.written_bytes
        return f"{written / TERABYTE:,.0f}" if written >= TERABYTE else f"{written / TERABYTE:.3g}"

    @property
    def years(self) -> str:
        return f"over {LONG_YEARS}" if self.life.years > LONG_YEARS else f"{self.life.years:.1f}"

    @property
    def a_day_gb(self) -> str:
        return format_positive(self.life.a_day_bytes / GIGABYTE)


@dataclass(frozen=True, slots=True)
class LifetimeAnswer:
    """What was asked, and a row for each capacity; a typed rating has no product."""

    written: Decimal
    rows: Sequence[RatedLife]
    product: RatedProduct | None


def _answer(data: dict[str, Any], product: RatedProduct | None) -> LifetimeAnswer:
    a_day = max(int(data["written"] * GIGABYTE), 1)
    ratings = _product_ratings(data, product) if product else [_typed_rating(data)]
    rows = [RatedLife(label, lifetime(written, a_day_bytes=a_day)) for label, written in ratings]
    return LifetimeAnswer(data["written"], rows, product)


def _typed_rating(data: dict[str, Any]) -> tuple[str, int]:
    if data["tbw"]:
        return "as typed", int(data["tbw"] * TERABYTE)
    capacity = int(data["capacity"] * GIGABYTE)
    years = data["years"] or Decimal(WARRANTY_YEARS)
    written = rated_bytes(data["dwpd"], capacity_bytes=capacity, years=1) * years
    return _gigabytes(capacity), int(written)


def _product_ratings(data: dict[str, Any], product: RatedProduct) -> list[tuple[str, int]]:
    """Each capacity rated in bytes, and the typed one, at the lowest DWPD if need be."""
    rows = [
        (_gigabytes(figure.capacity_bytes) if figure.capacity_bytes else "the largest", figure.value)
        for figure in product.endurance.written
    ]
    capacity = int(data["capacity"] * GIGABYTE) if data["capacity"] else None
    written = product.endurance.of(capacity)
    if capacity and written and written.dwpd:
        rows.insert(0, (f"{_gigabytes(capacity)} ({from_drive_writes(written.dwpd)})", written.bytes))
    return rows


def _gigabytes(capacity: int) -> str:
    return f"{capacity / GIGABYTE:,.1f}".removesuffix(".0")
