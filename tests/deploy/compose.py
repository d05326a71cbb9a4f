"""docker-compose.yml as its engine reads it: variables filled in, merges resolved."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docker-compose.yml"
_VARIABLE = re.compile(r"\$\{([A-Z_]+)(?::([-?])([^${}]*))?\}")


BESIDE = sorted((ROOT / "deploy").glob("*.yml"))
_REPLACED = {"command", "entrypoint"}  # all other lists are added to, by the Compose specification's "Merge"


def services(given: Mapping[str, str], *beside: Path) -> dict[str, dict[str, Any]]:
    """By name, with `given` as what .env says and the files `beside` merged into it, in their order.

    Raises KeyError for a variable that must be set and is not.
    """
    found: dict[str, dict[str, Any]] = read(FILE, given)["services"]
    for path in beside:
        found = _merged(found, read(path, given)["services"])
    return found


def read(path: Path, given: Mapping[str, str]) -> dict[str, Any]:
    """The file with its variables filled in."""
    parsed: dict[str, Any] = yaml.safe_load(filled(path.read_text(), given))
    return parsed


def _merged(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    merged = dict(under)
    for name, value in over.items():
        if isinstance(value, dict) and isinstance(under.get(name), dict):
            merged[name] = _merged(under[name], value)
        elif isinstance(value, list) and name in under and name not in _REPLACED:
            merged[name] = [*under[name], *(one for one in value if one not in under[name])]
        else:
            merged[name] = value
    return merged


def filled(text: str, given: Mapping[str, str]) -> str:
    """`text` with ${NAME}, ${NAME:-default} and ${NAME:?complaint} replaced, the innermost first."""

    def value(match: re.Match[str]) -> str:
        name, sign, rest = match.groups()
        if given.get(name):
            return given[name]
        if sign == "?":
            raise KeyError(name)
        return rest if sign == "-" else ""

    while (replaced := _VARIABLE.sub(value, text)) != text:
        text = replaced
    return text


def variables() -> set[str]:
    """Every variable that docker-compose.yml reads, or a file beside it."""
    return {name for path in (FILE, *BESIDE) for name in re.findall(r"\$\{([A-Z_]+)", path.read_text())}
