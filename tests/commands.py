"""Commands of manage.py, run in this process."""

from io import StringIO
from typing import Any

from django.core.management import call_command


def printed_by(command: str, *arguments: Any, **options: Any) -> str:
    """What the command prints."""
    printed = StringIO()
    call_command(command, *arguments, stdout=printed, **options)
    return printed.getvalue()
