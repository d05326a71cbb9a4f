"""An impossible number is refused or left out with its line, at every entry."""

import json

import pytest

from parsers.base import units
from results.models import Device, Result, Submission
from tests import pastes
from tests.page import Page, text_of
from tests.parsers.samples import SMARTCTL_ATA, SMARTCTL_NVME, SMARTCTL_SCSI, identified
from tests.results.kinds.latency_curve.test_runs import FIO
from tests.results.submissions.test_hostile import smartctl_json

pytestmark = pytest.mark.django_db
HUGE = "9" * 400
HUGER = "9" * 5000  # more digits than Python converts to an integer
RUN = pastes.FIRST_PASTE
ATA, NVME, SCSI = (identified(output) for output in (SMARTCTL_ATA, SMARTCTL_NVME, SMARTCTL_SCSI))
SPINNING = RUN.replace("Not_Zoned   \t# Zone Mode", "7200 \t# Rotation rate in RPM")
NVME_FIO = FIO + pastes.smartctl(model="SAMPLE NVMe")
FIO_JSON = json.dumps(
    {
        "fio version": "fio-3.33",
        "jobs": [
            {
                "jobname": "slog",
                "groupid": 0,
                "error": 0,
                "job options": {
                    "name": "slog", "filename": "/dev/da24", "rw": "randwrite", "bs": "4096", "ioengine": "psync",
                    "fsync": "1",
                },
                "write": {
                    "iops": 5000.5, "bw_bytes": 20482048, "total_ios": 5000, "lat_ns": {"mean": 29000.5},
                },
                "sync": {"total_ios": 5000, "lat_ns": {"N": 5000, "mean": 170000.5}},
            }
        ],
    },
    indent=1,
) + "\n" + pastes.smartctl()  # fmt: skip


def holding(text, figure, number):
    """The text with another number in place of that figure."""
    assert figure in text
    return text.replace(figure, number)


def line_of(text, part):
    return next(number for number, line in enumerate(text.split("\n"), start=1) if part in line)


# Runs that are refused: the invalid number, and the notice's code.
REFUSED = {
    "sector size": (RUN, "512         \t", "impossible_figure"),
    "media size": (RUN, "24575868928 ", "impossible_capacity"),
    "rotation rate": (SPINNING, "7200 ", "impossible_figure"),
    "fio's JSON rate": (FIO_JSON, "5000.5", "unreadable_value"),
    "fio's JSON throughput": (FIO_JSON, "20482048", "unreadable_value"),
    "fio's JSON latency": (FIO_JSON, "29000.5", "unreadable_value"),
}  # fmt: skip
# Figures that are left out while the run is published.
LEFT_OUT = {
    "latency": (RUN, "274.4 usec", "unreadable_point"),
    "capacity": (RUN + pastes.smartctl(), "24,575,868,928", "out_of_range"),
    "hours": (RUN + ATA, "20123", "unreadable_field"),
    "power cycles": (RUN + ATA, "       57", "out_of_range"),
    "temperature": (RUN + ATA, "       29", "unreadable_field"),
    "spindle": (RUN + SCSI, "7202", "out_of_range"),
    "blocks": (RUN + SCSI, "4096 bytes", "out_of_range"),
    "namespace": (RUN + NVME, "400,088,457,216", "out_of_range"),
    "bytes written": (RUN + NVME, "1,234,567", "out_of_range"),
    "wear": (RUN + NVME, "1%", "out_of_range"),
    "spare": (RUN + NVME, "100%", "out_of_range"),
    "hours of NVMe": (RUN + NVME, "8,000", "out_of_range"),
    "JSON hours": (RUN + smartctl_json(), '"hours": 10', "unreadable_field"),
    "JSON capacity": (RUN + smartctl_json(), '"bytes": 512000', "unreadable_field"),
    "JSON wear": (
        RUN + smartctl_json(nvme_smart_health_information_log={"percentage_used": 3}),
        '"percentage_used": 3',
        "unreadable_field",
    ),
}
FIO_LINES = {"rate": "IOPS=5000", "throughput": "BW=19.5", "latency": "avg=170.50"}


def with_number(figure, number):
    """The figure with another number; the text around its digits is unchanged."""
    first = next(at for at, character in enumerate(figure) if character.isdigit())
    last = len(figure) - next(at for at, character in enumerate(reversed(figure)) if character.isdigit())
    tail = ".5" if "." in figure[first:last] else ""
    return f"{figure[:first]}{number}{tail}{figure[last:]}"


def answers(client, text):
    """The statuses of every endpoint that accepts a text, and the lines that its notices name."""
    as_json = json.dumps({"text": text})
    for door in ("preview", "publish"):
        page = client.post("/submit/", {"text": text, "action": door})
        named = [text_of(link) for link in Page(page).root.iter("a")]
        yield page.status_code, [int(name.split()[1]) for name in named if name.startswith("Line ")]
        Submission.objects.all().delete()
    for url in ("/api/v1/parse/", "/api/v1/submissions/"):
        for body, kind in ((text, "text/plain"), (as_json, "application/json")):
            answer = client.post(url, body, content_type=kind)
            yield answer.status_code, [notice["line"] for notice in answer.json()["notices"]]
            Submission.objects.all().delete()


def parsed(client, text):
    """The status, and the notices with their lines."""
    answer = client.post("/api/v1/parse/", text, content_type="text/plain")
    return answer.status_code, [(notice["code"], notice["line"]) for notice in answer.json()["notices"]]


def test_invalid_number_in_the_run_refuses_it_with_its_line(client, subtests):
    for name, (text, figure, code) in REFUSED.items():
        for number in (HUGE, HUGER):
            with subtests.test(name=name, digits=len(number)):
                hostile = holding(text, figure, with_number(figure, number))
                line = line_of(hostile, number)
                status, notices = parsed(client, hostile)
                assert (status, code in dict(notices), line in dict(notices).values()) == (422, True, True)


def test_invalid_number_beside_the_run_is_left_out_with_its_line(client, subtests):
    for name, (text, figure, code) in LEFT_OUT.items():
        for number in (HUGE, HUGER):
            with subtests.test(name=name, digits=len(number)):
                hostile = holding(text, figure, with_number(figure, number))
                status, notices = parsed(client, hostile)
                assert status in {200, 422}
                assert (code, line_of(hostile, number)) in notices


def test_line_of_fio_with_an_invalid_number_is_left_out(client, subtests):
    for name, figure in FIO_LINES.items():
        with subtests.test(name=name):
            hostile = holding(NVME_FIO, figure, with_number(figure, HUGE))
            status, notices = parsed(client, hostile)
            assert status in {200, 422}
            assert line_of(hostile, HUGE) in [line for _, line in notices]


def test_every_entry_names_the_line_of_an_invalid_number(client, subtests):
    for name, statuses in (("media size", {422}), ("JSON hours", {200, 201})):
        text, figure, _ = {**REFUSED, **LEFT_OUT}[name]
        hostile = holding(text, figure, with_number(figure, HUGER))
        line = line_of(hostile, HUGER)
        for status, lines in answers(client, hostile):
            with subtests.test(name=name, status=status):
                assert status in statuses
                assert line in lines or (status, lines) == (201, [])
        assert Device.objects.exists() == (201 in statuses)


def test_figure_outside_its_range_is_reported_with_its_line(client, subtests):
    for text, figure, number, code in [
        (RUN, "512         \t", "64 \t", "impossible_figure"),
        (RUN, "512         \t", "2097152 \t", "impossible_figure"),
        (RUN, "24575868928 ", "0 ", "impossible_capacity"),
        (RUN, "24575868928 ", f"{10**16 + 1} ", "impossible_capacity"),
        (RUN, "274.4 usec", "1000000000000.5 usec", "unreadable_point"),
        (RUN, "274.4 usec", "999999999999.9 usec", "impossible_latency"),
        (RUN + ATA, "20123", f"{10**7 + 1}", "out_of_range"),
        (RUN + ATA, "       57", f"  {2**31}", "out_of_range"),
        (RUN + NVME, "1%", "256%", "out_of_range"),
        (RUN + NVME, "1,234,567 [632 GB]", f"{2**63:,} [9 EB]", "out_of_range"),
        (RUN + SCSI, "4096 bytes", "64 bytes", "out_of_range"),
        (RUN + SCSI, "7202", "65536", "out_of_range"),
        (RUN + smartctl_json(), '"hours": 10', '"hours": -1', "out_of_range"),
        (RUN + smartctl_json(), '"hours": 10', '"hours": 1e99', "unreadable_field"),
    ]:
        with subtests.test(figure=figure, number=number):
            hostile = holding(text, figure, number)
            status, notices = parsed(client, hostile)
            assert status in {200, 422}
            assert code in dict(notices)


def test_reported_line_is_that_of_the_figure_in_json(client):
    hostile = RUN + smartctl_json().replace('"hours": 10', '"hours": -1')
    (notice,) = [
        other
        for other in client.post("/api/v1/parse/", hostile, content_type="text/plain").json()["notices"]
        if other["code"] == "out_of_range"
    ]
    assert notice["line"] == line_of(hostile, '"hours": -1')
    assert "power_on_time.hours" in notice["message"]


def test_huge_exponent_is_refused(client):
    for number in ("1e99999999999999999999", "1e-99999999999999999999", "1e-999999"):
        assert parsed(client, holding(FIO_JSON, "5000.5", number))[0] == 422, number


def test_the_columns_hold_the_range_of_every_figure():
    largest = {"smallint": 2**15 - 1, "integer": 2**31 - 1}
    for name, range_ in {
        "sector_size": units.BLOCK_SIZE,
        "power_on_hours": units.HOURS,
        "wear_percent": units.PERCENTAGE,
    }.items():
        kind = Result._meta.get_field(name).get_internal_type()
        assert range_.largest <= largest["smallint" if "Small" in kind else "integer"]
    assert units.BYTES_WRITTEN.largest < 10 ** Result._meta.get_field("host_bytes_written").max_digits
    assert units.CAPACITY.largest <= 2**63 - 1
