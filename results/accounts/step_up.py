"""Reauthentication before a sensitive operation, and what it changes in the session.

Which proof is asked for is up to AccountAdapter: the second factor, else the password, else a mailed code.
"""

from functools import wraps
from typing import Any, Self, cast

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.forms import BaseConfirmCodeForm
from allauth.account.internal.flows.code_verification import AbstractCodeVerificationProcess
from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from allauth.account.signals import authentication_step_completed, password_reset
from allauth.account.views import BaseReauthenticateView
from allauth.account.views import password_change as librarys_password_change
from allauth.account.views import password_set as librarys_password_set
from allauth.core import ratelimit
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from results.accounts.sign_in import ACCOUNT_FAULTS, CODE_PAGE, LabelsMixin, stepped_up
from results.api.keys import revoke_keys
from results.core.security.members import Audience, declare_audience, has_second_factor, member_of
from results.core.security.sessions import renew_session_key
from results.models import Member

_STATE = "step_up_code"
_MAX_ATTEMPTS = 3


class MailedCode(AbstractCodeVerificationProcess):
    """A code mailed to the member's address; the session holds it until it is entered, or three wrong codes were."""

    def __init__(self, request: HttpRequest, state: dict[str, Any]) -> None:
        super().__init__(
            max_attempts=_MAX_ATTEMPTS,
            timeout=settings.ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT,
            state=state,
            user=member_of(request),
        )
        self._request = request

    @classmethod
    def start(cls, request: HttpRequest) -> None:
        """Mail a new code, which replaces an earlier one."""
        member = member_of(request)
        process = cls(request, cls.initial_state(member, email=member.email))
        process.send()
        process.persist()

    @classmethod
    def resume(cls, request: HttpRequest) -> Self | None:
        """The code that was mailed, unless it has expired."""
        state = request.session.get(_STATE)
        return cls(request, state).abort_if_invalid() if state else None

    def send(self) -> None:
        adapter = get_adapter()
        self.state["code"] = adapter.generate_email_verification_code()
        adapter.send_mail("account/email/email_confirmation", self.state["email"], {"code": self.code})

    def persist(self) -> None:
        self._request.session[_STATE] = self.state

    def abort(self) -> None:
        self._request.session.pop(_STATE, None)


class MailedCodeForm(LabelsMixin, BaseConfirmCodeForm):
    """The mailed code."""


@method_decorator([declare_audience(Audience.MEMBERS), never_cache, login_required], name="dispatch")
class MailedCodeView(BaseReauthenticateView):
    """Mails a code to a member who has neither a second factor nor a password, and asks for it."""

    form_class = MailedCodeForm
    template_name = "account/reauthenticate_by_code.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self._mailed = MailedCode.resume(request)
        return cast(HttpResponseBase, super().dispatch(request, *args, **kwargs))

    def post(self, request: HttpRequest, *_: Any, **__: Any) -> HttpResponse:
        if request.POST.get("action") == "send":
            if ratelimit.consume(request, action="confirm_email", key=f"step-up {request.user.pk}"):
                MailedCode.start(request)
            else:
                messages.error(request, ACCOUNT_FAULTS["rate_limited"])
            return self._again()
        if self._mailed is None:
            messages.error(request, "This code no longer works. Get a new one.")
            return self._again()
        form = self.get_form()
        if form.is_valid():
            self._mailed.abort()
            record_authentication(request, member_of(request), "code", reauthenticated=True)
            return cast(HttpResponse, self.form_valid(form))
        if self._mailed.record_invalid_attempt():
            return cast(HttpResponse, self.form_invalid(form))
        messages.error(request, "You entered a wrong code three times, so it no longer works. Get a new one.")
        return self._again()

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "code": self._mailed.code if self._mailed else ""}

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        email = member_of(self.request).email
        return {**super().get_context_data(**context), "email": email, "is_mailed": self._mailed is not None}

    def _again(self) -> HttpResponse:
        return redirect(self.passthrough_next_url(reverse(CODE_PAGE)))


mailed_code = MailedCodeView.as_view()


def _stepped_up_first(view: Any) -> Any:
    """The view of a form with passwords, for members who have just reauthenticated.

    A form that is sent too late has to be filled again: the library would store it with the session meanwhile.
    """
    guarded = reauthentication_required(view)

    @wraps(view)
    def checked(request: HttpRequest) -> HttpResponse:
        if request.method == "POST" and request.user.is_authenticated and not stepped_up(request):
            messages.error(request, "Nothing has changed yet. Fill in the form again.")
            return redirect(request.path)
        answer: HttpResponse = guarded(request)
        return answer

    return checked


password_set = _stepped_up_first(librarys_password_set)
_change_with_factor = _stepped_up_first(librarys_password_change)


def password_change(request: HttpRequest) -> HttpResponse:
    """The library's page, which asks for the current password, behind the second factor of those who have one."""
    has_factor = request.user.is_authenticated and has_second_factor(member_of(request))
    answer: HttpResponse = (_change_with_factor if has_factor else librarys_password_change)(request)
    return answer


@receiver(authentication_step_completed)
def renew_after_step_up(request: HttpRequest, *, reauthenticated: bool = False, **_: Any) -> None:
    if reauthenticated:
        renew_session_key(request)


@receiver(authenticator_added)
def use_new_factor(request: HttpRequest, user: Member, authenticator: Authenticator, **_: Any) -> None:
    """Count a new factor as used in this session, and end the others if it is the first.

    The code with which an app was set up is spent.
    """
    if authenticator.type == Authenticator.Type.RECOVERY_CODES:
        return
    if authenticator.type == Authenticator.Type.TOTP:
        authenticator.wrap().validate_code(request.POST.get("code", ""))
    used = {"id": authenticator.pk, "type": authenticator.type}
    record_authentication(request, user, "mfa", **used, reauthenticated=True)
    factors = Authenticator.objects.filter(user=user).exclude(type=Authenticator.Type.RECOVERY_CODES)
    if factors.count() == 1 and _end_other_sessions(request, user):
        messages.info(request, "We signed you out everywhere else.")


def _end_other_sessions(request: HttpRequest, member: Member) -> int:
    others = UserSession.objects.filter(user=member).exclude(session_key=request.session.session_key)
    ended = list(others)
    for session in ended:
        session.end()
    return len(ended)


@receiver(password_reset)
def distrust_what_was_before(user: Member, **_: Any) -> None:
    """Revoke the member's keys when they set a new password by mail.

    Of an account whose address nobody has confirmed, the forum accounts are unlinked, too: whoever opened it with
    one may not be the owner of the address, who has just shown up.
    """
    revoke_keys(user)
    if not EmailAddress.objects.filter(user=user, verified=True).exists():
        SocialAccount.objects.filter(user=user).delete()
