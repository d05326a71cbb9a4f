"""A changed, missing or unused snapshot fails with the difference; only the option writes."""

import pytest

from tests.plugins import snapshots

FOUND = {"home": "# Drives\nTwo\n"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(snapshots, "FOLDER", tmp_path)
    return tmp_path


def refusal(found):
    with pytest.raises(pytest.fail.Exception) as caught:
        snapshots.compare("pages", found)
    return str(caught.value)


def test_what_was_written_is_found_again(folder):
    snapshots.write("pages", {"old": "gone\n"})
    snapshots.write("pages", FOUND)
    snapshots.compare("pages", FOUND)
    assert [path.name for path in folder.glob("*/*")] == ["home.txt"]


def test_a_change_is_shown_as_a_difference(folder):
    snapshots.write("pages", FOUND)
    assert " # Drives\n-Two\n+Three\n" in refusal({"home": "# Drives\nThree\n"})


def test_a_missing_snapshot_fails_and_is_not_written(folder):
    assert "+# Drives\n" in refusal(FOUND)
    assert "home" in refusal({"home": ""})
    assert list(folder.iterdir()) == []


def test_an_unused_snapshot_fails(folder):
    snapshots.write("pages", {**FOUND, "old": "gone\n"})
    assert "-gone\n" in refusal(FOUND)
