"""Names in places of kept lines where a tool's own words are expected: none is kept."""

from tests.parsers.samples import DISKINFO, FIO_TEXT, SMARTCTL_ATA, identified, read

NAME = "bertasnas"
COMMANDS = (
    "smartctl -B /home/{} -a /dev/sda",
    "smartctl -B +/home/{}/drivedb.h -a /dev/sda",
    "smartctl -B+/home/{}/drivedb.h -a /dev/sda",
    "smartctl --drivedb=/home/{} -a /dev/sda",
    "smartctl -a -d {}.example.com /dev/sda",
    "smartctl -i -d /dev/disk/by-id/ata-EXAMPLE_{}1",
    "smartctl --{} -a /dev/sda",
    "smartctl -a /dev/disk/by-id/nvme-EXAMPLE_{}1____",
    "smartctl -a /dev/disk/by-id/nvme-EXAMPLE_{}1_1_1-part2",
    "fio --name=a --rw=write --ioengine=external:/home/{}/engine.so",
    "fio --name=a --rw=write --mem=mmaphuge:/mnt/{}/file",
    "fio --name=a --rw=write --buffer_pattern={}",
    "fio --name=a --rw=write --runtime={}",
)
LINES = (
    "Copyright (C) 2002-20, Bruce Allen, {} and others",
    "fio-3.33-{}",
    "3;fio-3.33;job;0;0;{};1;{}",
    "WCE           1  [{}: y, def:  1, sav:  1]",
    "\u2026 3 lines of {} left out \u2026",
    "SMART overall-health self-assessment test result: {}12",
)
KEPT_COMMANDS = (
    "smartctl -x -d sat+megaraid,12 /dev/sda",
    "smartctl -a -d areca,1/2 /dev/sg2",
    "smartctl -iAHx -l gplog,0x08 -l devstat /dev/sda",
    "smartctl --all --device=nvme,0xffffffff /dev/nvme0",
    "fio --name=a --ioengine=io_uring --random_distribution=zipf:1.1 --size=4GiB --buffer_pattern=0xdeadbeef",
    "fio --name=a --output-format=json+,normal --mem=shmhuge --thinktime=2ms --runtime=60s",
)


def blocks():
    fio = identified(FIO_TEXT).split("\n", 1)[1]  # without its command
    return {"smartctl": identified(SMARTCTL_ATA), "fio": fio, "diskinfo": identified(DISKINFO)}


def shown(text):
    paste = read(text)
    return "\n".join([paste.text, *(notice.message for notice in (*paste.warnings, *paste.left_out))])


def test_names_in_commands_are_not_kept():
    for command in COMMANDS:
        sent = f"$ {command.format(NAME)}\n{blocks()[command.split()[0]]}"
        stored = shown(sent)
        assert NAME not in stored, stored
        assert f"$ {command.split()[0]} -" in stored  # still a command


def test_names_in_lines_are_not_kept():
    for line in LINES:
        for block in blocks().values():
            lines = block.rstrip("\n").split("\n")
            middle = len(lines) // 2
            sent = "\n".join([*lines[:middle], line.format(NAME, NAME), *lines[middle:]])
            assert NAME not in shown(sent), line
            assert NAME not in shown(f"{block}{line.format(NAME, NAME)}\n"), line


def test_the_words_of_the_tools_stay_in_commands():
    for command in KEPT_COMMANDS:
        assert f"$ {command}\n" in shown(f"$ {command}\n{blocks()[command.split()[0]]}")


def test_what_is_the_same_on_every_machine_stays():
    commands = (
        "dd if=/dev/urandom of=/dev/ada0p3.eli bs=1M oflag=sync",
        "dd if=/dev/random of=/dev/gpt/slog0.nop bs=4k",
        "dd if=/dev/zero of=/dev/mapper/nvme0n1p3_crypt bs=4k",
        "fio --name=a --rw=write --filename=/dev/mapper/mpatha-part1 --bs=4k",
        "fio --name=a --rw=write --filename=/dev/da1.nop.eli --bs=4k",
        "fio --name=a --rw=write --directory=/mnt/.zfs/snapshot --bs=4k",
    )
    output = {
        "dd": "1000+0 records in\n1000+0 records out\n4096000 bytes (4.1 MB) copied, 1.87 s, 2.2 MB/s\n",
        "fio": identified(FIO_TEXT).split("\n", 1)[1],
    }
    for command in commands:
        stored = shown(f"$ {command}\n{output[command.split()[0]]}").splitlines()[0]
        masked = command.replace("slog0", "[pool-1]") if "slog0" not in stored else command
        assert stored == f"$ {masked}"


def test_layers_on_devices_stay_in_the_tables_of_zpool():
    names = (
        "da0p1.eli",
        "nvd1.nop",
        "c0t1d0s0",
        "nvme0n1p3_crypt",
        "gptid/550e8400-e29b-41d4-a716-446655440000.eli",
    )
    rows = "".join(f"\t  {name}  ONLINE  0  0  0\n" for name in names)
    (pool,) = read(f"\tNAME  STATE  READ WRITE CKSUM\n\tX  ONLINE  0  0  0\n{rows}").readings
    assert [vdev.devices[0] for vdev in pool.vdevs] == [*names[:4], "gptid/[wwn-1].eli"]
    assert pool.pool == "[pool-1]"


def test_a_pool_of_one_letter_is_a_pool():
    head = "pool  alloc  free  read  write  read  write\n"
    for name in ("T", "zz", "private"):
        (table,) = read(f"{head}{name}  17.2T  103T  10  13.7K  41.5K  55.3M\n").readings
        assert [(row.role, row.name) for row in table.rows] == [("pool", "[pool-1]")], name
