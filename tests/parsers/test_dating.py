"""The day of a run: which stated date counts, and which dates state none."""

import json
from datetime import date

import pytest

from parsers.__main__ import to_json
from tests.parsers.samples import (
    DISKINFO,
    FIO_TEXT,
    SMARTCTL_ATA,
    SMARTCTL_JSON,
    SMARTCTL_NVME,
    identified,
    parse,
    read,
)

LOCAL_TIME = "Local Time is:    Thu Mar  2 23:59:01 2023 CET\nSMART support is: Enabled"
TABLE = identified(DISKINFO)
ATA = identified(SMARTCTL_ATA).replace("SMART support is: Enabled", LOCAL_TIME)
JSON = identified(SMARTCTL_JSON).replace(
    '"model_name"',
    '"local_time": {"time_t": 1677798000, "asctime": "Thu Mar  2 23:59:01 2023 CET"},\n  "model_name"',
)
FIO_JSON = """{
  "fio version" : "fio-3.33",
  "timestamp" : 1677798000,
  "timestamp_ms" : 1677798000123,
  "time" : "Thu Mar  2 23:59:01 2023",
  "jobs" : [
    {
      "jobname" : "a",
      "job options" : {"rw" : "write", "bs" : "4k", "sync" : "1", "filename" : "/dev/sda"},
      "write" : {"iops" : 900, "lat_ns" : {"mean" : 1000000}}
    }
  ]
}
"""
THAT_DAY = date(2023, 3, 2)


def days(text):
    """The day of each reading; read again from the masked text, they are the same."""
    return [reading.measured_on for reading in read(text).readings]


@pytest.mark.parametrize("smartctl", [ATA, JSON], ids=["text", "json"])
def test_a_run_is_of_the_day_that_smartctl_states(smartctl):
    assert days(f"{TABLE}\n{smartctl}") == [THAT_DAY, THAT_DAY]


def test_the_date_of_fio_itself_counts_before_that_of_smartctl():
    fio = identified(FIO_TEXT)  # on January 7th
    assert days(f"{ATA}\n{fio}") == [THAT_DAY, date(2023, 1, 7)]
    assert days(FIO_JSON) == [THAT_DAY]


def test_a_time_in_seconds_counts_where_no_local_date_is_printed():
    assert days(FIO_JSON.replace('"time" :', '"hour" :')) == [date(2023, 3, 2)]
    assert days(JSON.replace('"asctime"', '"other"')) == [date(2023, 3, 2)]


def test_a_run_is_of_the_day_that_the_smartctl_output_of_its_unit_states():
    other = identified(SMARTCTL_NVME, serial="EXN77").replace(
        "Namespace 1 Formatted", "Local Time is: Fri Mar  3 08:00:00 2023 CET\nNamespace 1 Formatted"
    )
    assert days(f"{ATA}\n{TABLE}\n{other}") == [THAT_DAY, THAT_DAY, date(2023, 3, 3)]
    assert days(f"{ATA}\n{other}\n{TABLE}") == [THAT_DAY, date(2023, 3, 3), THAT_DAY]


SHELL = (
    "[2023-03-02 23:59:01] root@nas:~# diskinfo -wS /dev/da4",
    "root@nas 2023-03-02 23:59 # diskinfo -wS /dev/da4",
    "┌──(root㉿nas)-[2023-03-02 23:59:01]\n└─# diskinfo -wS /dev/da4",
    "[Thu Mar 02 23:59:01 2023] nas% diskinfo -wS /dev/da4",
    "root@nas [2023-03-02 23:59:01]\n# diskinfo -wS /dev/da4",
    "nas# date\nThu Mar  2 23:59:01 CET 2023\nnas# diskinfo -wS /dev/da4",
    "nas# date\nThu  2 Mar 23:59:01 CET 2023\nnas# diskinfo -wS /dev/da4",
    "nas# date\nThu 02 Mar 2023 11:59:01 PM CET\nnas# diskinfo -wS /dev/da4",
    "nas# date -Is\n2023-03-02T23:59:01+01:00\nnas# diskinfo -wS /dev/da4",
    "nas# date; diskinfo -wS /dev/da4\nThu Mar  2 23:59:01 CET 2023",
    "=== Thu Mar  2 23:59:01 CET 2023 ===",
    'Script started on 2023-03-02 23:59:01+01:00 [TERM="xterm" TTY="/dev/pts/0" COLUMNS="80" LINES="24"]',
    "Script started on Thu Mar  2 23:59:01 2023",
)


def test_the_date_of_a_prompt_or_of_the_date_command_counts_where_no_tool_states_one(subtests):
    for shell in SHELL:
        with subtests.test(shell=shell):
            assert days(f"{shell}\n{TABLE}") == [THAT_DAY]


def test_a_date_below_the_run_counts_and_of_several_the_nearest():
    below = "nas# date\nThu Mar  2 23:59:01 CET 2023\n"
    assert days(f"{TABLE}\n{below}") == [THAT_DAY]
    assert days(
        f"nas# date\nTue Feb 28 08:00:00 CET 2023\nnas# ls\n{TABLE}Thu Mar  2 23:59:01 CET 2023\n"
    ) == [THAT_DAY]


def test_the_dates_of_prompts_are_not_those_of_tools():
    prompt = "[2023-04-01 10:00:00] root@nas:~# smartctl -a /dev/da4\n"
    assert days(f"{TABLE}{prompt}{ATA}") == [THAT_DAY, THAT_DAY]


def test_unrelated_dates_are_ignored(subtests):
    for line in [
        "Posted on 2023-03-02 23:59:01 by somebody",
        "On Thu Mar  2 23:59:01 2023 +0100, joe <joe@nas> wrote:",
        "Last login: Thu Mar  2 23:59:01 2023 from 192.0.2.1",
        "FreeBSD nas 13.1-RELEASE FreeBSD 13.1-RELEASE #0: Thu Mar  2 23:59:01 UTC 2023 root@nas:/usr/obj",
        "  scan: scrub repaired 0B in 00:00:02 with 0 errors on Thu Mar  2 23:59:01 2023",
        "2023-03-02 23:59:01",
        "Mar  2 23:59:01 nas kernel: da4: attached",
        "nas# diskinfo -wS /dev/da4 > run-2023-03-02T23:59.txt",
        "Date: Thu, 2 Mar 2023 23:59:01 +0100",
        "Thu, 02 Mar 2023 23:59:01 GMT",
        "Date:   Thu Mar 2 23:59:01 2023 +0100",
        "Joe Q\nThu Mar  2 23:59:01 CET 2023\n\nPrevious message: slow pool",
        "joe at nas.example\nThu Mar  2 23:59:01 CET 2023",
        "Subject: slow pool\nSent: Thu Mar  2 23:59:01 2023",
        "root@nas [2023-03-02 23:59:01] the pool is slow again",
        "[2023-03-02 23:59:01] <joe> # diskinfo -wS /dev/da4",
        "2023-03-02T23:59:01+01:00 nas sudo[1234]: root # diskinfo -wS /dev/da4",
    ]:
        with subtests.test(line=line):
            assert days(f"{line}\n{TABLE}") == [None]


def test_a_clock_that_was_never_set_states_no_day():
    for clock in (
        "Thu Jan  1 01:00:07 1970",
        "Fri Dec 31 23:59:59 1999",
        "Thu Feb 30 23:59:01 2023",
        "Thu Mar ... 2023",
        "",
    ):
        assert days(ATA.replace("Thu Mar  2 23:59:01 2023", clock)) == [None], clock
        assert days(identified(FIO_TEXT).replace("Sat Jan  7 12:00:00 2023", clock)) == [None], clock
        assert days(f"nas# date\n{clock}\nnas# diskinfo -wS /dev/da4\n{TABLE}") == [None], clock


@pytest.mark.parametrize("seconds", ["7", "-1", "true", "1e9", "99999999999999999999", '"1677798000"'])
def test_an_invalid_time_in_seconds_gives_no_day(seconds):
    text = FIO_JSON.replace('"time" :', '"hour" :').replace(
        '"timestamp" : 1677798000', f'"timestamp" : {seconds}'
    )
    assert days(text) == [None]


def test_the_day_is_printed_in_iso_format():
    paste = parse(ATA)
    assert json.loads(to_json(paste))["readings"][0]["measured_on"] == "2023-03-02"


def test_a_run_whose_date_is_cut_off_is_of_the_day_of_the_run_next_to_it():
    fio = identified(FIO_TEXT)
    cut = fio.replace("12:00:00 2023", "")
    assert days(f"{fio}\n{cut}") == [date(2023, 1, 7), date(2023, 1, 7)]
