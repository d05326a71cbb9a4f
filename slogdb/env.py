"""Environment variables: each is read once, and an invalid value raises an error."""

import hashlib
import ipaddress
import json
import os
import secrets
from collections.abc import Collection
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

ROOT = Path(__file__).resolve().parent.parent
# What a running bin/serve uses, so that manage.py finds it too
LOCAL_ENVIRONMENT = ROOT / "var" / "serve.env"
BUILD_FOLDERS = ("parsers", "results", "slogdb", "static", "templates")
BUILD_SUFFIXES = {".py", ".html", ".css", ".js", ".svg", ".txt", ".csv"}
MIN_SECRET_LENGTH = 32
MIN_DISTINCT_CHARACTERS = 10  # distinct ones; 32 random hex digits have fewer once in 50,000 times
NO_SECRETS = ("changeme", "example", "insecure", "password", "placeholder", "replaceme", "secretkey")

REPLICA = "replica"
PREPARED_AFTER = 5  # runs before a statement is prepared, unless it requests it (results.ranking.medians)
CONN_MAX_AGE_S = 600
CONNECT_TIMEOUT_S = {"default": 5, REPLICA: 2}  # without the replica, its pages are read from the primary
# Without these, a connection to a machine that vanished blocks for a quarter of an hour.
DEAD_PEER_DETECTION = {
    "tcp_user_timeout": 10_000,  # ms that sent data may stay unacknowledged
    "keepalives_idle": 10,  # s of silence before the first probe
    "keepalives_interval": 5,
    "keepalives_count": 3,
}


def load_local_environment(path: Path = LOCAL_ENVIRONMENT) -> None:
    """Set variables that a running bin/serve wrote to `path`, unless this process already has them."""
    if not path.is_file():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        name, separator, value = line.partition("=")
        if separator:
            os.environ.setdefault(name, value)


def use_owner() -> None:
    """Connect as the owner of the tables, if DATABASE_DIRECT_URL names one, and not through a pooler.

    For commands: migrations, backups and restores need more rights than web servers and workers have.
    """
    owner = os.environ.get("DATABASE_DIRECT_URL")
    if owner:
        os.environ.setdefault("DATABASE_SITE_URL", os.environ.get("DATABASE_URL") or "")
        os.environ |= {"DATABASE_URL": owner, "SLOGDB_POOLS_TRANSACTIONS": "0"}


def build_id(*settings: str, root: Path = ROOT) -> str:
    """Twelve hex digits that are the same in every process with the same source files and settings."""
    digest = hashlib.sha256(" ".join(settings).encode())
    for folder in BUILD_FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in BUILD_SUFFIXES and path.is_file():
                digest.update(path.relative_to(root).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, default)


def flag(name: str, *, default: bool = False) -> bool:
    """True for 1/true/yes/on, False for 0/false/no/off."""
    value = os.environ.get(name, "").strip().lower()
    if not value:
        return default
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}")


def number(name: str, default: int) -> int:
    """A whole number of at least 0."""
    value = os.environ.get(name, "").strip() or str(default)
    if not (value.isascii() and value.isdecimal()):
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}")
    return int(value)


def choice(name: str, values: Collection[str], *, default: str) -> str:
    """One of `values`."""
    value = os.environ.get(name, "").strip() or default
    if value not in values:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(values)}, not {value!r}")
    return value


def openid_providers(name: str) -> list[dict[str, Any]]:
    """OpenID Connect providers, as a JSON list of {id, name, client_id, secret, server_url}.

    `origins`, a list of URLs, may be added: others through which the provider leads while people sign in.
    """
    value = os.environ.get(name, "").strip() or "[]"
    wanted = {"id", "name", "client_id", "secret", "server_url"}
    try:
        listed = json.loads(value)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be JSON: {error}") from error
    if not isinstance(listed, list) or any(
        not isinstance(provider, dict) or set(provider) - {"origins"} != wanted for provider in listed
    ):
        raise ImproperlyConfigured(f"{name} must be a list of objects with {', '.join(sorted(wanted))}")
    return [
        {
            "provider_id": provider["id"],
            "name": provider["name"],
            "client_id": provider["client_id"],
            "secret": provider["secret"],
            "settings": {"server_url": provider["server_url"], "origins": provider.get("origins", [])},
        }
        for provider in listed
    ]


def words(name: str, default: str = "") -> list[str]:
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def contacts(name: str, default: str) -> list[str]:
    """Comma-separated mail addresses, or https URLs of pages, as URIs."""
    found = words(name) or [parseaddr(default)[1]]
    if unusable := [word for word in found if "@" not in word and not word.startswith("https://")]:
        raise ImproperlyConfigured(f"{name}: neither a mail address nor an https URL: {unusable[0]}")
    return [word if word.startswith(("https://", "mailto:")) else f"mailto:{word}" for word in found]


def networks(name: str, default: str) -> list[Network]:
    """Comma-separated networks, such as 10.0.0.0/8 or fd00::/8."""
    try:
        return [ipaddress.ip_network(word) for word in words(name, default)]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name}: {error}") from error


def address(name: str) -> tuple[str, int] | None:
    """A host and a port, written "proxy:8443"; None if it isn't set."""
    value = os.environ.get(name, "").strip()
    host, _, port = value.rpartition(":")
    if not value:
        return None
    if not (host and port.isascii() and port.isdecimal()):
        raise ImproperlyConfigured(f"{name} must be like proxy:8443, not {value!r}")
    return host.strip("[]"), int(port)


def allowance(name: str, default: str) -> tuple[int, int]:
    """A count and a number of seconds, written "300/60"."""
    value = os.environ.get(name, "") or default
    quota, separator, seconds = value.partition("/")
    if not (separator and quota.isdecimal() and seconds.isdecimal() and int(quota) and int(seconds)):
        raise ImproperlyConfigured(f"{name} must be like 300/60, so many in so many seconds, not {value!r}")
    return int(quota), int(seconds)


def required(name: str) -> str:
    value = os.environ.get(name, "")
    if not value:
        raise ImproperlyConfigured(
            f"{name} is not set; bin/serve sets it, docs/self-hosting.md lists them all"
        )
    return value


def secret(name: str, *, is_debug: bool) -> str:
    """The secret called `name`; one that is too short or easily guessed is refused.

    In debug mode a missing secret is generated, and a weak one is accepted.
    """
    value = os.environ.get(name, "")
    if not value and is_debug:
        return secrets.token_urlsafe(MIN_SECRET_LENGTH)
    if len(value) < MIN_SECRET_LENGTH or (not is_debug and _is_plain(value)):
        raise ImproperlyConfigured(
            f"{name} must hold at least {MIN_SECRET_LENGTH} random characters: openssl rand -base64 48"
        )
    return value


def _is_plain(value: str) -> bool:
    """Whether it isn't random: few distinct characters, a repeated sequence, or words from an example."""
    letters = "".join(filter(str.isalnum, value)).lower()
    return (
        len(set(value)) < MIN_DISTINCT_CHARACTERS
        or value in (value + value)[1:-1]
        or any(word in letters for word in NO_SECRETS)
    )


def databases() -> dict[str, dict[str, Any]]:
    """The databases of DATABASE_URL and DATABASE_REPLICA_URL."""
    found = {"default": _database(required("DATABASE_URL"))}
    replica = text("DATABASE_REPLICA_URL")
    if replica:
        found[REPLICA] = {**_database(replica), "TEST": {"MIRROR": "default"}}
    for alias, database in found.items():
        timeouts = {
            "connect_timeout": CONNECT_TIMEOUT_S[alias],
            **DEAD_PEER_DETECTION,
            **_statement_timeout(),
        }
        database["OPTIONS"] = {**timeouts, **database["OPTIONS"]}
    return found


def _database(url: str) -> dict[str, Any]:
    """Settings for one persistent connection per process, checked at the first query of each request."""
    parsed: dict[str, Any] = dict(
        dj_database_url.parse(url, conn_max_age=CONN_MAX_AGE_S, conn_health_checks=True)
    )
    # Behind a pooler the next transaction may get another session, without prepared statements and cursors.
    is_pooled = flag("SLOGDB_POOLS_TRANSACTIONS")
    parsed["DISABLE_SERVER_SIDE_CURSORS"] = is_pooled
    parsed["OPTIONS"] = {
        **parsed.get("OPTIONS", {}),
        "prepare_threshold": None if is_pooled else PREPARED_AFTER,
    }
    return parsed


def _statement_timeout() -> dict[str, str]:
    """The timeout of web processes; poolers reject session options in a startup packet."""
    seconds = number("SLOGDB_STATEMENT_TIMEOUT", 0)
    if not seconds or flag("SLOGDB_POOLS_TRANSACTIONS"):
        return {}
    return {"options": f"-c statement_timeout={seconds}s"}
