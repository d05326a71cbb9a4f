"""Options of bin/serve: a site's address, data folder, secrets and static files."""

import hashlib
import os
import secrets
import socket
from dataclasses import dataclass
from pathlib import Path

VAR = Path(__file__).resolve().parents[2] / "var"
WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - known, not listened on
LAST_PORT = 65_535


class SiteError(Exception):
    """The site can't be run with these options; the message is shown to the user."""


@dataclass(frozen=True, slots=True)
class LocalSite:
    """A site as run by bin/serve."""

    host: str
    port: int
    is_demo: bool
    var: Path = VAR

    @property
    def directory(self) -> Path:
        """The folder with all of this site's data."""
        return self.var / "demo" if self.is_demo else self.var

    @property
    def metrics(self) -> Path:
        """The folder in which the processes of one run share their metrics: a link to one in memory.

        Previous releases have a folder `metrics`, and can't replace a link.
        """
        return self.directory / "memory"

    @property
    def reachable_host(self) -> str:
        """A host name under which the site can be reached from this machine."""
        return WILDCARDS.get(self.host, self.host)

    @property
    def url_host(self) -> str:
        """The same as written in URLs."""
        return f"[{self.reachable_host}]" if ":" in self.reachable_host else self.reachable_host

    @property
    def address(self) -> str:
        return f"http://{self.url_host}:{self.port}"

    def settings(self) -> dict[str, str]:
        """Environment variables for Django's settings, as defaults."""
        names = ["127.0.0.1", "localhost", "[::1]", self.url_host]
        if self.host in WILDCARDS:
            names.append(socket.gethostname())
        return {
            "SLOGDB_SITE_URL": self.address,
            "SLOGDB_ALLOWED_HOSTS": ",".join(dict.fromkeys(names)),
            "SLOGDB_EXPORT_FOLDER": str(self.directory / "exports"),
            "SLOGDB_MAIL_FOLDER": str(self.directory / "mail"),
            "SLOGDB_LOG_FORMAT": "line",  # for people
            "SLOGDB_ACCESS_LOG": "0",
            "PROMETHEUS_MULTIPROC_DIR": str(self.metrics),
        }

    def check_port(self) -> None:
        """Raise SiteError if a server can't listen there."""
        try:
            family = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)[0][0]
            with socket.socket(family) as listener:
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listener.bind((self.host, self.port))
        except OSError as error:
            where = f"{self.host} port {self.port}"
            raise SiteError(
                f"cannot listen on {where}: {error.strerror} (HOST and PORT choose another)"
            ) from error


def site_from_environment(*, is_demo: bool) -> LocalSite:
    """Raises SiteError for invalid variables."""
    port = os.environ.get("PORT") or "8000"
    if not (port.isascii() and port.isdecimal() and 0 < int(port) <= LAST_PORT):
        raise SiteError(f"PORT must be a number from 1 to {LAST_PORT}, not {port!r}")
    if is_demo and (os.environ.get("DATABASE_URL") or os.environ.get("REDIS_URL")):
        raise SiteError(
            "--demo stores its made-up figures on separate servers: unset DATABASE_URL and REDIS_URL"
        )
    return LocalSite(host=os.environ.get("HOST") or "127.0.0.1", port=int(port), is_demo=is_demo)


KEY_NAMES = ("SLOGDB_SECRET_KEY", "SLOGDB_UNIT_KEY")
FALLBACKS = "SLOGDB_SECRET_KEY_FALLBACKS"  # previous secret keys, comma-separated; none by default
KEY_BYTES = 48


def read_or_make_keys(path: Path) -> dict[str, str]:
    """The keys by the names of their environment variables; the environment takes precedence.

    Raises SiteError for a line that isn't a key, and for a missing key.
    """
    if not path.exists():
        write_private(path, "".join(f"{name}={secrets.token_urlsafe(KEY_BYTES)}\n" for name in KEY_NAMES))
    keys = _stored_keys(path)
    keys |= {name: value for name in (*KEY_NAMES, FALLBACKS) if (value := os.environ.get(name))}
    if missing := [name for name in KEY_NAMES if not keys.get(name)]:
        raise SiteError(f"{path} has no {missing[0]}: put it back from your copy of this file")
    return keys


def _stored_keys(path: Path) -> dict[str, str]:
    """Empty lines and comments (#) are skipped."""
    stored: dict[str, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        name, separator, value = (part.strip() for part in line.partition("="))
        if not name or name.startswith("#"):
            continue
        if not separator or name not in (*KEY_NAMES, FALLBACKS):
            raise SiteError(
                f"{path}, line {number}: not one of {', '.join((*KEY_NAMES, FALLBACKS))}; "
                "other settings belong in the environment"
            )
        if name in stored:
            raise SiteError(f"{path}, line {number}: {name} appears twice")
        stored[name] = value
    return stored


def write_private(path: Path, text: str) -> None:
    """Write `text` to `path` atomically, readable only by its owner."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600, exist_ok=False)
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


ROOT = Path(__file__).resolve().parents[2]


class SourceNote:
    """A file with the digest of the sources from which something was made, to make it again when they change."""

    def __init__(self, path: Path, *folders: str, root: Path = ROOT) -> None:
        """The sources are the packages and the files in these folders of the checkout."""
        self._path, self._folders, self._root = path, folders, root

    def is_current(self, also: str = "") -> bool:
        """Whether it was made from what the sources are now, and from the text `also`."""
        return self._path.is_file() and self._path.read_text(encoding="utf-8") == self._digest(also)

    def write(self, also: str = "") -> None:
        """Record that it was just made."""
        write_private(self._path, self._digest(also))

    def remove(self) -> None:
        """Forget it, so that everything is made again."""
        self._path.unlink(missing_ok=True)

    def _digest(self, also: str) -> str:
        digest = hashlib.sha256((self._root / "requirements.txt").read_bytes() + also.encode())
        for folder in self._folders:
            for path in sorted((self._root / folder).rglob("*")):
                if path.suffix != ".pyc" and path.is_file():
                    status, name = path.stat(), path.relative_to(self._root)
                    digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
        return digest.hexdigest()


class CollectedFiles:
    """The folder that collectstatic fills, and next to it the note of its sources."""

    def __init__(self, folder: Path, root: Path = ROOT) -> None:
        self._folder = folder
        self._note = SourceNote(folder.with_name(f"{folder.name}.source"), "static", root=root)

    def is_current(self) -> bool:
        return self._folder.is_dir() and self._note.is_current()

    def note_source(self) -> None:
        """Record that the folder was just filled."""
        self._note.write()


def collected_files() -> CollectedFiles:
    """The same folder as in Django's settings."""
    return CollectedFiles(Path(os.environ.get("SLOGDB_STATIC_ROOT") or ROOT / "var" / "static"))
