"""What the environment says: every variable that the site reads, read once and refused out loud when unfit."""

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parent.parent
LOCAL_ENVIRONMENT = (
    ROOT / "var" / "serve.env"
)  # what a running bin/serve uses, so that manage.py finds it too
SHORTEST_SECRET = 32


def load_local_environment(path: Path = LOCAL_ENVIRONMENT) -> None:
    """Take over what a running bin/serve wrote to `path` where this process was told nothing else."""
    if not path.is_file():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        name, separator, value = line.partition("=")
        if separator:
            os.environ.setdefault(name, value)


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, default)


def flag(name: str) -> bool:
    """True for 1/true/yes/on, False for nothing or 0/false/no/off."""
    value = os.environ.get(name, "").strip().lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"", "0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}")


def words(name: str, default: str = "") -> list[str]:
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def required(name: str) -> str:
    value = os.environ.get(name, "")
    if not value:
        raise ImproperlyConfigured(
            f"{name} is not set; bin/serve sets it, docs/self-hosting.md lists them all"
        )
    return value


def secret(name: str, *, is_debug: bool) -> str:
    """The secret called `name`; too short a one is refused, a missing one is drawn anew only when debugging."""
    value = os.environ.get(name, "")
    if not value and is_debug:
        return secrets.token_urlsafe(SHORTEST_SECRET)
    if len(value) < SHORTEST_SECRET:
        raise ImproperlyConfigured(f"{name} must hold at least {SHORTEST_SECRET} random characters")
    return value
