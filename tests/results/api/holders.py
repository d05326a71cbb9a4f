"""Headers with members' keys."""

from typing import Any

from results.api.keys import make_key
from results.models import Member
from tests.factories import make_member


def bearer(member: Member | None = None, *scopes: str) -> dict[str, Any]:
    """A header with a key of `member` (default: a new one) with these scopes (all)."""
    made = make_key(member or make_member(), name="nas", scopes=scopes or ("read", "submit"))
    return {"HTTP_AUTHORIZATION": f"Bearer {made.text}"}
