"""manage.py grant_site_access: create the database role of web servers and workers, and grant what they need."""

from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError

from results.operations.site_role import SiteRoleError, grant_site_access


class Command(BaseCommand):
    help = (
        "As the owner of the tables, create the role of DATABASE_SITE_URL and let it read and write rows. "
        "Run it after each migration."
    )

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        try:
            self.stdout.write(grant_site_access())
        except (SiteRoleError, psycopg.Error) as error:
            raise CommandError(str(error)) from error
