"""manage.py dbshell: psql on the site's own database, with all that DATABASE_URL says of the connection.

Django's own passes on host, port and user only, and so finds another server where the host is a folder's socket.
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
