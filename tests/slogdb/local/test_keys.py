import re
import stat

import pytest

from slogdb.local.options import FALLBACKS, KEY_NAMES, SiteError, read_or_make_keys


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch):
    for name in (*KEY_NAMES, FALLBACKS):
        monkeypatch.delenv(name, raising=False)


def test_keys_are_drawn_once_and_only_their_owner_can_read_them(tmp_path):
    path = tmp_path / "var" / "keys.env"
    drawn = read_or_make_keys(path)
    assert len(set(drawn.values())) == 2
    assert read_or_make_keys(path) == drawn
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_key_of_the_environment_goes_first(tmp_path, monkeypatch):
    monkeypatch.setenv("SLOGDB_UNIT_KEY", "given")
    keys = read_or_make_keys(tmp_path / "keys.env")
    assert keys["SLOGDB_UNIT_KEY"] == "given"
    assert len(keys["SLOGDB_SECRET_KEY"]) == 64


def test_previous_secret_keys_are_read_where_the_key_is(tmp_path):
    path = tmp_path / "keys.env"
    path.write_text(
        f"# changed in May\n\nSLOGDB_SECRET_KEY = new=\n{FALLBACKS}=old,older\nSLOGDB_UNIT_KEY=unit\n"
    )
    assert read_or_make_keys(path) == {
        "SLOGDB_SECRET_KEY": "new=",
        FALLBACKS: "old,older",
        "SLOGDB_UNIT_KEY": "unit",
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SLOGDB_SECRET_KEY=a\nSLOGDB_UNIT_KEY=b\nSLOGDB_SMTP_HOST=c\n", "keys.env, line 3: not one of"),
        ("SLOGDB_SECRET_KEY=a\nSLOGDB_SECRET_KEY_FALLBACK=c\n", "keys.env, line 2: not one of"),
        ("SLOGDB_SECRET_KEY\n", "keys.env, line 1: not one of"),
        (
            "SLOGDB_SECRET_KEY=a\n\nSLOGDB_SECRET_KEY=b\n",
            "keys.env, line 3: SLOGDB_SECRET_KEY appears twice",
        ),
        ("SLOGDB_SECRET_KEY=a\n", "keys.env has no SLOGDB_UNIT_KEY: put it back from your copy"),
        ("", "keys.env has no SLOGDB_SECRET_KEY"),  # as a full disk leaves it
        ("SLOGDB_SECRET_KEY=a\nSLOGDB_UNIT_KEY=\n", "keys.env has no SLOGDB_UNIT_KEY"),
    ],
)
def test_a_line_that_is_no_key_and_a_missing_key_are_refused(tmp_path, text, reason):
    path = tmp_path / "keys.env"
    path.write_text(text)
    with pytest.raises(SiteError, match=re.escape(reason)):
        read_or_make_keys(path)
    assert path.read_text() == text
