"""The catalogue in the admin: merge devices, overrule a class, pin, edit products."""

from collections.abc import Iterable
from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from parsers.base.device_class import DeviceClass
from results.catalogue.files.load import store_line
from results.catalogue.files.products_csv import COLUMNS, CatalogueLine, read_cells
from results.catalogue.files.write_cells import write_cells
from results.catalogue.matching.merge import MergeError, merge_devices, overrule_class
from results.catalogue.matching.patterns import Matcher
from results.catalogue.matching.rematch import products_changed, rematch_devices
from results.core.admin import ReadOnlyAdmin
from results.core.data_version import bump_data_version
from results.core.formats import format_capacity
from results.core.lines import SEPARATOR, LineError
from results.core.security.audit import log_action
from results.models import (
    Caveat,
    Claim,
    Device,
    DeviceAlias,
    LifeCycle,
    Member,
    PriceSighting,
    Product,
    RepresentativePin,
    Vendor,
    lengths,
)
from results.models.choices import DEVICE_CLASSES, Action, Plp, Segment
from results.models.product import CATALOGUE_CLASSES


class ModerationForm(ActionForm):
    """The parameters of the actions."""

    target = forms.CharField(required=False, label="Into (slug)", max_length=140)
    device_class = forms.ChoiceField(
        required=False, label="Class", choices=[("", "as read from the text"), *DEVICE_CLASSES.items()]
    )
    reason = forms.CharField(required=False, max_length=lengths.REASON)


class CatalogueFilter(admin.SimpleListFilter):
    """Filter devices without a product, which the catalogue lacks."""

    title = "catalogue"
    parameter_name = "product"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:  # noqa: ARG002
        return [("none", "Without a product"), ("some", "With a product")]

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
        css: ClassVar = {"all": ["css/admin.css"]}

    @admin.display(ordering="capacity_bytes")
    def capacity(self, device: Device) -> str:
        return format_capacity(device.capacity_bytes)

    def has_page(self, obj: Device) -> bool:
        return Device.objects.shown().filter(pk=obj.pk).exists()

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        """Whether the user may use the actions; devices are never edited by hand."""
        return request.user.has_perm("results.change_device")

    @admin.action(description="Merge into the device with that slug", permissions=["moderate"])
    def merge_into(self, request: HttpRequest, queryset: QuerySet[Device]) -> None:
        target = Device.objects.filter(slug=request.POST.get("target", "")).first()
        reason = self._reason(request)
        if target is None:
            self.message_user(request, "There is no device with that slug.", messages.ERROR)
        if target is None or not reason:
            return
        spellings = [(spelling, str(spelling)) for spelling in queryset]
        try:
            merge_devices([spelling for spelling, _ in spellings], target, reason=reason)
        except MergeError as error:
            self.message_user(request, str(error), messages.ERROR)
            return
        names = ", ".join(name for _, name in spellings)
        self._note(request, [target], f"Merged {names} into it: {reason}", action=Action.MERGED)

    @admin.action(description="Overrule the class", permissions=["moderate"])
    def overrule(self, request: HttpRequest, queryset: QuerySet[Device]) -> None:
        chosen = request.POST.get("device_class", "")
        device_class = DeviceClass(chosen) if chosen in DEVICE_CLASSES else None
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
            self.message_user(request, "Give a reason: it is shown and recorded.", messages.ERROR)
        return reason

    def _note(self, request: HttpRequest, devices: Iterable[Device], message: str, *, action: Action) -> None:
        """Record the action in the logs and confirm it to the user."""
        for device in devices:
            self.log_change(request, device, message)
            log_action(cast(Member, request.user), action, device=device, reason=message)
        self.message_user(request, message, messages.SUCCESS)


@admin.register(DeviceAlias)
class DeviceAliasAdmin(ReadOnlyAdmin):
    list_display = ("model_name", "capacity_bytes", "device", "reason", "created_at")
    list_select_related = ("device",)
    search_fields = ("model_name", "slug", "device__model_name")


@admin.register(RepresentativePin)
class RepresentativePinAdmin(admin.ModelAdmin):
    list_display = ("device_class", "device", "reason")
    list_select_related = ("device",)
    autocomplete_fields = ("device",)

    def save_model(self, request: HttpRequest, obj: RepresentativePin, *rest: Any) -> None:
        super().save_model(request, obj, *rest)
        log_action(cast(Member, request.user), Action.PINNED, device=obj.device, reason=obj.reason)
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
    log_action(cast(Member, request.user), Action.PINNED, device=pin.device, reason=reason)


_CHOICES = {"device_class": CATALOGUE_CLASSES, "segment": Segment.choices, "plp": Plp.choices}
_MULTIPLE = {"model_patterns", "plp_statements", "endurance_tbw", "flags", "sources"}
_HELP = {
    "model_patterns": "Regular expressions, one per line, each beginning with ^.",
    "plp_statements": "One per line: value, kind of evidence, URL and optionally a note, separated by spaces.",
    "endurance_dwpd": "A number, or a range such as 1-3.",
    "endurance_tbw": "One per line, such as 480 GB=500 TB.",
    "flags": "One per line.",
    "sources": "URLs, one per line.",
}


class ProductForm(forms.ModelForm):
    """The cells of a line, with multiple values on separate lines."""

    class Meta:
        model = Product
        fields: list[str] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stored = write_cells(self.instance) if self.instance.pk else {}
        for column in COLUMNS:
            self.fields[column] = _field(column)
            self.initial[column] = stored.get(column, "").replace(SEPARATOR, "\n")

    def clean(self) -> None:
        cells = {column: _cell(column, self.cleaned_data.get(column, "")) for column in COLUMNS}
        try:
            self.line = read_cells(cells)
        except LineError as error:
            raise forms.ValidationError(str(error)) from error
        self._refuse_conflicts(self.line)

    def _post_clean(self) -> None:
        """Skip the instance, which is filled when the line is stored."""

    def _refuse_conflicts(self, line: CatalogueLine) -> None:
        """Refuse patterns that match another product's example, and the reverse."""
        others = Product.objects.exclude(pk=self.instance.pk)
        if others.filter(slug=line.slug).exists():
            raise forms.ValidationError(f"slug: {line.slug!r} belongs to another product")
        mine = Matcher([(line.slug, line.patterns)])
        for slug, example in others.exclude(example_model="").values_list("slug", "example_model"):
            if mine.find_owners(example):
                raise forms.ValidationError(f"model_patterns: they match {example!r}, the example of {slug}")
        owners = Matcher(others.values_list("slug", "patterns")).find_owners(line.example_model)
        if owners:
            raise forms.ValidationError(f"example_model: {', '.join(owners)} matches it, too")


def _field(column: str) -> forms.Field:
    if column in _CHOICES:
        return forms.ChoiceField(choices=_CHOICES[column])
    widget = forms.Textarea if column in _MULTIPLE else forms.TextInput
    return forms.CharField(required=False, widget=widget, help_text=_HELP.get(column, ""))


def _cell(column: str, value: str) -> str:
    return SEPARATOR.join(value.splitlines()) if column in _MULTIPLE else value


@admin.register(Product)
class ProductAdmin(admin.ModelAdmin):
    form = ProductForm
    fields = COLUMNS
    list_display = ("slug", "vendor", "name", "device_class", "segment", "plp", "changed_at")
    list_filter = ("device_class", "segment", "plp")
    list_select_related = ("vendor",)
    search_fields = ("slug", "name", "vendor__name", "example_model")

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:  # noqa: ARG002 - Django's signature
        return [(None, {"fields": COLUMNS})]

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:  # noqa: ARG002
        return ProductForm

    def save_model(self, request: HttpRequest, obj: Product, *rest: Any) -> None:  # noqa: ARG002 - Django's signature
        form, _ = rest
        store_line(form.line, obj, line_digest=obj.line_digest)
        device_ids = rematch_devices(changed_slugs=[obj.slug]).to_judge
        products_changed.send(sender=Product, device_ids=device_ids)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - Django's signature
        return False


@admin.register(Caveat, Claim, LifeCycle, PriceSighting)
class FactAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "source_url")
    list_select_related = ("product__vendor",)
    search_fields = ("product__slug", "source_url")


@admin.register(Vendor)
class VendorAdmin(admin.ModelAdmin):
    list_display = ("name",)
    search_fields = ("name",)

    def save_model(self, request: HttpRequest, obj: Vendor, *rest: Any) -> None:
        super().save_model(request, obj, *rest)
        bump_data_version()
