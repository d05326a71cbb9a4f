""".env.example beside what is read: no variable is missing, none is left over, no example works as a secret."""

import ast
import re

import pytest
from django.core.exceptions import ImproperlyConfigured

from slogdb import env
from slogdb.settings_reference import DOCUMENT, reference, settings
from tests.deploy.compose import ROOT, variables

READ = re.compile(r'(?:env\.[a-z_]+|os\.environ\.get|\b(?:required|text|flag|number))\(\s*"([A-Z_]+)"')
LISTED = re.compile(r"^#?([A-Z][A-Z_]+)=(.*)$", re.MULTILINE)
OF_OTHERS = {"HOST", "PORT", "OTEL_SERVICE_NAME"}  # bin/serve's, and OpenTelemetry's own
EXAMPLE = (ROOT / ".env.example").read_text()


def read_by_the_code() -> set[str]:
    files = [path for folder in ("slogdb", "results") for path in (ROOT / folder).rglob("*.py")]
    return {name for path in files for name in READ.findall(path.read_text())} - OF_OTHERS


def test_every_variable_is_listed_once_with_what_it_does():
    names = [name for name, _ in LISTED.findall(EXAMPLE)]
    assert len(names) == len(set(names))
    assert set(names) == read_by_the_code() | variables()
    lines = EXAMPLE.splitlines()
    for number, line in enumerate(lines):
        if LISTED.match(line):
            above = lines[number - 1]
            assert above.startswith("# ") or LISTED.match(above), line


def test_the_example_is_refused_as_it_is(monkeypatch):
    given = dict(LISTED.findall(EXAMPLE))
    for name in ("SLOGDB_SECRET_KEY", "SLOGDB_UNIT_KEY"):
        monkeypatch.setenv(name, given[name])
        with pytest.raises(ImproperlyConfigured):
            env.secret(name, is_debug=False)


def defaults_in_the_code() -> dict[str, str]:
    """The defaults that are written beside the name of a variable, as .env.example writes them."""
    found = {}
    for path in (ROOT / "slogdb" / "settings.py", ROOT / "slogdb" / "env.py", ROOT / "slogdb" / "granian.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            if not isinstance(call, ast.Call) or not call.args or not isinstance(call.args[0], ast.Constant):
                continue
            given = [
                *call.args[1:2],
                *(keyword.value for keyword in call.keywords if keyword.arg == "default"),
            ]
            name = call.args[0].value
            if (
                given
                and isinstance(name, str)
                and name in LISTED_NAMES
                and isinstance(given[0], ast.Constant)
            ):
                value = given[0].value
                found[name] = str(int(value)) if isinstance(value, bool) else str(value)
    return found


LISTED_NAMES = {name for name, _ in LISTED.findall(EXAMPLE)}


def test_the_defaults_are_those_of_the_code():
    """granian.py is the last, since it sets what only web servers have."""
    listed = {setting.name: setting.default for setting in settings()}
    found = defaults_in_the_code()
    assert len(found) >= 20
    assert {name: listed[name] for name in found} == found


def test_the_reference_has_every_variable_and_is_current():
    assert DOCUMENT.read_text() == reference(), "run python -m slogdb.settings_reference"
    rows = re.findall(
        r"^\| `([A-Z_]+)` \| (.+?) \| (.+?) \| (\d+\.\d+\.\d+) \|$", DOCUMENT.read_text(), re.MULTILINE
    )
    assert {name for name, *_ in rows} == read_by_the_code() | variables()
