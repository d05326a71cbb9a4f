"""The check of a log as a paste: what is kept of it says the same, without names that somebody chose."""

from dataclasses import replace

import pytest

from parsers.live_log.read import read_live_log
from parsers.paste import parse_paste
from tests.live_logs import Machine

BSD = {
    "system": "FreeBSD",
    "logs": "mirror-1 ONLINE\n  /dev/nvd0p1 ONLINE\n  /dev/nvd1p1 ONLINE",
    "disks": ("nvd0", "nvd1"),
}
NAMES = {"pool": "AcmeCorp", "datasets": ("AcmeCorp", "AcmeCorp/payroll")}


def kept(text):
    paste = parse_paste(text, unit_key=b"key")
    (log,) = (reading for reading in paste.readings if reading.kind == "live_log")
    return paste, log


@pytest.mark.parametrize("system", [{}, BSD], ids=["Linux", "FreeBSD"])
@pytest.mark.parametrize("version", ["2.1.15", "2.2.7", "2.3.4", "2.4.4"])
@pytest.mark.parametrize("pools", [1, 2])
def test_what_is_kept_says_the_same(system, version, pools):
    text = Machine(**system, **NAMES, version=version, pools=pools).text()
    paste, log = kept(text)
    stated = read_live_log(text)
    assert replace(log, last_line=0, drives={}) == replace(stated, last_line=0, drives={})
    assert (log.zil["zil_commit_count"] if log.is_of_pool else None) == (60_000 if log.is_of_pool else None)
    assert log.is_of_pool == (pools == 1 or version != "2.1.15")
    assert (log.measured_on.isoformat(), paste.warnings) == ("2025-11-30", ())
    again = parse_paste(paste.text, unit_key=b"key", unit_digests=paste.unit_digests)
    assert (again.text, again.readings) == (paste.text, paste.readings)


def test_no_name_is_kept():
    text = Machine(**NAMES).text() + Machine(**BSD, **NAMES).text()
    odd = (
        "zil_commit_secret 4 payroll\nzil_payroll 4 12\ndmu_tx_acme_corp 4 7\n"
        "kstat.zfs.AcmeCorp.dataset.objset-0x1.zil_note: payroll\n=== status payroll\n"
    )
    paste = parse_paste(text.replace("=== end\n", f"{odd}=== end\n"), unit_key=b"key")
    assert not {word for word in ("Acme", "acme", "payroll", "S64HNE0R") if word in paste.text}


@pytest.mark.parametrize("system", [{}, {"system": "FreeBSD"}], ids=["Linux", "FreeBSD"])
def test_the_label_of_a_missing_disk_is_not_kept(system):
    """It has no node, so the commands name it by its path."""
    logs = "/dev/disk/by-partlabel/acmeslog UNAVAIL\n/dev/nvme0n1p1 ONLINE"
    machine = Machine(**system, logs=logs, disks=("acmeslog", "nvme0n1"))
    paste, _ = kept(machine.text())
    assert ("acme" in paste.text, "=== disk nvme0n1" in paste.text) == (False, True)


def test_a_table_of_gstat_alone_is_no_check():
    paste = parse_paste(Machine(**BSD).gstat() + "\n", unit_key=b"key")
    assert (paste.readings, paste.text) == ((), "… 4 lines of gstat left out …\n")


@pytest.mark.parametrize("text", ["=== before 1764481426", "=== before 1764481426\n=== before 1764481426\n"])
def test_a_check_without_counters_is_read_without_figures(text):
    paste = parse_paste(text, unit_key=b"key")
    assert [reading.fault for reading in paste.readings] == ["incomplete"] * (text.count("===") - 1)
