import os
import secrets

import pytest
from django.core.exceptions import ImproperlyConfigured

from slogdb import env

SECRET = "Zq7mK2xT9vLr4nWc8bHs5jYd3fGp6tQa"


def test_a_flag_is_on_or_off(monkeypatch):
    monkeypatch.delenv("SAMPLE", raising=False)
    assert env.flag("SAMPLE") is False
    on, off = ("1", "TRUE", "on", " yes "), ("0", "off", "")
    for value in (*on, *off):
        monkeypatch.setenv("SAMPLE", value)
        assert env.flag("SAMPLE") is (value in on), value
    monkeypatch.setenv("SAMPLE", "maybe")
    with pytest.raises(ImproperlyConfigured, match="SAMPLE must be 1 or 0, not 'maybe'"):
        env.flag("SAMPLE")


def test_lists_are_comma_separated_and_what_is_unset_has_its_default(monkeypatch):
    monkeypatch.delenv("SAMPLE", raising=False)
    assert (env.text("SAMPLE", "default"), env.words("SAMPLE", "a, b")) == ("default", ["a", "b"])
    monkeypatch.setenv("SAMPLE", " a.example , ,b.example,")
    assert env.words("SAMPLE") == ["a.example", "b.example"]


def test_what_is_required_and_missing_is_named(monkeypatch):
    monkeypatch.delenv("SAMPLE", raising=False)
    for _ in ("unset", "empty"):
        with pytest.raises(ImproperlyConfigured, match="SAMPLE is not set"):
            env.required("SAMPLE")
        monkeypatch.setenv("SAMPLE", "")


def test_a_secret_is_used_unchanged_unless_it_is_too_short(monkeypatch):
    monkeypatch.setenv("SAMPLE", SECRET)
    assert env.required("SAMPLE") == env.secret("SAMPLE", is_debug=False) == SECRET
    for value, is_debug in (("", False), (SECRET[1:], False), (SECRET[1:], True)):
        monkeypatch.setenv("SAMPLE", value)
        with pytest.raises(ImproperlyConfigured, match="at least 32 random characters"):
            env.secret("SAMPLE", is_debug=is_debug)


@pytest.mark.parametrize(
    "value",
    [
        "x" * 64,
        "ab" * 32,
        "abcdefghijklmnop" * 3,
        "change-me-change-me-0123456789-abcdef",
        "CHANGE_ME_to_50_random_characters_or_more",
        "django-insecure-q7mK2xT9vLr4nWc8bHs5jYd3f",
        "an example of 32 characters or more, kept",
    ],
)
def test_a_guessable_secret_is_refused_in_production(monkeypatch, value):
    monkeypatch.setenv("SAMPLE", value)
    assert env.secret("SAMPLE", is_debug=True) == value
    with pytest.raises(ImproperlyConfigured, match="SAMPLE must hold at least 32 random characters"):
        env.secret("SAMPLE", is_debug=False)


def test_random_secrets_are_accepted(monkeypatch):
    for draw in (secrets.token_urlsafe, secrets.token_hex):
        for _ in range(200):
            monkeypatch.setenv("SAMPLE", draw(env.MIN_SECRET_LENGTH))
            env.secret("SAMPLE", is_debug=False)


def test_a_missing_secret_is_generated_only_in_debug_mode(monkeypatch):
    monkeypatch.delenv("SAMPLE", raising=False)
    first, second = (env.secret("SAMPLE", is_debug=True) for _ in range(2))
    assert len(first) >= env.MIN_SECRET_LENGTH
    assert first != second


def test_the_local_environment_fills_only_unset_variables(monkeypatch, tmp_path):
    written, before = tmp_path / "serve.env", dict(os.environ)
    env.load_local_environment(written)  # of a site that doesn't run
    assert dict(os.environ) == before
    written.write_text("SAMPLE_A=written\nSAMPLE_B=a=b\nno variable\n")
    monkeypatch.setenv("SAMPLE_A", "told")
    monkeypatch.setenv("SAMPLE_B", "")
    monkeypatch.delenv("SAMPLE_B")
    env.load_local_environment(written)
    assert (os.environ["SAMPLE_A"], os.environ["SAMPLE_B"]) == ("told", "a=b")


def test_an_allowance_is_a_count_and_seconds(monkeypatch):
    monkeypatch.setenv("SLOGDB_TEST", "20/3600")
    assert env.allowance("SLOGDB_TEST", "1/1") == (20, 3600)
    monkeypatch.delenv("SLOGDB_TEST")
    assert env.allowance("SLOGDB_TEST", "1/1") == (1, 1)
    for value in ("20", "0/60", "20/0", "a/b", "-1/60", "20/60/1"):
        monkeypatch.setenv("SLOGDB_TEST", value)
        with pytest.raises(ImproperlyConfigured, match="so many in so many seconds"):
            env.allowance("SLOGDB_TEST", "1/1")


def test_what_is_served_and_set_makes_the_build(tmp_path):
    page = tmp_path / "templates" / "page.html"
    page.parent.mkdir()
    page.write_text("one")
    build = env.build_id("a setting", root=tmp_path)
    (tmp_path / "README.md").write_text("not served")
    assert build == env.build_id("a setting", root=tmp_path)
    others = [env.build_id("another", root=tmp_path)]
    page.write_text("two")
    others.append(env.build_id("a setting", root=tmp_path))
    page.rename(page.with_name("other.html"))
    others.append(env.build_id("a setting", root=tmp_path))
    assert len({build, *others}) == 4


def test_an_address_is_a_host_and_a_port(monkeypatch):
    monkeypatch.delenv("SLOGDB_TEST", raising=False)
    assert env.address("SLOGDB_TEST") is None
    for value, expected in {"proxy:8443": ("proxy", 8443), "[::1]:443": ("::1", 443)}.items():
        monkeypatch.setenv("SLOGDB_TEST", value)
        assert env.address("SLOGDB_TEST") == expected
    for value in ("proxy", "proxy:", ":443", "proxy:https"):
        monkeypatch.setenv("SLOGDB_TEST", value)
        with pytest.raises(ImproperlyConfigured, match="SLOGDB_TEST must be like proxy:8443"):
            env.address("SLOGDB_TEST")
