from django.conf import settings

from parsers.kinds import DeviceClass
from parsers.paste import parse_paste
from results.ingest.runs import Run, find_runs
from results.models.choices import Method
from tests import pastes

FIO = """\
# fio --name=slog --filename=/dev/nvme0n1 --rw=randwrite --bs=4k --ioengine=psync --direct=1 --fsync=1 --runtime=30
slog: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=1
fio-3.33
Starting 1 process

slog: (groupid=0, jobs=1): err= 0: pid=2112: Tue Jan  9 10:00:00 2024
  write: IOPS=5000, BW=19.5MiB/s (20.5MB/s)(586MiB/30001msec); 0 zone resets
    lat (usec): min=20, max=900, avg=29.50, stdev= 4.10
  fsync/fdatasync/sync_file_range:
    sync (usec): min=100, max=9000, avg=170.50, stdev=20.00
"""


def runs(text):
    found = find_runs(parse_paste(text, unit_key=settings.UNIT_KEY.encode()))
    return list(found.runs), [notice.code for notice in found.notices]


def test_a_run_says_all_that_both_tools_said():
    (run,), notices = runs(pastes.FIRST_PASTE + pastes.smartctl())
    assert notices == []
    assert run == Run(
        model_name="MARVELL SD88SA02",
        device_class=DeviceClass.SATA_SSD,
        method=Method.DISKINFO,
        curve=run.curve,
        is_complete=True,
        capacity_bytes=24_575_868_928,
        firmware_version="D20Y",
        unit=run.unit,
        path="/dev/da24",
        platform="FreeBSD 12.2-RELEASE-p11 amd64",
        sector_size=512,
        first_line=2,
        last_line=25,
        printed_class=DeviceClass.SATA_SSD,
    )
    assert [float(latency) for latency in run.curve] == list(pastes.FIRST_CURVE)
    assert len(run.unit) == 32


def test_a_device_is_spelled_alike_whichever_tool_told_its_name():
    (alone,), _ = runs(pastes.diskinfo(description="ATA  SAMPLE   SSD"))
    (described,), _ = runs(pastes.diskinfo() + pastes.smartctl(model="SAMPLE SSD"))
    assert alone.model_name == described.model_name == "SAMPLE SSD"


def test_a_run_by_fio_is_a_curve_of_the_sizes_that_it_wrote():
    (run,), notices = runs(FIO + pastes.smartctl(model="SAMPLE NVMe"))
    assert notices == []
    assert (run.method, run.model_name, run.is_complete) == (Method.FIO, "SAMPLE NVMe", False)
    assert [slot for slot, latency in enumerate(run.curve) if latency is not None] == [3]
    assert float(run.curve[3]) == 200
    assert run.is_ranked


def test_fio_alone_does_not_say_which_device_it_measured():
    assert runs(FIO) == ([], ["no_device"])


def test_fio_that_did_not_flush_is_refused():
    text = FIO.replace("--fsync=1 ", "").partition("  fsync/")[0]
    found, notices = runs(text + pastes.smartctl(model="SAMPLE NVMe"))
    assert (found, notices) == ([], ["not_sync_write"])


def test_a_fio_run_without_4_kib_is_kept_and_not_ranked():
    text = FIO.replace("4096B", "8192B").replace("bs=4k", "bs=8k")
    (run,), _ = runs(text + pastes.smartctl(model="SAMPLE NVMe"))
    assert (run.is_ranked, "4 KiB" in run.not_ranked_reason) == (False, True)


def test_runs_stand_in_the_order_of_the_paste():
    names = ["SAMPLE C", "SAMPLE A", "SAMPLE B"]
    found, _ = runs("".join(pastes.diskinfo(description=name, ident=f"{name[-1]}000001") for name in names))
    assert [run.model_name for run in found] == names
