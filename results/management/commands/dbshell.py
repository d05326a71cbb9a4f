"""manage.py dbshell: psql on the site's own database, with every connection setting in DATABASE_URL.

Django's dbshell passes on only host, port and user, so it may find another server if the host is a socket's folder.
"""

from typing import Any, NoReturn

from django.core.management.base import CommandError
from django.core.management.commands import dbshell

from results.operations.postgres_tools import ToolError, open_shell


class Command(dbshell.Command):
    help = "Run psql on the site's database. Arguments after -- are passed to psql."

    def handle(self, **options: Any) -> NoReturn:
        try:
            open_shell(options["parameters"])
        except ToolError as error:
            raise CommandError(str(error)) from error
