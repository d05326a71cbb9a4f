"""What moderators do to devices: merge a spelling into its device, overrule a class. Each with a reason."""

from collections.abc import Iterable
from typing import ClassVar, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import QuerySet
from django.http import HttpRequest

from results.admin.read_only import ReadOnlyAdmin
from results.catalogue.merge import MergeError, merge_spellings
from results.catalogue.overrule import overrule_class
from results.ingest.audit import keep_record
from results.models import Device, DeviceAlias, Member, lengths
from results.models.choices import Action, DeviceClassChoice
from results.presentation import format_capacity


class ModerationForm(ActionForm):
    """What the actions ask for, beside the choice of the action itself."""

    target = forms.CharField(required=False, label="Into (slug)", max_length=140)
    device_class = forms.ChoiceField(
        required=False, label="Class", choices=[("", "as it was read"), *DeviceClassChoice.choices]
    )
    reason = forms.CharField(required=False, max_length=lengths.REASON)


class CatalogueFilter(admin.SimpleListFilter):
    """Devices that match no product are what the catalogue lacks."""

    title = "catalogue"
    parameter_name = "product"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:  # noqa: ARG002
        return [("none", "Of no product"), ("some", "Of a product")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Device]) -> QuerySet[Device]:  # noqa: ARG002
        if self.value() is None:
            return queryset
        return queryset.filter(product__isnull=self.value() == "none")


@admin.register(Device)
class DeviceAdmin(ReadOnlyAdmin):
    list_display = ("model_name", "capacity", "device_class", "class_overrule", "product", "slug")
    list_filter = (CatalogueFilter, "device_class")
    list_select_related = ("product__vendor",)
    search_fields = ("model_name", "vendor", "slug")
    action_form = ModerationForm
    actions = ("merge_into", "overrule")

    class Media:
        css: ClassVar = {"all": ["css/admin-actions.css"]}

    @admin.display(ordering="capacity_bytes")
    def capacity(self, device: Device) -> str:
        return format_capacity(device.capacity_bytes)

    def has_page(self, obj: Device) -> bool:
        return Device.objects.shown().filter(pk=obj.pk).exists()

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        """Who may use the actions; editing a device by hand is for nobody."""
        return request.user.has_perm("results.change_device")

    @admin.action(description="Merge into the device of that slug", permissions=["moderate"])
    def merge_into(self, request: HttpRequest, queryset: QuerySet[Device]) -> None:
        target = Device.objects.filter(slug=request.POST.get("target", "")).first()
        reason = self._reason(request)
        if target is None:
            self.message_user(request, "There is no device of that slug.", messages.ERROR)
        if target is None or not reason:
            return
        spellings = [(spelling, str(spelling)) for spelling in queryset]
        try:
            merge_spellings([spelling for spelling, _ in spellings], target, reason=reason)
        except MergeError as error:
            self.message_user(request, str(error), messages.ERROR)
            return
        names = ", ".join(name for _, name in spellings)
        self._note(request, [target], f"Merged in {names}: {reason}", action=Action.MERGED)

    @admin.action(description="Overrule the class", permissions=["moderate"])
    def overrule(self, request: HttpRequest, queryset: QuerySet[Device]) -> None:
        chosen = request.POST.get("device_class", "")
        device_class = DeviceClassChoice(chosen) if chosen in DeviceClassChoice.values else None
        reason = self._reason(request)
        if not reason:
            return
        for device in queryset:
            overrule_class(device, device_class, reason=reason)
        label = device_class.label if device_class else "as read"
        self._note(request, queryset, f"Class {label}: {reason}", action=Action.OVERRULED)

    def _reason(self, request: HttpRequest) -> str:
        reason = request.POST.get("reason", "").strip()[:300]
        if not reason:
            self.message_user(request, "Give a reason: it is shown and kept.", messages.ERROR)
        return reason

    def _note(self, request: HttpRequest, devices: Iterable[Device], message: str, *, action: Action) -> None:
        """Keep who did what to which device, and say that it is done."""
        for device in devices:
            self.log_change(request, device, message)
            keep_record(cast(Member, request.user), action, device=device, reason=message)
        self.message_user(request, message, messages.SUCCESS)


@admin.register(DeviceAlias)
class DeviceAliasAdmin(ReadOnlyAdmin):
    list_display = ("model_name", "capacity_bytes", "device", "reason", "created_at")
    list_select_related = ("device",)
    search_fields = ("model_name", "slug", "device__model_name")
