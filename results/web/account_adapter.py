"""How the accounts library is bent to this site: what it may not do, and where it leads."""

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest

from results.network import sender_address


class AccountAdapter(DefaultAccountAdapter):
    """The site's own answers to what the library asks."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address that attempts are counted by: what a trusted proxy saw, never what the sender says."""
        return sender_address(request)

    def send_account_already_exists_mail(self, email: str) -> None:
        """Take as long as making an account does: the clock must not tell whose address is known."""
        make_password(email)
        super().send_account_already_exists_mail(email)
