import json

import pytest

from parsers.__main__ import to_json
from parsers.paste import parse_paste
from results.submissions.receive import SubmissionRefusedError
from results.submissions.sent import text_of_parse
from tests import pastes

pytestmark = pytest.mark.django_db


def finished(text: str) -> dict:
    return json.loads(to_json(parse_paste(text, unit_key=b"somebody else's key")))


def read(parse: dict) -> str:
    return text_of_parse(parse["text"], parse["readings"])


def test_the_text_of_a_parse_is_its_masked_text():
    parse = finished(pastes.FIRST_PASTE + pastes.smartctl())
    assert read(parse) == parse["text"]
    assert pastes.SERIAL not in parse["text"]


def refusal(parse: dict) -> tuple[str, int | None]:
    with pytest.raises(SubmissionRefusedError) as refused:
        read(parse)
    (notice,) = refused.value.notices
    return notice.code, notice.line


def test_a_parse_without_its_text_is_refused():
    assert refusal({**finished(pastes.FIRST_PASTE), "text": " \n"}) == ("no_text", None)


@pytest.mark.parametrize("latency", [1.0, None, "138.4", True, float("inf")])
def test_a_parse_with_other_figures_than_its_text_is_refused(latency):
    parse = finished(pastes.FIRST_PASTE)
    parse["readings"][0]["points"][0]["latency_us"] = latency
    assert refusal(parse) == ("parse_differs", 2)


@pytest.mark.parametrize("points", [None, [], {}, "points", [None] * 15])
def test_a_parse_with_invalid_points_is_refused(points):
    parse = finished(pastes.FIRST_PASTE)
    parse["readings"][0]["points"] = points
    assert refusal(parse)[0] == "parse_differs"


FSYNC = "Compare file sync methods using one 8kB write:\n  fsync   2500.000 ops/sec   400 usecs/op\n"
PVEPERF = "CPU BOGOMIPS:      12000.10\nFSYNCS/SECOND:     2128.05\n"


@pytest.mark.parametrize("ops_s", [1.0, None])
def test_a_parse_of_runs_on_files_has_the_figures_of_its_text(ops_s):
    parse = finished(FSYNC + PVEPERF)
    assert read(parse) == parse["text"]
    fsync, pveperf = parse["readings"]
    other = {**fsync, "rows": [{**fsync["rows"][0], "ops_s": ops_s}]}
    assert refusal({**parse, "readings": [other, pveperf]}) == ("parse_differs", 1)
    assert refusal({**parse, "readings": [fsync, {**pveperf, "fsyncs_s": ops_s}]}) == ("parse_differs", 3)


def test_a_parse_with_other_readings_is_refused():
    parse = finished(pastes.FIRST_PASTE)
    assert refusal({**parse, "readings": []}) == ("parse_differs", None)
    assert refusal({**parse, "readings": [{"kind": "fio"}]}) == ("parse_differs", None)
    assert refusal({**parse, "text": "hello"}) == ("parse_differs", None)


def test_a_parse_of_another_device_is_refused():
    parse = finished(pastes.FIRST_PASTE + pastes.smartctl())
    parse["readings"][1]["model_name"] = "Another"
    assert refusal(parse)[0] == "parse_differs"
