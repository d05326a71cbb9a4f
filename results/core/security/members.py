"""The signed-in member, permission to moderate, and the second factor that moderators' sessions need."""

from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from typing import Any, TypeVar, cast

from allauth.account.authentication import get_authentication_records
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from results.core.addresses import address
from results.models import Member


def has_second_factor(member: AbstractBaseUser) -> bool:
    """Whether the member set up an app or a key; recovery codes alone don't count."""
    return bool(is_mfa_enabled(member, [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]))


def used_second_factor(request: HttpRequest) -> bool:
    """Whether a factor was used in this session: a code, a key, or a passkey instead of a password."""
    records = get_authentication_records(request, member_of(request))
    return any(record["method"] == "mfa" for record in records)


def ask_for_second_factor(request: HttpRequest, *, before: str) -> HttpResponse | None:
    """A redirect for a member who has no second factor yet; None if this session used one.

    Raises ReauthenticationRequired for a session that didn't: its owner uses the factor, and then continues.
    """
    if not settings.MODERATORS_NEED_SECOND_FACTOR:
        return None
    if not has_second_factor(member_of(request)):
        messages.error(request, f"Set up a second factor before you {before}.")
        return redirect("mfa_index")
    if not used_second_factor(request):
        raise ReauthenticationRequired
    return None


_View = Callable[..., HttpResponse]
_AnyView = TypeVar("_AnyView", bound=Callable[..., HttpResponseBase])

MODERATES = "results.change_submission"
# Attributes of views, which decorators pass on: who may open those that are not for everyone, and posted_from's page
AUDIENCE, POSTED_FROM = "audience", "posted_from"


class Audience(StrEnum):
    """Who may open a page that isn't for everyone."""

    MEMBERS = "members"
    MODERATORS = "moderators"
    ADMINISTRATORS = "administrators"


def declare_audience(audience: Audience) -> Callable[[_AnyView], _AnyView]:
    """Declare who may open a page; checking it is up to the view's other decorators."""

    def declare(view: _AnyView) -> _AnyView:
        setattr(view, AUDIENCE, audience)
        return view

    return declare


def member_of(request: HttpRequest) -> Member:
    """The member behind a request that member_page let through."""
    return cast(Member, request.user)


def member_page(view: _View) -> _View:
    """Decorate a member's page with a form: others are asked to sign in, and nothing is cached."""
    page = never_cache(login_required(require_http_methods(["GET", "HEAD", "POST"])(view)))
    return declare_audience(Audience.MEMBERS)(page)


def posted_from(page: str, *named: str) -> Callable[[_View], _View]:
    """Decorate a member's view that only handles a form: other requests, as after signing in, go to `page`.

    `named` are the view's arguments that the page's URL also takes.
    """

    def only(view: _View) -> _View:
        @wraps(view)
        @member_page
        def checked(request: HttpRequest, **arguments: Any) -> HttpResponse:
            if request.method == "POST":
                return view(request, **arguments)
            messages.error(request, "Nothing has changed yet. Press the button again.")
            return redirect(address(page, *(arguments[name] for name in named)))

        setattr(checked, POSTED_FROM, page)
        return checked

    return only


def moderators_only(view: _View) -> _View:
    """Admit moderators whose session used a second factor; ask others for it, or refuse them. Nothing is cached."""

    @declare_audience(Audience.MODERATORS)
    @wraps(view)
    @member_page
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not member_of(request).has_perm(MODERATES):
            raise PermissionDenied
        return ask_for_second_factor(request, before="moderate") or view(request, *args, **kwargs)

    return checked
