"""docker-compose.yml as its engine reads it: variables filled in, merges resolved."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docker-compose.yml"
_VARIABLE = re.compile(r"\$\{([A-Z_]+)(?::([-?])([^${}]*))?\}")


def services(given: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """By name, with `given` as what .env says; raises KeyError for a variable that must be set and is not."""
    found: dict[str, dict[str, Any]] = yaml.safe_load(filled(FILE.read_text(), given))["services"]
    return found


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
    """Every variable that docker-compose.yml reads."""
    return set(re.findall(r"\$\{([A-Z_]+)", FILE.read_text()))
