"""How the accounts library is bent to this site: what it may not do, and where it leads."""

import logging
from typing import Any, ClassVar
from urllib.parse import urljoin, urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from results.ingest.digests import digest_network
from results.network import sender_address
from results.web.account_words import ACCOUNT_FAULTS, REAUTHENTICATION

logger = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):
    """The site's own answers to what the library asks."""

    error_messages: ClassVar[dict[str, Any]] = {**DefaultAccountAdapter.error_messages, **ACCOUNT_FAULTS}

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address that attempts are counted by: what a trusted proxy saw, never what the sender says."""
        return sender_address(request)

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        super().login(request, user)
        logger.info("signed in: member %s from network %s", user.pk, _network(request))

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        super().authentication_failed(request, **credentials)
        logger.warning("sign-in refused: from network %s", _network(request))

    def get_reauthentication_methods(self, user: AbstractBaseUser | AnonymousUser) -> list[dict[str, Any]]:
        """The ways to say once more that it is you, the usual one first."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [{**method, "description": REAUTHENTICATION[method["id"]]} for method in methods]

    def get_reset_password_from_key_url(self, key: str) -> str:
        """On the site's own address, whatever host or port the request named."""
        address: str = super().get_reset_password_from_key_url(key)
        return urljoin(settings.SITE_URL, urlsplit(address).path)

    def send_account_already_exists_mail(self, email: str) -> None:
        """Take as long as making an account does: the clock must not tell whose address is known."""
        make_password(email)
        super().send_account_already_exists_mail(email)


def _network(request: HttpRequest) -> str:
    """Tells attempts of one network from others, and nobody which it is."""
    return digest_network(sender_address(request))[:12] or "unknown"
