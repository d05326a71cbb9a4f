"""The admin site, for staff who used a second factor, and the base class for tables that nobody edits by hand."""

from functools import wraps
from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.admin import AdminSite
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from results.core.security.members import ask_for_second_factor
from results.models import Member


class GuardedSite(AdminSite):
    """Django's admin behind the site's own sign-in."""

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        answer: HttpResponse = secure_admin_login(super().login)(request, extra_context)
        return answer

    def password_change(self, *_: Any, **__: Any) -> Any:
        """Redirect to the account's own page, which limits attempts and notifies the owner by mail."""
        return redirect("account_change_password")

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """The view, for staff whose session used a second factor; other staff are asked for it."""
        for_staff = super().admin_view(view, cacheable)

        @wraps(for_staff)
        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if isinstance(request.user, Member) and request.user.is_staff:
                response = ask_for_second_factor(request, before="use the admin")
                if response is not None:
                    return response
            answer: HttpResponse = for_staff(request, *args, **kwargs)
            return answer

        return checked


class ReadOnlyAdmin(admin.ModelAdmin):
    """Admin for a table that is only viewed."""

    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}  # as Django will from version 6

    def get_view_on_site_url(self, obj: Any = None) -> str | None:
        """The row's public page, or None if it has none."""
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
