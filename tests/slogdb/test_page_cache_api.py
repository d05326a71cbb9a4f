"""What the page cache does otherwise below /api/."""

from slogdb import known_keys as known_keys_module
from slogdb.known_keys import KEY_IS_KNOWN_S, KnownKeys, known_keys
from tests.slogdb.cached_site import PUBLIC, Site


def test_below_the_api_every_parameter_makes_a_page_of_its_own():
    site = Site()
    for url in ("/api/v1/?class=hdd", "/api/v1/?class=nvme&class=hdd", "/api/v1/?class=hdd&class=hdd"):
        site.ask(url)
    assert len(site.calls) == 1
    for url in ("/api/v1/?class=hdd&colour=red", "/api/v1/?class=hdd&colour="):
        site.ask(url)
    assert len(site.calls) == 3


def test_below_the_api_all_fields_that_are_asked_for_make_the_page():
    site = Site()
    for url in ("/api/v1/?fields=a&fields=b", "/api/v1/?fields=b", "/api/v1/?fields=a,b"):
        site.ask(url)
    assert [call["QUERY_STRING"] for call in site.calls] == ["fields=a&fields=b", "fields=b"]


def test_who_brings_a_key_to_the_api_is_looked_at_by_the_view_first():
    site = Site()
    for _ in range(2):
        assert site.ask("/api/v1/", HTTP_AUTHORIZATION="Bearer one").status == "200 OK"
    assert len(site.calls) == 2
    known_keys.note("Bearer one")
    site.ask("/api/v1/", HTTP_AUTHORIZATION="Bearer one")
    assert len(site.calls) == 2
    site.ask("/api/v1/", HTTP_AUTHORIZATION="Bearer two")
    assert len(site.calls) == 3
    site.ask("/", HTTP_AUTHORIZATION="Bearer two")
    site.ask("/", HTTP_AUTHORIZATION="Bearer two")
    assert len(site.calls) == 4


def test_a_key_is_known_for_a_moment_only(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(known_keys_module.time, "monotonic", lambda: clock[0])
    keys = KnownKeys()
    keys.note("Bearer one")
    assert keys.has("Bearer one")
    clock[0] += KEY_IS_KNOWN_S
    assert not keys.has("Bearer one")


def test_however_many_keys_come_few_are_remembered(monkeypatch):
    monkeypatch.setattr(known_keys_module, "MOST_KNOWN_KEYS", 3)
    keys = KnownKeys()
    for number in range(10):
        keys.note(f"Bearer {number}")
    assert sum(keys.has(f"Bearer {number}") for number in range(10)) <= 3


def test_what_was_said_to_one_reader_is_not_kept_for_the_next():
    site = Site(headers=[*PUBLIC, ("RateLimit", '"a";r=1;t=2')])
    assert site.ask().headers["RateLimit"] == '"a";r=1;t=2'
    assert "RateLimit" not in site.ask().headers
