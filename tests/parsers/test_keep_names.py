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
    return "\n".join([paste.text, *(one.message for one in (*paste.warnings, *paste.left_out))])


def test_names_in_commands_are_not_kept():
    for command in COMMANDS:
        sent = f"$ {command.format(NAME)}\n{blocks()[command.split()[0]]}"
        kept = shown(sent)
        assert NAME not in kept, kept
        assert f"$ {command.split()[0]} -" in kept  # still a command


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
