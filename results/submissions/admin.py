"""Read-only admin tables. Changes to results go through the services."""

from django.contrib import admin

from results.core.admin import ReadOnlyAdmin
from results.models import DeviceRanking, Firmware, Result, Submission


@admin.register(Firmware)
class FirmwareAdmin(ReadOnlyAdmin):
    list_display = ("version", "device")
    list_select_related = ("device",)
    search_fields = ("version", "device__model_name")


@admin.register(Submission)
class SubmissionAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "state", "state_reason", "created_at", "forum_handle", "batch")
    list_filter = ("state", "parser_version")
    list_select_related = ("batch",)
    search_fields = ("public_id", "forum_handle", "source_url")


@admin.register(Result)
class ResultAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "device", "pool", "method", "is_ranked", "measured_on")
    list_filter = ("method", "is_ranked")
    list_select_related = ("device", "pool")
    search_fields = ("public_id", "device__model_name")


@admin.register(DeviceRanking)
class DeviceRankingAdmin(ReadOnlyAdmin):
    list_display = ("device", "board", "method", "device_class", "score", "high", "unit_count")
    list_filter = ("method", "device_class")
    list_select_related = ("device",)
