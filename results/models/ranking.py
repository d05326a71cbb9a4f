"""What the ranking computed: a row a device and method, and how far each class-wide pass has come."""

from django.db import models

from results.models.choices import DeviceClassChoice, Method
from results.models.device import Device
from results.models.fields import RealField, curve_field, is_curve


class DeviceRanking(models.Model):
    """Medians over a device's units, and its place; every number also stands as it is shown."""

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="rankings")
    method = models.CharField(max_length=10, choices=Method)
    device_class = models.CharField(max_length=10, choices=DeviceClassChoice)
    formula_version = models.PositiveSmallIntegerField()
    unit_count = models.PositiveIntegerField()
    result_count = models.PositiveIntegerField()
    zil_latency_us = RealField(null=True)
    latency_4k_us = RealField(null=True)
    throughput_128k_mib_s = RealField(null=True)
    peak_throughput_mib_s = RealField(null=True)
    median_us = curve_field()
    lowest_us = curve_field()
    highest_us = curve_field()
    last_measured_on = models.DateField(null=True)
    class_rank = models.PositiveIntegerField(null=True)  # null until the class-wide pass has seen the row
    overall_rank = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["device", "method"], name="ranking_once_a_device_and_method"),
            models.CheckConstraint(
                condition=models.Q(unit_count__gte=1) & models.Q(result_count__gte=models.F("unit_count")),
                name="ranking_rests_on_results",
            ),
            is_curve("median_us"),
        ]
        indexes = [
            models.Index(fields=["method", "device_class", "zil_latency_us"], name="ranking_class_zil"),
            models.Index(fields=["method", "zil_latency_us"], name="ranking_overall_zil"),
        ]

    def __str__(self) -> str:
        return f"{self.device_id} by {self.method}"


class ClassRanking(models.Model):
    """How often a class changed, and up to which change its class-wide pass has been made."""

    device_class = models.CharField(max_length=10, choices=DeviceClassChoice)
    method = models.CharField(max_length=10, choices=Method)
    changes = models.BigIntegerField(default=0)
    ranked_changes = models.BigIntegerField(default=0)
    ranked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["device_class", "method"], name="class_ranking_once"),
        ]

    def __str__(self) -> str:
        return f"{self.device_class} by {self.method}: {self.ranked_changes} of {self.changes}"
