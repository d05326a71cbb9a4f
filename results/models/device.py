"""Devices and their firmware: what a vendor sells under one model name and capacity. Pins for the survey."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Self

from django.contrib.postgres.indexes import GinIndex
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Count, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce, Collate, Concat, NullIf
from django.urls import reverse

from results.models import lengths
from results.models.choices import DEVICE_CLASSES, Badge, State, plp_badge
from results.models.fields import change_time
from results.models.product import Product

# Lock several devices in this order only.
LOCK_ORDER = (Collate("model_name", "C"), Coalesce("capacity_bytes", 0))


class DeviceQuerySet(models.QuerySet["Device"]):
    """Devices by visibility and state."""

    def shown(self) -> Self:
        """Devices with a published result; the existence of others is not disclosed."""
        return self.filter(result_count__gt=0)

    def dirty(self) -> Self:
        """Devices whose ranking rows don't include all of their results yet."""
        return self.filter(dirty_since__isnull=False)


class Device(models.Model):
    """A model name at a capacity, as the device reports itself.

    `read_class` is derived from the texts alone, `known_class` also from the catalogue: empty without a product.
    `device_class` is the effective one: the moderator's, else the known one, else the one that was read.
    """

    id = models.AutoField(primary_key=True)
    slug = models.SlugField(max_length=140, unique=True)
    vendor = models.CharField(max_length=lengths.VENDOR, blank=True)
    model_name = models.CharField(max_length=lengths.MODEL_NAME)
    capacity_bytes = models.PositiveBigIntegerField(null=True, blank=True)
    product = models.ForeignKey(
        Product,
        on_delete=models.PROTECT,
        null=True,
        related_name="devices",
        db_index=False,  # device_of_product begins with it
    )
    # The path of its page below /products/ ("intel-dc-p3700/400-gb"), which it keeps while product and capacity stay
    # (results.catalogue.matching.pages); empty without a product, and for devices from before this column
    page = models.CharField(max_length=lengths.PAGE, blank=True, default="", db_default="")
    read_class = models.CharField(max_length=10, choices=DEVICE_CLASSES)
    known_class = models.CharField(max_length=10, choices=DEVICE_CLASSES, blank=True, db_default="")
    class_overrule = models.CharField(max_length=10, choices=DEVICE_CLASSES, blank=True)
    class_overrule_reason = models.CharField(max_length=lengths.REASON, blank=True)
    device_class = models.GeneratedField(
        expression=Coalesce(
            NullIf("class_overrule", models.Value("")), NullIf("known_class", models.Value("")), "read_class"
        ),
        output_field=models.CharField(max_length=10),
        db_persist=True,
        choices=DEVICE_CLASSES,
    )
    searched = models.GeneratedField(
        expression=Concat("vendor", models.Value(" "), "model_name"),
        output_field=models.CharField(max_length=lengths.VENDOR + 1 + lengths.MODEL_NAME),
        db_persist=True,
    )
    # Published ones: recount and add_results
    result_count = models.PositiveIntegerField(default=0, db_default=0)
    elsewhere_count = models.PositiveIntegerField(default=0, db_default=0)  # of these, published elsewhere
    # How its ranked results were measured: objects of what they state (results.ranking.conditions)
    conditions = models.JSONField(default=list, db_default=models.Value([], models.JSONField()))
    # The same by method and condition: every value that they state
    condition_values = models.JSONField(default=dict, db_default=models.Value({}, models.JSONField()))
    # The time since which its ranking rows lack results. No index: updating an indexed column writes the entries of
    # all indexes, and finding the few dirty devices among thousands takes only a millisecond or two.
    dirty_since = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = change_time()

    objects = DeviceQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["model_name", "capacity_bytes"],
                nulls_distinct=False,
                name="device_is_model_and_capacity",
            ),
            models.CheckConstraint(condition=~models.Q(model_name=""), name="device_has_a_model_name"),
            models.CheckConstraint(
                condition=models.Q(capacity_bytes__isnull=True) | models.Q(capacity_bytes__gt=0),
                name="device_capacity_is_positive",
            ),
            models.CheckConstraint(
                condition=models.Q(read_class__in=list(DEVICE_CLASSES)), name="device_class_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(known_class__in=["", *DEVICE_CLASSES]), name="device_known_class_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(class_overrule="", class_overrule_reason="")
                | models.Q(class_overrule__in=list(DEVICE_CLASSES)) & ~models.Q(class_overrule_reason=""),
                name="device_class_is_overruled_for_a_reason",
            ),
        ]
        indexes = [
            models.Index(fields=["changed_at", "id"], name="device_last_changed"),
            GinIndex(fields=["searched"], name="device_trigrams", opclasses=["gin_trgm_ops"]),
            # what joins of rankings and products need: the rows are twenty times as large
            models.Index(
                fields=["product"], include=["id", "capacity_bytes", "result_count"], name="device_of_product"
            ),
        ]

    def __str__(self) -> str:
        return self.model_name

    def get_absolute_url(self) -> str:
        return f"{reverse('products')}{self.page}/" if self.page else reverse("device", args=[self.slug])

    @property
    def vendor_name(self) -> str:
        """The product's vendor, or without a product what a tool or a source stated."""
        return self.product.vendor.name if self.product else self.vendor

    @property
    def plp_badge(self) -> Badge:
        """The protection of its product as a tag, unknown without one."""
        return self.product.plp_badge if self.product else plp_badge(None)

    @classmethod
    def recount(cls, device_ids: Collection[int]) -> None:
        """Recount the published results of these devices, whose locks the caller holds."""
        is_published = Q(results__submission__state=State.PUBLISHED)
        is_elsewhere = is_published & Q(results__submission__survey_id__isnull=False)
        counted = cls.objects.filter(pk=OuterRef("pk")).annotate(
            published=Count("results", filter=is_published), elsewhere=Count("results", filter=is_elsewhere)
        )
        cls.objects.filter(pk__in=device_ids).update(
            result_count=Subquery(counted.values("published")),
            elsewhere_count=Subquery(counted.values("elsewhere")),
        )

    @classmethod
    def add_results(cls, counts: Mapping[int, int]) -> None:
        """Add results that were submitted here to the counts of locked devices, by their keys.

        A popular device has too many results to be counted.
        """
        devices: dict[int, list[int]] = defaultdict(list)
        for device_id, count in counts.items():
            devices[count].append(device_id)
        for count, device_ids in devices.items():
            cls.objects.filter(pk__in=device_ids).update(result_count=F("result_count") + count)


def for_device(*names: str) -> tuple[str, ...]:
    """The lookups of these columns of a device, from a table that refers to it."""
    return tuple(f"device__{name}" for name in names)


class DeviceAlias(models.Model):
    """Another spelling of a device: its results belong to the device, and its old URL redirects there."""

    slug = models.SlugField(max_length=140, unique=True)
    model_name = models.CharField(max_length=lengths.MODEL_NAME)
    capacity_bytes = models.PositiveBigIntegerField(null=True, blank=True)
    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="aliases")
    reason = models.CharField(max_length=lengths.REASON)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "device aliases"
        constraints = [
            models.UniqueConstraint(
                fields=["model_name", "capacity_bytes"],
                nulls_distinct=False,
                name="alias_is_model_and_capacity",
            ),
            models.CheckConstraint(condition=~models.Q(reason=""), name="alias_has_a_reason"),
        ]

    def __str__(self) -> str:
        return self.model_name


class Firmware(models.Model):
    """One firmware version of a device."""

    id = models.AutoField(primary_key=True)
    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="firmwares")
    version = models.CharField(max_length=lengths.FIRMWARE)

    class Meta:
        verbose_name_plural = "firmware"
        constraints = [
            models.UniqueConstraint(fields=["device", "version"], name="firmware_version_once_a_device"),
            models.CheckConstraint(condition=~models.Q(version=""), name="firmware_has_a_version"),
        ]

    def __str__(self) -> str:
        return self.version


class RepresentativePin(models.Model):
    """The device that the survey page shows for a class, instead of the one chosen by its figures."""

    device_class = models.CharField(max_length=10, choices=DEVICE_CLASSES, unique=True)
    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="pins")
    reason = models.CharField(max_length=lengths.REASON)

    class Meta:
        constraints = [models.CheckConstraint(condition=~models.Q(reason=""), name="pin_has_a_reason")]

    def __str__(self) -> str:
        return f"{self.device} for {self.device_class}"

    def clean(self) -> None:
        if self.device_id and self.device.device_class != self.device_class:
            raise ValidationError({"device": f"Its class is {self.device.get_device_class_display()}."})
