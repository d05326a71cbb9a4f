from django.conf import settings

from parsers.base.target import Target
from parsers.paste import parse_paste
from results.kinds.interconnects import link_named
from results.kinds.registry import find_runs
from results.models.choices import Method
from tests import pastes
from tests.parsers.samples import SMARTCTL_ATA, SMARTCTL_NVME, identified

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
    assert found.count == len(found.runs) + len(found.left_out)
    return list(found.runs), [gap.code for gap in found.left_out]


def test_device_is_spelled_alike_by_either_tool():
    (alone,), _ = runs(pastes.diskinfo(description="ATA  SAMPLE   SSD"))
    (described,), _ = runs(pastes.diskinfo() + pastes.smartctl(model="SAMPLE SSD"))
    assert alone.model_name == described.model_name == "SAMPLE SSD"


def test_fio_run_is_a_curve_of_its_block_sizes():
    (run,), notices = runs(FIO + pastes.smartctl(model="SAMPLE NVMe"))
    assert notices == []
    assert (run.method, run.model_name, run.is_complete) == (Method.FIO, "SAMPLE NVMe", False)
    assert [slot for slot, latency in enumerate(run.curve) if latency is not None] == [3]
    assert float(run.curve[3]) == 200
    assert run.is_ranked


def test_fio_without_smartctl_names_no_device():
    assert runs(FIO) == ([], ["no_device"])


def test_fio_run_without_4_kib_is_stored_but_not_ranked():
    text = FIO.replace("4096B", "8192B").replace("bs=4k", "bs=8k")
    (run,), _ = runs(text + pastes.smartctl(model="SAMPLE NVMe"))
    assert (run.is_ranked, "4 KiB" in run.not_ranked_reason) == (False, True)


def test_refused_fio_run_has_one_notice():
    text = FIO.replace("rw=randwrite", "rw=randrw") + "  cpu          : usr=1.00%\n"
    for described in ("", pastes.smartctl(model="SAMPLE NVMe")):
        paste = parse_paste(text + described, unit_key=settings.UNIT_KEY.encode())
        found = find_runs(paste)
        (notice,) = [*paste.warnings, *found.notices]
        assert (notice.code, notice.line) == ("mixed_work", 2)
        assert [(gap.code, gap.first_line, gap.last_line) for gap in found.left_out] == [
            ("mixed_work", 2, 11)
        ]


def test_shell_loop_without_a_device_is_one_left_out_run():
    loop = FIO + FIO.replace("4096B", "8192B").replace("bs=4k", "bs=8k")
    assert runs(loop) == ([], ["no_device"])
    assert runs(FIO + FIO) == ([], ["no_device", "no_device"])


def test_run_states_its_target(subtests):
    described = pastes.smartctl(model="SAMPLE NVMe")
    for text, target in [
        (FIO + described, Target.DEVICE),
        (FIO.replace("/dev/nvme0n1", "/dev/nvme0n1p1") + described, Target.PARTITION),
        (pastes.diskinfo(path="/dev/da24"), Target.DEVICE),
        (pastes.diskinfo(path="/dev/da24p1"), Target.SLICE),
    ]:
        with subtests.test(target=target):
            (run,), _ = runs(text)
            assert run.target is target


def test_fio_on_a_volume_is_no_curve(subtests):
    for path, layer in [("/dev/mapper/vg-lv", "lvm"), ("/dev/zvol/tank/v", "zvol"), ("/mnt/tank/file", "")]:
        with subtests.test(path=path):
            (run,), _ = runs(FIO.replace("/dev/nvme0n1", path) + pastes.smartctl(model="SAMPLE NVMe"))
            assert (run.method, run.payload["layer"], run.is_ranked) == ("fio_file", layer, False)
            (row,) = run.payload["rows"]
            assert (row["method"], row["block_size"]) == ("fsync", 4096)
            assert (row["latency_us"], row["p99_us"]) == (200, None)


def test_fio_without_a_file_name_wrote_to_a_file():
    text = FIO.replace("--filename=/dev/nvme0n1 ", "")
    (run,), _ = runs(text + pastes.smartctl(model="SAMPLE NVMe"))
    assert run.method == "fio_file"
    (unknown,) = parse_paste(text.partition("\n")[2], unit_key=b"key").readings  # the command line is unknown
    assert unknown.target is Target.DEVICE


def test_run_states_its_link_and_capacity():
    described = identified(SMARTCTL_ATA, serial=pastes.SERIAL).replace("current: 6.0", "current: 3.0")
    (run,), _ = runs(pastes.diskinfo(media_size=100_000_000_000) + described)
    assert link_named(run.negotiated_link) is not None
    assert (run.negotiated_link, run.native_capacity_bytes) == ("SATA 3 Gb/s", None)
    assert (run.stated_capacity_bytes, run.measured_capacity_bytes) == (200_049_647_616, 100_000_000_000)
    smaller = identified(SMARTCTL_NVME, serial=pastes.SERIAL).replace(
        "Size/Capacity:          400,088,457,216 [400 GB]", "Size/Capacity: 200,049,647,616 [200 GB]"
    )
    (run,), _ = runs(pastes.diskinfo(description="EXAMPLE NV400") + smaller)
    assert (run.capacity_bytes, run.native_capacity_bytes) == (200_049_647_616, 400_088_457_216)


def test_runs_are_in_the_order_of_the_paste():
    names = ["SAMPLE C", "SAMPLE A", "SAMPLE B"]
    found, _ = runs("".join(pastes.diskinfo(description=name, ident=f"{name[-1]}000001") for name in names))
    assert [run.model_name for run in found] == names


def test_what_two_descriptions_of_one_drive_say_is_stored_unless_no_drive_can_have_reached_it():
    information = (
        "# smartctl -i /dev/nvme0\n=== START OF INFORMATION SECTION ===\n"
        "Model Number:                       SAMPLE NVMe\nFirmware Version:                   EX10\n"
        "Total NVM Capacity:                 960,197,124,096 [960 GB]\n\n"
    )
    log = (
        "# smartctl -A /dev/nvme0\n=== START OF SMART DATA SECTION ===\nSMART/Health Information (NVMe Log 0x02)\n"
        "Percentage Used:                    37%\nPower On Hours:                     {}\n\n"
    )
    for hours, stored in (("9,812", 9_812), ("300,000", 300_000), ("900,446", None)):
        (run,), left_out = runs(information + log.format(hours) + FIO)
        assert (run.power_on_hours, run.wear_percent, run.firmware_version) == (stored, 37, "EX10")
        assert left_out == []
    assert runs(information.replace("/dev/nvme0", "/dev/sda") + FIO) == ([], ["no_device"])
    crossed_out = information.replace("SAMPLE NVMe", "XXXXXXXXXXX")
    assert runs(crossed_out + FIO) == ([], ["no_device"])
