""".env.example beside what is read: no variable is missing, none is left over, no example works as a secret."""

import re

import pytest
from django.core.exceptions import ImproperlyConfigured

from slogdb import env
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
