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

    @property
    def directory(self) -> Path:
        """The folder with all of this site's data."""
        return VAR / "demo" if self.is_demo else VAR

    @property
    def metrics(self) -> Path:
        """The folder in which the processes of one run share their metrics."""
        return self.directory / "metrics"

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
            "SLOGDB_LOG_FORMAT": "line",  # for people; the files aren't rotated while they are written
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
KEY_BYTES = 48


def read_or_make_keys(path: Path) -> dict[str, str]:
    """The keys by the names of their environment variables; the environment takes precedence."""
    if not path.exists():
        _make_keys(path)
    stored = dict(line.split("=", 1) for line in path.read_text(encoding="utf-8").splitlines())
    return {name: os.environ.get(name) or stored[name] for name in KEY_NAMES}


def _make_keys(path: Path) -> None:
    lines = [f"{name}={secrets.token_urlsafe(KEY_BYTES)}\n" for name in KEY_NAMES]
    write_private(path, "".join(lines))


def write_private(path: Path, text: str) -> None:
    """Write `text` to `path` atomically, readable only by its owner."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600, exist_ok=False)
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


ROOT = Path(__file__).resolve().parents[2]


class CollectedFiles:
    """The folder that collectstatic fills, and next to it a file with the digest of its sources."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._note = folder.with_name(f"{folder.name}.source")

    def is_current(self) -> bool:
        return self._folder.is_dir() and self._note.is_file() and self._note.read_text() == source_digest()

    def note_source(self) -> None:
        """Record that the folder was just filled."""
        self._note.write_text(source_digest())


def collected_files() -> CollectedFiles:
    """The same folder as in Django's settings."""
    return CollectedFiles(Path(os.environ.get("SLOGDB_STATIC_ROOT") or ROOT / "var" / "static"))


def source_digest() -> str:
    """A digest that changes with static/ and with the packages, which include static files."""
    digest = hashlib.sha256((ROOT / "requirements.txt").read_bytes())
    for path in sorted((ROOT / "static").rglob("*")):
        status = path.stat()
        digest.update(f"{path.relative_to(ROOT)} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
