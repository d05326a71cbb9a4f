"""Every case of corpus/diskinfo: a paste, and what it states; and every label of the whole corpus has a paste."""

import json
from pathlib import Path

import pytest

from parsers.__main__ import to_json
from parsers.paste import parse_paste

CORPUS = Path(__file__).parents[1] / "corpus"
ACCEPTED = sorted(CORPUS.glob("diskinfo/accepted/*.txt"))
REJECTED = sorted(CORPUS.glob("diskinfo/rejected/*.txt"))
LABEL_ENDINGS = {"accepted": ".json", "rejected": ".error"}


def read_case(raw):
    """What is printed, without fields that are null; of the warnings their codes and lines."""
    printed = json.loads(to_json(parse_paste(raw, unit_key=b"key")))
    return {
        "readings": [
            {name: value for name, value in reading.items() if value is not None}
            for reading in printed["readings"]
        ],
        "warnings": [{"code": warning["code"], "line": warning["line"]} for warning in printed["warnings"]],
    }


@pytest.mark.parametrize("paste", ACCEPTED, ids=lambda paste: paste.stem)
def test_a_run_is_read_to_the_last_field_and_shows_no_identifier(paste):
    label = json.loads(paste.with_suffix(".json").read_text())
    secrets = label.pop("secrets", [])
    assert read_case(paste.read_bytes()) == label
    printed = to_json(parse_paste(paste.read_bytes(), unit_key=b"key"))
    assert [secret for secret in secrets if secret in printed] == []


@pytest.mark.parametrize("paste", REJECTED, ids=lambda paste: paste.stem)
def test_a_text_without_a_run_gives_advice_with_the_line(paste):
    code, line = paste.with_suffix(".error").read_text().split()
    assert read_case(paste.read_bytes()) == {"readings": [], "warnings": [{"code": code, "line": int(line)}]}


def test_labels_and_pastes_match_one_to_one():
    for folder in CORPUS.glob("*/*"):
        ending = LABEL_ENDINGS[folder.name]
        pastes = {path.stem for path in folder.glob("*.txt")}
        assert pastes == {path.stem for path in folder.glob(f"*{ending}")}, folder
        assert {path.suffix for path in folder.iterdir()} <= {".txt", ending}, folder
