"""A changed, missing or unused snapshot fails with the difference; only the option writes."""

import pytest

from tests.plugins import snapshots

FOUND = {"home": "# Drives\nTwo\n"}


def refusal(found, folder):
    with pytest.raises(pytest.fail.Exception) as caught:
        snapshots.compare("pages", found, folder)
    return str(caught.value)


def test_what_was_written_is_found_again(tmp_path):
    snapshots.write("pages", {"old": "gone\n"}, tmp_path)
    snapshots.write("pages", FOUND, tmp_path)
    snapshots.compare("pages", FOUND, tmp_path)
    assert [path.name for path in tmp_path.glob("*/*")] == ["home.txt"]


def test_a_change_is_shown_as_a_difference(tmp_path):
    snapshots.write("pages", FOUND, tmp_path)
    assert " # Drives\n-Two\n+Three\n" in refusal({"home": "# Drives\nThree\n"}, tmp_path)


def test_a_missing_snapshot_fails_and_is_not_written(tmp_path):
    assert "+# Drives\n" in refusal(FOUND, tmp_path)
    assert "home" in refusal({"home": ""}, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_unused_snapshot_fails(tmp_path):
    snapshots.write("pages", {**FOUND, "old": "gone\n"}, tmp_path)
    assert "-gone\n" in refusal(FOUND, tmp_path)
