"""Who answers for what a command brings in."""

from django.core.management.base import CommandError

from results.models import Member


def find_moderator(address: str | None) -> Member:
    """The member of staff with that address. Raises CommandError."""
    if not address:
        raise CommandError("--publish needs --moderator: somebody answers for what is brought in.")
    moderator = Member.objects.filter(email__iexact=address, is_staff=True).first()
    if moderator is None:
        raise CommandError(f"{address} is no moderator's address.")
    return moderator
