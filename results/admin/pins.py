"""The devices that moderators choose to stand for their class on the survey page."""

from typing import Any, cast

from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from results.data_version import bump_data_version
from results.ingest.audit import keep_record
from results.models import Member, RepresentativePin
from results.models.choices import Action


@admin.register(RepresentativePin)
class RepresentativePinAdmin(admin.ModelAdmin):
    list_display = ("device_class", "device", "reason")
    list_select_related = ("device",)
    autocomplete_fields = ("device",)

    def save_model(self, request: HttpRequest, obj: RepresentativePin, *rest: Any) -> None:
        super().save_model(request, obj, *rest)
        keep_record(cast(Member, request.user), Action.PINNED, device=obj.device, reason=obj.reason)
        bump_data_version()

    def delete_model(self, request: HttpRequest, obj: RepresentativePin) -> None:
        _note_removal(request, obj)
        super().delete_model(request, obj)
        bump_data_version()

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[RepresentativePin]) -> None:
        for pin in queryset:
            _note_removal(request, pin)
        super().delete_queryset(request, queryset)
        bump_data_version()


def _note_removal(request: HttpRequest, pin: RepresentativePin) -> None:
    reason = f"No longer: {pin.reason}"
    keep_record(cast(Member, request.user), Action.PINNED, device=pin.device, reason=reason)
