"""The signed-in member, permission to moderate, and the second factor that moderators need."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from results.core.links import address
from results.models import Member


def lacks_second_factor(member: Member) -> bool:
    """Whether this member must set one up before moderating; those who have one enter it at sign-in."""
    return settings.MODERATORS_NEED_SECOND_FACTOR and not is_mfa_enabled(member)


_View = Callable[..., HttpResponse]

MODERATES = "results.change_submission"


def member_of(request: HttpRequest) -> Member:
    """The member behind a request that login_required let through."""
    return cast(Member, request.user)


def posted_from(page: str, *named: str) -> Callable[[_View], _View]:
    """Decorate a member's view that only handles a form: other requests, as after signing in, go to `page`.

    `named` are the view's arguments that the page's URL also takes.
    """

    def only(view: _View) -> _View:
        @wraps(view)
        @login_required
        @require_http_methods(["GET", "HEAD", "POST"])
        def checked(request: HttpRequest, **arguments: Any) -> HttpResponse:
            if request.method == "POST":
                return view(request, **arguments)
            messages.error(request, "Nothing has changed yet. Press the button again.")
            return redirect(address(page, *(arguments[name] for name in named)))

        return checked

    return only


def moderators_only(view: _View) -> _View:
    """Admit moderators who have a second factor; redirect others to set one up, or refuse them."""

    @wraps(view)
    @login_required
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        member = member_of(request)
        if not member.has_perm(MODERATES):
            raise PermissionDenied
        if lacks_second_factor(member):
            messages.error(request, "Set up a second factor before you moderate.")
            return redirect("mfa_index")
        return view(request, *args, **kwargs)

    return checked
