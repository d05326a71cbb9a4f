"""Who makes which page: when many ask for one at once, one thread makes it, and the others need not."""

from threading import Event, Lock

MOST_KNOWN_PATHS = 10_000


class PageTurns:
    """Turns at making pages, by key, within one process.

    Pages that are not public are everybody's own, so nobody waits for another's: their paths are remembered.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._making: dict[tuple[str, str], Event] = {}
        self._personal: set[str] = set()

    def take(self, key: tuple[str, str]) -> Event | None:
        """None for whose turn it is, who calls `end` after it; for others what is set when the page is made."""
        if key[0] in self._personal:
            return None
        with self._lock:
            made = self._making.get(key)
            if made is None:
                self._making[key] = Event()
            return made

    def end(self, key: tuple[str, str]) -> None:
        """Let those go on who wait. Does no harm without a turn."""
        with self._lock:
            made = self._making.pop(key, None)
        if made is not None:
            made.set()

    def is_personal(self, key: tuple[str, str]) -> None:
        """Remember that this path has no public page."""
        if len(self._personal) >= MOST_KNOWN_PATHS:
            self._personal.clear()
        self._personal.add(key[0])
