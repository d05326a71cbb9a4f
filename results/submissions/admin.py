"""Read-only admin tables. Changes to results go through the services."""

from django.contrib import admin

from results.core.admin import ReadOnlyAdmin
from results.models import DeviceRanking, Firmware, Result
from results.models.choices import State


@admin.register(Firmware)
class FirmwareAdmin(ReadOnlyAdmin):
    list_display = ("version", "device")
    list_select_related = ("device",)
    search_fields = ("version", "device__model_name")


@admin.register(Result)
class ResultAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "device", "method", "is_ranked", "measured_on")
    list_filter = ("method", "is_ranked")
    list_select_related = ("device",)
    search_fields = ("public_id", "device__model_name")

    def has_page(self, obj: Result) -> bool:
        return obj.submission.state != State.WAITING


@admin.register(DeviceRanking)
class DeviceRankingAdmin(ReadOnlyAdmin):
    list_display = ("device", "board", "method", "device_class", "score", "high", "unit_count")
    list_filter = ("method", "device_class")
    list_select_related = ("device",)
