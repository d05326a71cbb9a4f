"""The base of tables that nobody edits by hand."""

from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest


class ReadOnlyAdmin(admin.ModelAdmin):
    """Shows rows and changes none."""

    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}  # as Django will from version 6

    def get_view_on_site_url(self, obj: Any = None) -> str | None:
        """The page of what has one: the public knows nothing of the others."""
        return super().get_view_on_site_url(obj) if obj is not None and self.has_page(obj) else None

    def has_page(self, obj: Any) -> bool:  # noqa: ARG002 - for tables of which some rows have none
        """Whether the row's own address is a page of the site."""
        return True

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - the same
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - the same
        return False
