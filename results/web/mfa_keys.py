"""A member's security keys as they are kept, one whose record can't be read among them: it opens nothing.

The library reads all keys of a member before it asks for any factor, so that a broken one would shut its owner out.
"""

import logging
import struct
from typing import Any

from allauth.mfa.webauthn.internal import auth
from django.core.exceptions import ValidationError
from fido2.webauthn import AuthenticatorData

_UNREADABLE = (ValidationError, LookupError, TypeError, ValueError, AttributeError, struct.error)
_UNNAMED = "Key"

logger = logging.getLogger(__name__)


class _NoCredential:
    """In the place of what an unreadable record would tell: false, and no id is like its own."""

    credential_id = None

    def __bool__(self) -> bool:
        return False


class _NoData:
    credential_data = _NoCredential()


class Key(auth.WebAuthn):
    """One key; its owner sees it in the list, and can rename it or take it away."""

    @property
    def name(self) -> str:
        return str(self._record().get("name", _UNNAMED))

    @name.setter
    def name(self, name: str) -> None:
        self.instance.data = {**self._record(), "name": name}

    @property
    def authenticator_data(self) -> AuthenticatorData | _NoData:
        try:
            found: AuthenticatorData = super().authenticator_data
        except _UNREADABLE as error:
            logger.error(  # noqa: TRY400 - its message may quote the record
                "key %d of a member can't be read, and is passed over: %s",
                self.instance.pk,
                type(error).__name__,
            )
            return _NoData()
        return found

    @property
    def is_passwordless(self) -> bool | None:
        try:
            told: bool | None = super().is_passwordless
        except _UNREADABLE:
            return None
        return told

    def _record(self) -> dict[str, Any]:
        return self.instance.data if isinstance(self.instance.data, dict) else {}


def read_keys_with_care() -> None:
    """Have the library take `Key` for its own class, of which it asks by that name."""
    auth.WebAuthn = Key
