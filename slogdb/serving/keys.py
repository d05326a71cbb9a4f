"""The two secrets of a site that was given none: drawn once, kept in a file that only its owner reads."""

import os
import secrets
from pathlib import Path

KEY_NAMES = ("SLOGDB_SECRET_KEY", "SLOGDB_UNIT_KEY")
KEY_BYTES = 48


def read_or_make_keys(path: Path) -> dict[str, str]:
    """The keys by the names of their environment variables; what the environment says goes first."""
    if not path.exists():
        _make_keys(path)
    kept = dict(line.split("=", 1) for line in path.read_text(encoding="utf-8").splitlines())
    return {name: os.environ.get(name) or kept[name] for name in KEY_NAMES}


def _make_keys(path: Path) -> None:
    lines = [f"{name}={secrets.token_urlsafe(KEY_BYTES)}\n" for name in KEY_NAMES]
    write_private(path, "".join(lines))


def write_private(path: Path, text: str) -> None:
    """Write `text` to `path` whole or not at all, readable by its owner only."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600, exist_ok=False)
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)
