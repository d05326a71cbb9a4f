"""How long a SLOG lasts: what is written a day against a rating, typed or from the catalogue."""

from decimal import Decimal
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from parsers.base.units import GIGABYTE, TERABYTE
from results.advice.lifetime import LONG_YEARS, WARRANTY_YEARS, lifetime, rated_bytes
from results.catalogue.endurance import RatedProduct, rated_product, rated_products
from results.catalogue.protection import WRITTEN_GB_A_DAY, source_link
from results.core.formats import format_positive
from results.core.forms import NumberField, faults, field_rows, settled
from results.core.public import public_page
from results.guide.page import guide_context

HINTS = {
    "written": ("GB a day", "synchronous writes only: zpool iostat -v shows what the log takes"),
    "product": ("", "or type a rating below"),
    "tbw": ("TB", "terabytes written, as the data sheet says"),
    "dwpd": ("", "full drive writes a day, with the capacity"),
    "capacity": ("GB", "of the device"),
    "years": ("", f"of the rating; {WARRANTY_YEARS} where none are named"),
}


class LifetimeForm(forms.Form):
    """Writes a day, and one rating: a product's, TBW, or drive writes a day of a capacity."""

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
            "The catalogue has no rated product of that name: choose another."
        )

    def clean(self) -> dict[str, Any]:
        asked: dict[str, Any] = super().clean() or self.cleaned_data
        named = [name for name in ("product", "tbw", "dwpd") if asked.get(name)]
        if self.errors:
            return asked
        if not named:
            self.add_error("product", "Choose a product, or type TBW or DWPD.")
        elif len(named) > 1:
            self.add_error(
                named[1], f"Leave {self.fields[named[1]].label} out, or {self.fields[named[0]].label}."
            )
        elif asked["dwpd"] and not asked["capacity"]:
            self.add_error("capacity", "Drive writes a day need the capacity.")
        return asked


@require_GET
@public_page
def guide_lifetime(request: HttpRequest) -> HttpResponse:
    moved = settled(request, LifetimeForm)
    if moved is not None:
        return moved
    form = (
        LifetimeForm(request.GET) if request.GET else LifetimeForm(initial={"written": str(WRITTEN_GB_A_DAY)})
    )
    product = None
    if form.is_bound and form.is_valid() and form.cleaned_data["product"]:
        product = rated_product(form.cleaned_data["product"])
        if product.needs_capacity and not form.cleaned_data["capacity"]:
            form.add_error("capacity", "This product is rated in drive writes a day: say its capacity.")
    status = 400 if form.is_bound and form.errors else 200
    answer = _answer(form.cleaned_data, product) if form.is_bound and status == 200 else None
    context = {
        **guide_context("how-long-does-it-last"),
        "fields": field_rows(form, HINTS),
        "faults": faults(form),
        "answer": answer,
    }
    return render(request, "results/guide/how-long-does-it-last.html", context, status=status)


def _answer(asked: dict[str, Any], product: RatedProduct | None) -> dict[str, Any]:
    a_day = max(int(asked["written"] * GIGABYTE), 1)
    ratings = _of_product(asked, product) if product else [_typed(asked)]
    return {
        "written": f"{asked['written'].normalize():f}",
        "rows": [_row(label, written, a_day) for label, written in ratings],
        "product": product.name if product else "",
        "product_url": reverse("product", args=[product.slug]) if product else "",
        "source": source_link(product.source_url) if product and product.source_url else None,
    }


def _typed(asked: dict[str, Any]) -> tuple[str, int]:
    if asked["tbw"]:
        return "as typed", int(asked["tbw"] * TERABYTE)
    capacity = int(asked["capacity"] * GIGABYTE)
    years = asked["years"] or Decimal(WARRANTY_YEARS)
    written = rated_bytes(asked["dwpd"], capacity_bytes=capacity, years=1) * years
    return _gigabytes(capacity), int(written)


def _of_product(asked: dict[str, Any], product: RatedProduct) -> list[tuple[str, int]]:
    """Each capacity that is rated in bytes; else the capacity that was typed, by drive writes a day at least."""
    if not product.needs_capacity:
        return [
            (_gigabytes(capacity) if capacity else "the largest", written)
            for capacity, written in product.written
        ]
    capacity = int(asked["capacity"] * GIGABYTE)
    written = rated_bytes(product.dwpd, capacity_bytes=capacity, years=product.years)
    return [(_gigabytes(capacity), written)]


def _gigabytes(capacity: int) -> str:
    return f"{capacity / GIGABYTE:,.1f}".removesuffix(".0")


def _row(label: str, written: int, a_day: int) -> dict[str, str]:
    life = lifetime(written, a_day_bytes=a_day)
    years = f"over {LONG_YEARS}" if life.years > LONG_YEARS else f"{life.years:.1f}"
    return {
        "label": label,
        "rated": f"{written / TERABYTE:,.0f}" if written >= TERABYTE else f"{written / TERABYTE:.3g}",
        "years": years,
        "a_day": format_positive(life.a_day_bytes / GIGABYTE),
    }
