"""Devices that a moderator chose to stand for their class."""

from django.core.exceptions import ValidationError
from django.db import models

from results.models import lengths
from results.models.choices import DeviceClassChoice
from results.models.device import Device


class RepresentativePin(models.Model):
    """The device that the survey page shows for a class, in place of the one that the figures would choose."""

    device_class = models.CharField(max_length=10, choices=DeviceClassChoice, unique=True)
    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="pins")
    reason = models.CharField(max_length=lengths.REASON)

    class Meta:
        constraints = [models.CheckConstraint(condition=~models.Q(reason=""), name="pin_has_a_reason")]

    def __str__(self) -> str:
        return f"{self.device} for {self.device_class}"

    def clean(self) -> None:
        if self.device_id and self.device.device_class != self.device_class:
            raise ValidationError({"device": f"Its class is {self.device.get_device_class_display()}."})
