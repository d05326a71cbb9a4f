"""/.well-known/security.txt, by RFC 9116."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone

from slogdb import env


def test_it_has_the_fields_of_the_rfc(client, settings):
    settings.SITE_URL = "https://slog.example"
    settings.SECURITY_CONTACTS = ["mailto:ops@slog.example", "https://slog.example/report"]
    response = client.get("/.well-known/security.txt")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    first, second, expires, *rest = response.text.splitlines()
    assert [first, second] == ["Contact: mailto:ops@slog.example", "Contact: https://slog.example/report"]
    assert rest == ["Canonical: https://slog.example/.well-known/security.txt", "Preferred-Languages: en"]
    until = datetime.strptime(expires, "Expires: %Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert timedelta(days=150) < until - timezone.now() < timedelta(days=365)


def test_contacts_are_uris_and_the_senders_address_by_default(monkeypatch):
    assert env.contacts("SLOGDB_X", "Site <site@slog.example>") == ["mailto:site@slog.example"]
    monkeypatch.setenv("SLOGDB_X", "ops@slog.example, mailto:b@c.example, https://slog.example/r")
    assert env.contacts("SLOGDB_X", "") == [
        "mailto:ops@slog.example",
        "mailto:b@c.example",
        "https://slog.example/r",
    ]
    monkeypatch.setenv("SLOGDB_X", "http://slog.example/r")
    with pytest.raises(ImproperlyConfigured, match="SLOGDB_X"):
        env.contacts("SLOGDB_X", "")
