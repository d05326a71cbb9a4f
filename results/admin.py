"""Django's own admin over the tables: to look things up. What changes a result goes through the services."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from results.models import Device, DeviceRanking, Firmware, Result, Submission


class ReadOnlyAdmin(admin.ModelAdmin):
    """Shows rows and changes none."""

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - the same
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - the same
        return False


@admin.register(Device)
class DeviceAdmin(ReadOnlyAdmin):
    list_display = ("model_name", "capacity_bytes", "device_class", "vendor")
    list_filter = ("device_class",)
    search_fields = ("model_name", "vendor", "slug")


@admin.register(Firmware)
class FirmwareAdmin(ReadOnlyAdmin):
    list_display = ("version", "device")
    list_select_related = ("device",)
    search_fields = ("version", "device__model_name")


@admin.register(Submission)
class SubmissionAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "state", "forum_handle", "parser_version", "created_at")
    list_filter = ("state", "parser_version")
    search_fields = ("public_id", "forum_handle", "source_url")


@admin.register(Result)
class ResultAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "device", "method", "zil_latency_us", "is_ranked", "measured_on")
    list_filter = ("method", "is_ranked")
    list_select_related = ("device",)
    search_fields = ("public_id", "device__model_name")


@admin.register(DeviceRanking)
class DeviceRankingAdmin(ReadOnlyAdmin):
    list_display = ("device", "method", "device_class", "class_rank", "zil_latency_us", "unit_count")
    list_filter = ("method", "device_class")
    list_select_related = ("device",)
