"""docker-compose.yml as its engine reads it: variables filled in, merges resolved."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docker-compose.yml"
# What must be set, as somebody's .env would say it.
GIVEN = {
    "SLOGDB_DOMAIN": "slogdb.example",
    "POSTGRES_PASSWORD": "of-the-owner",
    "POSTGRES_SITE_PASSWORD": "of-the-site",
    "VALKEY_PASSWORD": "of-the-queue",
}
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
    """The file with its variables filled in, and those without a value passed on if they are given."""
    parsed: dict[str, Any] = yaml.safe_load(filled(path.read_text(), given))
    for service in parsed["services"].values():
        if environment := service.get("environment"):
            passed = {
                name: given.get(name) if value is None else value for name, value in environment.items()
            }
            service["environment"] = {name: value for name, value in passed.items() if value is not None}
    return parsed


def _merged(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    merged = dict(under)
    for name, value in over.items():
        if isinstance(value, dict) and isinstance(under.get(name), dict):
            merged[name] = _merged(under[name], value)
        elif isinstance(value, list) and name in under and name not in _REPLACED:
            merged[name] = [*under[name], *(element for element in value if element not in under[name])]
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
    """Every variable that docker-compose.yml reads or passes on, or a file beside it."""
    texts = [path.read_text() for path in (FILE, *BESIDE)]
    passed = {name for names in passed_on().values() for name in names}
    return {name for text in texts for name in re.findall(r"\$\{([A-Z_]+)", text)} | passed


def passed_on() -> dict[str, set[str]]:
    """The variables of .env that each service gets: passed on as they are, or as part of another."""
    parsed = yaml.safe_load(FILE.read_text())
    return {
        name: {
            variable
            for key, value in (service.get("environment") or {}).items()
            for variable in ([key] if value is None else re.findall(r"\$\{([A-Z_]+)", str(value)))
        }
        for name, service in parsed["services"].items()
    }
