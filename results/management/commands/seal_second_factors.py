"""`manage.py seal_second_factors`: after SLOGDB_SECRET_KEY was changed, before the former one is forgotten."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand, CommandError

from results.accounts.mfa import seal_second_factors


class Command(BaseCommand):
    help = "Encrypt the secrets of all second factors by the present SLOGDB_SECRET_KEY."

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        changed, lost = seal_second_factors(Authenticator.objects.all())
        self.stdout.write(f"{changed} second factors encrypted by the present key")
        if lost:
            raise CommandError(
                f"{lost} were encrypted by a key that SLOGDB_SECRET_KEY_FALLBACKS lacks: tell it, or their "
                "owners must set them anew"
            )
