"""Devices and their firmware: what a vendor sells under one model name and capacity."""

from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.urls import reverse

from results.models.choices import DeviceClassChoice


class Device(models.Model):
    """A model name at a capacity, as the device reports itself."""

    slug = models.SlugField(max_length=140, unique=True)
    vendor = models.CharField(max_length=60, blank=True)
    model_name = models.CharField(max_length=100)
    capacity_bytes = models.PositiveBigIntegerField(null=True, blank=True)
    device_class = models.CharField(max_length=10, choices=DeviceClassChoice)
    created_at = models.DateTimeField(auto_now_add=True)

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
                condition=models.Q(device_class__in=DeviceClassChoice.values), name="device_class_is_known"
            ),
        ]
        indexes = [GinIndex(fields=["model_name"], name="device_model_trigrams", opclasses=["gin_trgm_ops"])]

    def __str__(self) -> str:
        return self.model_name

    def get_absolute_url(self) -> str:
        return reverse("device", args=[self.slug])


class Firmware(models.Model):
    """One firmware version of a device."""

    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="firmwares")
    version = models.CharField(max_length=40)

    class Meta:
        verbose_name_plural = "firmware"
        constraints = [
            models.UniqueConstraint(fields=["device", "version"], name="firmware_version_once_a_device"),
            models.CheckConstraint(condition=~models.Q(version=""), name="firmware_has_a_version"),
        ]

    def __str__(self) -> str:
        return self.version
