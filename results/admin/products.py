"""Products by hand: a form of the same cells as the catalogue's file, checked by the same rules."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from results.catalogue.cells import write_cells
from results.catalogue.lines import COLUMNS, SEPARATOR, CatalogueLine, LineError, read_cells
from results.catalogue.load import store_line
from results.catalogue.patterns import Matcher
from results.catalogue.rematch import rematch_devices
from results.data_version import bump_data_version
from results.ingest.rejudge import enqueue_judging
from results.models import Product, Vendor
from results.models.catalogue_values import Plp, Segment
from results.models.product import CATALOGUE_CLASSES

_CHOICES = {"device_class": CATALOGUE_CLASSES, "segment": Segment.choices, "plp": Plp.choices}
_OF_MANY = {"model_patterns", "plp_statements", "endurance_tbw", "flags", "sources"}
_HELP = {
    "model_patterns": "Regular expressions, one a line, each beginning with ^.",
    "plp_statements": "One a line: value, kind of evidence and address, with blanks between.",
    "endurance_dwpd": "A number, or a range such as 1-3.",
    "endurance_tbw": "One a line, such as 480 GB=500 TB.",
    "flags": "One a line.",
    "sources": "Addresses, one a line.",
}


class ProductForm(forms.ModelForm):
    """The cells of a line, those of several values with one a line."""

    class Meta:
        model = Product
        fields: list[str] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        held = write_cells(self.instance) if self.instance.pk else {}
        for column in COLUMNS:
            self.fields[column] = _field(column)
            self.initial[column] = held.get(column, "").replace(SEPARATOR, "\n")

    def clean(self) -> dict[str, Any]:
        cells = {column: _cell(column, self.cleaned_data.get(column, "")) for column in COLUMNS}
        try:
            self.line = read_cells(cells)
        except LineError as error:
            raise forms.ValidationError(str(error)) from error
        self._refuse_claims(self.line)
        return self.cleaned_data

    def _post_clean(self) -> None:
        """Leave the instance alone: it is filled from the line when that is stored."""

    def _refuse_claims(self, line: CatalogueLine) -> None:
        """No pattern takes the example of another product, and no other product this one's."""
        others = Product.objects.exclude(pk=self.instance.pk)
        if others.filter(slug=line.slug).exists():
            raise forms.ValidationError(f"slug: {line.slug!r} is another product's")
        mine = Matcher([(line.slug, line.patterns)])
        for slug, example in others.exclude(example_model="").values_list("slug", "example_model"):
            if mine.owners_of(example):
                raise forms.ValidationError(f"model_patterns: they take {example!r}, the example of {slug}")
        theirs = Matcher(others.values_list("slug", "patterns")).owners_of(line.example_model)
        if theirs:
            raise forms.ValidationError(f"example_model: {', '.join(theirs)} takes it, too")


def _field(column: str) -> forms.Field:
    if column in _CHOICES:
        return forms.ChoiceField(choices=_CHOICES[column])
    widget = forms.Textarea if column in _OF_MANY else forms.TextInput
    return forms.CharField(required=False, widget=widget, help_text=_HELP.get(column, ""))


def _cell(column: str, value: str) -> str:
    return SEPARATOR.join(value.splitlines()) if column in _OF_MANY else value


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

    def save_model(self, request: HttpRequest, obj: Product, *rest: Any) -> None:  # noqa: ARG002 - the same
        form, _ = rest
        store_line(form.line, obj, line_digest=obj.line_digest)
        enqueue_judging(rematch_devices(changed_slugs=[obj.slug]).to_judge)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - the same
        return False


@admin.register(Vendor)
class VendorAdmin(admin.ModelAdmin):
    list_display = ("name",)
    search_fields = ("name",)

    def save_model(self, request: HttpRequest, obj: Vendor, *rest: Any) -> None:
        super().save_model(request, obj, *rest)
        bump_data_version()
