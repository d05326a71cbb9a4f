"""Facts about products from other sources than the catalogue's line: a table per kind, a row per source."""

from django.db import models
from django.db.models import OuterRef, Q
from django.db.models.functions import Cast

from results.models import lengths
from results.models.choices import CaveatKind, ClaimQuantity, Offer, PriceCondition, SellerKind, StatedBy
from results.models.fields import change_time
from results.models.product import Product

CAPACITY_TOLERANCE = 0.05  # tools and vendors count one device's capacity a little differently
DATE_PREFIX = r"^\d{4}(-\d{2}(-\d{2})?)?$"  # a date, perhaps only its known part: 2018, 2018-01
CURRENCY = r"^[A-Z]{3}$"
HIGHEST_PRICE = 2_000_000  # in any currency
_SHOWN_UNITS = {"us": "µs", "DWPD": "a day"}


def is_same_capacity(stated: int | None, capacity_bytes: int | None) -> bool:
    """Whether a marketed capacity is this one, within the tolerance of tools."""
    if stated is None or capacity_bytes is None:
        return False
    return abs(stated - capacity_bytes) <= CAPACITY_TOLERANCE * max(stated, capacity_bytes)


def is_about(stated: int | None, capacity_bytes: int | None) -> bool:
    """Whether what is stated for a marketed capacity, or for the entire line if None, is about this one.

    Of an unknown capacity that is only what is stated for the line.
    """
    return stated is None or is_same_capacity(stated, capacity_bytes)


def has_capacity_of(path: str) -> Q:
    """`is_same_capacity` in SQL: matches rows of this capacity in a subquery; `path` is that of the outer row's."""
    size, least = Cast(OuterRef(path), models.FloatField()), 1 - CAPACITY_TOLERANCE
    return Q(capacity_bytes__gte=size * least, capacity_bytes__lte=size / least)


class Claim(models.Model):
    """A figure or component that a maker or reviewer states for a product: shown, never ranked.

    A quantity with a unit has a value; the others have a text.
    """

    # 1.0.0 reads the column product_id, which a trigger leaves empty for quantities that it doesn't know.
    product = models.ForeignKey(
        Product, on_delete=models.CASCADE, related_name="claims", db_column="about_id"
    )
    capacity_bytes = models.PositiveBigIntegerField(null=True, blank=True)  # null: the entire line
    # The models of the line that it is about, such as "MAX"; empty: all of them
    variant = models.CharField(max_length=lengths.VARIANT, blank=True, default="", db_default="")
    quantity = models.CharField(max_length=40, choices=ClaimQuantity)
    value = models.DecimalField(max_digits=16, decimal_places=3, null=True, blank=True)
    is_below = models.BooleanField(default=False)  # stated as less than the value
    text = models.CharField(max_length=lengths.FACT, blank=True)
    unit = models.CharField(max_length=10, blank=True)
    stated_by = models.CharField(max_length=20, choices=StatedBy)
    source_url = models.URLField(max_length=lengths.ADDRESS)
    note = models.CharField(max_length=lengths.FACT, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["product", "capacity_bytes", "quantity", "source_url", "value", "text"],
                nulls_distinct=False,
                name="claim_once_a_source",
            ),
            models.CheckConstraint(
                condition=Q(value__gt=0) | Q(quantity=ClaimQuantity.CACHE, value=0), name="claim_is_positive"
            ),
            models.CheckConstraint(
                condition=Q(value__isnull=True, is_below=False, unit="") & ~Q(text="")
                | Q(value__isnull=False, text="") & ~Q(unit=""),
                name="claim_is_a_figure_or_a_text",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.product}: {self.quantity} {self.stated}"

    @property
    def stated(self) -> str:
        """The text, or the value with its unit, such as "under 10 µs"."""
        if self.text:
            return self.text
        number = f"{self.value:,f}"
        shown = number.rstrip("0").rstrip(".") if "." in number else number
        return f"{'under ' if self.is_below else ''}{shown} {_SHOWN_UNITS.get(self.unit, self.unit)}"


class PriceSighting(models.Model):
    """A price that a page showed for a product on a day, not its current price.

    Call results.catalogue.prices.mark_shown, which sets the marks at the end, after storing or removing sightings.
    """

    product = models.ForeignKey(Product, on_delete=models.CASCADE, related_name="prices")
    capacity_bytes = models.PositiveBigIntegerField(null=True, blank=True)  # null: the line's only one
    price = models.DecimalField(max_digits=9, decimal_places=2)
    currency = models.CharField(max_length=3)  # ISO 4217
    condition = models.CharField(max_length=20, choices=PriceCondition, blank=True)  # empty: not stated
    seller_kind = models.CharField(max_length=20, choices=SellerKind)
    seen_on = models.CharField(max_length=10)  # DATE_PREFIX
    source_url = models.URLField(max_length=lengths.ADDRESS)
    # By `manage.py load_prices`: not removed with the shipped file's
    is_added = models.BooleanField(default=False)
    # The offer whose price it is on all pages, by capacity and currency. 1.0.0 calls the column newest_as.
    shown_as = models.CharField(max_length=4, choices=Offer, blank=True, db_column="newest_as")
    # The lowest of the latest year among the shown ones of all capacities in its currency: what the line costs.
    is_line_price = models.BooleanField(default=False)
    is_offer_price = models.BooleanField(default=False)  # the same among new or used ones
    changed_at = change_time()

    class Meta:
        indexes = [
            models.Index(
                fields=["product", "currency", "price"],
                condition=~Q(shown_as=""),
                name="price_cheapest_first",
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=[
                    "product",
                    "capacity_bytes",
                    "price",
                    "currency",
                    "condition",
                    "seller_kind",
                    "seen_on",
                    "source_url",
                ],
                nulls_distinct=False,
                name="price_seen_once_a_source",
            ),
            models.UniqueConstraint(
                fields=["product", "capacity_bytes", "currency", "shown_as"],
                condition=~Q(shown_as=""),
                nulls_distinct=False,
                name="price_shown_of_an_offer",
            ),
            models.UniqueConstraint(
                fields=["currency", "product"], condition=Q(is_line_price=True), name="price_of_a_line"
            ),
            models.UniqueConstraint(
                fields=["currency", "product", "shown_as"],
                condition=Q(is_offer_price=True),
                name="price_of_a_line_by_offer",
            ),
            models.CheckConstraint(
                condition=Q(price__gt=0, price__lte=HIGHEST_PRICE), name="price_is_positive"
            ),
            models.CheckConstraint(condition=Q(currency__regex=CURRENCY), name="price_has_a_currency"),
            models.CheckConstraint(
                condition=Q(seen_on__regex=DATE_PREFIX, seen_on__gte="1980", seen_on__lt="2101"),
                name="price_was_seen_on_a_date",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.product}: {self.price} {self.currency}, seen {self.seen_on}"


class LifeCycle(models.Model):
    """What one source states about a product's launch, end of sale and successor."""

    product = models.ForeignKey(Product, on_delete=models.CASCADE, related_name="life_cycle")
    launched_on = models.CharField(max_length=10, blank=True)  # DATE_PREFIX
    end_of_sale = models.CharField(max_length=lengths.FACT, blank=True)  # as stated: often of one version
    successor = models.ForeignKey(
        Product, to_field="slug", on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    source_url = models.URLField(max_length=lengths.ADDRESS)
    note = models.CharField(max_length=lengths.FACT, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(launched_on="") | Q(launched_on__regex=DATE_PREFIX),
                name="life_cycle_begins_on_a_date",
            ),
            models.CheckConstraint(
                condition=Q(successor__isnull=False) | ~Q(launched_on="", end_of_sale="", note=""),
                name="life_cycle_says_something",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.product}: {self.launched_on} to {self.end_of_sale}"


class Caveat(models.Model):
    """A warning to buyers or owners of a product, from one source."""

    product = models.ForeignKey(Product, on_delete=models.CASCADE, related_name="caveats")
    kind = models.CharField(max_length=20, choices=CaveatKind)
    summary = models.CharField(max_length=300)
    fixed_in_firmware = models.CharField(max_length=60, blank=True)
    source_url = models.URLField(max_length=lengths.ADDRESS)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(summary=""), name="caveat_says_something")]

    def __str__(self) -> str:
        return f"{self.product}: {self.summary}"
