"""Finished pages in the memory of a process, the oldest of which go when they get too many."""

from dataclasses import dataclass, field
from threading import Lock

from slogdb.page_encodings import ENCODERS, IDENTITY

Headers = list[tuple[str, str]]
Key = tuple[str, str]  # path and parameters
CAPACITY_BYTES = 64 * 1024 * 1024
# Its headers, without and with the ETag, and its place: of a small page most of what it takes.
PAGE_BYTES = 4500
VARIANT_BYTES = 1100  # the headers of one more encoding


@dataclass(frozen=True, slots=True)
class Variant:
    """One encoding of a page: its ETag, its headers and its bytes, and the headers for who has it already."""

    etag: str
    headers: Headers
    body: bytes
    unchanged_headers: Headers


@dataclass(frozen=True, slots=True)
class Page:
    """A finished page, in every encoding that somebody has asked for so far."""

    version: int
    etag: str  # without the encoding that it ends with
    headers: Headers
    body: bytes
    variants: dict[str, Variant] = field(default_factory=dict)

    def size(self, key: Key) -> int:
        """Bytes, those of its key counted in."""
        encoded = (
            VARIANT_BYTES + len(variant.body) for name, variant in self.variants.items() if name != IDENTITY
        )
        return PAGE_BYTES + sum(map(len, key)) + len(self.body) + sum(encoded)

    def encoded(self, encoding: str) -> Variant:
        etag = f'"{self.etag}-{encoding}"'
        body = self.body if encoding == IDENTITY else ENCODERS[encoding](self.body)
        headers = [*self.headers, ("ETag", etag)]
        unchanged = [header for header in headers if header[0] != "Content-Type"]
        headers.append(("Content-Length", str(len(body))))
        if encoding != IDENTITY:
            headers.append(("Content-Encoding", encoding))
        return Variant(etag, headers, body, unchanged)


class KeptPages:
    """Pages by key, of `capacity_bytes` together; threads may use it beside each other."""

    def __init__(self, capacity_bytes: int) -> None:
        self._capacity_bytes = capacity_bytes
        self._pages: dict[Key, Page] = {}
        self._held_bytes = 0
        self._lock = Lock()
        self.get = self._pages.get  # without the lock: one look into a dict is never half done

    def store(self, key: Key, page: Page) -> None:
        with self._lock:
            replaced = self._pages.pop(key, None)
            self._held_bytes += page.size(key) - (replaced.size(key) if replaced else 0)
            self._pages[key] = page
            self._drop_oldest()

    def encode(self, key: Key, page: Page, encoding: str) -> Variant:
        """The page in an encoding that nobody has asked for before; it counts if the page is kept."""
        made = page.encoded(encoding)
        with self._lock:
            variant = page.variants.setdefault(encoding, made)
            if variant is made and encoding != IDENTITY and self._pages.get(key) is page:
                self._held_bytes += VARIANT_BYTES + len(made.body)
                self._drop_oldest()
        return variant

    def figures(self) -> tuple[int, int, int]:
        """How many pages are kept, their bytes, and how many bytes may be."""
        return len(self._pages), self._held_bytes, self._capacity_bytes

    def _drop_oldest(self) -> None:
        while self._held_bytes > self._capacity_bytes and self._pages:
            oldest = next(iter(self._pages))
            self._held_bytes -= self._pages.pop(oldest).size(oldest)
