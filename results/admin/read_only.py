"""The base of tables that nobody edits by hand."""

from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest


class ReadOnlyAdmin(admin.ModelAdmin):
    """Shows rows and changes none."""

    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}  # as Django will from version 6

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - the same
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - the same
        return False
