"""The check of a log as a result: its figures by what the counters and the drives state, and what can't be one."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.paste import parse_paste
from results.kinds.envelope import Stated
from results.kinds.log_check.kind import LOG_CHECK
from results.kinds.log_check.read import find_log_checks
from results.kinds.refused import Refused
from tests.live_logs import Machine
from tests.results.used_drive.live_log.test_lights import BSD, NORMAL, ONE, WRITE, of_84_disks

HUGE = {"zil_commit_count": 10**17}
YEAR_S = 365 * 86_400
# 100 TB written, with 12 % and 32 % wear: the second one wears out first
YEARS = 100e12 * 68 / 32 / (12e6 * YEAR_S)


def check_of(text):
    (found,) = find_log_checks(parse_paste(text, unit_key=b"key"), Stated(sent_on=date(2026, 1, 1)))
    return found


@pytest.mark.parametrize(
    ("machine", "expected"),
    [
        ({}, {"log_commits_s": 2000, "log_mib_s": 11.44409, "log_share_percent": 100}),
        ({}, {"log_write_us": 20, "log_commit_us": 30}),
        (BSD, {"log_commits_s": 2000, "log_write_us": 20, "log_commit_us": 30}),
        ({"version": "2.1.15"}, {"log_mib_s": 7.947286, "log_share_percent": 100}),
        ({"version": "2.2.7", "pools": 2}, {"log_commits_s": 2000, "log_share_percent": 100}),
        ({"version": "2.3.4", "seconds": 60}, {"log_commits_s": 1000}),
        ({"stats": {NORMAL: 360_000_000}}, {"log_share_percent": 50}),
        (
            {"stats": {NORMAL: None, "zil_itx_metaslab_normal_bytes": None}},
            {"log_share_percent": None, "log_commits_s": 2000},
        ),
        ({"stats": {WRITE: 0}}, {"log_mib_s": 0, "log_share_percent": None}),
        ({"flushes": None}, {"log_write_us": 20, "log_commit_us": None}),
        ({"flushes": 0, "flush_ms": 0}, {"log_write_us": 20, "log_commit_us": 20}),
        ({"writes": 0}, {"log_write_us": None, "log_commit_us": None}),
        ({"disks": ()}, {"log_commits_s": 2000, "log_commit_us": None, "log_years": None}),
        ({}, {"log_years": YEARS}),
        ({**ONE, "drive": {"wear": 50}}, {"log_years": 100e12 / (12e6 * YEAR_S)}),
        ({"drive": {"wear": 2}}, {"log_years": None}),
        *(({"stats": {WRITE: written}}, {"log_years": 51}) for written in (0, 4096)),
        ({"drives": {"nvme1n1": {"model": ""}}}, {"log_years": None}),
        ({"logs": ONE["logs"] + "\n/dev/nvme1n1p1 ONLINE"}, {"log_years": 2 * YEARS}),
    ],
)
def test_figures_are_those_of_the_counters_and_the_drives(machine, expected):
    run = check_of(Machine(**machine).text())
    metrics = LOG_CHECK.compute(run.payload)
    found = {key: metrics.get(key) for key in expected}
    assert found == {
        key: None if value is None else pytest.approx(value, rel=1e-4) for key, value in expected.items()
    }


@pytest.mark.parametrize(
    ("machine", "code", "words"),
    [
        ({"logs": ""}, "no_log_device", "without a log device"),
        ({"left_out": ("status",)}, "no_log_device", "zpool status is missing"),
        ({"seconds": 2}, "log_not_counted", "fewer than ten seconds"),
        ({"left_out": ("before",)}, "log_not_counted", "once or not at all"),
        ({"stats": {"zil_commit_count": -5}}, "log_not_counted", "ran backwards"),
        ({"version": "2.1.15", "pools": 2}, "log_not_counted", "all pools"),
        ({"left_out": ("pools",), "version": "2.1.15"}, "log_not_counted", "all pools"),
        ({"stats": {"zil_commit_count": 0}}, "idle_log", "Check again"),
        ({"stats": HUGE, "start": 1}, "impossible_figure", "larger than any"),
        ({"stats": {WRITE: 10**17}}, "impossible_figure", "larger than any"),
        (
            {"seconds": 5_000_000_000, "stats": {"zil_commit_count": 10**15}},
            "impossible_figure",
            "than a day",
        ),
    ],
)
def test_what_says_nothing_about_a_log_is_refused_with_the_reason(machine, code, words):
    text = Machine(**machine).text().replace("=== end", "=== before 1764481426\n=== end")
    refusal = check_of(text)
    assert isinstance(refusal, Refused)
    assert (refusal.left_out.code, words in refusal.left_out.message) == (code, True), refusal


def test_its_pool_has_the_system_the_release_and_the_log_devices():
    run = check_of(Machine(version="2.2.7").text())
    pool = run.pool
    assert [vdev["role"] for vdev in pool.layout] == ["data", "log"]
    assert (pool.platform, pool.zfs_version) == ("x86_64-linux-6.1.0", "2.2.7")
    assert [log.model_name for log in pool.logs] == ["ALDERA S1-480"]
    assert (run.measured_on, run.payload["log_name"]) == (date(2025, 11, 30), "ALDERA S1-480")
    assert check_of(Machine(disks=()).text()).pool.platform == "Linux"
    of_several = check_of(Machine(pools=2).text().replace("\npool  ", "\nother  "))
    assert (of_several.pool.position, len(of_several.pool.layout)) == (1, 2)


def test_more_years_than_other_parts_last_are_shown_as_such():
    assert [LOG_CHECK.metrics["log_years"].with_unit(years) for years in (0.56, 51)] == [
        "0.56 years",
        "over 50 years",
    ]


def test_a_fast_link_and_a_pool_of_84_disks_are_a_result():
    run = check_of(of_84_disks(Machine(stats={WRITE: 10 * 10**9 * 30}).text()))
    assert run.payload["log_bytes_s"] == 10**10
    assert [vdev["members"] for vdev in run.pool.layout] == [84, 2]


@pytest.mark.parametrize(
    "left_out", [("parameters", "disk", "queues"), ("properties", "version", "parameters")]
)
def test_half_of_the_sections_are_enough(left_out):
    assert check_of(Machine(left_out=left_out).text()).payload["commits_s"] == 2000


@settings(max_examples=100, deadline=None)
@given(end=st.integers(0, 40_000))
def test_a_text_that_was_cut_off_is_no_result_or_the_same_one(end):
    text = Machine().text()
    whole, paste = check_of(text), parse_paste(text[:end], unit_key=b"key")
    for run in find_log_checks(paste, Stated(sent_on=date(2026, 1, 1))):
        if not isinstance(run, Refused):
            stated = {name: value for name, value in run.payload.items() if value is not None}
            assert stated == {name: whole.payload[name] for name in stated}
