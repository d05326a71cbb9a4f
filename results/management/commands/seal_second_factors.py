"""`manage.py seal_second_factors`: re-encrypt after a change of SLOGDB_SECRET_KEY, while the old key is still set."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand, CommandError

from results.accounts.mfa import seal_second_factors


class Command(BaseCommand):
    help = "Encrypt the secrets of all second factors with the current SLOGDB_SECRET_KEY."

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        changed, lost = seal_second_factors(Authenticator.objects.all())
        self.stdout.write(f"{changed} second factors encrypted with the current key")
        if lost:
            raise CommandError(
                f"{lost} were encrypted with a key that SLOGDB_SECRET_KEY_FALLBACKS lacks: add it (.env, or "
                "var/keys.env for bin/serve) and restart, or their owners must set them up again"
            )
