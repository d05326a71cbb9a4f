"""The catalogue: vendors and their product lines, with the sources of its statements."""

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse

from parsers.base.device_class import DeviceClass
from results.models import lengths
from results.models.choices import DEVICE_CLASSES, Badge, Plp, Segment, is_probably_protected, plp_badge
from results.models.fields import change_time

CATALOGUE_CLASSES = [choice for choice in DEVICE_CLASSES.items() if choice[0] != DeviceClass.UNKNOWN]


class Vendor(models.Model):
    """The seller of a product; former and later owners are separated by " / "."""

    name = models.CharField(max_length=60, unique=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=~models.Q(name=""), name="vendor_has_a_name")]

    def __str__(self) -> str:
        return self.name


class Product(models.Model):
    """A line of the catalogue: one product line in all its capacities; unknown values are empty."""

    slug = models.SlugField(max_length=60, unique=True)
    vendor = models.ForeignKey(Vendor, on_delete=models.PROTECT, related_name="products")
    name = models.CharField(max_length=100)
    patterns = ArrayField(models.CharField(max_length=500), blank=True, default=list)
    aliases = ArrayField(models.CharField(max_length=120), blank=True, default=list)  # names people use
    # The aliases under which others sell it, such as "394XT": name, url
    oem_names = models.JSONField(blank=True, default=list, db_default=[])
    example_model = models.CharField(max_length=100, blank=True)
    device_class = models.CharField(max_length=10, choices=CATALOGUE_CLASSES)
    segment = models.CharField(max_length=10, choices=Segment)
    media = models.CharField(max_length=80, blank=True)
    interface = models.CharField(max_length=80, blank=True)
    form_factors = models.CharField(max_length=80, blank=True)
    plp = models.CharField(max_length=10, choices=Plp, default=Plp.UNKNOWN)
    plp_statements = models.JSONField(blank=True, default=list)  # value, evidence, url, note of each source
    endurance_dwpd_low = models.DecimalField(max_digits=6, decimal_places=2, null=True, blank=True)
    endurance_dwpd_high = models.DecimalField(max_digits=6, decimal_places=2, null=True, blank=True)
    endurance_years = models.PositiveSmallIntegerField(null=True, blank=True)
    # capacity_bytes (null: the largest), written_bytes
    endurance_tbw = models.JSONField(blank=True, default=list)
    endurance_source_url = models.URLField(max_length=lengths.ADDRESS, blank=True)
    launch_year = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1980), MaxValueValidator(2100)]
    )
    flags = ArrayField(models.CharField(max_length=30), blank=True, default=list)
    sources = ArrayField(models.URLField(max_length=lengths.ADDRESS), blank=True, default=list)
    line_digest = models.CharField(max_length=64, blank=True)  # of the last loaded version of the file's line
    changed_at = change_time()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="product_has_a_name"),
            models.CheckConstraint(
                condition=models.Q(device_class__in=[value for value, _ in CATALOGUE_CLASSES]),
                name="product_class_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(segment__in=Segment.values), name="product_segment_is_known"
            ),
            models.CheckConstraint(condition=models.Q(plp__in=Plp.values), name="product_plp_is_known"),
            models.CheckConstraint(
                condition=models.Q(plp=Plp.UNKNOWN) | ~models.Q(plp_statements=[]),
                name="product_plp_has_a_source",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    endurance_dwpd_low__isnull=True,
                    endurance_dwpd_high__isnull=True,
                    endurance_years__isnull=True,
                )
                | models.Q(
                    endurance_dwpd_low__isnull=False,
                    endurance_dwpd_high__isnull=False,
                    endurance_years__isnull=False,
                    endurance_dwpd_low__gt=0,
                    endurance_dwpd_high__gte=models.F("endurance_dwpd_low"),
                    endurance_years__gt=0,
                ),
                name="product_dwpd_is_a_range_over_years",
            ),
        ]

    def __str__(self) -> str:
        return self.full_name

    def get_absolute_url(self) -> str:
        return reverse("product", args=[self.slug])

    @property
    def is_probably_protected(self) -> bool:
        return is_probably_protected(self.plp, self.plp_statements)

    @property
    def plp_badge(self) -> Badge:
        """Its protection as a tag, by results.models.choices.plp_badge."""
        return plp_badge(self.plp, self.plp_statements)

    @property
    def full_name(self) -> str:
        """Vendor and name."""
        return f"{self.vendor.name} {self.name}"
