"""API keys that opened something a moment ago, so that their holders get finished pages, too."""

import hashlib
import time

KEY_IS_KNOWN_S = 10.0
MOST_KNOWN_KEYS = 10_000


class KnownKeys:
    """Those of one process, by their digest.

    Who brings another key is asked by the view first. What is public needs no key, so it does no harm that one
    which was revoked is known for KEY_IS_KNOWN_S more.
    """

    def __init__(self) -> None:
        self._until: dict[bytes, float] = {}

    def note(self, authorization: str) -> None:
        if len(self._until) >= MOST_KNOWN_KEYS:
            self._until.clear()
        self._until[_digest(authorization)] = time.monotonic() + KEY_IS_KNOWN_S

    def has(self, authorization: str) -> bool:
        return self._until.get(_digest(authorization), 0.0) > time.monotonic()


def _digest(authorization: str) -> bytes:
    return hashlib.sha256(authorization.encode("latin-1", "replace")).digest()


known_keys = KnownKeys()
