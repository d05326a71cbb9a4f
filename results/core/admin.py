"""The admin's door: staff who have signed in as the site asks for it, with a second factor."""

from functools import wraps
from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from results.models import Member
from results.second_factor import lacks_second_factor


class GuardedSite(AdminSite):
    """Django's admin behind the site's own way of signing in."""

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        answer: HttpResponse = secure_admin_login(super().login)(request, extra_context)
        return answer

    def password_change(self, *_: Any, **__: Any) -> Any:
        """The account's own page, which counts attempts and tells the owner by mail."""
        return redirect("account_change_password")

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """The view for staff with a second factor; others of them are led to where one is set up."""
        for_staff = super().admin_view(view, cacheable)

        @wraps(for_staff)
        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            member = request.user
            if isinstance(member, Member) and member.is_staff and lacks_second_factor(member):
                messages.error(request, "The admin needs a second factor: set one up first.")
                return redirect("mfa_index")
            answer: HttpResponse = for_staff(request, *args, **kwargs)
            return answer

        return checked
