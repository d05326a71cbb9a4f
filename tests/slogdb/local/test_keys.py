import stat

from slogdb.local.options import KEY_NAMES, read_or_make_keys


def test_keys_are_drawn_once_and_only_their_owner_can_read_them(tmp_path, monkeypatch):
    for name in KEY_NAMES:
        monkeypatch.delenv(name, raising=False)
    path = tmp_path / "var" / "keys.env"
    drawn = read_or_make_keys(path)
    assert len(set(drawn.values())) == 2
    assert read_or_make_keys(path) == drawn
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_key_of_the_environment_goes_first(tmp_path, monkeypatch):
    monkeypatch.setenv("SLOGDB_UNIT_KEY", "given")
    monkeypatch.delenv("SLOGDB_SECRET_KEY", raising=False)
    keys = read_or_make_keys(tmp_path / "keys.env")
    assert keys["SLOGDB_UNIT_KEY"] == "given"
    assert len(keys["SLOGDB_SECRET_KEY"]) == 64
