"""Every case of corpus/smartctl_*: a paste, and what it states; and what forums and terminals do to it."""

import json
from pathlib import Path

import pytest

from parsers.__main__ import to_json
from parsers.paste import parse_paste

CORPUS = Path(__file__).parents[1] / "corpus"
ACCEPTED = sorted(CORPUS.glob("smartctl_*/accepted/*.txt"))
REJECTED = sorted(CORPUS.glob("smartctl_*/rejected/*.txt"))


def case_name(paste: Path) -> str:
    return f"{paste.parts[-3]}/{paste.stem}"


def read_case(raw: bytes) -> dict[str, list[dict[str, object]]]:
    """The fields that are not null and the warnings about a line; those about the whole are tested elsewhere."""
    printed = json.loads(to_json(parse_paste(raw, unit_key=b"key")))
    return {
        "readings": [
            {name: value for name, value in reading.items() if value is not None}
            for reading in printed["readings"]
        ],
        "warnings": [
            {"code": warning["code"], "line": warning["line"]}
            for warning in printed["warnings"]
            if warning["line"]
        ],
    }


@pytest.mark.parametrize("paste", ACCEPTED, ids=case_name)
def test_a_device_is_read_to_the_last_field(paste):
    assert read_case(paste.read_bytes()) == json.loads(paste.with_suffix(".json").read_text())


@pytest.mark.parametrize("paste", REJECTED, ids=case_name)
def test_output_without_a_device_gives_advice_with_the_line(paste):
    code, line = paste.with_suffix(".error").read_text().split()
    assert read_case(paste.read_bytes()) == {"readings": [], "warnings": [{"code": code, "line": int(line)}]}
