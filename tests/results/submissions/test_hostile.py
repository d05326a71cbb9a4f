"""Pastes that were made to break something: each is stored as text or refused, and never a fault of the site."""

import json
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from results.models import Result, Submission
from results.submissions.intake.receive import Sender, SubmissionRefusedError, receive_submission
from tests import pastes

pytestmark = pytest.mark.django_db
HUGE = 10**30
SCRIPT = "<script>alert(1)</script>"


def receive(raw):
    return receive_submission(raw, Sender()).submission


def smartctl_json(**fields):
    """What `smartctl -a -j` prints, with these fields replaced."""
    document = {
        "json_format_version": [1, 0],
        "smartctl": {"version": [7, 2], "platform_info": "FreeBSD 12.2-RELEASE amd64"},
        "device": {"name": "/dev/nvme0", "type": "nvme", "protocol": "NVMe"},
        "model_name": "SAMPLE NVMe",
        "serial_number": pastes.SERIAL,
        "firmware_version": "1.0",
        "user_capacity": {"blocks": 1000, "bytes": 512000},
        "power_on_time": {"hours": 10},
        **fields,
    }
    return json.dumps(document, indent=2) + "\n"


def test_markup_around_names_is_not_kept():
    receive(pastes.diskinfo(description=f"SAMPLE {SCRIPT}") + pastes.smartctl(model=f"SAMPLE {SCRIPT}"))
    assert Result.objects.get().device.model_name == "SAMPLE alert(1)"
    assert "<script>" not in Submission.objects.get().text


def test_an_impossible_device_or_write_is_refused(subtests):
    for text, code in [
        *((pastes.diskinfo(media_size=size), "impossible_capacity") for size in (0, 2**63, HUGE)),
        *(
            (pastes.diskinfo().replace("138.4 usec", f"{printed} usec"), "impossible_latency")
            for printed in ("0.0", "999999999999.9")
        ),
    ]:
        with subtests.test(text=text[:60]):
            with pytest.raises(SubmissionRefusedError) as refused:
                receive(text)
            assert code in {notice.code for notice in refused.value.notices}


def test_invalid_json_is_refused_without_a_server_error(subtests):
    for fields in [
        {"power_on_time": {"hours": HUGE}},
        {"power_on_time": {"hours": -1}},
        {"power_on_time": {"hours": "ten"}},
        {"power_on_time": {"hours": 1e400}},
        {"nvme_smart_health_information_log": {"percentage_used": HUGE, "data_units_written": HUGE}},
        {"nvme_smart_health_information_log": {"data_units_written": 10**14}},  # beyond 64 bits as bytes
        {"nvme_smart_health_information_log": {"percentage_used": -1, "data_units_written": -1}},
        {"nvme_smart_health_information_log": []},
        {"firmware_version": "1" * 500},
        {"firmware_version": "1\u0000\ud800"},
        {"vendor": "v" * 70, "product": "p"},
        {"model_name": "SAMPLE\u0000NVMe"},
        {"model_name": "SAMPLE\ud800NVMe"},
        {"model_name": "SAMPLE\nNVMe"},
        {"model_name": ["SAMPLE"]},
        {"model_name": None},
        {"smartctl": {"platform_info": "\u0000" * 200}},
        {"logical_block_size": HUGE},
        {"device": {"name": "\u0000"}},
    ]:
        with subtests.test(fields=fields):
            submission = receive(pastes.diskinfo() + smartctl_json(**fields))
            assert submission.results.get().latency_us == list(pastes.FIRST_CURVE)


@pytest.mark.parametrize("depth", [50, 100_000])
def test_deep_nesting_is_refused_without_a_server_error(depth):
    receive(pastes.diskinfo() + '{"smartctl": ' + "[" * depth)


@pytest.mark.parametrize(
    "character", ["\u2028", "\x0c", "\x85", "\u202e", "\U0001f4a9", "\ufffe", "\ud800", "\x1b[31m"]
)
def test_odd_characters_are_text_or_refused_with_the_line(character):
    """No device's name has them, but a table is read whatever is around it."""
    assert receive(f"be{character}fore\n{pastes.diskinfo()}after{character}wards\n").results.get().device.slug
    with suppress(SubmissionRefusedError):
        receive(pastes.diskinfo(description=f"SAMPLE{character}SSD"))


PASTE = pastes.FIRST_PASTE + pastes.smartctl() + smartctl_json()


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cuts=st.lists(st.tuples(st.integers(0, len(PASTE)), st.integers(0, 40), st.text(max_size=8)), max_size=6)
)
def test_a_damaged_paste_is_stored_or_refused(cuts):
    text = PASTE
    for start, length, splinter in cuts:
        text = text[:start] + splinter + text[start + length :]
    with suppress(SubmissionRefusedError):
        receive(text)
